// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import Testing

@Suite struct SealedBoxTests {
    private func key(_ number: UInt8) -> AgreementKey {
        var scalar = [UInt8](repeating: number, count: 32)
        return AgreementKey(scalar: SecretBytes(consuming: &scalar))
    }

    private func opened(_ sealed: [UInt8], with key: AgreementKey) -> [UInt8]? {
        (try? SealedBox.open(sealed, with: key)).map { secret in
            secret.withSpan { span in (0..<span.count).map { span[$0] } }
        }
    }

    @Test("what is sealed to a key opens with it and with no other, and not with a bit changed")
    func roundTrip() throws {
        for plaintext in [[], [1], Array(UInt8(0)..<200)] as [[UInt8]] {
            let sealed = try SealedBox.seal(plaintext.span, to: key(1).publicKey, ephemeral: key(2))
            #expect(sealed.count == plaintext.count + SealedBox.overheadByteCount)
            #expect(opened(sealed, with: key(1)) == plaintext)
            #expect(opened(sealed, with: key(3)) == nil)
            for index in sealed.indices {
                var changed = sealed
                changed[index] ^= 1
                #expect(opened(changed, with: key(1)) == nil)
            }
            #expect(opened(Array(sealed.dropLast()), with: key(1)) == nil)
        }
        #expect(opened([UInt8](repeating: 0, count: 47), with: key(1)) == nil)
    }

    @Test("a box opens again with its ephemeral key, and with no other one")
    func reopening() throws {
        let sealed = try SealedBox.seal([1, 2, 3].span, to: key(1).publicKey, ephemeral: key(2))
        let reopened = try SealedBox.reopen(sealed, to: key(1).publicKey, ephemeral: key(2))
        #expect(reopened.withSpan { span in (0..<span.count).map { span[$0] } } == [1, 2, 3])
        for (recipient, ephemeral) in [(key(1), key(3)), (key(3), key(2))] {
            #expect(throws: CryptoError.authenticationFailed) {
                _ = try SealedBox.reopen(sealed, to: recipient.publicKey, ephemeral: ephemeral)
            }
        }
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try SealedBox.reopen(Array(sealed.prefix(47)), to: key(1).publicKey, ephemeral: key(2))
        }
    }

    @Test("what is sealed for the holder of a signing key is opened with it")
    func signingKeys() throws {
        var seed = [UInt8](repeating: 4, count: 32)
        let holder = SigningKey(seed: SecretBytes(consuming: &seed))
        let recipient = try AgreementPublicKey(of: holder.verifyingKey)
        #expect(recipient == holder.agreementKey.publicKey)
        let sealed = try SealedBox.seal([7].span, to: recipient, ephemeral: key(2))
        #expect(opened(sealed, with: holder.agreementKey) == [7])
        #expect(throws: CryptoError.weakPublicKey) { _ = try AgreementPublicKey(of: VerifyingKey(.zero)) }
    }

    @Test("nothing is sealed to a key of small order")
    func weakKey() {
        #expect(throws: CryptoError.weakPublicKey) {
            _ = try SealedBox.seal([1].span, to: AgreementPublicKey(.zero), ephemeral: key(2))
        }
    }
}
