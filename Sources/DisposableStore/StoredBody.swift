// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem

/// The form of operation bodies in the database: sealed, so that destroying the storage key destroys people's texts and
/// every blob key, in every copy of the file.
///
/// nonce (24 random bytes) || XChaCha20-Poly1305(body), with the operation's id as associated data, so that no body can
/// be moved to another row.
struct StoredBody {
    /// The overhead over the body: nonce and tag.
    static let overheadByteCount = XChaCha20Poly1305.nonceByteCount + 16

    private let key: SecretBytes

    init(storageKey: SecretBytes) {
        key = KeyDerivation.key(from: storageKey, context: Domain.Key.storedBody)
    }

    func seal(_ body: [UInt8], of operation: OperationID) -> [UInt8] {
        let nonce = [UInt8].random(count: XChaCha20Poly1305.nonceByteCount)
        let id = operation.bytes
        return nonce + XChaCha20Poly1305.seal(body.span, authenticating: id.span, key: key, nonce: nonce)
    }

    /// Throws `StoreError.bodyDoesNotOpen`.
    func open(_ sealed: [UInt8], of operation: OperationID) throws(StoreError) -> [UInt8] {
        let nonce = Array(sealed.prefix(XChaCha20Poly1305.nonceByteCount))
        guard nonce.count == XChaCha20Poly1305.nonceByteCount else { throw .bodyDoesNotOpen(operation) }
        let id = operation.bytes
        do {
            let ciphertext = sealed.span.extracting(droppingFirst: nonce.count)
            return try XChaCha20Poly1305.open(ciphertext, authenticating: id.span, key: key, nonce: nonce)
        } catch {
            throw .bodyDoesNotOpen(operation)
        }
    }
}
