// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// Writes a reconciliation message: the version, then ranges in ascending order.
struct ReconciliationWriter {
    private(set) var bytes: [UInt8] = [Reconciler.protocolVersion]
    private var lastTimestamp: UInt64 = 0

    var byteCount: Int { bytes.count }

    mutating func appendSkip(to bound: Bound) {
        append(bound)
        append(.skip)
    }

    mutating func append(_ fingerprint: Fingerprint, to bound: Bound) {
        append(bound)
        append(.fingerprint)
        bytes += fingerprint.bytes
    }

    mutating func appendIDList(of items: ArraySlice<ItemSet.Item>, to bound: Bound) {
        append(bound)
        append(.idList)
        bytes.append(varint: UInt64(items.count))
        for item in items { item.id.append(to: &bytes) }
    }

    /// Removes everything after the first `byteCount` bytes. Only `Bound.infinity` may follow, since the timestamp
    /// against which the next one is coded is not restored.
    mutating func truncate(to byteCount: Int) { bytes.removeSubrange(byteCount...) }

    private mutating func append(_ mode: RangeMode) { bytes.append(varint: mode.rawValue) }

    private mutating func append(_ bound: Bound) {
        if bound.timestamp == Bound.infiniteTimestamp {
            bytes.append(varint: 0)
        } else {
            bytes.append(varint: bound.timestamp - lastTimestamp + 1)
        }
        lastTimestamp = bound.timestamp
        bytes.append(varint: UInt64(bound.prefixByteCount))
        bytes += bound.idPrefix.bytes.prefix(bound.prefixByteCount)
    }
}

extension [UInt8] {
    /// Appends base-128 digits, the most significant first, as few as possible, bit 7 set on all but the last.
    mutating func append(varint value: UInt64) {
        let digitCount = Swift.max(1, (64 - value.leadingZeroBitCount + 6) / 7)
        for digit in stride(from: digitCount - 1, to: 0, by: -1) {
            append(UInt8(truncatingIfNeeded: value >> UInt64(7 * digit)) | 0x80)
        }
        append(UInt8(value & 0x7F))
    }
}
