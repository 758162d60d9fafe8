// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposableStore
import DisposableWire
import Foundation
import Testing

/// Nodes in this process, on loopback, with an event whose time was over long ago.
@Suite(.timeLimit(.minutes(60))) struct RetentionTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }
    private func node(_ name: String, grace: Int?) throws -> Node {
        var configuration = NodeConfiguration.loopback
        configuration.retentionGraceSeconds = grace
        return try folder.node(name, configuration)
    }

    private func host(_ node: Node, startsAt: UInt64 = 1_700_000_000_000) async throws -> EventID {
        try await node.host(Charter(name: "Party", startsAtMilliseconds: startsAt), organizerName: nil)
    }

    private func expire(_ node: Node) async -> ControlReply? { await ask(node, .expire(event: nil)).last }

    private func says(_ text: String, _ node: Node, _ event: EventID) async throws -> Bool {
        try await node.event(event).status.problems.contains { $0.contains(text) }
    }

    @Test("an organizer's node alone destroys nothing, however long it has run, until its person says so")
    func alone() async throws {
        let host = try node("host", grace: 1)
        let event = try await self.host(host)
        try await running([host]) {
            try await wait("the doubt") { try await says("no other node confirms", host, event) }
            try await Task.sleep(for: .seconds(4))
            #expect(await host.events == [event])
            #expect(try await host.event(event).status.expiresAt == 1_700_000_000_000 + 384 * 3_600_000)
            #expect(await expire(host) == .finished(exitCode: 0))
            #expect(folder.data("host").tombstones.map(\.reason) == [.expired])
            #expect(!FileManager.default.fileExists(atPath: folder.data("host").path + "/events/\(event)"))
        }
    }

    @Test("what is not over is not forgotten by anybody's word")
    func early() async throws {
        let host = try node("host", grace: 1)
        let event = try await self.host(host, startsAt: UInt64(Date().timeIntervalSince1970 * 1_000))
        try await running([host]) {
            guard case .failed(_, .some, 1) = await expire(host) else {
                Issue.record("not refused")
                return
            }
            #expect(await host.events == [event])
        }
    }

    @Test("an organizer deletes an event: its pages end at once, sealed photos stay sealed, and all nodes forget it")
    func deleted() async throws {
        let (first, guest) = (try node("host", grace: 3), try node("guest", grace: 3))
        var charter = Charter(name: "Party", startsAtMilliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        charter.reveal = .atEnd
        let event = try await first.host(charter, organizerName: nil)
        _ = try await guest.join(Invitation(text: try await first.event(event).invitation.invitation), name: nil)
        try await running([first, guest]) {
            try await dial(first, from: guest, for: event)
            for node in [first, guest] {
                try await wait("both are members") { try await node.event(event).status.operations.memberCount == 2 }
            }
            guard case .failed = await ask(guest, .rule(event: nil, act: .deleteEvent)).last else {
                Issue.record("a guest deletes the event")
                return
            }
            #expect(try await first.event(event).servesPages)
            #expect(await ask(first, .rule(event: nil, act: .deleteEvent)).last == .finished(exitCode: 0))
            #expect(try await !first.event(event).servesPages)
            try await wait("the guest's node knows it") { try await !guest.event(event).mayShowPages }
            for node in [first, guest] {
                guard case .event(let info)? = await ask(node, .event(event: nil)).first else {
                    Issue.record("no answer about the event")
                    continue
                }
                #expect(info.phase == "expired" && info.sealing != .revealed)
                #expect(info.parameters.photos.reveal == "never")
            }
            for name in ["host", "guest"] {
                try await wait("\(name) forgets") {
                    !FileManager.default.fileExists(atPath: folder.data(name).path + "/events/\(event)")
                }
                #expect(folder.data(name).tombstones.map(\.reason) == [.expired])
            }
        }
    }

    @Test("two that are due when they meet both forget, though the one that checks first needs no other")
    func bothDue() async throws {
        let (first, guest) = (try node("host", grace: nil), try node("guest", grace: nil))
        let event = try await host(first)
        _ = try await guest.join(Invitation(text: try await first.event(event).invitation.invitation), name: nil)
        try await running([first, guest]) {
            try await dial(first, from: guest, for: event)
            for node in [first, guest] {
                try await wait("both are members") { try await node.event(event).status.operations.memberCount == 2 }
            }
        }
        // As if nobody had vouched yet, and the event's end had been known since they began to run.
        for name in ["host", "guest"] {
            let store = try EventStore.open(EventFolder(data: folder.data(name).path, event: event))
            let expiry = "{\"expiresAt\":\(1_700_000_000_000 + 384 * 3_600_000),\"since\":0,\"isVouched\":false}"
            try store.setMetadata(Array(expiry.utf8), for: "expiry")
            try store.close()
        }
        let (hosting, again) = (try node("host", grace: 1), try node("guest", grace: 1))
        try await running([hosting]) {
            // So that the two look at different times.
            try await Task.sleep(for: .milliseconds(500))
            try await running([again]) {
                for node in [hosting, again] {
                    try await wait("the doubt") { try await says("no other node confirms", node, event) }
                }
                try await Task.sleep(for: .seconds(2))
                try await dial(hosting, from: again, for: event)
                for name in ["host", "guest"] {
                    try await wait("\(name) forgets") {
                        !FileManager.default.fileExists(atPath: folder.data(name).path + "/events/\(event)")
                    }
                    #expect(folder.data(name).tombstones.map(\.reason) == [.expired])
                }
            }
        }
    }

    @Test("two that agree on the time forget after the grace, not before, and each also when the other has gone")
    func together() async throws {
        let (first, guest) = (try node("host", grace: nil), try node("guest", grace: nil))
        let event = try await host(first)
        _ = try await guest.join(Invitation(text: try await first.event(event).invitation.invitation), name: nil)
        try await running([first, guest]) {
            try await dial(first, from: guest, for: event)
            // A day, which is not over.
            for node in [first, guest] {
                try await wait("the grace") { try await says("after running for a day", node, event) }
            }
            try await Task.sleep(for: .seconds(2))
            for node in [first, guest] { #expect(await node.events == [event]) }
        }
        // Somebody has vouched; alone with it, each forgets once it has run for long enough.
        for name in ["host", "guest"] {
            let alone = try node(name, grace: 1)
            try await running([alone]) {
                try await wait("\(name) forgets") {
                    !FileManager.default.fileExists(atPath: folder.data(name).path + "/events/\(event)")
                }
            }
            #expect(folder.data(name).tombstones.map(\.reason) == [.expired])
        }
    }
}
