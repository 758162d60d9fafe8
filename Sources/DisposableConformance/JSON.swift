// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableValues
public import Foundation

/// A value of a vector file. Its numbers are non-negative integers; those beyond 64 bits are text.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(UInt64)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Throws `DecodingError` for invalid JSON, or other numbers.
    public init(_ data: Data) throws { self = try JSONDecoder().decode(JSON.self, from: JSONNesting.checked(data)) }

    /// The value on one line, with sorted keys.
    public var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { preconditionFailure("a JSON value that is none") }
        return String(decoding: data, as: UTF8.self)
    }
}

extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let number = try? container.decode(UInt64.self) {
            self = .number(number)
        } else if let object = try? container.decode([String: JSON].self) {
            self = .object(object)
        } else if let array = try? container.decode([JSON].self) {
            self = .array(array)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if container.decodeNil() {
            self = .null
        } else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a number that is not whole, or below zero, or beyond 64 bits")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// The form of results in vectors: bytes and ids as lower-case hexadecimal digits.
extension JSON {
    static func hex(_ bytes: some Collection<UInt8>) -> JSON { .string(Array(bytes).hex) }
    /// Returns an id, a hash or an address in its text form.
    static func text(_ value: (some CustomStringConvertible)?) -> JSON {
        value.map { .string($0.description) } ?? .null
    }
    static func list(_ values: some Sequence<some CustomStringConvertible>) -> JSON {
        .array(values.map { .text($0) })
    }
    static func secret(_ secret: SecretBytes) -> JSON {
        .hex(secret.withSpan { span in (0..<span.count).map { span[$0] } })
    }
    static func integer(_ value: some BinaryInteger) -> JSON { .number(UInt64(value)) }
}

/// Bytes in the form of hexadecimal digits.
struct Hex: Decodable {
    var bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = [UInt8](hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal digits")
        }
        self.bytes = bytes
    }

    var secret: SecretBytes { SecretBytes(copying: bytes.span) }

    /// Throws `Unreadable` unless there are 32 bytes.
    var bytes32: Bytes32 {
        get throws {
            guard let value = Bytes32(bytes) else { throw Unreadable("\(bytes.count) bytes where 32 must be") }
            return value
        }
    }
}

/// The reason why a file is not a vector: an error of the file, not of its subject.
struct Unreadable: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
