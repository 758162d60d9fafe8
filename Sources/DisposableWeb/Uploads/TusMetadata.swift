// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The `Upload-Metadata` header: pairs of a key and base64.
package enum TusMetadata {
    /// The limit of pairs: the file's name, its type, and some others.
    private static let pairCountMax = 32

    package static func isWellFormed(_ text: String, byteCountMax: Int) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.utf8.count <= byteCountMax else { return false }
        // Further pairs would remain in the last one, where a comma is neither key nor base64.
        let pairs = text.split(separator: ",", maxSplits: pairCountMax - 1, omittingEmptySubsequences: false)
        return pairs.allSatisfy { pair in
            let parts = pair.drop { $0 == " " }.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = parts.first, !key.isEmpty,
                key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") })
            else { return false }
            return parts.count == 1 || Data(base64Encoded: String(parts[1])) != nil
        }
    }
}
