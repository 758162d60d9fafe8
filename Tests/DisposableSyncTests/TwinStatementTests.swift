// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import Testing

/// The twinnings that a node signs, and those that it refuses, with the reason.
@Suite struct TwinStatementTests {
    private let office: Office
    init() throws { office = try Office() }

    private func key(_ byte: UInt8) -> SigningKey {
        var seed = [UInt8](repeating: byte, count: SigningKey.seedByteCount)
        return SigningKey(seed: SecretBytes(consuming: &seed))
    }

    private func twinning(with key: SigningKey, for event: EventID? = nil) throws -> Twinning {
        Twinning(
            agreement: TwinAgreement(of: key.verifyingKey, with: event ?? office.state.event, by: key),
            name: "The other party",
            secret: try #require(
                TwinSecret(
                    epoch: .none, nonce: .zero, box: [UInt8](repeating: 2, count: TwinSecret.boxByteCount))))
    }

    private func rule(_ ruling: Ruling, asGuest: Bool = false) -> Office.Outcome {
        office.say(.rule(ruling, salt: office.salt), by: asGuest ? office.member : nil)
    }

    @Test("an organizer joins the gallery with others, renews and separates it; a guest does not")
    func joined() throws {
        let other = try twinning(with: key(70))
        #expect(rule(.twin(other), asGuest: true) == .refused(.rankTooLow(needed: .organizer)))
        #expect(rule(.untwin(other.agreement.event)) == .refused(.nothingToDo))
        #expect(rule(.twin(other)) == .stated([.twinning]))
        // A renewal replaces the one before.
        #expect(rule(.twin(other)) == .stated([.twinning, .erase]))
        #expect(office.state.twins.map(\.operations.count) == [1])
        #expect(rule(.untwin(other.agreement.event), asGuest: true) == .refused(.rankTooLow(needed: .organizer)))
        #expect(rule(.untwin(other.agreement.event)) == .stated([.erase]))
        #expect(office.state.twins.isEmpty)
    }

    @Test("nothing is signed that nobody would accept, no fifth twin, and no sixty-fifth twinning")
    func refused() throws {
        let foreign = try twinning(with: key(70), for: EventID(key: key(71).verifyingKey))
        #expect(rule(.twin(foreign)) == .refused(.malformed(.invalidSignature)))
        for number in UInt8(70)..<74 {
            #expect(rule(.twin(try twinning(with: key(number)))) == .stated([.twinning]))
        }
        #expect(rule(.twin(try twinning(with: key(74)))) == .refused(.nothingToDo))
        #expect(rule(.twin(try twinning(with: key(73)))) == .stated([.twinning, .erase]))
        for _ in 5..<Twin.perDeviceMax {
            #expect(rule(.twin(try twinning(with: key(73)))) == .stated([.twinning, .erase]))
        }
        #expect(rule(.twin(try twinning(with: key(73)))) == .refused(.nothingToDo))
    }
}
