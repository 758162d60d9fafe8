// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import Testing

@Suite struct PendingRemovalsTests {
    private static let (anna, ben) = (author(1), author(2))
    private static let photos = (0..<4).map { PhotoID(hex: String(repeating: "\($0)", count: 64))! }
    private static let start = ContinuousClock.now

    private static func author(_ number: UInt8) -> AuthorID {
        var bytes = [UInt8](repeating: number, count: 32)
        return AuthorID(SigningKey(seed: SecretBytes(consuming: &bytes)).verifyingKey)
    }

    /// Anna's removals of the photos, each requested so many seconds after the start.
    private func pending(_ requests: [(photo: Int, seconds: Int)]) throws -> PendingRemovals {
        var pending = PendingRemovals()
        for (photo, seconds) in requests {
            _ = try pending.add(Self.photos[photo], by: Self.anna, at: Self.start + .seconds(seconds))
        }
        return pending
    }

    @Test("a removal is due once after its delay")
    func due() throws {
        var pending = try pending([(0, 0), (1, 2), (2, 1)])
        #expect(pending.nextDueAt == Self.start + .seconds(10))
        let due = [9_999, 11_000, 11_000].map { pending.takeDue(at: Self.start + .milliseconds($0)).map(\.photo) }
        #expect(due == [[], [Self.photos[0], Self.photos[2]], []])
        #expect(pending.nextDueAt == Self.start + .seconds(12))
    }

    @Test("the time of a removal stays when it is requested again")
    func again() throws {
        var pending = try pending([(0, 0), (0, 5)])
        #expect(pending.nextDueAt == Self.start + .seconds(10))
        let due = pending.takeDue(at: Self.start + .seconds(20))
        #expect(due.count == 1)
    }

    @Test("a kept photo is never due; only its author can keep it, and only while the removal is pending")
    func keep() throws {
        var pending = try pending([(0, 0)])
        let tries = [(0, Self.ben), (1, Self.anna), (0, Self.anna), (0, Self.anna)]
        let kept = tries.map { index, guest in pending.keep(Self.photos[index], by: guest) }
        #expect(kept == [false, false, true, false])
        _ = try pending.add(Self.photos[1], by: Self.anna, at: Self.start)
        let due = pending.takeDue(at: Self.start + .seconds(10))
        #expect(due.map(\.photo) == [Self.photos[1]])
        let isKept = pending.keep(Self.photos[1], by: Self.anna)
        #expect(!isKept)
        #expect(pending.nextDueAt == nil)
    }

    @Test("when the node stops, all pending removals are taken, in order of time")
    func stop() throws {
        var pending = try pending([(3, 3), (1, 1), (2, 2)])
        let taken = pending.takeAll()
        #expect(taken.map(\.photo) == [1, 2, 3].map { Self.photos[$0] })
        #expect(pending.nextDueAt == nil)
    }

    @Test("a photo is leaving, for its own guest alone, until its removal is signed")
    func leaving() throws {
        var pending = try pending([(0, 0), (1, 5)])
        #expect(pending.photos(leavingBy: Self.anna) == Set(Self.photos[..<2]))
        #expect(pending.photos(leavingBy: Self.ben).isEmpty)
        let due = pending.takeDue(at: Self.start + .seconds(10))
        #expect(pending.isSigning && !pending.isPending(Self.photos[0]))
        #expect(pending.photos(leavingBy: Self.anna) == Set(Self.photos[..<2]))
        pending.end(due[0])
        #expect(!pending.isSigning)
        #expect(pending.photos(leavingBy: Self.anna) == [Self.photos[1]])
    }

    @Test("a removal that cannot be signed is due once more after the delay, and can be undone until then")
    func postpone() throws {
        var pending = try pending([(0, 0), (1, 0)])
        for removal in pending.takeDue(at: Self.start + .seconds(10)) {
            pending.postpone(removal, at: Self.start + .seconds(11))
        }
        #expect(pending.nextDueAt == Self.start + .seconds(21))
        let isKept = pending.keep(Self.photos[0], by: Self.anna)
        #expect(isKept)
        let due = pending.takeDue(at: Self.start + .seconds(21))
        #expect(due.map(\.photo) == [Self.photos[1]])
    }

    @Test("a removal of an earlier process is due at its time, and after the delay at the latest")
    func restore() {
        for (left, seconds) in [(-5, 0), (4, 4), (3_600, 10)] {
            var pending = PendingRemovals()
            pending.restore(Self.photos[0], by: Self.anna, in: .seconds(left), at: Self.start)
            #expect(pending.nextDueAt == Self.start + .seconds(seconds))
        }
    }

    @Test("the number of pending removals is limited, for each guest and for all")
    func limits() throws {
        var limits = PendingRemovals.Limits()
        (limits.countMax, limits.countByGuestMax) = (3, 2)
        var pending = PendingRemovals(limits)
        for index in 0..<2 { _ = try pending.add(Self.photos[index], by: Self.anna, at: Self.start) }
        #expect(throws: Refusal.tooFast(seconds: 11)) {
            _ = try pending.add(Self.photos[2], by: Self.anna, at: Self.start)
        }
        _ = try pending.add(Self.photos[2], by: Self.ben, at: Self.start)
        #expect(throws: Refusal.unavailable(reason: "too many photos are being deleted at once")) {
            _ = try pending.add(Self.photos[3], by: Self.ben, at: Self.start)
        }
    }
}
