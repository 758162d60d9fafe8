// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableSystem
public import DisposableWire
internal import Glibc

/// Writes a bundle (protocol/bundle.md) under a temporary name, and gives it its own once it is complete and durable.
public final class BundleWriter {
    private let path: String
    private let temporary: String
    private let file: StoreFile
    private let key: SecretBytes
    private var payload: [UInt8] = []
    /// The places where records begin in the unwritten payload.
    private var starts: [Int] = []
    private var index: UInt64 = 0
    private var isFinished = false
    public private(set) var byteCount = UInt64(EventBundle.Header.byteCount)

    /// Throws `StoreError`; `.file` with `EEXIST` if there is a file of that name.
    /// - Parameter salt: 16 random bytes.
    public init(path: String, salt: [UInt8], event: EventID, secret: SecretBytes) throws(StoreError) {
        guard access(path, F_OK) != 0 else {
            throw StoreError(.system(operation: "create", path: path, code: EEXIST))
        }
        self.path = path
        temporary = path + ".part"
        unlink(temporary)
        file = try StoreFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        let (header, key) = EventBundle.Header.make(salt: salt, event: event, secret: secret)
        self.key = key
        try file.write(header.bytes.span, at: 0)
    }

    deinit { if !isFinished { unlink(temporary) } }

    public func append(_ record: BundleRecord) throws(StoreError) {
        starts.append(payload.count)
        payload += record.bytes
        // The last block holds at least a byte, so it is written at the end.
        while payload.count > EventBundle.payloadByteCount { try writeBlock(isLast: false) }
    }

    /// Ends the file and gives it its name.
    public func finish() throws(StoreError) {
        try writeBlock(isLast: true)
        try file.synchronize()
        try StoreFileSystem.rename(temporary, toUnused: path)
        isFinished = true
    }

    private func writeBlock(isLast: Bool) throws(StoreError) {
        let part = payload.prefix(EventBundle.payloadByteCount)
        let start = starts.first.flatMap { $0 < part.count ? $0 : nil }
        let sealed = EventBundle.seal(part, start: start, index: index, isLast: isLast, key: key)
        try file.write(sealed.span, at: byteCount)
        byteCount += UInt64(sealed.count)
        index += 1
        starts = starts.filter { $0 >= part.count }.map { $0 - part.count }
        payload.removeFirst(part.count)
    }
}
