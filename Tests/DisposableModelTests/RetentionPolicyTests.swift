// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import Testing

@Suite("When the time of an event is over") struct RetentionPolicyTests {
    typealias Witness = CorroboratedClock.Witness
    private static let day = RetentionPolicy.standardGraceMilliseconds
    private static let end: UInt64 = 1_800_000_000_000

    private func verdict(
        own: UInt64, vouched: UInt64?, wasVouched: Bool = false, ranFor: UInt64
    ) -> RetentionPolicy.Verdict {
        RetentionPolicy.verdict(
            expiresAt: Self.end, own: own, vouched: vouched, wasVouched: wasVouched, ranFor: ranFor)
    }

    @Test("it takes both the word of others and a day of running, in whichever order they come")
    func both() {
        #expect(verdict(own: Self.end, vouched: Self.end, ranFor: Self.day) == .due)
        #expect(verdict(own: 0, vouched: Self.end, ranFor: Self.day) == .due, "one's own clock has no say then")
        #expect(verdict(own: Self.end, vouched: Self.end, ranFor: Self.day - 1) == .waits(milliseconds: 1))
        #expect(verdict(own: .max, vouched: Self.end - 1, ranFor: .max) == .keep)
        #expect(verdict(own: Self.end, vouched: nil, ranFor: .max) == .unvouched)
        #expect(verdict(own: Self.end - 1, vouched: nil, ranFor: .max) == .keep)
        // Who has vouched for it may have gone since; and may come back and say that it was wrong.
        #expect(verdict(own: 0, vouched: nil, wasVouched: true, ranFor: Self.day) == .due)
        #expect(verdict(own: .max, vouched: Self.end - 1, wasVouched: true, ranFor: .max) == .keep)
    }

    @Test("whatever the numbers: nothing is due that others do not say is over, or that was known for less than a day")
    func property() {
        var random = SplitMix64(seed: 7)
        var dueCount = 0
        for _ in 0..<5_000 {
            let expiresAt = UInt64.random(in: 0...100, using: &random)
            let grace = UInt64.random(in: 0...50, using: &random)
            let own = UInt64.random(in: 0...200, using: &random)
            let ranFor = UInt64.random(in: 0...100, using: &random)
            let vouched = Bool.random(using: &random) ? UInt64.random(in: 0...200, using: &random) : nil
            let wasVouched = Bool.random(using: &random)
            let verdict = RetentionPolicy.verdict(
                expiresAt: expiresAt, own: own, vouched: vouched, wasVouched: wasVouched, ranFor: ranFor, grace: grace)
            let isDue = verdict == .due
            #expect(isDue == ((vouched.map { $0 >= expiresAt } ?? wasVouched) && ranFor >= grace))
            if isDue { dueCount += 1 }
            // More time never makes it less due.
            if isDue, let vouched {
                #expect(
                    RetentionPolicy.verdict(
                        expiresAt: expiresAt, own: 0, vouched: vouched + 1, wasVouched: false, ranFor: ranFor + 1,
                        grace: grace) == .due)
            }
        }
        #expect(dueCount > 500)
    }

    @Test(
        "no machine alone vouches for the time, not an organizer's either; a peer that agrees, or another organizer, does"
    )
    func vouching() {
        let now = Self.end
        func vouched(_ standing: CorroboratedClock.Standing, _ witnesses: Witness...) -> UInt64? {
            CorroboratedClock.vouched(own: now, standing: standing, witnesses: witnesses)
        }
        #expect(vouched(.organizer) == nil)
        #expect(vouched(.organizer, Witness(standing: .member, milliseconds: now - 60_000)) == now)
        #expect(vouched(.organizer, Witness(standing: .member, milliseconds: now - 86_400_000)) == nil)
        #expect(vouched(.organizer, Witness(standing: .organizer, milliseconds: now - 86_400_000)) == now - 86_400_000)
        #expect(vouched(.member) == nil)
        #expect(vouched(.member, Witness(standing: .member, milliseconds: now)) == nil)
        #expect(vouched(.member, Witness(standing: .organizer, milliseconds: 5)) == 5)
    }
}
