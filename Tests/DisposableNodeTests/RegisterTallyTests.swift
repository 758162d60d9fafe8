// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableWire
import Testing

@Suite("How many nodes say that they have a photo") struct RegisterTallyTests {
    private static func secret(_ number: Int) -> SecretBytes {
        var bytes = BLAKE2b.hash([UInt8(number)]).bytes
        return SecretBytes(consuming: &bytes)
    }

    private func register(_ number: Int, naming places: [Register.Places]) -> Register {
        let key = SigningKey(seed: Self.secret(number))
        return Register(
            Register.Claims(
                device: DeviceID(key.verifyingKey), instance: [UInt8](repeating: 1, count: 16), counter: 1,
                originals: places, destroyed: []),
            of: EventID(.zero), key: key)
    }

    private func places(_ device: DeviceID, _ sequences: [Int]) -> Register.Places {
        var bits = ChunkBitmap(chunkCount: sequences.max()! + 1)
        for sequence in sequences { bits[sequence] = true }
        return Register.Places(device: device, bits: bits)
    }

    @Test("each counts once, however often its register names the photo, and however many there are")
    func once() {
        let author = DeviceID(BLAKE2b.hash([1]))
        let often = (0..<Limits.registerPlacesMax).map { _ in places(author, [3]) }
        let tally = RegisterTally((0..<130).map { (register($0, naming: often), false) })
        #expect(tally.holders(of: [(author, 3)]).count == 130)
        #expect(tally.holders(of: [(author, 4)]).count == 0)
    }

    @Test("what a register says of one device in several places is taken together")
    func together() {
        let author = DeviceID(BLAKE2b.hash([1]))
        let tally = RegisterTally([(register(1, naming: [places(author, [20]), places(author, [0, 3])]), true)])
        for sequence: UInt32 in [0, 3, 20] {
            #expect(tally.holders(of: [(author, sequence)]) == (1, true))
        }
        #expect(tally.holders(of: [(author, 1)]) == (0, false))
    }
}
