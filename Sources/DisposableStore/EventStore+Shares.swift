// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableSystem

/// The shares of the reveal key that the founder's machine has not given to anybody yet: a file beside the keys, each
/// an index and 32 bytes.
extension EventStore {
    private static let shareByteCount = 33
    private var sharesPath: String { "\(folder.keysPath)/reveal.shares" }

    /// Returns the shares in the order of their indices, none if there is no file. Throws `StoreError.keyByteCount` for
    /// a file of another form.
    public func undealtShares() throws(StoreError) -> [SecretSharing.Share] {
        guard let byteCount = try StoreFileSystem.byteCount(of: sharesPath).map(Int.init) else { return [] }
        var bytes = try StoreFile(sharesPath, flags: 0).read(byteCount, at: 0)
        defer { bytes.wipe() }
        guard bytes.count == byteCount, byteCount.isMultiple(of: Self.shareByteCount) else {
            throw .keyByteCount(path: sharesPath, byteCount: bytes.count)
        }
        return stride(from: 0, to: byteCount, by: Self.shareByteCount).map { start in
            var value = Array(bytes[start + 1..<start + Self.shareByteCount])
            return SecretSharing.Share(index: bytes[start], value: SecretBytes(consuming: &value))
        }
    }

    /// Keeps these shares only, durably, and overwrites the others.
    /// - Precondition: each has 32 bytes.
    public func keep(undealt shares: [SecretSharing.Share]) throws(StoreError) {
        guard !shares.isEmpty else {
            // An interrupted replacement leaves a temporary file.
            for path in [sharesPath + ".new", sharesPath] { try StoreFileSystem.erase(path) }
            return try StoreFileSystem.synchronizeFolder(folder.keysPath)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(shares.count * Self.shareByteCount)
        for share in shares {
            precondition(share.value.count == Self.shareByteCount - 1, "a share has 32 bytes")
            bytes.append(share.index)
            share.value.withSpan { span in for place in 0..<span.count { bytes.append(span[place]) } }
        }
        defer { bytes.wipe() }
        try StoreFileSystem.replaceFile(sharesPath, with: bytes.span)
        try StoreFileSystem.synchronizeFolder(folder.keysPath)
    }
}
