// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// Messages to the organizers at nodes in this process.
@Suite(.timeLimit(.minutes(60))) struct OrganizerMessageTests {
    private let folder: TestFolder
    private let guest: SigningKey
    private var author: AuthorID { AuthorID(guest.verifyingKey) }

    private static func newKey() -> SigningKey {
        var seed = (0..<32).map { _ in UInt8.random(in: 0...255) }
        return SigningKey(seed: SecretBytes(consuming: &seed))
    }

    init() throws {
        folder = try TestFolder()
        guest = Self.newKey()
    }

    private func enter(_ node: Node, _ event: EventID) async throws {
        let subKey = try await node.event(event).subKeyID(of: author)
        let device = try await node.event(event).hosting().device
        try await node.event(event).enter(Delegation(to: subKey, at: device, event: event, by: guest))
        try await node.event(event).setName("Zoë", of: author)
    }

    @Test("the host's node reads a guest's messages, newest first, also after a restart, until they are withdrawn")
    func readOnHost() async throws {
        let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)
        let (event, first, second) = try await folder.node("host").runOffline { node in
            let event = try await node.host(charter, organizerName: "Anna")
            try await enter(node, event)
            #expect(try await node.event(event).messages().messages.isEmpty)
            let first = try await node.event(event).message("Where is the cake?", by: author)
            let second = try await node.event(event).message("Found it.\nThank you!", by: author)
            await #expect(throws: NodeError.refused(.malformedText)) {
                try await node.event(event).message("  ", by: author)
            }
            return (event, first, second)
        }
        try await folder.node("host").runOffline { node in
            let page = try await node.event(event).messages()
            #expect(page.messages.map(\.id) == [second, first] && page.totalCount == 2)
            #expect(page.messages.map(\.text) == ["Found it.\nThank you!", "Where is the cake?"])
            #expect(page.messages.allSatisfy { $0.author == author && $0.authorName == "Zoë" && $0.photo == nil })
            #expect(try await node.event(event).messageCount == 2)

            let other = AuthorID(Self.newKey().verifyingKey)
            await #expect(throws: NodeError.refused(.unknownMessage(first.short))) {
                try await node.event(event).removeMessage(first, by: other)
            }
            try await node.event(event).removeMessage(first, by: author)
            #expect(try await node.event(event).messages().messages.map(\.id) == [second])
            _ = await ask(node, .rule(event: nil, act: .erase(photo: second.description)))
            #expect(try await node.event(event).messages().messages.isEmpty)
        }
    }

    @Test("what is known about a guest names its own messages, without their text, and none of others about its photos")
    func personalData() async throws {
        let file = try await folder.picture(1)
        try await folder.node("host").runOffline { node in
            let event = try await node.host(
                Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000), organizerName: "Anna")
            try await enter(node, event)
            let id = try await node.event(event).message("Where is the cake?", by: author)
            let photo = try await node.event(event).add(fileAt: file, by: author)
            let said = await ask(node, .say(event: nil, remark: .message(text: "Too loud", photo: photo.description)))
            guard case .said(let complaint, _)? = said.first else { throw NodeError.control("\(said)") }
            #expect(try await node.event(event).messages().messages.first?.text == "Too loud")
            #expect(try await !node.event(event).isMessage(photo.operationID))
            let text = String(decoding: try await node.event(event).personalData(of: author, files: [:]), as: UTF8.self)
            #expect(text.contains(id.description) && text.contains(#""kind" : "message""#))
            #expect(!text.contains("cake") && !text.contains(complaint))
            try await node.event(event).eraseAll(of: author)
            #expect(try await node.event(event).messages().messages.map(\.id.description) == [complaint])
        }
    }

    @Test("a member writes to the host and takes it back, and cannot list any messages")
    func notOnMembers() async throws {
        let (host, guest) = (try folder.node("host", .loopback), try folder.node("guest", .loopback))
        let event = try await host.host(
            Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000), organizerName: "Anna")
        _ = try await guest.join(try Invitation(text: try await host.event(event).invitation.invitation), name: "Ben")
        try await running([host, guest]) {
            try await dial(host, from: guest, for: event)
            try await wait("the guest is in") { try await guest.event(event).isAdmitted }
            let said = await ask(guest, .say(event: nil, remark: .message(text: "Hello", photo: nil)))
            guard case .said(let id, nil)? = said.first else { throw NodeError.control("\(said)") }
            await #expect(throws: NodeError.refused(.rankTooLow(needed: .organizer))) {
                try await guest.event(event).messages()
            }
            #expect(try await guest.event(event).messageCount == nil)
            try await wait("the host has it") {
                try await host.event(event).messages().messages.map(\.authorName) == ["Ben"]
            }
            let listed = await ask(host, .messages(event: nil))
            guard case .message(let message)? = listed.first else { throw NodeError.control("\(listed)") }
            #expect((message.id, message.author, message.text) == (id, "Ben", "Hello"))
            _ = await ask(guest, .remove(event: nil, photo: id))
            try await wait("it is withdrawn") { try await host.event(event).messages().messages.isEmpty }
        }
    }

    @Test("where not all messages fit, an author of very many hides no other")
    func turns() {
        let messages = ["anna 1", "ben 1", "eve 1", "eve 2", "anna 2", "eve 3", "eve 4"]
        func listed(_ count: Int) -> [String] {
            Mailbox.inTurns(messages, countMax: count) { $0.prefix { $0 != " " } }
        }
        #expect(listed(7) == messages)
        #expect(listed(5) == ["anna 1", "ben 1", "anna 2", "eve 3", "eve 4"])
        #expect(listed(3) == ["ben 1", "anna 2", "eve 4"])
        #expect(listed(1) == ["eve 4"])
    }
}
