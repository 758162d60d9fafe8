// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The blobs that this event's operations describe, and which of them are here.
struct BlobCatalogue {
    /// An operation that describes a blob: how peers name blobs to each other. A file added twice has two.
    struct Description: Hashable {
        let device: DeviceID
        let sequence: UInt32
        let photo: PhotoID
    }

    struct Entry: Equatable {
        let blobClass: BlobClass
        let byteCount: UInt64
        var descriptions: [Description]
        var isComplete: Bool
    }

    private struct Key: Hashable {
        let device: DeviceID
        let blobClass: BlobClass
        let sequence: UInt32
    }

    private var entries: [BlobID: Entry] = [:]
    private var described: [Key: [BlobID]] = [:]
    private var byPhoto: [PhotoID: [BlobID]] = [:]
    /// What became servable since the last `have`.
    private var announcedWhole: OrderedSet<BlobID> = []
    private var announcedParts: OrderedSet<BlobID> = []

    subscript(_ blob: BlobID) -> Entry? { entries[blob] }
    func isComplete(_ blob: BlobID) -> Bool { entries[blob]?.isComplete == true }

    /// Whether a blob of the class that describes the photo is here whole.
    func isComplete(_ blobClass: BlobClass, of photo: PhotoID) -> Bool {
        byPhoto[photo]?.contains { entries[$0].map { $0.blobClass == blobClass && $0.isComplete } == true } == true
    }

    /// Notes that `description` describes the blob. True when the blob was not known before.
    mutating func add(
        _ blob: BlobID, blobClass: BlobClass, byteCount: UInt64, description: Description, isComplete: Bool
    ) -> Bool {
        let isNew = entries[blob] == nil
        var entry = entries[blob]
            ?? Entry(blobClass: blobClass, byteCount: byteCount, descriptions: [], isComplete: isComplete)
        guard entry.blobClass == blobClass, !entry.descriptions.contains(description) else { return false }
        entry.descriptions.append(description)
        entries[blob] = entry
        described[key(description, blobClass), default: []].append(blob)
        byPhoto[description.photo, default: []].append(blob)
        if entry.isComplete { announcedWhole.append(blob) }
        return isNew
    }

    private func key(_ description: Description, _ blobClass: BlobClass) -> Key {
        Key(device: description.device, blobClass: blobClass, sequence: description.sequence)
    }

    mutating func complete(_ blob: BlobID) {
        guard entries[blob]?.isComplete == false else { return }
        entries[blob]?.isComplete = true
        announcedParts.remove(blob)
        announcedWhole.append(blob)
    }

    mutating func gained(chunkOf blob: BlobID) { announcedParts.append(blob) }

    /// The photo is gone: the blobs that only it described are neither wanted nor given out any more.
    mutating func withdraw(_ photo: PhotoID) -> [BlobID] {
        var withdrawn: [BlobID] = []
        for blob in byPhoto.removeValue(forKey: photo) ?? [] {
            guard var entry = entries[blob] else { continue }
            for description in entry.descriptions where description.photo == photo {
                described[key(description, entry.blobClass)]?.removeAll { $0 == blob }
            }
            entry.descriptions.removeAll { $0.photo == photo }
            entries[blob] = entry.descriptions.isEmpty ? nil : entry
            guard entry.descriptions.isEmpty else { continue }
            announcedWhole.remove(blob)
            announcedParts.remove(blob)
            withdrawn.append(blob)
        }
        return withdrawn
    }

    /// The blobs that a peer means by a range of sequence numbers.
    func blobs(of device: DeviceID, _ blobClass: BlobClass, in sequences: Range<UInt32>) -> [BlobID] {
        sequences.flatMap { described[Key(device: device, blobClass: blobClass, sequence: $0)] ?? [] }
    }

    var hasAnnouncements: Bool { !announcedWhole.isEmpty || !announcedParts.isEmpty }

    mutating func takeAnnouncements() -> (whole: [BlobID], parts: [BlobID]) {
        defer {
            announcedWhole = []
            announcedParts = []
        }
        return (Array(announcedWhole), Array(announcedParts))
    }

    /// Everything that is here whole, for a peer that is told for the first time.
    var completeBlobs: [BlobID] { entries.filter(\.value.isComplete).map(\.key) }

    /// The blobs as the ranges that `have` messages carry, in messages within their limits.
    func haveMessages(whole blobs: [BlobID], partial: [(BlobID, ChunkBitmap)]) -> [Have] {
        let keys = blobs.flatMap { blob in
            entries[blob].map { entry in entry.descriptions.map { key($0, entry.blobClass) } } ?? []
        }.sorted { ($0.device, $0.blobClass, $0.sequence) < ($1.device, $1.blobClass, $1.sequence) }
        var holdings: [Have.Holding] = []
        for key in keys {
            let one = key.sequence..<key.sequence + 1
            guard let last = holdings.last, last.device == key.device, last.blobClass == key.blobClass,
                last.sequences.count < Limits.holdingRunNumbersMax / 2, let range = last.sequences.last
            else {
                holdings.append(.init(device: key.device, blobClass: key.blobClass, sequences: [one]))
                continue
            }
            if range.contains(key.sequence) { continue }
            let place = holdings.count - 1
            if range.upperBound == key.sequence {
                holdings[place].sequences[last.sequences.count - 1] = range.lowerBound..<one.upperBound
            } else {
                holdings[place].sequences.append(one)
            }
        }
        // A holding of many runs may fill a frame by itself, so each message is kept far below the frame's size.
        var messages: [Have] = []
        var numbers = 0
        for holding in holdings {
            if messages.isEmpty || messages[messages.count - 1].holdings.count >= Limits.holdingsPerMessageMax
                || numbers + holding.sequences.count > Limits.holdingRunNumbersMax / 2
            {
                messages.append(Have())
                numbers = 0
            }
            messages[messages.count - 1].holdings.append(holding)
            numbers += holding.sequences.count
        }
        for (blob, chunks) in partial {
            if messages.isEmpty || messages[messages.count - 1].partials.count >= Limits.partialsPerMessageMax {
                messages.append(Have())
            }
            messages[messages.count - 1].partials.append(.init(blob: blob, chunks: chunks))
        }
        return messages
    }
}
