// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// Times as HTTP writes them (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    static func text(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [UInt8](repeating: 0, count: 32)
        let count = text.withUnsafeMutableBytes {
            // English whatever the machine speaks, because nothing here sets a locale.
            strftime($0.bindMemory(to: CChar.self).baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        }
        return String(decoding: text.prefix(count), as: UTF8.self)
    }
}
