// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import Testing

@Suite("What cannot be undone waits for a time that somebody vouches for") struct CorroboratedClockTests {
    typealias Witness = CorroboratedClock.Witness
    private static let noon: UInt64 = 1_780_747_200_000
    private static let day: UInt64 = 86_400_000
    private static let minute: UInt64 = 60_000

    private func time(
        _ own: UInt64, _ standing: CorroboratedClock.Standing, _ witnesses: (CorroboratedClock.Standing, UInt64)...
    ) -> UInt64? {
        CorroboratedClock.time(
            own: own, standing: standing, witnesses: witnesses.map { Witness(standing: $0.0, milliseconds: $0.1) })
    }

    @Test("a lone member never knows, whatever its clock says")
    func loneMember() {
        #expect(time(Self.noon + 365 * Self.day, .member) == nil)
        #expect(time(Self.noon, .granted) == nil)
        #expect(time(Self.noon, .member, (.member, Self.noon), (.member, Self.noon)) == nil)
    }

    @Test("an organizer's clock is enough, the earliest of several, and one's own does not matter")
    func organizers() {
        #expect(time(0, .member, (.organizer, Self.noon)) == Self.noon)
        #expect(time(.max, .granted, (.organizer, Self.noon + 5), (.organizer, Self.noon)) == Self.noon)
        #expect(time(.max, .member, (.organizer, Self.noon), (.granted, .max), (.granted, .max)) == Self.noon)
    }

    @Test("an organizer's own clock counts where it is alone, and where it agrees with its peers'")
    func ownClock() {
        #expect(time(Self.noon, .organizer) == Self.noon)
        #expect(time(Self.noon, .organizer, (.member, Self.noon + 9 * Self.minute)) == Self.noon)
        #expect(time(Self.noon, .organizer, (.organizer, Self.noon - Self.minute)) == Self.noon - Self.minute)
        // Its battery is flat, or somebody has set it: the others say so.
        #expect(time(Self.noon + Self.day, .organizer, (.member, Self.noon), (.member, Self.noon + 1)) == nil)
        #expect(time(Self.noon + Self.day, .organizer, (.organizer, Self.noon)) == Self.noon)
    }

    @Test("without an organizer two with roles are needed, and one of them cannot hurry the other")
    func granted() {
        #expect(time(.max, .member, (.granted, Self.noon)) == nil)
        #expect(time(.max, .member, (.granted, Self.noon), (.granted, .max), (.member, .max)) == Self.noon)
        let three = time(0, .member, (.granted, Self.noon), (.granted, Self.noon + 1), (.granted, .max))
        #expect(three == Self.noon + 1)
    }

    @Test(
        "for any clocks: no lone member knows the time, and only organizers may differ from the organizers' clocks"
    )
    func property() {
        var random = SplitMix64(seed: 8)
        var (knownCount, unknownCount) = (0, 0)
        for _ in 0..<5_000 {
            let standing = [CorroboratedClock.Standing.organizer, .granted, .member].randomElement(using: &random)!
            let own = UInt64.random(in: 0...2 * Self.noon, using: &random)
            let witnesses = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Witness(
                    standing: [.organizer, .granted, .member, .member].randomElement(using: &random)!,
                    milliseconds: .random(in: 0...2 * Self.noon, using: &random))
            }
            let time = CorroboratedClock.time(own: own, standing: standing, witnesses: witnesses)
            let organizers = witnesses.filter { $0.standing == .organizer }.map(\.milliseconds)
            let granted = witnesses.filter { $0.standing == .granted }.map(\.milliseconds)
            if time == nil { unknownCount += 1 } else { knownCount += 1 }
            if let time, let earliest = organizers.min() { #expect(time <= earliest) }
            if standing != .organizer {
                #expect(time == organizers.min() ?? granted.sorted().dropLast().last, "one's own clock has no say")
            }
            if standing != .organizer, witnesses.isEmpty { #expect(time == nil) }
        }
        #expect(knownCount > 500 && unknownCount > 500)
    }
}
