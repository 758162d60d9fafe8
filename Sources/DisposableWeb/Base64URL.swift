// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Base64 for addresses (RFC 4648 §5), without padding.
package enum Base64URL {
    package static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns `nil` unless the text is the canonical encoding of that many bytes.
    package static func bytes(_ text: some StringProtocol, count: Int) -> [UInt8]? {
        guard text.utf8.count == (count * 8 + 5) / 6 else { return nil }
        let standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding), data.count == count else { return nil }
        let bytes = [UInt8](data)
        return Self.text(bytes) == text ? bytes : nil
    }
}
