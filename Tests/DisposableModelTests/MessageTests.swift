// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Messages to the organizers: the worked examples 18.1 to 18.5 of protocol/rules.md, and what is sealed.
@Suite struct MessageTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let cleo = signingKey(3)

    private func founded() throws -> Story {
        var story = Story(event)
        try story.found(host: host, guests: [ben, cleo], frames: 12)
        return story
    }

    private func secret(_ byte: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    private func sealed(
        _ text: String, by key: SigningKey, for recipients: [DeviceID], seed: UInt8 = 1
    ) throws -> SealedMessage {
        let entropy = MessageEntropy(key: secret(seed), seed: secret(seed &+ 100))
        return try #require(
            SealedMessage(text, to: recipients, by: key.device, event: event.event, entropy: entropy))
    }

    @discardableResult
    private func write(
        _ text: String, by key: SigningKey, after milliseconds: UInt64 = 0, in story: inout Story
    ) throws -> VerifiedOperation {
        let message = try sealed(text, by: key, for: event.fold(story.operations).messageRecipients)
        return try story.say(
            .message, by: key, content: .message(message), milliseconds: TestEvent.startMilliseconds + milliseconds)
    }

    private func listed(_ story: Story) throws -> [OperationID] { try story.outcome().album.messages.map(\.id) }

    private func read(_ operation: VerifiedOperation, with key: SigningKey) -> String? {
        guard case .message(let sealed)? = operation.content else { return nil }
        return sealed.opened(with: key, by: operation.header.device, event: event.event)
    }

    @Test("a message that its author removes, or an organizer erases, is listed nowhere")
    func takenBack() throws {
        var story = try founded()
        let digest = try story.outcome().digest
        let second = try write("N", by: ben, after: 2_000, in: &story)
        let first = try write("M", by: ben, after: 1_000, in: &story)
        #expect(try listed(story) == [first.id, second.id], "oldest first")
        try story.say(.remove, by: cleo, about: first)
        try story.say(.erase, by: ben, about: second)
        #expect(try listed(story) == [first.id, second.id], "neither is theirs to take")
        try story.say(.remove, by: ben, about: first)
        #expect(try listed(story) == [second.id])
        try story.say(.erase, by: host, about: second)
        let state = try story.outcome()
        #expect(state.album.messages.isEmpty && state.album.messageCount(by: ben.author) == 2)
        #expect(state.album.withdrawal(of: first.id) == .removed && state.album.withdrawal(of: second.id) == .erased)
        #expect(state.album.bodies(with: first.id) == [first.id])
        #expect(state.album.withdrawnSubject(of: first.id, first.header) == first.id)
        #expect(state.digest == digest)
    }

    @Test("a hide by a moderator has no effect")
    func hidden() throws {
        var story = try founded()
        try story.grant(.moderator, to: cleo, by: host)
        let message = try write("About Cleo", by: ben, in: &story)
        try story.say(.hide, by: cleo, about: message)
        #expect(try listed(story) == [message.id])
    }

    @Test("a message about a photo stays when the photo is deleted")
    func aboutPhoto() throws {
        var story = try founded()
        let photo = try story.photo(ben, slot: 1)
        let content = try sealed("Please delete it", by: cleo, for: [event.eventKey.device])
        let message = try story.say(.message, by: cleo, about: photo, content: .message(content))
        try story.say(.remove, by: ben, about: photo)
        let state = try story.outcome()
        #expect(state.album.messages.map(\.id) == [message.id])
        #expect(state.album.remark(message.id)?.photo == PhotoID(photo.id))
        #expect(state.album.withdrawnSubject(of: message.id, message.header) == nil)
    }

    @Test("of an author's messages the first fifty count")
    func limit() throws {
        var story = try founded()
        let (guest, atHost, atBen) = (signingKey(4), signingKey(5), signingKey(6))
        try story.join(atHost, sponsor: host, for: guest)
        try story.join(atBen, sponsor: ben, for: guest)
        var expected: Set<OperationID> = []
        for number in 0..<30 {
            for key in [atHost, atBen] {
                let message = try write("\(number)", by: key, after: UInt64(number), in: &story)
                if number < 25 { expected.insert(message.id) }
            }
        }
        let state = event.fold(story.operations)
        #expect(Set(state.album.messages.map(\.id)) == expected)
        #expect(state.album.messageCount(by: guest.author) == 60)
        #expect(event.fold(story.operations.reversed()) == state)
    }

    @Test("a message opens only on nodes that were organizers when it was written")
    func recipients() throws {
        var story = try founded()
        let before = try write("M", by: ben, in: &story)
        #expect(event.fold(story.operations).messageRecipients == [event.eventKey.device, host.device])
        try story.grant(.organizer, to: cleo, by: event.eventKey)
        let after = try write("N", by: ben, in: &story)
        for key in [event.eventKey, host] {
            #expect(read(before, with: key) == "M" && read(after, with: key) == "N")
        }
        #expect(read(before, with: cleo) == nil && read(after, with: cleo) == "N")
        #expect(read(after, with: ben) == nil, "its author cannot read it back")
        try story.revoke(.organizer, of: cleo, by: event.eventKey)
        let last = try write("O", by: ben, in: &story)
        #expect(read(last, with: cleo) == nil && read(last, with: host) == "O")
    }

    @Test("the event key comes first, then those it let in, then other organizers; sixteen in all")
    func order() throws {
        var story = try founded()
        let added = (10..<30).map { signingKey($0) }
        for key in added {
            try story.join(key, sponsor: key.device == added[0].device ? event.eventKey : host)
            try story.grant(.organizer, to: key, by: event.eventKey)
        }
        let recipients = event.fold(story.operations).messageRecipients
        let founders = [host.device, added[0].device].sorted()
        let others = added.dropFirst().map(\.device).sorted()
        #expect(recipients == [event.eventKey.device] + founders + others.prefix(13))
        // A message to all of them, of the greatest length, fits a body.
        let message = try sealed(String(repeating: "a", count: 2_000), by: ben, for: recipients)
        #expect(message.keys.count == 16)
        try story.say(.message, by: ben, content: .message(message))
    }

    @Test("a copy by another device opens to nobody")
    func copied() throws {
        var story = try founded()
        let message = try write("M", by: ben, in: &story)
        let copy = try story.say(.message, by: cleo, content: message.content!)
        #expect(read(message, with: host) == "M" && read(copy, with: host) == nil)
        #expect(try listed(story).contains(copy.id), "there is one, which nobody can read")
    }

    @Test("lengths are multiples of 256, and every text comes out as it went in")
    func padding() throws {
        let recipients = [host.device]
        for (length, expected) in [(1, 272), (255, 272), (256, 272), (257, 528), (2_000, 2_064)] {
            let text = String(repeating: "é", count: length / 2) + String(repeating: "a", count: length % 2)
            let message = try sealed(text, by: ben, for: recipients)
            #expect(message.text.count == expected)
            #expect(message.opened(with: host, by: ben.device, event: event.event) == text)
            #expect(message.opened(with: cleo, by: ben.device, event: event.event) == nil)
        }
        for text in ["", "a\0b", String(repeating: "a", count: 2_049)] {
            let entropy = MessageEntropy(key: secret(1), seed: secret(2))
            #expect(
                SealedMessage(text, to: recipients, by: ben.device, event: event.event, entropy: entropy) == nil)
        }
    }

    @Test("damaged, it opens to nobody")
    func damaged() throws {
        let message = try sealed("M", by: ben, for: [host.device])
        for place in [0, 255, 271] {
            var text = message.text
            text[place] ^= 1
            let damaged = try #require(SealedMessage(keys: message.keys, text: text))
            #expect(damaged.opened(with: host, by: ben.device, event: event.event) == nil)
        }
        var box = message.keys[0].box
        box[79] ^= 1
        let seal = SealedSecret(device: host.device, box: box)
        let damaged = try #require(SealedMessage(keys: [seal], text: message.text))
        #expect(damaged.opened(with: host, by: ben.device, event: event.event) == nil)
        #expect(message.opened(with: host, by: ben.device, event: TestEvent(seed: 9).event) == nil)
    }
}
