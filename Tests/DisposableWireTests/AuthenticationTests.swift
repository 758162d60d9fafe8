// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

@Suite struct AuthenticationTests {
    private let hash = [UInt8](repeating: 3, count: 64)
    private let claims = Authentication.Claims(
        device: author.device, instance: [UInt8](0..<16), wallClockMilliseconds: 1_800_000_000_000, listenPort: 65_535)

    private func received(_ bytes: [UInt8]) throws -> Authentication? {
        guard case .authentication(let authentication) = try PeerMessage(bytes) else { return nil }
        return authentication
    }

    @Test("a proof holds for its side of its connection and for no other")
    func sides() throws {
        for (side, other) in [(Authentication.Side.dialler, Authentication.Side.listener), (.listener, .dialler)] {
            let sent = Authentication(claims: claims, side: side, handshakeHash: hash, key: author)
            let proof = try #require(try received(PeerMessage.authentication(sent).bytes))
            #expect(proof.claims == claims)
            #expect(proof.isValid(side: side, handshakeHash: hash))
            #expect(!proof.isValid(side: other, handshakeHash: hash))
            for bit in 0..<512 {
                var changed = hash
                changed[bit / 8] ^= 1 << (bit % 8)
                #expect(!proof.isValid(side: side, handshakeHash: changed))
            }
        }
    }

    @Test("a proof by another key than the one it claims is invalid")
    func wrongKey() {
        let proof = Authentication(claims: claims, side: .dialler, handshakeHash: hash, key: eventKey)
        #expect(!proof.isValid(side: .dialler, handshakeHash: hash))
    }

    @Test("no bit of claims or signature can be changed without making the proof invalid or unreadable")
    func changed() throws {
        let sent = Authentication(claims: claims, side: .dialler, handshakeHash: hash, key: author)
        let bytes = PeerMessage.authentication(sent).bytes
        var readableCount = 0
        for bit in 8..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            guard let proof = try? received(changed) else { continue }
            readableCount += 1
            #expect(!proof.isValid(side: .dialler, handshakeHash: hash))
        }
        #expect(readableCount > 800)  // keys, hashes and the signature take any bits
    }

    @Test("a port beyond 65535 and an instance of another length are malformed")
    func ranges() throws {
        let short = Authentication.Claims(
            device: author.device, instance: [1, 2, 3], wallClockMilliseconds: 1, listenPort: 1)
        let message = PeerMessage.authentication(
            Authentication(claims: short, side: .dialler, handshakeHash: hash, key: author))
        #expect(throws: WireError.malformed(type: 0x01)) { _ = try PeerMessage(message.bytes) }
        let good = PeerMessage.authentication(
            Authentication(claims: claims, side: .dialler, handshakeHash: hash, key: author))
        // The claims' last field is the port: tag 0x20, then 65535 as three bytes.
        let port = try #require(good.bytes.firstRange(of: [0x20, 0xFF, 0xFF, 0x03]))
        var bytes = good.bytes
        bytes[port.lowerBound + 3] = 0x07
        #expect(throws: WireError.malformed(type: 0x01)) { _ = try PeerMessage(bytes) }
    }
}
