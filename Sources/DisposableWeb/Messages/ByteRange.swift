// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import HTTPTypes
package import HummingbirdCore

/// The requested range of some bytes (RFC 9110 §14): one range, or everything.
package enum ByteRange: Equatable {
    case whole
    case part(Range<UInt64>)
    case unsatisfiable

    /// Parses the request's range, which is valid for unchanged bytes only (`If-Range`).
    package init(_ request: Request, tag: String, byteCount: UInt64) {
        guard let field = request.headers[.range], request.headers[.ifRange].map({ $0 == tag }) ?? true else {
            self = .whole
            return
        }
        self = Self.parse(field, byteCount: byteCount)
    }

    private static func parse(_ field: String, byteCount: UInt64) -> ByteRange {
        guard field.lowercased().hasPrefix("bytes="), !field.contains(",") else { return .whole }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return .whole }
        // Numbers beyond 64 bits are beyond every file, too.
        let numbers = ends.map { $0.isEmpty ? nil : UInt64($0) ?? .max }
        switch (numbers[0], numbers[1]) {
        case (nil, nil):
            return .whole
        case (nil, let suffix?):
            guard suffix > 0, byteCount > 0 else { return .unsatisfiable }
            return .part(byteCount - min(suffix, byteCount)..<byteCount)
        case (let first?, let last):
            if let last, last < first { return .whole }
            guard first < byteCount else { return .unsatisfiable }
            return .part(first..<min(last ?? byteCount, byteCount - 1) + 1)
        }
    }
}
