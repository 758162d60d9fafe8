// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The common part of initiator and responder: answering a message (Negentropy Protocol V1).
///
/// A message covers the whole timestamp and id space with adjacent ranges. Each is compared with our items in it: equal
/// fingerprints make a skip, different ones are split into sixteen parts or, if few items are left, listed. Adjacent
/// skips are merged; a skip at the end is omitted.
///
/// The messages are those of the reference implementation (`cpp/negentropy.h`) byte for byte, the frame limit included:
/// when an answer approaches it, one fingerprint answers the remaining ranges, unread. As there, bounds out of order
/// are no error: the range that ends before it starts is empty.
///
/// It holds no state between messages, so an error leaves nothing half done. A message costs O(b log n) for its b
/// bytes, and once O(n) for all of its lists of ids together.
struct Reconciler: Sendable {
    enum Role: Sendable { case initiator, responder }

    struct Answer: Sendable {
        var message = ReconciliationWriter()
        var have: [Bytes32] = []
        var need: [Bytes32] = []
    }

    static let protocolVersion: UInt8 = 0x61
    static let protocolVersions: ClosedRange<UInt8> = 0x60...0x6F
    /// A range is split into this many parts,
    static let bucketCount = 16
    /// unless it holds fewer items than this; then they are listed.
    static let splitItemCountMin = 2 * bucketCount
    static let frameSizeLimitMin = 4096
    /// Ranges are added until only this many bytes are left, enough for one more bound, id and closing fingerprint.
    static let frameReserveByteCount = 200

    private let items: ItemSet.Snapshot
    /// The size in bytes at which an answer is ended with a fingerprint; `nil` for none.
    private let softLimit: Int?

    /// - Parameter frameSizeLimit: the largest message to write in bytes, at least 4096, or 0 for no limit.
    init(items: ItemSet.Snapshot, frameSizeLimit: Int) {
        precondition(
            frameSizeLimit == 0 || frameSizeLimit >= Self.frameSizeLimitMin,
            "a frame limit is 0 or at least \(Self.frameSizeLimitMin) bytes, not \(frameSizeLimit)")
        self.items = items
        softLimit = frameSizeLimit == 0 ? nil : frameSizeLimit - Self.frameReserveByteCount
    }

    func initialMessage() -> [UInt8] {
        var message = ReconciliationWriter()
        split(0..<items.count, to: .infinity, into: &message)
        return message.bytes
    }

    func answer(to message: [UInt8], as role: Role) throws(ReconciliationError) -> Answer {
        var answer = Answer()
        var reader = ReconciliationReader(message)
        guard try accepts(version: reader.byte(), as: role) else { return answer }

        var lower = 0  // index of the first item of the range
        var skipped: Bound?  // end of the ranges skipped since the last one written
        while !reader.isAtEnd {
            let bound = try reader.bound()
            let mode = try reader.mode()
            var upper = items.index(of: bound, from: lower)
            var keptByteCount = answer.message.byteCount  // where to go back to when the limit is exceeded
            switch mode {
            case .skip:
                skipped = bound
            case .fingerprint:
                if try reader.fingerprint() == items.fingerprint(of: lower..<upper) {
                    skipped = bound
                } else {
                    write(&skipped, into: &answer.message)
                    split(lower..<upper, to: bound, into: &answer.message)
                }
            case .idList:
                let ids = try reader.idList()
                switch role {
                case .initiator:
                    compare(ids, with: items.items[lower..<upper], into: &answer)
                    skipped = bound
                case .responder:
                    let end = lower + min(upper - lower, idCountMax(after: keptByteCount))
                    write(&skipped, into: &answer.message)
                    answer.message.appendIDList(
                        of: items.items[lower..<end], to: end == upper ? bound : Bound(at: items.items[end]))
                    keptByteCount = answer.message.byteCount
                    upper = end
                }
            }
            if exceedsLimit(answer.message.byteCount) {
                answer.message.truncate(to: keptByteCount)
                answer.message.append(items.fingerprint(of: upper..<items.count), to: .infinity)
                break
            }
            lower = upper
        }
        return answer
    }

    /// Returns false if the answer is our version alone, with which the initiator tries again.
    private func accepts(version: UInt8, as role: Role) throws(ReconciliationError) -> Bool {
        guard Self.protocolVersions.contains(version) else { throw .protocolVersionInvalid(version) }
        if version == Self.protocolVersion { return true }
        switch role {
        case .initiator: throw .protocolVersionUnsupported(version)
        case .responder: return false
        }
    }

    private func write(_ skipped: inout Bound?, into message: inout ReconciliationWriter) {
        if let bound = skipped { message.appendSkip(to: bound) }
        skipped = nil
    }

    private func split(_ indices: Range<Int>, to bound: Bound, into message: inout ReconciliationWriter) {
        guard indices.count >= Self.splitItemCountMin else {
            message.appendIDList(of: items.items[indices], to: bound)
            return
        }
        let (itemCount, largerBucketCount) = indices.count.quotientAndRemainder(dividingBy: Self.bucketCount)
        var start = indices.lowerBound
        for bucket in 0..<Self.bucketCount {
            let end = start + itemCount + (bucket < largerBucketCount ? 1 : 0)
            let isLast = end == indices.upperBound
            message.append(
                items.fingerprint(of: start..<end),
                to: isLast ? bound : Bound(between: items.items[end - 1], and: items.items[end]))
            start = end
        }
    }

    /// Computes the differences in a range whose ids the responder listed. An id that is listed twice is needed once.
    private func compare(_ theirs: [Bytes32], with ours: ArraySlice<ItemSet.Item>, into answer: inout Answer) {
        var unmatched = Set(theirs)
        for item in ours where unmatched.remove(item.id) == nil { answer.have.append(item.id) }
        for id in theirs where unmatched.remove(id) != nil { answer.need.append(id) }
    }

    private func exceedsLimit(_ byteCount: Int) -> Bool {
        guard let softLimit else { return false }
        return byteCount > softLimit
    }

    /// Returns how many ids a list may have after `byteCount` bytes: one more than fit below the soft limit, since the
    /// reference stops when it has exceeded it. The space between that limit and the hard one has room for it.
    private func idCountMax(after byteCount: Int) -> Int {
        guard let softLimit else { return .max }
        return (softLimit - byteCount) / Bytes32.byteCount + 1
    }
}
