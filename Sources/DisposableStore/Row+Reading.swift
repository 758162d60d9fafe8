// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Foundation
internal import GRDB

/// Safe reading of rows. A corrupt database may hold rows that its schema forbids, on pages that SQLite considers
/// valid, and GRDB's subscripts end the process if a column has another type than requested. Only a rowid is always a
/// number.
extension Row {
    /// Returns a column's bytes, `nil` for any other type.
    func bytes(_ index: Int) -> [UInt8]? {
        guard case .blob(let data) = (self[index] as DatabaseValue).storage else { return nil }
        return [UInt8](data)
    }

    func number(_ index: Int) -> Int64? {
        if case .int64(let number) = (self[index] as DatabaseValue).storage { number } else { nil }
    }

    func root(_ index: Int) throws -> BlobRoot { try known(bytes(index).flatMap { BlobRoot($0) }) }

    /// Returns the length of a plaintext, from 1 to the limit of the class.
    func byteCount(_ index: Int, of blobClass: BlobClass = .original) throws -> UInt64 {
        let count = try known(number(index).flatMap { UInt64(exactly: $0) })
        return try known((1...blobClass.byteCountMax).contains(count) ? count : nil)
    }

    /// Returns `value`, which every valid row has: without it, throws `isImpossible`.
    func known<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw isImpossible }
        return value
    }

    /// SQLite's error of a corrupt database, which is then rebuilt.
    var isImpossible: DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_CORRUPT,
            message: "a row violates the schema: \(columnNames.joined(separator: ", "))")
    }
}
