// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import Testing

/// The ballots, votes and closings that a node signs, and those that it refuses, with the reason.
@Suite struct VoteStatementTests {
    private let office: Office
    init() throws { try self.init(Office()) }
    private init(_ office: Office) { self.office = office }

    private func secret(_ byte: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    private func rule(_ ruling: Ruling, asGuest: Bool = false) -> Office.Outcome {
        office.say(.rule(ruling, salt: office.salt), by: asGuest ? office.member : nil)
    }

    private func open(_ byte: UInt8 = 1, asGuest: Bool = false) throws -> Office.Outcome {
        let ballot = SealedBallot(
            secret: secret(byte), organizers: office.state.messageRecipients, seed: secret(byte &+ 100))
        return rule(.openVote(try #require(ballot)), asGuest: asGuest)
    }

    private func vote(_ photo: PhotoID?, in ballot: OperationID? = nil) throws -> Office.Outcome {
        let (device, id) = (DeviceID(office.member.verifyingKey), ballot ?? office.state.ballot?.id ?? .none)
        let key = office.state.ballot?.sealed.key ?? AgreementKey(scalar: secret(1)).publicKey
        let sealed = SealedVote(for: photo, by: device, key: key, ephemeral: AgreementKey(scalar: secret(9)))
        return office.say(.say(.vote(photo, in: id, try #require(sealed)), salt: office.salt), by: office.member)
    }

    private func close(_ byte: UInt8 = 1, asGuest: Bool = false) -> Office.Outcome {
        let secret = Bytes32([UInt8](repeating: byte, count: 32))!
        return rule(.closeVote(office.state.ballot?.id ?? .none, secret: secret), asGuest: asGuest)
    }

    @Test("an organizer opens one vote at a time and closes it with its secret, and a guest votes meanwhile")
    func voted() throws {
        let (photo, own) = (try office.photo(), try office.photo(by: office.member))
        #expect(try vote(photo) == .refused(.noVote(.notOpen)))
        #expect(close() == .refused(.noVote(.notOpen)))
        #expect(try open(asGuest: true) == .refused(.rankTooLow(needed: .organizer)))
        #expect(try open() == .stated([.ballot]))
        #expect(try open(2) == .refused(.noVote(.open)))
        #expect(try vote(own) == .refused(.noVote(.own)))
        #expect(try vote(photo, in: OperationID(Bytes32.zero)) == .refused(.noVote(.notOpen)))
        #expect(try vote(photo) == .stated([.vote]))
        #expect(office.state.hasVoted(office.guest) && office.state.voteResult == nil)
        #expect(close(asGuest: true) == .refused(.rankTooLow(needed: .organizer)))
        #expect(close(2) == .refused(.noVote(.noSecret)))
        #expect(close() == .stated([.closing]))
        #expect(try vote(photo) == .refused(.noVote(.notOpen)))
        #expect(office.state.voteResult?.winners.map(\.photo.id) == [photo])
        #expect(try open(2) == .stated([.ballot]))
        #expect(!office.state.hasVoted(office.guest), "it is another vote")
    }

    @Test("where photos need tickets, a guest without one votes, and the vote counts")
    func withoutTicket() throws {
        let tests = Self(try Office(needsTickets: true))
        let photo = try tests.office.photo()
        #expect(tests.office.state.lacksTicket(tests.office.guest))
        #expect(try tests.open() == .stated([.ballot]))
        #expect(try tests.vote(photo) == .stated([.vote]))
        #expect(tests.close() == .stated([.closing]))
        #expect(tests.office.state.voteResult?.winners.map(\.photo.id) == [photo])
    }

    @Test("a vote for a photo that is not shown to all is refused, one for no photo is not")
    func eligible() throws {
        let (hidden, gone) = (try office.photo(), try office.photo())
        #expect(rule(.hide(hidden)) == .stated([.hide]))
        #expect(rule(.erase(gone)) == .stated([.erase]))
        #expect(try open() == .stated([.ballot]))
        #expect(try vote(hidden) == .refused(.unknownPhoto(hidden.short)))
        #expect(try vote(gone) == .refused(.unknownPhoto(gone.short)))
        #expect(try vote(nil) == .stated([.vote]))
        #expect(close() == .stated([.closing]))
        #expect(office.state.voteResult?.voterCount == 1 && office.state.voteResult?.winners.isEmpty == true)
    }
}
