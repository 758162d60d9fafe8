// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Synchronization
import Testing

/// A node whose numbers and problems a test chooses.
private final class TestWatch: NodeWatch {
    private let held = Mutex<[HealthProblem]>([])
    var problems: [HealthProblem] {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    func metrics() async -> [MetricFamily] { [MetricFamily("disposable_events", .gauge, "Events.", 3)] }
    func hindrances() async -> [HealthProblem] { problems }
}

private func withWatch(
    _ watch: TestWatch, _ gallery: TestGallery, isFromHere: Bool = true,
    _ body: @escaping @Sendable (HTTPClient) async throws -> Void
) async throws {
    var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
    configuration.isFromHere = { _, _ in isFromHere }
    try await withPortal(configuration, watch: watch, { [gallery] }) { _, client in try await body(client) }
}

@Suite struct WatchRouteTests {
    @Test("the metrics are those of the node and of its pages, and follow what guests do")
    func metrics() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put(photoBytes(70_000), by: .stranger(1))
        try await withWatch(TestWatch(), gallery) { client in
            let guest = try await client.opening(gallery)
            for _ in 0..<3 {
                #expect(try await guest.get(gallery.path + "photos/\(photo.id)/thumbnail").status == 200)
            }
            let reply = try await client.get("/metrics")
            #expect(reply.status == 200)
            #expect(reply["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = Set(reply.text.split(separator: "\n"))
            #expect(lines.contains("disposable_events 3"))
            #expect(lines.contains("disposable_streams{event=\"\(gallery.event.short)\"} 0"))
            #expect(lines.contains("disposable_uploads{event=\"\(gallery.event.short)\"} 0"))
            #expect(lines.contains("disposable_request_duration_seconds_count{kind=\"thumbnail\"} 3"))
            #expect(lines.contains("disposable_request_duration_seconds_bucket{kind=\"thumbnail\",le=\"+Inf\"} 3"))
            #expect(lines.contains("disposable_request_duration_seconds_count{kind=\"original\"} 0"))
        }
    }

    @Test("the node is healthy until it names a problem, and again when that is gone")
    func health() async throws {
        let watch = TestWatch()
        try await withWatch(watch, try TestGallery()) { client in
            #expect(try await client.get("/health").text == #"{"isHealthy":true,"problems":[]}"#)
            watch.problems = [HealthProblem(code: "room", message: "the disk is full")]
            let ill = try await client.get("/health")
            #expect(ill.status == 503)
            #expect(ill.text == #"{"isHealthy":false,"problems":[{"code":"room","message":"the disk is full"}]}"#)
            watch.problems = []
            #expect(try await client.get("/health").status == 200)
        }
    }

    @Test("another machine gets the answer of a path that does not exist", arguments: ["/metrics", "/health"])
    func elsewhere(path: String) async throws {
        try await withWatch(TestWatch(), try TestGallery(), isFromHere: false) { client in
            for method in ["GET", "HEAD"] {
                let (reply, unknown) = (try await client.send(method, path), try await client.send(method, "/nothing"))
                #expect(reply.status == 404)
                #expect(reply.body == unknown.body)
                func headers(_ reply: Reply) -> [String] {
                    reply.headers.filter { $0.name != "date" }.map { "\($0.name): \($0.value)" }
                }
                #expect(headers(reply) == headers(unknown), "\(method)")
            }
        }
    }

    @Test("a refusal by a limit is counted with its code, another refusal is not")
    func refusals() async throws {
        let gallery = try TestGallery()
        var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
        configuration.limits.rates.sessions = Rate(burst: 1, perSecond: 0.001)
        try await withPortal(configuration, watch: TestWatch(), { [gallery] }) { _, client in
            _ = try await client.opening(gallery)
            #expect(try await client.post("/api/session", ["token": gallery.tokenText]).status == 429)
            #expect(try await client.get("/nothing").status == 404)
            let lines = try await client.get("/metrics").text.split(separator: "\n")
                .filter { $0.hasPrefix("disposable_requests_refused_total{") }
            #expect(lines == ["disposable_requests_refused_total{code=\"too-many-requests\"} 1"])
        }
    }
}

@Suite struct RequestKindTests {
    @Test(
        "the path of a request determines its kind",
        arguments: [
            ("/", .page), ("", .page), ("/e/1a2b3c4d/", .page), ("/shared/style.css", .page),
            ("/e/1a2b3c4d/zip", .page), ("/api/session", .api),
            ("/e/1a2b3c4d/api/photos/00/comments?limit=5", .api), ("//api//board", .api),
            ("/desk/api/e/1a2b3c4d/overview", .api), ("/e/1a2b3c4d/photos/00/thumbnail", .thumbnail),
            ("/desk/api/e/1a2b3c4d/photos/00/preview", .preview), ("/e/1a2b3c4d/early/00/preview", .preview),
            ("/e/1a2b3c4d/photos/00/original?download", .original), ("/e/1a2b3c4d/uploads", .upload),
            ("/e/1a2b3c4d/uploads/00/preview", .upload), ("/apis?x=/api/", .page), ("/\u{FF}/original", .original),
        ] as [(String, RequestKind)])
    func kinds(path: String, kind: RequestKind) { #expect(RequestKind(path: path) == kind) }
}
