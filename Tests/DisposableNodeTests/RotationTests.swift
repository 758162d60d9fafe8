// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// Nodes in this process, on loopback, whose invitation is replaced.
@Suite(.timeLimit(.minutes(60))) struct RotationTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }
    private func node(_ name: String) throws -> Node { try folder.node(name, .loopback) }

    private func host() async throws -> (node: Node, event: EventID) {
        let node = try node("host")
        let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)
        return (node, try await node.host(charter, organizerName: "Anna"))
    }

    private func rotate(_ node: Node) async throws {
        let replies = await ask(node, .rotate(event: nil, isConfirmed: true))
        guard case .rotated? = replies.first else { throw NodeError.control("\(replies)") }
    }

    @Test("what it comes to is said first, and nothing is done; then members have it, and guests' links are other ones")
    func members() async throws {
        let (host, event) = try await host()
        let guest = try node("guest")
        let old = try await host.event(event).invitation
        _ = try await guest.join(try Invitation(text: old.invitation), name: "Ben")
        try await running([host, guest]) {
            try await dial(host, from: guest, for: event)
            try await wait("the guest is in") { try await host.event(event).status.operations.memberCount == 2 }
            guard case .rotating(let preview)? = await ask(host, .rotate(event: nil, isConfirmed: false)).first else {
                throw NodeError.control("no preview")
            }
            #expect(preview.stayingCount == 2 && preview.epoch == 0 && preview.waiting.isEmpty)
            #expect(try await host.event(event).invitation.guestCode == old.guestCode)

            try await rotate(host)
            try await wait("both go by it") {
                let (here, there) = (
                    try await host.event(event).status.operations.epoch,
                    try await guest.event(event).status.operations.epoch
                )
                return here.renewedCount == 2 && there.number == 1
            }
            let new = try await guest.event(event).invitation
            let own = try Invitation(text: try await host.event(event).invitation.invitation).secret
            #expect(try Invitation(text: new.invitation).secret.isEqual(to: own))
            #expect(new.guestCode != old.guestCode)
            let links = try await host.event(event).hosting().links
            #expect(links.current.spacedCode == new.guestCode)
            #expect(links.replaced.map(\.spacedCode) == [old.guestCode])
            let refused = await ask(guest, .rotate(event: nil, isConfirmed: true))
            guard case .failed(_, _, let exitCode)? = refused.first else { throw NodeError.control("\(refused)") }
            #expect(exitCode == 1)
        }
    }

    @Test("a node that came with the old invitation is told so, and comes in by joining once more with the new one")
    func newcomer() async throws {
        let (host, event) = try await host()
        let old = try Invitation(text: try await host.event(event).invitation.invitation)
        let guest = try node("guest")
        _ = try await guest.join(old, name: "Ben")
        try await host.runOffline { try await rotate($0) }
        let again = try node("host")
        try await running([again, guest]) {
            try await dial(again, from: guest, for: event)
            for await update in guest.updates {
                if case .invitationReplaced = update { break }
            }
            #expect(try await !guest.event(event).isAdmitted)
            await #expect(throws: NodeError.alreadyJoined(name: "Party")) { try await guest.join(old, name: "Ben") }
            let new = try Invitation(text: try await again.event(event).invitation.invitation)
            #expect(try await guest.join(new, name: "Ben") == event)
            try await wait("it is in") { try await again.event(event).status.operations.memberCount == 2 }
            #expect(try await again.event(event).status.operations.epoch.waiting.isEmpty)
        }
        // And goes by it after a restart, though no box was ever sealed to it.
        let restarted = try node("guest")
        try await restarted.runOffline { node in
            let hasSecret = try await node.event(event).status.operations.epoch.hasSecret
            let shown = try Invitation(text: try await node.event(event).invitation.invitation)
            #expect(hasSecret && !shown.secret.isEqual(to: old.secret))
        }
    }

    private func problems(_ node: Node, _ event: EventID) async throws -> [String] {
        try await node.event(event).status.problems.filter { $0.contains("printed") }
    }

    @Test("a new secret makes earlier printing a problem until codes are printed again, also after a restart")
    func printed() async throws {
        let (host, event) = try await host()
        try await host.runOffline { node in
            _ = await ask(node, .invite(event: nil))
            try await rotate(node)
            let before = try await problems(node, event)
            #expect(before.isEmpty, "nothing was printed")
            _ = await ask(node, .invite(event: nil, isPrinted: true))
            let printed = try await problems(node, event)
            #expect(printed.isEmpty)
            try await rotate(node)
            let after = try await problems(node, event)
            #expect(after.count == 1)
        }
        let again = try node("host")
        try await running([again]) {
            try await wait("it is said again") { try await problems(again, event).count == 1 }
            _ = await ask(again, .invite(event: nil, isPrinted: true))
            #expect(try await problems(again, event).isEmpty)
        }
    }
}
