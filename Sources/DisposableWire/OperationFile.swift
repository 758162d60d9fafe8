// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import SwiftProtobuf

/// A file of operations, one after the other: the length of each in 4 bytes, big-endian, then a `SignedOperation`
/// (protocol/disposable.proto).
public enum OperationFile {
    /// The maximum for one operation: header, signature, the largest body, and protobuf's overhead.
    public static let recordByteCountMax = Limits.operationBodyByteCountMax + 1_024

    /// Returns the record of an operation.
    /// - Parameters:
    ///   - operation: an operation whose signature is valid.
    ///   - keepsBody: without it the record has header and signature, which is all that the fold needs of most.
    public static func record(of operation: VerifiedOperation, keepsBody: Bool) throws -> [UInt8] {
        var message = UncheckedOperation(operation).message
        if !keepsBody { message.clearBody() }
        let bytes: [UInt8] = try message.serializedBytes()
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: UInt32(bytes.count) >> UInt32($0)) } + bytes
    }

    /// Removes the first record from `bytes`; `nil` at their end. Throws `OperationError` for a record that is empty or
    /// truncated.
    public static func next(_ bytes: inout ArraySlice<UInt8>) throws(OperationError) -> UncheckedOperation? {
        guard !bytes.isEmpty else { return nil }
        guard bytes.count >= 4 else { throw .malformedRecord }
        let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard count <= recordByteCountMax, bytes.count - 4 >= count else { throw .malformedRecord }
        let record = bytes.dropFirst(4).prefix(count)
        bytes = bytes.dropFirst(4 + count)
        guard let message = try? Disposable_V1_SignedOperation(serializedBytes: Array(record)) else {
            throw .malformedRecord
        }
        return try UncheckedOperation(message)
    }
}
