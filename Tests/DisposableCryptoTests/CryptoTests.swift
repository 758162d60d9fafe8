// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import Testing

@Suite struct CryptoTests {
    private func secret(_ hex: String) -> SecretBytes {
        var bytes = [UInt8](hex: hex)!
        return SecretBytes(consuming: &bytes)
    }

    @Test("BLAKE2b of the empty string is the published value")
    func emptyBLAKE2b() {
        #expect(BLAKE2b.hash([]).description == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
    }

    @Test("hashes of many messages at once are those of each, whatever their lengths and numbers")
    func manyBLAKE2b() {
        for byteCount in [0, 1, 127, 128, 129, 255, 256, 257, 1_000, 4_096] {
            for count in 0..<10 {
                let messages = (0..<count).map { number in
                    // The ninth is shorter, so that groups of one length are not neighbours.
                    (0..<(number == 8 ? byteCount / 2 : byteCount)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
                }
                #expect(BLAKE2b.hashes(of: messages) == messages.map { BLAKE2b.hash($0) })
            }
        }
    }

    @Test("SHA-256 of abc is the value of FIPS 180-4")
    func sha256() {
        var hash = SHA256()
        let abc = Array("abc".utf8)
        hash.update(abc.span)
        #expect(hash.finalize().description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("SHA-512 of abc, in parts, is the value of FIPS 180-4")
    func sha512() {
        #expect(
            SHA512.hash(Array("a".utf8), [], Array("bc".utf8)).hex
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    }

    // Made with argon2-cffi, which carries the reference implementation.
    @Test("Argon2id with two passes over 64 MiB is what the reference implementation computes")
    func argon2id() throws {
        let salt = Array(BLAKE2b.hash(Array("disposable/1 fingerprint\0".utf8)).bytes.prefix(16))
        let hash = try PasswordHash.argon2id(#require(Bytes32(Array(0..<32))), salt: salt)
        #expect(hash.description == "a96ec9005cd217bef81a50155803f1fe15658ccb1769cb7f4d3a7ee7036a6f95")
    }

    @Test(
        "scrypt computes the vectors of RFC 7914 §12",
        arguments: [
            (
                "", "", PassphraseKey.Parameters(cost: 16, blockSize: 1, passes: 1),
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                    + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", PassphraseKey.Parameters(cost: 1_024, blockSize: 8, passes: 16),
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                    + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
        ])
    func scrypt(passphrase: String, salt: String, parameters: PassphraseKey.Parameters, expected: String) throws {
        let key = try PassphraseKey.derive(from: passphrase, salt: Array(salt.utf8), parameters, byteCount: 64)
        #expect(key.withSpan { span in (0..<span.count).map { span[$0] } }.hex == expected)
    }

    // Made with TweetNaCl, which the pages use, and with Python's hmac.
    @Test("a secretbox and a code by HMAC are those of other implementations, and a changed box does not open")
    func secretBox() throws {
        let key = secret(String(repeating: "07", count: 32))
        let (nonce, text) = ([UInt8](repeating: 0, count: 24), Array("names".utf8))
        var box = SecretBox.seal(text, key: key, nonce: nonce)
        #expect(box.hex == "8878a8180e688d86c0f1c1849ee7ba72ad01a298b8")
        #expect(try SecretBox.open(box, key: key, nonce: nonce) == text)
        box[3] ^= 1
        #expect(throws: CryptoError.authenticationFailed) { try SecretBox.open(box, key: key, nonce: nonce) }
        #expect(
            MessageCode.code(of: text, key: key).hex
                == "75567afe0d26bf32b411a8d90a1b053af938bb60770e5291aa607358bf164a4f")
    }

    @Test("an Ed25519 signature is the one of RFC 8032 §7.1 test 2, and any changed bit makes it invalid")
    func ed25519() throws {
        let key = SigningKey(seed: secret("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
        #expect(key.verifyingKey.description == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        let signature = key.signature(for: [0x72])
        #expect(
            signature.bytes.hex == "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        #expect(key.verifyingKey.isValid(signature, for: [0x72]))
        for bit in 0..<512 {
            var bytes = signature.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.verifyingKey.isValid(try #require(Signature(bytes)), for: [0x72]))
        }
    }

    @Test("X25519 agrees with RFC 7748 §6.1 and refuses a point of small order")
    func x25519() throws {
        let alice = AgreementKey(scalar: secret(String(repeating: "42", count: 32)))
        let weak = AgreementPublicKey(.zero)
        #expect(throws: CryptoError.weakPublicKey) { _ = try alice.sharedSecret(with: weak) }
        let one = AgreementKey(scalar: secret("77076d0a7318a57d3c16c17251b26645df2f9aa5c2a6c1d3c4d7c9b4ab8a1234"))
        let two = AgreementKey(scalar: secret("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
        #expect(try one.sharedSecret(with: two.publicKey).isEqual(to: two.sharedSecret(with: one.publicKey)))
    }

    @Test("ChaCha20-Poly1305 seals as RFC 8439 §2.8.2 and opens nothing that was changed")
    func aead() throws {
        let key = secret("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f")
        let nonce = [UInt8](hex: "070000004041424344454647")!
        let ad = [UInt8](hex: "50515253c0c1c2c3c4c5c6c7")!
        let text = Array(
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
                .utf8)
        var sealed = [UInt8]()
        ChaCha20Poly1305.seal(text.span, authenticating: ad.span, key: key, nonce: nonce, appendingTo: &sealed)
        #expect(sealed.suffix(16).hex == "1ae10b594f09e26a7e902ecbd0600691")
        #expect(try ChaCha20Poly1305.open(sealed.span, authenticating: ad.span, key: key, nonce: nonce) == text)
        let short: [UInt8] = [1, 2, 3]
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: CryptoError.authenticationFailed) {
                _ = try ChaCha20Poly1305.open(changed.span, authenticating: ad.span, key: key, nonce: nonce)
            }
        }
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try ChaCha20Poly1305.open(short.span, authenticating: ad.span, key: key, nonce: nonce)
        }
    }

    @Test("XChaCha20-Poly1305 seals as draft-irtf-cfrg-xchacha-03 §A.3.1 and opens nothing that was changed")
    func extendedAEAD() throws {
        let key = secret("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f")
        let nonce = [UInt8](hex: "404142434445464748494a4b4c4d4e4f5051525354555657")!
        let ad = [UInt8](hex: "50515253c0c1c2c3c4c5c6c7")!
        let text = Array(
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
                .utf8)
        let sealed = XChaCha20Poly1305.seal(text.span, authenticating: ad.span, key: key, nonce: nonce)
        #expect(sealed.prefix(16).hex == "bd6d179d3e83d43b9576579493c0e939")
        #expect(sealed.suffix(16).hex == "c0875924c1c7987947deafd8780acf49")
        #expect(try XChaCha20Poly1305.open(sealed.span, authenticating: ad.span, key: key, nonce: nonce) == text)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: CryptoError.authenticationFailed) {
                _ = try XChaCha20Poly1305.open(changed.span, authenticating: ad.span, key: key, nonce: nonce)
            }
        }
    }

    @Test("an empty plaintext is sealed and opened")
    func emptyPlaintext() throws {
        let key = secret(String(repeating: "11", count: 32))
        let nonce = [UInt8](repeating: 2, count: 24)
        let empty = [UInt8]()
        let sealed = XChaCha20Poly1305.seal(empty.span, authenticating: empty.span, key: key, nonce: nonce)
        #expect(sealed.count == 16)
        #expect(try XChaCha20Poly1305.open(sealed.span, authenticating: empty.span, key: key, nonce: nonce).isEmpty)
    }

    @Test("Bytes32 orders as its bytes do, and takes 32 bytes only")
    func bytes32() throws {
        let small = try #require(Bytes32(hex: String(repeating: "00", count: 31) + "ff"))
        let large = try #require(Bytes32(hex: "01" + String(repeating: "00", count: 31)))
        #expect(small < large)
        #expect(small.bytes.lexicographicallyPrecedes(large.bytes))
        #expect(Bytes32([1, 2, 3]) == nil)
        #expect(Bytes32(hex: String(repeating: "0g", count: 32)) == nil)
        #expect(Bytes32(large.bytes) == large)
    }

    @Test("a secret prints its length and nothing else")
    func secretDescription() { #expect("\(secret(String(repeating: "ab", count: 32)))" == "SecretBytes(32 bytes)") }

    @Test("a secret holds its bytes in both kinds of memory, and empties the array it was made from")
    func secretMemory() {
        for count in [0, 1, 32, 64] {
            let original = (0..<count).map { UInt8($0) }
            var (first, second) = (original, original)
            let guarded = SecretBytes(consuming: &first, in: .guarded)
            let ordinary = SecretBytes(consuming: &second, in: .ordinary)
            #expect(first.isEmpty && second.isEmpty)
            #expect(guarded.isEqual(to: ordinary))
            #expect(ordinary.withSpan { bytes in bytes.indices.map { bytes[$0] } } == original)
        }
    }

    @Test("derived keys differ by context and by input")
    func derivation() {
        let parent = secret(String(repeating: "07", count: 32))
        let key = KeyDerivation.key(from: parent, context: "a")
        #expect(!key.isEqual(to: KeyDerivation.key(from: parent, context: "b")))
        #expect(!key.isEqual(to: KeyDerivation.key(from: parent, context: "a", input: [1])))
        #expect(key.isEqual(to: KeyDerivation.key(from: parent, context: "a")))
    }
}
