// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// The gifts that a node signs, and those that it refuses, with the reason.
@Suite struct GiftStatementTests {
    private let office: Office
    private let cleo: SigningKey
    /// Cleo's sub-key at the node.
    private let atOffice: SigningKey

    init() throws {
        office = try Office(frames: 3)
        var random = SplitMix64(seed: 61)
        (cleo, atOffice) = (SigningKey(seed: random.secret()), SigningKey(seed: random.secret()))
    }

    private var recipient: AuthorID { AuthorID(cleo.verifyingKey) }

    private func enter() throws {
        let (node, subKey) = (DeviceID(office.founding.deviceKey.verifyingKey), DeviceID(atOffice.verifyingKey))
        let admission = Admission(of: subKey, to: office.founding.id, by: office.founding.deviceKey)
        let delegation = Delegation(to: subKey, at: node, event: office.founding.id, by: cleo)
        let body = OperationBody.encode(.join(admission, delegation), salt: office.salt)
        #expect(office.say(.join(body: body), by: atOffice) == .stated([.join]))
    }

    private func give(_ count: Int, left: Int? = nil, by key: SigningKey? = nil) -> Office.Outcome {
        office.say(.give(count, to: recipient, left: left), by: key ?? office.member)
    }

    @Test("a guest gives its highest free frames, each by an operation, and not twice")
    func given() throws {
        #expect(give(1) == .refused(.noGift(.unknownRecipient)))
        try enter()
        _ = try office.photo(by: office.member)
        #expect(give(2, left: 3) == .refused(.noGift(.changed(left: 2))))
        #expect(give(2, left: 2) == .stated([.gift, .gift]))
        #expect(office.stored.filter { $0.kind == .gift }.map(\.header.argument) == [3, 2])
        #expect(office.state.rollLimit(of: recipient, at: 0) == 5)
        #expect(give(2, left: 2) == .refused(.noGift(.changed(left: 0))))
        #expect(give(1) == .refused(.noGift(.tooFew(left: 0))))
        for _ in 1...5 { _ = try office.photo(by: atOffice) }
        #expect(office.state.photos.count { $0.author == recipient && $0.status.slot != nil } == 5)
    }

    @Test("an organizer has nothing to give, and a guest gives what organizers gave it, up to the recipient's limit")
    func bounds() throws {
        try enter()
        let organizer = AuthorID(office.founding.deviceKey.verifyingKey)
        #expect(office.say(.give(1, to: recipient, left: nil)) == .refused(.noGift(.unlimited)))
        #expect(
            office.say(.give(1, to: organizer, left: nil), by: office.member)
                == .refused(.noGift(.recipientUnlimited)))
        #expect(office.say(.rule(.frames(2, to: office.guest), salt: office.salt)) == .stated([.frames]))
        #expect(give(4) == .refused(.noGift(.recipientFull(left: 3))))
        #expect(give(3) == .stated([.gift, .gift, .gift]))
        #expect(office.stored.filter { $0.kind == .gift }.map(\.header.argument) == [5, 4, 3])
        #expect(give(1) == .refused(.noGift(.recipientFull(left: 0))))
        // The recipient cannot pass received frames on.
        #expect(office.state.frames(givableBy: recipient) == [3, 2, 1])
    }
}
