// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The fields of a short form (`application/x-www-form-urlencoded`, WHATWG URL §5.1).
package struct FormFields: Equatable, Sendable {
    /// The limit of fields, so that a long body costs no more than its own length in memory.
    package static let countMax = 64

    /// The reasons why bytes are not a form that a page of the portal sends.
    package enum Malformed: Error, Equatable, Sendable {
        case tooManyFields
        /// A percent sign without two hexadecimal digits, or bytes that are not UTF-8.
        case encoding
        case repeatedName
    }

    /// The fields by name.
    package let values: [String: String]

    package init(_ bytes: some Collection<UInt8>) throws(Malformed) {
        let fields = bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.countMax)
        guard fields.count <= Self.countMax else { throw .tooManyFields }
        var values: [String: String] = [:]
        for field in fields {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decode(parts[0])
            let value = parts.count == 2 ? try Self.decode(parts[1]) : ""
            guard values.updateValue(value, forKey: name) == nil else { throw .repeatedName }
        }
        self.values = values
    }

    private static func decode(_ bytes: some Collection<UInt8>) throws(Malformed) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"):
                decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit) else {
                    throw .encoding
                }
                decoded.append(high << 4 | low)
            default:
                decoded.append(byte)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .encoding }
        return text
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    /// Decodes the fields as a type whose properties are strings and optional strings.
    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // A JSON object of strings is equivalent, and Foundation decodes it.
        try JSONDecoder().decode(type, from: JSONEncoder().encode(values))
    }
}
