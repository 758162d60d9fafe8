// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// An empty object.
package struct NoContent: Encodable {
    package init() {}
}

/// A value that is encoded as `null` if it is missing, unlike an optional.
package struct OrNull<Value: Encodable & Sendable>: Encodable, Sendable {
    private let value: Value?
    package init(_ value: Value?) { self.value = value }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}

/// JSON as answers have it: with sorted keys, so that equal values are equal texts.
package enum JSONText {
    package static func bytes(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    package static func text(_ value: some Encodable) throws -> String {
        String(decoding: try bytes(value), as: UTF8.self)
    }
}
