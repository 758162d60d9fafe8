// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import Testing

@Suite struct HybridTimestampTests {
    @Test("milliseconds and counter are what was put in, and milliseconds beyond 48 bits become the largest")
    func packing() {
        let stamp = HybridTimestamp(milliseconds: 1_800_000_000_123, counter: 0xABCD)
        #expect(stamp.milliseconds == 1_800_000_000_123)
        #expect(stamp.counter == 0xABCD)
        #expect(stamp.packed == 1_800_000_000_123 << 16 | 0xABCD)
        #expect(HybridTimestamp(packed: stamp.packed) == stamp)
        #expect(HybridTimestamp.millisecondsMax == 281_474_976_710_655)
        #expect(HybridTimestamp(milliseconds: 1 << 48, counter: 7).milliseconds == HybridTimestamp.millisecondsMax)
        #expect(HybridTimestamp(milliseconds: .max, counter: 7).counter == 7)
    }

    @Test("time orders before the counter")
    func order() {
        let stamps = [(1, 0), (1, 1), (1, 65_535), (2, 0)].map { HybridTimestamp(milliseconds: $0.0, counter: $0.1) }
        for (left, right) in zip(stamps, stamps.dropFirst()) { #expect(left < right) }
    }
}

@Suite struct HybridClockTests {
    @Test(
        "stamps grow strictly whatever wall clock and neighbours do, and never run more than a minute ahead",
        arguments: UInt64(0)..<50)
    func strictlyMonotone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var clock = HybridClock()
        var last = HybridTimestamp(packed: 0)
        var wall: UInt64 = 1_800_000_000_000
        var furthest = wall
        for _ in 0..<500 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: wall -= .random(in: 0...5_000, using: &random)
            case 1: wall += .random(in: 0...5_000, using: &random)
            case 2...4:
                let stamp = HybridTimestamp(packed: random.next() >> UInt64.random(in: 0...16, using: &random))
                clock.observe(stamp, wallClockMilliseconds: wall)
            case 5:
                let ahead = UInt64.random(in: 0...120_000, using: &random)
                let stamp = HybridTimestamp(milliseconds: wall + ahead, counter: .max)
                clock.observe(stamp, wallClockMilliseconds: wall)
            default: break
            }
            furthest = max(furthest, wall)
            let next = clock.next(wallClockMilliseconds: wall)
            #expect(next > last)
            #expect(next.milliseconds <= furthest + HybridClock.driftMillisecondsMax + 500)
            last = next
        }
    }

    @Test("while the wall clock stands still the counter counts, and a full one carries into the milliseconds")
    func counterCarries() {
        var clock = HybridClock()
        #expect(clock.next(wallClockMilliseconds: 1_000) == HybridTimestamp(milliseconds: 1_000, counter: 0))
        #expect(clock.next(wallClockMilliseconds: 1_000) == HybridTimestamp(milliseconds: 1_000, counter: 1))
        #expect(clock.next(wallClockMilliseconds: 900) == HybridTimestamp(milliseconds: 1_000, counter: 2))
        var full = HybridClock(latest: HybridTimestamp(milliseconds: 1_000, counter: .max))
        #expect(full.next(wallClockMilliseconds: 1_000) == HybridTimestamp(milliseconds: 1_001, counter: 0))
        #expect(full.next(wallClockMilliseconds: 1_001) == HybridTimestamp(milliseconds: 1_001, counter: 1))
        #expect(full.next(wallClockMilliseconds: 1_002) == HybridTimestamp(milliseconds: 1_002, counter: 0))
    }

    @Test("a stamp up to a minute ahead is followed, one a millisecond further is not")
    func farStamps() {
        let near = HybridTimestamp(milliseconds: 1_000 + HybridClock.driftMillisecondsMax, counter: 3)
        var following = HybridClock()
        following.observe(near, wallClockMilliseconds: 1_000)
        #expect(following.next(wallClockMilliseconds: 1_000) == HybridTimestamp(packed: near.packed + 1))
        var standing = HybridClock()
        standing.observe(HybridTimestamp(milliseconds: near.milliseconds + 1, counter: 0), wallClockMilliseconds: 1_000)
        standing.observe(HybridTimestamp(packed: .max), wallClockMilliseconds: 1_000)
        #expect(standing.next(wallClockMilliseconds: 1_000) == HybridTimestamp(milliseconds: 1_000, counter: 0))
    }

    @Test("an older stamp never moves the clock back, and the end of time does not stop the program")
    func extremes() {
        var clock = HybridClock(latest: HybridTimestamp(milliseconds: 5_000, counter: 5))
        clock.observe(HybridTimestamp(milliseconds: 4_000, counter: 9), wallClockMilliseconds: 4_500)
        #expect(clock.next(wallClockMilliseconds: 4_500) == HybridTimestamp(milliseconds: 5_000, counter: 6))
        var last = HybridClock(latest: HybridTimestamp(packed: .max))
        #expect(last.next(wallClockMilliseconds: .max) == HybridTimestamp(packed: .max))
        last.observe(HybridTimestamp(packed: .max), wallClockMilliseconds: .max)
    }
}
