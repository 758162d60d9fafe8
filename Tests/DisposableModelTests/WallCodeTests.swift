// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The code that the wall shows, another one every ten minutes (protocol/guest-api.md §23).
@Suite struct WallCodeTests {
    private let event = EventID(Bytes32([UInt8](repeating: 7, count: 32))!)  // 32 bytes
    /// The start of a period.
    private let start: UInt64 = 1_800_000_000_000

    private func secret(_ byte: UInt8 = 1) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(consuming: &bytes, in: .ordinary)
    }

    @Test("every node of the event has the same code in a period, and another one in the next")
    func same() {
        let (one, other) = (WallCode(event: event, secret: secret()), WallCode(event: event, secret: secret()))
        #expect(one.code(at: start) == other.code(at: start + 599_999))
        #expect(one.code(at: start) != one.code(at: start + 600_000))
        #expect(one.tokenText == other.tokenText)
        let replaced = WallCode(event: event, secret: secret(2))
        #expect(replaced.code(at: start) != one.code(at: start))
        #expect(one.mark == other.mark && one.mark != replaced.mark)
    }

    @Test("a code has eight characters of the codes' alphabet, and differs from the guests' code and from others")
    func alphabet() {
        let wall = WallCode(event: event, secret: secret())
        let codes = (0..<48).map { wall.code(at: start + $0 * WallCode.periodMilliseconds) }
        #expect(Set(codes).count == 48)
        #expect(codes.allSatisfy { $0.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{8}/) != nil })
        let link = GuestLink(event: event, secret: secret())
        #expect(!codes.contains(link.code))
        #expect(!wall.token.isEqual(to: link.token))
    }

    @Test("the code of the period before is valid for two more minutes, and that of the next one a minute early")
    func grace() {
        let wall = WallCode(event: event, secret: secret())
        let (before, present) = (wall.code(at: start - 1), wall.code(at: start))
        #expect(Set(wall.codes(validAt: start)) == [before, present])
        #expect(Set(wall.codes(validAt: start + 119_999)) == [before, present])
        #expect(wall.codes(validAt: start + 120_000) == [present])
        #expect(wall.codes(validAt: start + 300_000) == [present])
        #expect(Set(wall.codes(validAt: start - 60_000)) == [before, present])
        #expect(wall.codes(validAt: start - 60_001) == [before])
        #expect(wall.codes(validAt: 0).contains(wall.code(at: 0)))
    }

    @Test("a pass changes with the code, is valid as long, and is neither the wall's token nor the guests'")
    func passes() {
        let (wall, replaced) = (WallCode(event: event, secret: secret()), WallCode(event: event, secret: secret(2)))
        let (before, present) = (wall.passText(at: start - 1), wall.passText(at: start))
        #expect(present.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
        #expect(present == wall.passText(at: start + 599_999) && present != before)
        #expect(present != replaced.passText(at: start) && present != wall.tokenText)
        #expect(!wall.pass(at: start).isEqual(to: GuestLink(event: event, secret: secret()).token))
        func isValid(_ time: UInt64, at milliseconds: UInt64) -> Bool {
            wall.passes(validAt: milliseconds).contains { $0.isEqual(to: wall.pass(at: time)) }
        }
        #expect(isValid(start - 1, at: start + 119_999) && !isValid(start - 1, at: start + 120_000))
        #expect(isValid(start, at: start - 60_000) && !isValid(start, at: start - 60_001))
    }

    @Test("the time until the next code is never nothing")
    func remaining() {
        #expect(WallCode.remainingMilliseconds(at: start) == 600_000)
        #expect(WallCode.remainingMilliseconds(at: start + 599_999) == 1)
    }
}
