// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposablePortal
import Testing

@Suite struct UploadLedgerTests {
    private static let start = ContinuousClock.now
    private let names = (0..<40).map { UploadName(session: BLAKE2b.hash([UInt8($0)]), upload: UploadID()) }
    private func owner(_ number: UInt8) -> Bytes32 { BLAKE2b.hash([number, 1]) }

    private func ledger(_ change: (inout UploadLimits.Unfinished) -> Void) -> UploadLedger {
        var limits = UploadLimits.Unfinished()
        limits.idleTimeBeforeEviction = .seconds(60)
        change(&limits)
        return UploadLedger(limits)
    }

    /// Adds an upload that no request holds, after this many seconds.
    private func add(
        _ number: Int, of owner: Bytes32, at address: String = "a", _ byteCount: UInt64 = 1, after seconds: Int = 0,
        hasMoved: Bool = false, to ledger: inout UploadLedger
    ) throws -> [UploadName] {
        let now = Self.start + .seconds(seconds)
        let leaving = try ledger.add(names[number], of: owner, at: address, byteCount: byteCount, now: now)
        ledger.release(names[number], byteCount: nil, hasMoved: hasMoved, now: now)
        return leaving
    }

    @Test("the sessions of one guest share one limit, and other guests have their own")
    func byGuest() throws {
        var ledger = ledger { $0.countByGuest = 2 }
        for number in 0..<2 { #expect(try add(number, of: owner(1), to: &ledger) == []) }
        #expect(throws: UploadLedger.Shortage.guest) { try add(2, of: owner(1), to: &ledger) }
        #expect(try add(3, of: owner(2), to: &ledger) == [])
    }

    @Test("the guests of one address share a limit, and other addresses have their own")
    func byAddress() throws {
        var ledger = ledger { $0.bytesByAddress = 100 }
        for number in 0..<2 { _ = try add(number, of: owner(UInt8(number)), 50, to: &ledger) }
        #expect(throws: UploadLedger.Shortage.address) { try add(2, of: owner(2), to: &ledger) }
        #expect(try add(3, of: owner(3), at: "b", 50, to: &ledger) == [])
    }

    @Test("if space is short the empty uploads are dropped, the idlest first, and then those with bytes")
    func eviction() throws {
        var ledger = ledger { $0.countInEvent = 4 }
        _ = try add(0, of: owner(0), after: 0, hasMoved: true, to: &ledger)
        _ = try add(1, of: owner(1), after: 10, to: &ledger)
        _ = try add(2, of: owner(2), after: 5, to: &ledger)
        _ = try add(3, of: owner(3), after: 20, hasMoved: true, to: &ledger)
        #expect(throws: UploadLedger.Shortage.event) { try add(4, of: owner(4), after: 50, to: &ledger) }
        #expect(try add(4, of: owner(4), after: 90, to: &ledger) == [names[2]])
        #expect(try add(5, of: owner(5), after: 91, to: &ledger) == [names[1]])
        #expect(try add(6, of: owner(6), after: 92, to: &ledger) == [names[0]])
        #expect(try add(7, of: owner(7), after: 93, to: &ledger) == [names[3]])
        #expect(throws: UploadLedger.Shortage.event) { try add(8, of: owner(8), after: 94, to: &ledger) }
    }

    @Test("an upload with a request in progress stays, and a mere request for its state does not renew it")
    func held() throws {
        var ledger = ledger { $0.countInEvent = 2 }
        for number in 0..<2 { _ = try add(number, of: owner(UInt8(number)), to: &ledger) }
        ledger.hold(names[0], for: owner(0), at: "a")
        #expect(try add(2, of: owner(2), after: 100, to: &ledger) == [names[1]])
        #expect(throws: UploadLedger.Shortage.event) { try add(3, of: owner(3), after: 100, to: &ledger) }
        ledger.release(names[0], byteCount: nil, hasMoved: false, now: Self.start + .seconds(100))
        #expect(try add(3, of: owner(3), after: 101, to: &ledger) == [names[0]])
    }

    @Test("on a full disk the idlest uploads with bytes are dropped, as many as needed")
    func fullDisk() throws {
        var ledger = ledger { _ in }
        for number in 0..<3 {
            _ = try add(number, of: owner(UInt8(number)), 100, after: number, hasMoved: true, to: &ledger)
        }
        _ = try add(3, of: owner(3), 100, after: 0, to: &ledger)
        let now = Self.start + .seconds(100)
        let leaving = ledger.giveUp(byteCount: 150, now: now)
        #expect(leaving == [names[0], names[1]])
        #expect(ledger.byteCount == 200)
        let none = ledger.giveUp(byteCount: 150, now: Self.start + .seconds(10))
        #expect(none == [])
    }

    @Test("a reservation grows with the received bytes, and other uploads are dropped for it as for a new one")
    func growth() throws {
        var ledger = ledger { $0.bytesInEvent = 100 }
        _ = try add(0, of: owner(0), 10, to: &ledger)
        _ = try add(1, of: owner(1), 10, to: &ledger)
        let now = Self.start + .seconds(100)
        ledger.hold(names[1], for: owner(1), at: "a")
        #expect(try ledger.grow(names[1], to: 90, now: now) == [])
        #expect(try ledger.grow(names[1], to: 100, now: now) == [names[0]])
        #expect(throws: UploadLedger.Shortage.event) { try ledger.grow(names[1], to: 101, now: now) }
        #expect(ledger.byteCount == 100)
        ledger.release(names[1], byteCount: 60, hasMoved: true, now: now)
        #expect(ledger.byteCount == 60)
        ledger.remove(names[1])
        #expect(ledger.byteCount == 0)
    }
}
