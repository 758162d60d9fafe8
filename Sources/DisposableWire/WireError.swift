// SPDX-License-Identifier: Apache-2.0

/// The reason why bytes are not a message.
public enum WireError: Error, Equatable, Sendable {
    case empty
    case unknownType(UInt8)
    /// The protobuf payload does not parse, or a required field is missing or has the wrong length.
    case malformed(type: UInt8)
    case tooMany(type: UInt8, count: Int, limit: Int)
    case tooLong(type: UInt8, byteCount: Int, limit: Int)
}
