// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct TokenBucketsTests {
    private static let start = ContinuousClock.now

    private func takes(_ buckets: inout TokenBuckets<String>, _ key: String, at seconds: Double, count: Int) -> Int {
        (0..<count).count { _ in buckets.take(for: key, at: Self.start + .seconds(seconds)) == nil }
    }

    @Test("a key has its burst, then its rate, and never more than its burst at once")
    func rate() {
        var buckets = TokenBuckets<String>(.init(burst: 3, perSecond: 0.5), keyCountMax: 10)
        #expect(takes(&buckets, "a", at: 0, count: 9) == 3)
        #expect(takes(&buckets, "a", at: 1.9, count: 9) == 0)
        #expect(takes(&buckets, "a", at: 2, count: 9) == 1)
        #expect(takes(&buckets, "b", at: 2, count: 9) == 3)
        #expect(takes(&buckets, "a", at: 1000, count: 9) == 3)
    }

    @Test("a refusal has the time to wait")
    func wait() {
        var buckets = TokenBuckets<String>(.init(burst: 1, perSecond: 0.125), keyCountMax: 10)
        #expect(takes(&buckets, "a", at: 0, count: 1) == 1)
        let waits = [0.0, 4].map { buckets.take(for: "a", at: Self.start + .seconds($0)) }
        #expect(waits == [.seconds(8), .seconds(4)])
        let looked = buckets.wait(for: "a", at: Self.start + .seconds(8))
        #expect(looked == nil)
        #expect(takes(&buckets, "a", at: 8, count: 2) == 1)
    }

    @Test("a clock that goes back adds and removes no tokens")
    func backwards() {
        var buckets = TokenBuckets<String>(.init(burst: 2, perSecond: 1), keyCountMax: 10)
        #expect(takes(&buckets, "a", at: 10, count: 1) == 1)
        #expect(takes(&buckets, "a", at: 0, count: 9) == 1)
        #expect(takes(&buckets, "a", at: 10, count: 9) == 0)
    }

    @Test("for any number of keys the number of buckets is bounded, and each new key has its own")
    func manyKeys() {
        var buckets = TokenBuckets<String>(.init(burst: 2, perSecond: 0.01), keyCountMax: 8)
        let taken = (0..<1_000).map { takes(&buckets, "\($0)", at: 0, count: 1) }
        #expect(taken.allSatisfy { $0 == 1 })
        #expect(buckets.keyCount <= 8)
        #expect(takes(&buckets, "new", at: 1000, count: 9) == 2)
    }

    @Test("the fullest buckets are forgotten first: a busy key does not lose its debt")
    func debt() {
        var buckets = TokenBuckets<String>(.init(burst: 4, perSecond: 0.01), keyCountMax: 8)
        #expect(takes(&buckets, "greedy", at: 0, count: 9) == 4)
        for number in 0..<1_000 { _ = takes(&buckets, "\(number)", at: 0, count: 1) }
        #expect(takes(&buckets, "greedy", at: 0, count: 9) == 0)
    }
}
