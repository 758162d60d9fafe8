// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import Logging
import Synchronization
import Testing

@Suite struct ProtocolDetectorTests {
    /// The begin of the greeting of a TLS client: a record of the type handshake, which holds a ClientHello.
    private static let greeting: [UInt8] = [22, 3, 1, 0x02, 0x00, 1, 0, 0x01, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 200)

    /// Counts the lines of every level.
    private struct CountingLog: LogHandler {
        let count: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { count.add("\(event.message)") }
    }
    private final class Lines: Sendable {
        private let held = Mutex<[String]>([])
        func add(_ line: String) { held.withLock { $0.append(line) } }
        var all: [String] { held.withLock { $0 } }
    }

    @Test("a browser that tries HTTPS at the port of plain HTTP is disconnected at once, without a line in the log")
    func greeting() async throws {
        let gallery = try TestGallery()
        let lines = Lines()
        let configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
        let logger = Logger(label: "test") { _ in CountingLog(count: lines) }
        try await withPortal(configuration, logger: logger, { [gallery] }) { _, client in
            #expect(try await client.get("/").status == 200)
            let before = lines.all
            for _ in 0..<40 {
                let socket = try Socket(port: client.port)
                try await socket.write(Self.greeting)
                #expect(try await socket.readToEnd().isEmpty)
            }
            #expect(lines.all == before)
            #expect(try await client.get("/").status == 200)
        }
    }

    @Test("a greeting that arrives byte by byte is refused at its first byte")
    func firstByte() async throws {
        try await withPortal([try TestGallery()]) { _, client in
            let socket = try Socket(port: client.port)
            try await socket.write(Array(Self.greeting.prefix(1)))
            #expect(try await socket.readToEnd().isEmpty)
        }
    }
}
