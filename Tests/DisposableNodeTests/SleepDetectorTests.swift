// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposableSync
import Testing

@Suite("Noticing that the machine has slept") struct SleepDetectorTests {
    /// Returns the result of one more check after a second, for which each clock shows another time.
    private func look(after milliseconds: UInt64, wall: Int64) -> Bool {
        var detector = SleepDetector()
        let start = Instant(milliseconds: 1_000_000, wallClockMilliseconds: 1_700_000_000_000)
        _ = detector.look(at: start)
        let end = Instant(
            milliseconds: start.milliseconds + milliseconds,
            wallClockMilliseconds: UInt64(Int64(start.wallClockMilliseconds) + wall))
        let isFound = detector.look(at: end)
        let isToldTwice = detector.look(at: end)
        return isFound && !isToldTwice
    }

    @Test("looks a second apart find nothing, nor does one that a busy machine delays by some seconds")
    func awake() {
        #expect(!look(after: 1_000, wall: 1_000))
        #expect(!look(after: 5_900, wall: 5_900))
        #expect(!look(after: 0, wall: 0))
    }

    @Test("a gap on both clocks, on the steady one alone, or on the wall clock alone is a sleep")
    func asleep() {
        #expect(look(after: 6_100, wall: 6_100))
        #expect(look(after: 120_000, wall: 1_000))
        #expect(look(after: 1_000, wall: 3_600_000))
    }

    @Test("a wall clock that is set back is none")
    func clockSetBack() { #expect(!look(after: 1_000, wall: -3_600_000)) }

    @Test("the first look has nothing to compare with")
    func first() {
        var detector = SleepDetector()
        let isFound = detector.look(at: Instant(milliseconds: 1 << 40, wallClockMilliseconds: 0))
        #expect(!isFound)
    }
}
