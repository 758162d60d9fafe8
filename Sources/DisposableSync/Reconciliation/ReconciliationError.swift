// SPDX-License-Identifier: Apache-2.0

/// The reason why a reconciliation message was refused. The peer broke the protocol, so the session ends.
public enum ReconciliationError: Error, Hashable, Sendable {
    /// The message ends within an element; also if a list claims more ids than there are bytes.
    case messageTruncated(byteCount: Int)
    /// The first byte is not a negentropy version, 0x60...0x6F.
    case protocolVersionInvalid(UInt8)
    /// The responder only speaks another version; `UInt8` is the first byte of its message.
    case protocolVersionUnsupported(UInt8)
    /// A number of more than 64 bits.
    case varintTooLarge(position: Int)
    /// A bound with more than 32 bytes of id.
    case idPrefixTooLong(byteCount: UInt64)
    /// A range that is neither skip, fingerprint nor list of ids.
    case modeUnknown(UInt64)
}

extension ReconciliationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .messageTruncated(let byteCount):
            "reconciliation message of \(byteCount) bytes ends too early"
        case .protocolVersionInvalid(let byte):
            "reconciliation message starts with \(byte), which is no protocol version"
        case .protocolVersionUnsupported(let byte):
            "peer speaks reconciliation version \(Int(byte) - 0x60), not version 1"
        case .varintTooLarge(let position):
            "number at byte \(position) of a reconciliation message exceeds 64 bits"
        case .idPrefixTooLong(let byteCount):
            "id prefix of \(byteCount) bytes exceeds the limit of 32"
        case .modeUnknown(let code):
            "range mode \(code) of a reconciliation message is unknown"
        }
    }
}
