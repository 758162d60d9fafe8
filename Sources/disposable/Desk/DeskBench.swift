// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableStore
import Foundation
import Logging

/// What a look at the desk costs the node of a large event, as JSON and without the socket.
struct DeskBench {
    let photoCount: Int
    let runCount: Int

    func run() async throws {
        let folder = BenchFolder()
        _ = try SyntheticEvent.fill(folder.path, photoCount: photoCount)
        let node = try Node(
            folder: DataFolder(path: folder.path), configuration: .offline, logger: Logger(label: "bench"))
        let runCount = runCount
        let figures = try await node.runOffline { node in
            let desk = NodeDesk(node: node, isForOthers: false) { _ in }
            guard let event = await node.events.first.flatMap({ DeskEvent($0.description) }) else {
                throw Failure("the measured node has no event")
            }
            // A page in the middle is as quick as the first.
            let photos = try await node.sheet(of: node.event(named: event.text), .all, before: nil, limit: 2_000)
            let questions: [(String, DeskQuestion)] = [
                ("overview", .overview(event)), ("people", .people(event, offset: 0, limit: 50)),
                ("photos", .photos(event, which: .all, before: nil, limit: 60)),
                ("laterPhotos", .photos(event, which: .all, before: photos.next, limit: 60)),
            ]
            var figures: [String: Double] = [:]
            for (name, question) in questions {
                var times: [Double] = []
                for _ in 0..<runCount {
                    let start = ContinuousClock.now
                    _ = try JSONEncoder().encode(try await desk.answer(question))
                    times.append((ContinuousClock.now - start) / .milliseconds(1))
                }
                figures.merge(percentiles(times, name + "Milliseconds")) { $1 }
            }
            return figures
        }
        Figure.report("desk", figures.merging(["photos": Double(photoCount), "runs": Double(runCount)]) { $1 })
    }
}
