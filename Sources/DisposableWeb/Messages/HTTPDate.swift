// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Glibc

/// Times in the format of HTTP (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    /// - Parameter milliseconds: since 1970 UTC.
    package static func text(milliseconds: UInt64) -> String {
        text(Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }

    package static func text(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [UInt8](repeating: 0, count: 32)
        let count = text.withUnsafeMutableBytes {
            // Always English, because this program sets no locale.
            strftime($0.bindMemory(to: CChar.self).baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        }
        return String(decoding: text.prefix(count), as: UTF8.self)
    }
}
