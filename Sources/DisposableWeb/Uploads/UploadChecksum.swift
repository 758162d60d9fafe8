// SPDX-License-Identifier: Apache-2.0
internal import CZlib
internal import Foundation
package import HTTPTypes

/// The checksum extension of tus: the client's checksum of the bytes of one `PATCH`. It detects bit flips in transit, and
/// stops no attacker.
package struct UploadChecksum: Equatable, Sendable {
    package enum Algorithm: String, CaseIterable, Sendable {
        /// The one that all servers and clients of tus support.
        case sha1
        /// CRC-32 of IEEE 802.3, big-endian. A page on plain HTTP computes it in a tenth of the time.
        case crc32

        var byteCount: Int {
            switch self {
            case .sha1: SHA1.byteCount
            case .crc32: 4
            }
        }
    }

    /// The value of `Tus-Checksum-Algorithm`.
    package static let algorithms = Algorithm.allCases.map(\.rawValue).joined(separator: ",")

    package let algorithm: Algorithm
    let bytes: [UInt8]

    /// - Parameter header: `Upload-Checksum`, the algorithm and the checksum in base64.
    package init(header: String) throws(HTTPFailure) {
        let parts = header.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw HTTPFailure(.badRequest, "malformed-header", "Upload-Checksum is not an algorithm and a checksum")
        }
        guard let algorithm = Algorithm(rawValue: String(parts[0])) else {
            throw HTTPFailure(
                .badRequest, "unknown-checksum", "Upload-Checksum uses none of \(Self.algorithms)",
                headers: [.tusChecksumAlgorithm: Self.algorithms])
        }
        guard let bytes = Data(base64Encoded: String(parts[1])), bytes.count == algorithm.byteCount else {
            throw HTTPFailure(.badRequest, "malformed-header", "Upload-Checksum has no valid \(algorithm) checksum")
        }
        self.algorithm = algorithm
        self.bytes = Array(bytes)
    }

    /// The error for bytes with another checksum, which are not kept.
    package static let mismatch = HTTPFailure(
        .checksumMismatch, "wrong-checksum", "the bytes of this request do not match their checksum",
        hint: "Send them again.")

    /// The checksum of bytes that arrive in pieces.
    package enum Running: Sendable {
        case sha1(SHA1)
        case crc32(UInt)

        package init(_ algorithm: Algorithm) {
            switch algorithm {
            case .sha1: self = .sha1(SHA1())
            case .crc32: self = .crc32(0)
            }
        }

        package mutating func update(_ bytes: [UInt8]) {
            switch self {
            case .sha1(var hash):
                self = .crc32(0)
                hash.update(bytes)
                self = .sha1(hash)
            case .crc32(let value):
                self = .crc32(CZlib.crc32(value, bytes, UInt32(bytes.count)))
            }
        }

        package consuming func matches(_ checksum: UploadChecksum) -> Bool {
            switch self {
            case .sha1(var hash): hash.finish() == checksum.bytes
            case .crc32(let value): UInt32(truncatingIfNeeded: value).bigEndianBytes == checksum.bytes
            }
        }
    }
}

extension HTTPResponse.Status {
    /// The algorithm's name in tus.
    static let checksumMismatch = Self(code: 460, reasonPhrase: "Checksum Mismatch")
}

extension HTTPField.Name {
    package static let tusChecksumAlgorithm = Self("Tus-Checksum-Algorithm")!
    package static let uploadChecksum = Self("Upload-Checksum")!
}
