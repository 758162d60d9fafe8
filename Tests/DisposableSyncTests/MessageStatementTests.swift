// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Messages to the organizers that a node signs, and those that it refuses.
@Suite struct MessageStatementTests {
    private func entropy(_ byte: UInt8 = 1) -> MessageEntropy {
        func secret(_ byte: UInt8) -> SecretBytes {
            var bytes = [UInt8](repeating: byte, count: 32)
            return SecretBytes(consuming: &bytes)
        }
        return MessageEntropy(key: secret(byte), seed: secret(byte &+ 1))
    }

    private func write(
        _ text: String, about photo: PhotoID? = nil, in office: Office, by key: SigningKey? = nil
    ) -> Office.Outcome {
        office.say(.say(.message(text, about: photo, entropy()), salt: office.salt), by: key)
    }

    @Test("a guest's message opens with the organizer's device key and the event key, and the member's key opens nothing")
    func sealed() throws {
        let office = try Office()
        let photo = try office.photo()
        #expect(write("Cake?", about: photo, in: office, by: office.member) == .stated([.message]))
        let message = try #require(office.stored.last)
        #expect(message.header.subject == photo.operationID)
        guard case .message(let sealed)? = message.content else { throw Missing() }
        func opened(_ key: SigningKey) -> String? {
            sealed.opened(with: key, by: message.header.device, event: office.founding.id)
        }
        #expect(opened(office.founding.deviceKey) == "Cake?" && opened(office.founding.eventKey) == "Cake?")
        #expect(opened(office.member) == nil)
        #expect(office.state.album.messages.map(\.id) == [message.id])
    }

    private struct Missing: Error {}

    @Test("what nobody could read, and what is about no known photo, is not signed")
    func malformed() throws {
        let office = try Office()
        for text in ["", String(repeating: "a", count: 2_001), "left\u{202E}right", "nothing\0"] {
            #expect(
                write(text, in: office)
                    == .refused(.malformed(.malformedBody(kind: OperationKind.message.rawValue))), "\(text.prefix(20))")
        }
        let unknown = PhotoID(Bytes32.zero)
        #expect(write("Cake", about: unknown, in: office) == .refused(.unknownPhoto(unknown.short)))
        #expect(write(String(repeating: "a", count: 2_000), in: office) == .stated([.message]))
    }

    @Test("a fifty-first message is refused, also after one was withdrawn; and they count as remarks for the rate")
    func limits() throws {
        let office = try Office()
        for number in 0..<Remarks.messagesPerAuthorMax {
            var outcome = write("\(number)", in: office, by: office.member)
            if case .refused(.tooFast(let seconds)) = outcome {
                #expect(number >= Limits.remarksBurstMax)
                office.wait(milliseconds: UInt64(seconds) * 1_000)
                outcome = write("\(number)", in: office, by: office.member)
            }
            #expect(outcome == .stated([.message]), "\(number)")
        }
        let first = try #require(office.state.album.messages.first)
        #expect(office.say(.remove(PhotoID(first.id)), by: office.member) == .stated([.remove]))
        #expect(
            write("more", in: office, by: office.member)
                == .refused(.tooManyMessages(limit: Remarks.messagesPerAuthorMax)))
        #expect(write("of the host", in: office) == .stated([.message]), "the limit is each author's")
    }

    @Test("an organizer erases one, and a hide of one is refused as it does nothing")
    func erased() throws {
        let office = try Office()
        #expect(write("Cake", in: office, by: office.member) == .stated([.message]))
        let message = PhotoID(try #require(office.stored.last).id)
        #expect(office.say(.rule(.hide(message), salt: office.salt)) == .refused(.nothingToDo))
        #expect(office.say(.rule(.erase(message), salt: office.salt)) == .stated([.erase]))
        #expect(office.state.album.messages.isEmpty)
    }
}
