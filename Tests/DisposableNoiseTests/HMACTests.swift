// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableNoise
import Testing

@Suite struct HMACTests {
    /// Values of Python's `hmac` over `hashlib.blake2b`.
    @Test(
        "codes are those of an independent HMAC",
        arguments: [
            (
                [UInt8](), "",
                "198cd2006f66ff83fbbd913f78aca2251caf4f19fe9475aade8cf2091b99a684"
                    + "66775177424f58286886cbae8229644cec747237d4b721735485e17372fdf59c"
            ),
            (
                [UInt8](repeating: 0x0b, count: 20), "Hi There",
                "358a6a184924894fc34bee5680eedf57d84a37bb38832f288e3b27dc63a98cc8"
                    + "c91e76da476b508bc6b2d408a248857452906e4a20b48c6b4b55d2df0fe1dd24"
            ),
            (
                [UInt8](0..<128), "a key as long as the block",
                "ee13b1e81351678927977436a4719bcb52e345ef461e4857d4de42b15f8ebd06"
                    + "ad06c25d34afe2404114bd80791cf84cf952287d31cf0bdb2fa2896550486605"
            ),
        ])
    func code(key: [UInt8], message: String, expected: String) {
        var hmac = HMAC(key: SecretBytes(copying: key.span))
        let message = Array(message.utf8)
        hmac.update(message.span.extracting(first: message.count / 2))
        hmac.update(message.span.extracting(droppingFirst: message.count / 2))
        let code = hmac.finalize()
        #expect(code.withSpan { code in code.indices.map { code[$0] } }.hex == expected)
    }
}
