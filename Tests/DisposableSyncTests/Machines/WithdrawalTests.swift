// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Withdrawals and missing bodies") struct WithdrawalTests {
    private var random = SplitMix64(seed: 1)

    @Test("a missing body is requested unless its subject is withdrawn, and again once that is restored")
    func bodies() throws {
        var (withdrawals, chain, random) = (WithdrawnSubjects(), TestChain(), random)
        let (photo, body) = (try chain.id(), try chain.id())
        withdrawals.follow(body, hasBody: false, withdrawnSubject: nil)
        #expect(withdrawals.isWanted(body))
        var isNew = withdrawals.withdraw(photo) { _ in [photo, body] }
        #expect(isNew && withdrawals.contains(photo) && !withdrawals.isWanted(body))
        isNew = withdrawals.withdraw(photo) { _ in [] }
        #expect(!isNew)
        #expect(withdrawals.wanted(10, using: &random).isEmpty)
        // Of two bodies one is here.
        #expect(withdrawals.purgeable { _ in [photo, body] } == [photo])
        #expect(withdrawals.purgeable { _ in [body] }.isEmpty)
        let wasWithdrawn = withdrawals.restore(photo)
        #expect(wasWithdrawn && withdrawals.isWanted(body))
        let again = withdrawals.restore(photo)
        #expect(!again)
    }

    @Test("a purged body is not requested while its subject is withdrawn; if it was restored meanwhile, it is")
    func purge() throws {
        var (withdrawals, chain) = (WithdrawnSubjects(), TestChain())
        let (photo, body) = (try chain.id(), try chain.id())
        _ = withdrawals.withdraw(photo) { _ in [] }
        var isPurged = withdrawals.purged(photo, bodies: [body])
        #expect(isPurged && !withdrawals.isWanted(body))
        #expect(withdrawals.purgeable { _ in [body] }.isEmpty)
        _ = withdrawals.restore(photo)
        isPurged = withdrawals.purged(photo, bodies: [photo])
        #expect(!isPurged && withdrawals.isWanted(photo) && withdrawals.isWanted(body))
    }

    @Test("a body that arrives late is used unless its subject was withdrawn, and then it is to be purged")
    func arrival() throws {
        var (withdrawals, chain) = (WithdrawnSubjects(), TestChain())
        let (photo, body, other) = (try chain.id(), try chain.id(), try chain.id())
        withdrawals.follow(body, hasBody: false, withdrawnSubject: nil)
        var isWanted = withdrawals.arrived(body) { nil }
        #expect(isWanted && !withdrawals.isWanted(body))
        _ = withdrawals.withdraw(photo) { _ in [] }
        withdrawals.follow(other, hasBody: false, withdrawnSubject: photo)
        let revision = withdrawals.revision
        isWanted = withdrawals.arrived(other) { photo }
        #expect(!isWanted && withdrawals.revision == revision + 1)
        #expect(withdrawals.purgeable { _ in [other] } == [photo])
    }

    @Test("requests for missing bodies go around, so that lost ones do not block others")
    func sample() throws {
        var (withdrawals, chain, random) = (WithdrawnSubjects(), TestChain(), random)
        let bodies = try (0..<10).map { _ in try chain.id() }
        for body in bodies { withdrawals.follow(body, hasBody: false, withdrawnSubject: nil) }
        var requested: Set<OperationID> = []
        for _ in 0..<100 {
            let sample = withdrawals.wanted(3, using: &random)
            #expect(Set(sample).count == 3)
            requested.formUnion(sample)
        }
        #expect(requested == Set(bodies))
        #expect(Set(withdrawals.wanted(100, using: &random)) == Set(bodies))
    }

    @Test("originals wait for their photo by the device that described them")
    func pendingOriginals() throws {
        var (pending, chain, other) = (PendingOriginals(), TestChain(), TestChain(seed: 2))
        let photo = PhotoID(try chain.id())
        let operations = try [
            chain.sign(.claim, subject: photo.operationID), chain.sign(.claim, subject: photo.operationID),
        ]
        for operation in operations { pending.insert(operation) }
        pending.insert(try other.sign(.claim, subject: photo.operationID))
        #expect(pending.devices(awaiting: photo) == [chain.device, other.device].sorted())
        #expect(pending.photos(awaitedBy: chain.device) == [photo])
        let taken = pending.take(photo, by: chain.device)
        #expect(taken.map(\.id) == operations.map(\.id))
        #expect(pending.devices(awaiting: photo) == [other.device] && !pending.isEmpty)
        _ = pending.take(photo, by: other.device)
        #expect(pending.isEmpty)
    }
}
