// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import Testing

@Suite struct DeskKeysTests {
    @Test("a key opens once")
    func once() {
        let keys = DeskKeys()
        let key = keys.issue()
        #expect(keys.use(key))
        #expect(!keys.use(key))
    }

    @Test("a key is valid for ten minutes")
    func late() {
        let keys = DeskKeys()
        let now = ContinuousClock.now
        let (early, late) = (keys.issue(at: now), keys.issue(at: now))
        #expect(keys.use(early, at: now + DeskKeys.lifetime - .seconds(1)))
        #expect(!keys.use(late, at: now + DeskKeys.lifetime))
        #expect(DeskKeys.lifetime == .seconds(600))
    }

    @Test("several keys are valid at once; beyond the limit the oldest becomes invalid")
    func many() {
        let keys = DeskKeys()
        let texts = (0...DeskKeys.countMax).map { _ in keys.issue() }
        #expect(Set(texts).count == texts.count)
        #expect(texts.map { keys.use($0) } == [false] + Array(repeating: true, count: DeskKeys.countMax))
    }

    @Test("any other text is no key")
    func none() {
        let keys = DeskKeys()
        let key = keys.issue()
        for text in ["", "é", String(repeating: "A", count: key.count), key + "A"] { #expect(!keys.use(text)) }
        #expect(keys.use(key))
    }
}
