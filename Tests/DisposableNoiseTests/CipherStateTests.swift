// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableNoise
import Testing

/// Expected ciphertexts are of another ChaCha20-Poly1305, under the key 00 01 ... 1f.
@Suite struct CipherStateTests {
    private let plaintext = Array("hello".utf8)
    private let associatedData = Array("ad".utf8)

    private func cipherState(nonce: UInt64 = 0) -> CipherState {
        let key = [UInt8](0..<32)
        return CipherState(key: SecretBytes(copying: key.span), nonce: nonce)
    }

    private func encrypt(with state: inout CipherState) throws(NoiseError) -> String {
        var output = [UInt8]()
        try state.encrypt(plaintext.span, authenticating: associatedData.span, appendingTo: &output)
        return output.hex
    }

    @Test("the nonce is four zero bytes and the counter, little-endian")
    func nonceLayout() throws {
        var state = cipherState()
        #expect(try encrypt(with: &state) == "70dd2e5dc2a01c47ad11cc8fb4da686f7449ce51cd")
        state = cipherState(nonce: 0x0102_0304_0506_0708)
        #expect(try encrypt(with: &state) == "982cc188c470553bfb5182218e71c7b4be8e2490e3")
    }

    @Test("a rekey changes the key and leaves the counter")
    func rekey() throws {
        var state = cipherState()
        _ = try encrypt(with: &state)
        state.rekey()
        #expect(try encrypt(with: &state) == "501050ed1b1fb19c76a786901cfba7408231fde442")
    }

    @Test("the last nonce seals and opens nothing")
    func lastNonce() throws {
        var sender = cipherState(nonce: .max - 1)
        var receiver = cipherState(nonce: .max - 1)
        let last = try #require([UInt8](hex: try encrypt(with: &sender)))
        #expect(try receiver.decrypt(last.span, authenticating: associatedData.span) == plaintext)

        do throws(NoiseError) {
            _ = try encrypt(with: &sender)
            Issue.record("sealed with the last nonce")
        } catch { #expect(error == .nonceExhausted) }
        do throws(NoiseError) {
            _ = try receiver.decrypt(last.span, authenticating: associatedData.span)
            Issue.record("opened with the last nonce")
        } catch { #expect(error == .nonceExhausted) }
    }

    @Test("a message that does not open is not counted")
    func failureIsNotCounted() throws {
        var sender = cipherState()
        var receiver = cipherState()
        let message = try #require([UInt8](hex: try encrypt(with: &sender)))
        var changed = message
        changed[0] ^= 1
        do throws(NoiseError) {
            _ = try receiver.decrypt(changed.span, authenticating: associatedData.span)
            Issue.record("opened a changed message")
        } catch { #expect(error == .authenticationFailed) }
        #expect(try receiver.decrypt(message.span, authenticating: associatedData.span) == plaintext)
    }
}
