// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Testing

@Suite struct PendingRemovalsTests {
    private static let (anna, ben) = (AuthorID.stranger(1), AuthorID.stranger(2))
    private static let photos = (0..<4).map { PhotoID(hex: String(repeating: "\($0)", count: 64))! }
    private static let start = ContinuousClock.now

    private func removal(_ index: Int, at seconds: Int) -> PendingRemovals.Removal {
        .init(photo: Self.photos[index], guest: Self.anna, dueAt: Self.start + .seconds(seconds))
    }

    @Test("a removal is due once after its delay")
    func due() {
        var pending = PendingRemovals(countMax: 4)
        for (index, seconds) in [(0, 10), (1, 12), (2, 11)] { pending.add(removal(index, at: seconds)) }
        #expect(pending.nextDueAt == Self.start + .seconds(10))
        let due = [9_999, 11_000, 11_000].map { pending.takeDue(at: Self.start + .milliseconds($0)).map(\.photo) }
        #expect(due == [[], [Self.photos[0], Self.photos[2]], []])
        #expect(pending.nextDueAt == Self.start + .seconds(12))
    }

    @Test("a kept photo is never due; only its author can keep it, and only while the removal is pending")
    func keep() {
        var pending = PendingRemovals(countMax: 4)
        pending.add(removal(0, at: 10))
        let tries = [(0, Self.ben), (1, Self.anna), (0, Self.anna), (0, Self.anna)]
        let kept = tries.map { index, guest in pending.keep(Self.photos[index], by: guest) }
        #expect(kept == [false, false, true, false])
        pending.add(removal(1, at: 10))
        let due = pending.takeDue(at: Self.start + .seconds(10))
        #expect(due.map(\.photo) == [Self.photos[1]])
        let isKept = pending.keep(Self.photos[1], by: Self.anna)
        #expect(!isKept)
        #expect(pending.nextDueAt == nil)
    }

    @Test("when the node stops, all pending removals are taken, in order of time")
    func stop() {
        var pending = PendingRemovals(countMax: 4)
        for (index, seconds) in [(3, 30), (1, 10), (2, 20)] { pending.add(removal(index, at: seconds)) }
        let taken = pending.takeAll()
        #expect(taken.map(\.photo) == [1, 2, 3].map { Self.photos[$0] })
        #expect(pending.nextDueAt == nil)
    }

    @Test("each guest has a list of its own pending removals")
    func guests() {
        var pending = PendingRemovals(countMax: 4)
        for index in 0..<2 { pending.add(removal(index, at: 10)) }
        #expect(pending.photos(of: Self.anna) == Set(Self.photos[..<2]))
        #expect(pending.photos(of: Self.ben).isEmpty)
    }

    @Test("the number of pending removals is limited")
    func full() {
        var pending = PendingRemovals(countMax: 2)
        for index in 0..<2 { pending.add(removal(index, at: 10)) }
        #expect(pending.isFull)
    }
}
