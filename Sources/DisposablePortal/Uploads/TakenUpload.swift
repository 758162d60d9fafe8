// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem

/// The description of an upload that the node finishes without its client (protocol/guest-api.md §5), as a file beside
/// the upload's.
///
/// ```
/// file      = nonce, 24 random bytes || sealed
/// sealed    = XChaCha20-Poly1305 of the plaintext, with session || upload as associated data, under the node's key
/// plaintext = key of the upload's file, 32 bytes || guest, 32 bytes || network address, UTF-8
/// ```
struct TakenUpload: Sendable {
    static let byteCountMax = 1_024

    /// The key of the upload's file, which otherwise only the session has.
    let key: SecretBytes
    let guest: AuthorID
    let address: String

    init(key: SecretBytes, guest: AuthorID, address: String) {
        self.key = key
        self.guest = guest
        self.address = String(address.prefix(200))
    }

    /// Returns `nil` for bytes that are not the description of this upload, sealed with this key.
    init?(opening bytes: [UInt8], of name: UploadName, with nodeKey: SecretBytes) {
        let nonceByteCount = XChaCha20Poly1305.nonceByteCount
        guard bytes.count > nonceByteCount else { return nil }
        let (sealed, associatedData) = (Array(bytes[nonceByteCount...]), Self.associatedData(name))
        guard
            var plaintext = try? XChaCha20Poly1305.open(
                sealed.span, authenticating: associatedData.span, key: nodeKey,
                nonce: Array(bytes[..<nonceByteCount])),
            plaintext.count >= 64, let guest = AuthorID(Array(plaintext[32..<64]))
        else { return nil }
        defer { plaintext.wipe() }
        var keyBytes = Array(plaintext[..<32])
        self.init(
            key: SecretBytes(consuming: &keyBytes, in: .ordinary), guest: guest,
            address: String(decoding: plaintext[64...], as: UTF8.self))
    }

    func sealed(for name: UploadName, with nodeKey: SecretBytes) -> [UInt8] {
        var plaintext = key.withSpan { span in (0..<span.count).map { span[$0] } }
        defer { plaintext.wipe() }
        plaintext += guest.bytes + Array(address.utf8)
        let (nonce, associatedData) = (
            [UInt8].random(count: XChaCha20Poly1305.nonceByteCount), Self.associatedData(name)
        )
        return nonce
            + XChaCha20Poly1305.seal(
                plaintext.span, authenticating: associatedData.span, key: nodeKey, nonce: nonce)
    }

    private static func associatedData(_ name: UploadName) -> [UInt8] {
        name.session.bytes + Array(name.upload.description.utf8)
    }
}
