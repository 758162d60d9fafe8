// SPDX-License-Identifier: Apache-2.0
import DisposableSimulation
import Testing

@Suite("Shares of arguments") struct ArgumentShareTests {
    @Test("a run has a share in the given order, the same for the same seed, and runs together have everything")
    func shares() {
        let all = Array(0..<10)
        let shares = (0..<UInt64(50)).map { all.share(of: 4, seed: $0, name: "a") }
        #expect(shares.allSatisfy { $0.count == 3 && $0 == $0.sorted() })
        #expect(Set(shares.joined()) == Set(all))
        #expect(shares == (0..<UInt64(50)).map { all.share(of: 4, seed: $0, name: "a") })
        #expect(shares != (0..<UInt64(50)).map { all.share(of: 4, seed: $0, name: "b") })
        #expect(all.share(of: 1, seed: 7, name: "a") == all)
        #expect([5].share(of: 4, seed: 7, name: "a") == [5])
        #expect([Int]().share(of: 4, seed: 7, name: "a").isEmpty)
    }
}
