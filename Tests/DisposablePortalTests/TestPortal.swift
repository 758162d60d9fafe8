// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Logging
import Synchronization
import Testing

/// Runs the real server on a free port of this machine while `body` runs.
func withPortal<Result: Sendable>(
    _ galleries: [TestGallery], hosts: [String] = ["127.0.0.1"], limits: PortalLimits = PortalLimits(),
    _ body: @escaping @Sendable (Portal, HTTPClient) async throws -> Result
) async throws -> Result {
    var configuration = Portal.Configuration(hosts: hosts, port: .exactly(0))
    configuration.limits = limits
    return try await withPortal(configuration, { galleries }, body)
}

func withPortal<Result: Sendable>(
    _ configuration: Portal.Configuration, desk: (any Desk)? = nil, board: (any BoardSource)? = nil,
    watch: (any NodeWatch)? = nil, logger: Logger = .silent, _ galleries: @escaping @Sendable () -> [TestGallery],
    _ body: @escaping @Sendable (Portal, HTTPClient) async throws -> Result
) async throws -> Result {
    let portal = Portal(configuration, logger: logger, desk: desk, board: board, watch: watch) { galleries() }
    let (ports, sink) = AsyncStream.makeStream(of: UInt16.self)
    return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask {
            try await portal.run { sink.yield($0.port) }
            sink.finish()
            return nil
        }
        group.addTask {
            guard let port = await ports.first(where: { _ in true }) else { return nil }
            return try await body(portal, HTTPClient(port: port))
        }
        defer { group.cancelAll() }
        while let result = try await group.next() {
            if let result { return result }
        }
        throw CancellationError()
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Repeats a check until it succeeds; a test that waits for five minutes has failed.
func eventually(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(100))
    }
    // It may have happened while this test waited to be scheduled.
    guard try await !condition() else { return }
    Issue.record("the condition was not met in time")
}

/// Galleries that a test replaces while the portal runs.
final class Held: Sendable {
    private let held: Mutex<[TestGallery]>
    init(_ galleries: [TestGallery]) { held = Mutex(galleries) }
    var galleries: [TestGallery] {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}

extension HTTPClient {
    /// Returns the same client with a session of the event, by its token.
    func opening(_ gallery: TestGallery) async throws -> HTTPClient {
        let reply = try await post("/api/session", ["token": gallery.tokenText])
        try #require(reply.status == 200, "\(reply.text)")
        var client = self
        client.headers["Cookie"] = try #require(reply["set-cookie"]?.split(separator: ";").first).description
        return client
    }

    /// Returns the same client, entered as this guest.
    func entering(_ gallery: TestGallery, as guest: TestGuest = TestGuest(), name: String? = nil) async throws
        -> HTTPClient
    {
        let client = try await opening(gallery)
        let reply = try await client.enter(gallery, as: guest, name: name)
        try #require(reply.status == 200, "\(reply.text)")
        return client
    }

    func enter(_ gallery: TestGallery, as guest: TestGuest, name: String? = nil) async throws -> Reply {
        let challenge = try #require(try await get(gallery.path + "api/me").object["challenge"] as? String)
        var message = try await guest.entry(to: gallery, challenge: challenge)
        if let name { message["name"] = name }
        return try await post(gallery.path + "api/guest", message)
    }
}

/// The state that a page keeps of its guest.
struct TestGuest: Sendable {
    let seed: [UInt8]

    init() { seed = (0..<16).map { _ in UInt8.random(in: .min ... .max) } }

    func key(in event: EventID) throws -> SigningKey {
        var bytes = seed
        return try #require(GuestSeed(SecretBytes(consuming: &bytes))).signingKey(in: event)
    }

    func id(in gallery: TestGallery) throws -> AuthorID { AuthorID(try key(in: gallery.event).verifyingKey) }

    /// Returns the object for `POST api/guest`.
    func entry(to gallery: TestGallery, challenge: String) async throws -> [String: String] {
        let key = try key(in: gallery.event)
        let subKey = try await gallery.subKey(of: try id(in: gallery))
        let delegation = Delegation(to: subKey, at: gallery.node, event: gallery.event, by: key)
        let proven = Domain.guestProof + gallery.event.bytes + gallery.node.bytes + subKey.bytes
        let proof = key.signature(for: proven + (try #require([UInt8](hex: challenge))))
        return [
            "guest": delegation.guest.description, "delegation": delegation.signature.bytes.hex,
            "proof": proof.bytes.hex,
        ]
    }
}
