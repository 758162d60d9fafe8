// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
public import DisposableWire

/// Reads a bundle: all of it once, to learn what it holds, then single records by their place.
public final class BundleReader: Sendable {
    /// The place of a record's content in the stream of records.
    public struct Place: Equatable, Sendable {
        let kind: UInt8
        let offset: UInt64
        let byteCount: Int
    }

    /// The outcome of reading the whole file.
    public struct Survey: Equatable, Sendable {
        /// The places in the file, in bytes, of blocks that do not open, in order; at most `damagesMax`.
        public fileprivate(set) var damages: [UInt64] = []
        public fileprivate(set) var damagedBlockCount = 0
        public fileprivate(set) var byteCount: UInt64 = 0
        /// The end of the file, if that is before the end of the bundle.
        public fileprivate(set) var truncatedAt: UInt64?
        public static let damagesMax = 16
    }

    public let path: String
    private let file: StoreFile
    private let key: SecretBytes
    private let byteCount: UInt64

    private static let sealedByteCount = UInt64(EventBundle.sealedBlockByteCount)
    private static let payloadByteCount = UInt64(EventBundle.payloadByteCount)

    /// Returns the header of the bundle. Throws `StoreError`, or `BundleError` if the file is none.
    public static func header(of path: String) throws -> EventBundle.Header {
        let file = try StoreFile(path, flags: StoreFile.readOnly)
        _ = try file.regularByteCount()
        return try EventBundle.Header(file.read(EventBundle.Header.byteCount, at: 0))
    }

    public init(path: String, key: SecretBytes) throws(StoreError) {
        self.path = path
        self.key = key
        file = try StoreFile(path, flags: StoreFile.readOnly)
        byteCount = try file.regularByteCount()
    }

    private var blockCount: UInt64 {
        (byteCount - UInt64(EventBundle.Header.byteCount) + Self.sealedByteCount - 1) / Self.sealedByteCount
    }

    private func offset(ofBlock index: UInt64) -> UInt64 {
        UInt64(EventBundle.Header.byteCount) + index * Self.sealedByteCount
    }

    private struct Block {
        let payload: [UInt8]
        let start: Int?
        let isLast: Bool
    }

    /// Returns a block, `nil` if it does not open.
    private func block(_ index: UInt64) throws(StoreError) -> Block? {
        let sealed = try file.read(EventBundle.sealedBlockByteCount, at: offset(ofBlock: index))
        // In a file that was cut between two blocks, the last one that is there is not sealed as the last.
        for isLast in index == blockCount - 1 ? [true, false] : [false] {
            if let (payload, start) = EventBundle.open(sealed, index: index, isLast: isLast, key: key) {
                return Block(payload: payload, start: start, isLast: isLast)
            }
        }
        return nil
    }

    /// Does the same; a block that the medium does not return is one that does not open.
    private func readableBlock(_ index: UInt64) throws(StoreError) -> Block? {
        do throws(StoreError) {
            return try block(index)
        } catch {
            guard error.isUnreadableMedium else { throw error }
            return nil
        }
    }

    /// Visits every record that can be read, in order. Records of later versions are skipped.
    public func forEachRecord(_ body: (BundleRecord, Place) throws -> Void) throws -> Survey {
        var survey = Survey()
        survey.byteCount = byteCount
        if blockCount == 0 { survey.truncatedAt = byteCount }
        var pending: [UInt8] = []
        // The place of the first pending byte; `nil` while records cannot be told apart.
        var position: UInt64? = 0
        for index in 0..<blockCount {
            let found = try readableBlock(index)
            let isEnd = index == blockCount - 1
            if isEnd, found?.isLast != true, found != nil || byteCount < offset(ofBlock: index + 1) {
                survey.truncatedAt = byteCount
            }
            guard let found else {
                if survey.truncatedAt != nil { continue }
                survey.damagedBlockCount += 1
                if survey.damages.count < Survey.damagesMax { survey.damages.append(offset(ofBlock: index)) }
                (pending, position) = ([], nil)
                continue
            }
            if position == nil {
                guard let start = found.start else { continue }
                position = index * Self.payloadByteCount + UInt64(start)
                pending = Array(found.payload[start...])
            } else {
                pending += found.payload
            }
            var rest = pending[...]
            while let next = position, rest.count >= BundleRecord.headByteCount {
                guard let count = BundleRecord.contentByteCount(rest) else {
                    // Only a program that writes bundles falsely gets here.
                    (rest, position) = ([], nil)
                    break
                }
                guard rest.count >= BundleRecord.headByteCount + count else { break }
                let place = Place(
                    kind: rest[rest.startIndex], offset: next + UInt64(BundleRecord.headByteCount), byteCount: count)
                rest = rest.dropFirst(BundleRecord.headByteCount)
                if let record = BundleRecord(kind: place.kind, rest.prefix(count)) { try body(record, place) }
                rest = rest.dropFirst(count)
                position = place.offset + UInt64(count)
            }
            pending = Array(rest)
        }
        return survey
    }

    /// Returns a record by its place; `nil` if it has become unreadable.
    public func record(at place: Place) throws(StoreError) -> BundleRecord? {
        var content: [UInt8] = []
        content.reserveCapacity(place.byteCount)
        let end = place.offset + UInt64(place.byteCount)
        var offset = place.offset
        repeat {
            let index = offset / Self.payloadByteCount
            guard index < blockCount, let payload = try block(index)?.payload else { return nil }
            let from = Int(offset % Self.payloadByteCount)
            let to = Int(min(end - index * Self.payloadByteCount, UInt64(payload.count)))
            guard from < to || place.byteCount == 0 else { return nil }
            content += payload[from..<to]
            offset = index * Self.payloadByteCount + UInt64(to)
        } while offset < end
        return BundleRecord(kind: place.kind, content[...])
    }
}
