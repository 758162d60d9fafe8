// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Rate limits by key, bans and incidents") struct KeyedLimitTests {
    @Test("each key has its own allowance; spending may overdraw it once")
    func separateKeys() {
        var allowances = KeyedAllowances<Int>(perSecond: 1, burst: 2, countMax: 10)
        allowances.spend(3, by: 1, at: 0)
        #expect(!allowances.isLevel(1, at: 999))
        #expect(allowances.isLevel(1, at: 1_000))
        #expect(allowances.isLevel(2, at: 0))
        allowances.remove(1)
        #expect(allowances.isLevel(1, at: 0))
    }

    @Test("a key that may not overdraw is told how long to wait, and is not charged")
    func waiting() {
        var allowances = KeyedAllowances<Int>(perSecond: 1, burst: 2, countMax: 10)
        let waits = (0..<4).map { _ in allowances.waitToSpend(1, by: 1, at: 0) }
        #expect(waits == [nil, nil, 1_000, 1_000])
        let later = allowances.waitToSpend(1, by: 1, at: 1_000)
        #expect(later == nil)
    }

    @Test("keys that are full again make room, those that are overdrawn stay overdrawn")
    func bound() {
        var allowances = KeyedAllowances<Int>(perSecond: 1, burst: 1, countMax: 3)
        for key in 0..<1_000 { allowances.spend(1, by: key, at: UInt64(key) * 10_000) }
        allowances.spend(100, by: 7, at: 10_000_000)
        for key in 0..<10 { allowances.spend(1, by: 2_000 + key, at: 10_000_000) }
        #expect(!allowances.isLevel(7, at: 10_000_001))
    }

    @Test("a ban ends after its time")
    func ban() throws {
        var bans = BanList()
        let device = TestChain().device
        bans.ban(device, at: 1_000)
        let end = 1_000 + UInt64(Limits.shunMilliseconds)
        #expect(bans.isBanned(device, at: end - 1))
        #expect(bans.banned(at: end - 1) == [device])
        #expect(!bans.isBanned(device, at: end))
        #expect(bans.banned(at: end).isEmpty)
    }

    @Test("clones and versions are reported once each, of versions sixteen")
    func incidents() {
        var incidents = Notices()
        let device = TestChain().device
        let clones = (0..<2).map { _ in incidents.recordClone(device) }
        #expect(clones == [true, false])
        let versions = (0..<20).map { incidents.recordVersion($0) }
        #expect(versions.count { $0 } == 16)
        let again = incidents.recordVersion(0)
        #expect(!again)
    }
}
