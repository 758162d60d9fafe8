// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Foundation
internal import GRDB

/// A damaged database may hold rows that its schema forbids, on pages in which SQLite finds nothing wrong, and GRDB's
/// subscripts end the process where a column holds something else than is asked for. Only a rowid is always a number.
extension Row {
    /// A column's bytes, `nil` for anything else.
    func bytes(_ index: Int) -> [UInt8]? {
        guard case .blob(let data) = (self[index] as DatabaseValue).storage else { return nil }
        return [UInt8](data)
    }

    func number(_ index: Int) -> Int64? {
        if case .int64(let number) = (self[index] as DatabaseValue).storage { number } else { nil }
    }

    func root(_ index: Int) throws -> BlobRoot { try known(bytes(index).flatMap { BlobRoot($0) }) }

    /// Of a plaintext, from 1 to what the class may have.
    func byteCount(_ index: Int, of blobClass: BlobClass = .original) throws -> UInt64 {
        let count = try known(number(index).flatMap { UInt64(exactly: $0) })
        return try known((1...blobClass.byteCountMax).contains(count) ? count : nil)
    }

    /// `value`, which no row of ours lacks: without it, throws `isImpossible`.
    func known<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw isImpossible }
        return value
    }

    /// SQLite's error of a damaged database, which is then made anew.
    var isImpossible: DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_CORRUPT,
            message: "a row holds what none may hold: \(columnNames.joined(separator: ", "))")
    }
}
