// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import Foundation

/// Measures the organizer's desk at a large event: each view over HTTP on loopback, with one connection each.
struct DeskBench {
    let photoCount: Int
    let runCount: Int

    private struct Page: Decodable { let next: String? }

    func run() async throws {
        let folder = BenchFolder()
        _ = try SyntheticEvent.fill(folder.path, photoCount: photoCount)
        let node = try BenchNode(data: folder.path, ["run", "--no-mdns", "--portal", "127.0.0.1:0"])
        let desk = try await node.waitUntil("desk")
        let ready = try await node.waitUntil("ready")
        guard let url = (desk["url"] as? String).flatMap(URLComponents.init(string:)), let key = url.fragment,
            let port = url.port.flatMap(UInt16.init(exactly:)), let event = ready["event"] as? String
        else { throw Failure("the measured node has no desk") }
        let (_, cookie) = try LoopbackHTTP.open("/desk/api/session", port: port, body: "{\"key\":\"\(key)\"}")
        let base = "/desk/api/e/\(event)"
        // The cursor of a page in the middle of the event.
        var next = ""
        for _ in 0..<max(1, photoCount / 200) {
            let bytes = try LoopbackHTTP.get("\(base)/photos?limit=100\(next)", port: port, cookie: cookie)
            guard let cursor = try JSONDecoder().decode(Page.self, from: Data(bytes)).next else { break }
            next = "&before=\(cursor)"
        }
        let views = [
            ("overview", "overview"), ("people", "people?limit=50"), ("photos", "photos?limit=60"),
            ("laterPhotos", "photos?limit=60\(next)"),
        ]
        var figures: [String: Double] = ["photos": Double(photoCount), "runs": Double(runCount)]
        for (name, path) in views {
            let times = try (0..<runCount).map { _ in
                try Figure.seconds { try LoopbackHTTP.get("\(base)/\(path)", port: port, cookie: cookie) }.0 * 1_000
            }
            figures.merge(percentiles(times, name + "Milliseconds")) { $1 }
        }
        node.stop()
        Figure.report("desk", figures)
    }
}
