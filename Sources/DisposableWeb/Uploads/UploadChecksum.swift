// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import HTTPTypes

/// The checksum extension of tus: the client's hash of the bytes of one `PATCH`.
package struct UploadChecksum: Equatable, Sendable {
    package static let algorithm = "sha1"
    package let hash: [UInt8]

    /// - Parameter header: `Upload-Checksum`, the algorithm and the hash in base64.
    package init(header: String) throws(HTTPFailure) {
        let parts = header.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw HTTPFailure(.badRequest, "malformed-header", "Upload-Checksum is not an algorithm and a hash")
        }
        guard parts[0] == Self.algorithm else {
            throw HTTPFailure(
                .badRequest, "unknown-checksum", "Upload-Checksum does not use \(Self.algorithm)",
                headers: [.tusChecksumAlgorithm: Self.algorithm])
        }
        guard let hash = Data(base64Encoded: String(parts[1])), hash.count == SHA1.byteCount else {
            throw HTTPFailure(.badRequest, "malformed-header", "Upload-Checksum has no valid \(Self.algorithm) hash")
        }
        self.hash = Array(hash)
    }

    /// The error for bytes with another hash, which are not kept.
    package static let mismatch = HTTPFailure(
        .checksumMismatch, "wrong-checksum", "the bytes of this request do not match their checksum",
        hint: "Send them again.")
}

extension HTTPResponse.Status {
    /// The algorithm's name in tus.
    static let checksumMismatch = Self(code: 460, reasonPhrase: "Checksum Mismatch")
}

extension HTTPField.Name {
    package static let tusChecksumAlgorithm = Self("Tus-Checksum-Algorithm")!
    package static let uploadChecksum = Self("Upload-Checksum")!
}
