// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Compares `If-None-Match` with one tag, weakly (RFC 9110 §13.1.2).
package enum EntityTag {
    package static func matches(_ field: String?, _ tag: String) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { entry in
            let entry = entry.trimmingCharacters(in: .whitespaces)
            return entry == "*" || (entry.hasPrefix("W/") ? String(entry.dropFirst(2)) : entry) == tag
        }
    }
}
