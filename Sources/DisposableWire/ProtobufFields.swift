// SPDX-License-Identifier: Apache-2.0

/// Counts the fields of a protobuf message before any of them is decoded. A field takes two bytes on the wire and,
/// decoded, a hundred in memory, so a message with too many must be refused before decoding.
enum ProtobufFields {
    /// Returns the number of fields in `message`, without those of nested messages; up to the first malformed field if
    /// there is one. Protocol Buffers, encoding: a field is a tag, of which three bits are the wire type, and a value.
    static func count(in message: ArraySlice<UInt8>) -> Int {
        var rest = message
        var count = 0
        while !rest.isEmpty {
            guard let tag = number(&rest) else { return count }
            count += 1
            switch tag & 7 {
            case 0: guard number(&rest) != nil else { return count }
            case 1: rest = rest.dropFirst(8)
            case 2:
                guard let length = number(&rest), length <= UInt64(rest.count) else { return count }
                rest = rest.dropFirst(Int(length))
            case 3, 4: continue
            case 5: rest = rest.dropFirst(4)
            default: return count
            }
        }
        return count
    }

    /// Reads a number of seven bits a byte, the lowest first; `nil` if it does not end within ten bytes.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
