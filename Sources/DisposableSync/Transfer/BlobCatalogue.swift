// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
package import DisposableWire
internal import OrderedCollections

/// The blobs that this event's operations describe, and which of them are stored here.
package struct BlobCatalogue {
    /// An operation that describes a blob: peers name blobs to each other by it. A file that was added twice has two.
    package struct Description: Hashable {
        let device: DeviceID
        let sequence: UInt32
        let photo: PhotoID

        package init(device: DeviceID, sequence: UInt32, photo: PhotoID) {
            self.device = device
            self.sequence = sequence
            self.photo = photo
        }
    }

    package struct Entry: Equatable {
        var descriptions: OrderedSet<Description>
        package var isComplete: Bool
    }

    private struct Withdrawn: Hashable {
        let blob: BlobID
        let description: Description
    }

    private struct Key: Hashable {
        let device: DeviceID
        let blobClass: BlobClass
    }

    private var entries: [BlobID: Entry] = [:]
    /// By device and class the sequence numbers that describe blobs, ascending, each with its blob.
    private var described: [Key: [(sequence: UInt32, blob: BlobID)]] = [:]
    private var byPhoto: [PhotoID: [BlobID]] = [:]
    /// The blobs of withdrawn photos, which may still be on disk in part, with whether they are complete; and the
    /// reverse.
    private var withdrawn: [PhotoID: OrderedDictionary<Withdrawn, Bool>] = [:]
    private var withdrawnPhotos: [BlobID: Set<PhotoID>] = [:]
    /// The blobs and parts that became servable since the last `have`.
    private var announcedWhole: OrderedSet<BlobID> = []
    private var announcedParts: OrderedSet<BlobID> = []

    package init() {}

    package subscript(_ blob: BlobID) -> Entry? { entries[blob] }
    package func isComplete(_ blob: BlobID) -> Bool { entries[blob]?.isComplete == true }

    /// Returns the photos that the blob belongs to.
    package func photos(with blob: BlobID) -> [PhotoID] { entries[blob]?.descriptions.map(\.photo) ?? [] }

    /// Whether a blob of the class that one of those devices described for the photo is complete.
    func isComplete(_ blobClass: BlobClass, of photo: PhotoID, by isDescriber: (DeviceID) -> Bool) -> Bool {
        byPhoto[photo]?.contains { blob in
            blob.blobClass == blobClass && isComplete(blob)
                && entries[blob]?.descriptions.contains { $0.photo == photo && isDescriber($0.device) } == true
        } == true
    }

    /// Returns the complete blobs of the photo.
    func completeBlobs(of photo: PhotoID) -> [BlobID] { byPhoto[photo]?.filter(isComplete) ?? [] }

    /// Returns the incomplete blobs of the photo. A blob that two operations describe may be listed twice.
    func missingBlobs(of photo: PhotoID) -> [BlobID] { byPhoto[photo]?.filter { !isComplete($0) } ?? [] }

    /// Records that `description` describes the blob. Returns true if the blob was not known before.
    package mutating func add(_ blob: BlobID, description: Description, isComplete: Bool) -> Bool {
        let isNew = entries[blob] == nil
        // In place: a member may describe one blob by any number of photos.
        guard
            entries[blob, default: Entry(descriptions: [], isComplete: isComplete)].descriptions.append(description)
                .inserted
        else { return false }
        let key = Key(device: description.device, blobClass: blob.blobClass)
        described[key, default: []].insert((description.sequence, blob), at: place(of: description.sequence + 1, key))
        byPhoto[description.photo, default: []].append(blob)
        if entries[blob]?.isComplete == true { announcedWhole.append(blob) }
        return isNew
    }

    /// Returns the index of the first number in the key's list that is not below `sequence`.
    private func place(of sequence: UInt32, _ key: Key) -> Int {
        guard let list = described[key] else { return 0 }
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package mutating func complete(_ blob: BlobID) {
        guard entries[blob]?.isComplete == false else { return }
        entries[blob]?.isComplete = true
        announcedParts.remove(blob)
        announcedWhole.append(blob)
    }

    /// Marks the blob as incomplete again.
    package mutating func takeBack(_ blob: BlobID) {
        entries[blob]?.isComplete = false
        announcedWhole.remove(blob)
        announcedParts.remove(blob)
    }

    /// Returns the described blobs with this root; more than one if some are described wrongly. Iterates over every
    /// blob.
    package func blobs(with root: BlobRoot) -> [BlobID] { entries.keys.filter { $0.root == root }.sorted() }

    package mutating func gained(chunkOf blob: BlobID) { announcedParts.append(blob) }

    /// Withdraws a photo and returns the blobs that only it described, which are neither wanted nor served.
    package mutating func withdraw(_ photo: PhotoID) -> [BlobID] {
        var withdrawn: [BlobID] = []
        for blob in byPhoto.removeValue(forKey: photo) ?? [] {
            guard let isComplete = entries[blob]?.isComplete else { continue }
            for description in entries[blob]?.descriptions.filter({ $0.photo == photo }) ?? [] {
                addWithdrawn(blob, description: description, isComplete: isComplete)
                let key = Key(device: description.device, blobClass: blob.blobClass)
                let range = place(of: description.sequence, key)..<place(of: description.sequence + 1, key)
                for index in range.reversed() where described[key]?[index].blob == blob {
                    described[key]?.remove(at: index)
                }
            }
            entries[blob]?.descriptions.removeAll { $0.photo == photo }
            guard entries[blob]?.descriptions.isEmpty == true else { continue }
            entries[blob] = nil
            announcedWhole.remove(blob)
            announcedParts.remove(blob)
            withdrawn.append(blob)
        }
        return withdrawn
    }

    /// Records a blob of a withdrawn photo.
    package mutating func addWithdrawn(_ blob: BlobID, description: Description, isComplete: Bool) {
        let key = Withdrawn(blob: blob, description: description)
        guard withdrawn[description.photo]?[key] == nil else { return }
        // In place: a member may describe any number of originals of one photo.
        withdrawn[description.photo, default: [:]][key] = isComplete
        withdrawnPhotos[blob, default: []].insert(description.photo)
    }

    /// Restores a photo that is no longer withdrawn.
    /// - Returns: its blobs that were not known otherwise, with whether they are complete.
    package mutating func reinstate(_ photo: PhotoID) -> [(blob: BlobID, isComplete: Bool)] {
        let kept = withdrawn[photo] ?? [:]
        forgetWithdrawn(photo)
        return kept.compactMap { key, isComplete in
            add(key.blob, description: key.description, isComplete: isComplete) ? (key.blob, isComplete) : nil
        }
    }

    /// Drops the blobs of a purged photo.
    package mutating func forgetWithdrawn(_ photo: PhotoID) {
        for blob in (withdrawn.removeValue(forKey: photo) ?? [:]).keys.map(\.blob) {
            withdrawnPhotos[blob]?.remove(photo)
            if withdrawnPhotos[blob]?.isEmpty == true { withdrawnPhotos[blob] = nil }
        }
    }

    /// Returns the blobs of `photos`, all of them withdrawn, that no other photo describes, withdrawn or not.
    package func roots(describedOnlyBy photos: Set<PhotoID>) -> [BlobRoot] {
        let blobs = Set(photos.flatMap { (withdrawn[$0] ?? [:]).keys.map(\.blob) })
        return blobs.filter { entries[$0] == nil && withdrawnPhotos[$0]?.isSubset(of: photos) == true }.map(\.root)
            .sorted()
    }

    /// Returns the blobs that a peer names by a range of sequence numbers.
    package func blobs(of device: DeviceID, _ blobClass: BlobClass, in sequences: Range<UInt32>) -> [BlobID] {
        let key = Key(device: device, blobClass: blobClass)
        return (place(of: sequences.lowerBound, key)..<place(of: sequences.upperBound, key)).compactMap {
            described[key]?[$0].blob
        }
    }

    /// Whether a peer's holdings have the blob by every operation that describes it. False if a copied folder has made
    /// two operations with one number: the peer may mean the other.
    func holds(_ blob: BlobID, in holdings: HoldingSet) -> Bool {
        entries[blob]?.descriptions.allSatisfy {
            holdings.contains($0.sequence, device: $0.device, blobClass: blob.blobClass)
                && blobs(of: $0.device, blob.blobClass, in: $0.sequence..<$0.sequence + 1).count == 1
        } == true
    }

    package var hasAnnouncements: Bool { !announcedWhole.isEmpty || !announcedParts.isEmpty }

    package mutating func takeAnnouncements() -> (whole: [BlobID], parts: [BlobID]) {
        defer {
            announcedWhole = []
            announcedParts = []
        }
        return (Array(announcedWhole), Array(announcedParts))
    }

    /// The complete blobs, for a peer that is sent all holdings.
    package var completeBlobs: [BlobID] { entries.filter(\.value.isComplete).map(\.key) }

    /// The operations whose originals are complete. Without those for which a copied folder has made two operations
    /// with one number, one of which is incomplete.
    var completeOriginals: [(device: DeviceID, sequence: UInt32)] {
        entries.flatMap { blob, entry in
            entry.isComplete && blob.blobClass == .original ? entry.descriptions.map { ($0.device, $0.sequence) } : []
        }.filter { place in
            blobs(of: place.device, .original, in: place.sequence..<place.sequence + 1).allSatisfy(isComplete)
        }
    }

    /// Returns the operations that describe the photo's original.
    func originalPlaces(of photo: PhotoID) -> [(device: DeviceID, sequence: UInt32)] {
        (byPhoto[photo] ?? []).filter { $0.blobClass == .original }.flatMap { blob in
            (entries[blob]?.descriptions ?? []).filter { $0.photo == photo }.map { ($0.device, $0.sequence) }
        }
    }

    /// Returns `have` messages with the ranges of the blobs, within the limits of messages.
    package func haveMessages(whole blobs: [BlobID], partial: [(BlobID, ChunkBitmap)]) -> [Have] {
        var keys: [(device: DeviceID, blobClass: BlobClass, sequence: UInt32)] = []
        for blob in blobs {
            guard let entry = entries[blob] else { continue }
            keys += entry.descriptions.map { ($0.device, blob.blobClass, $0.sequence) }
        }
        keys.sort { ($0.device, $0.blobClass, $0.sequence) < ($1.device, $1.blobClass, $1.sequence) }
        var holdings: [Have.Holding] = []
        var runs: [Range<UInt32>] = []
        for (index, key) in keys.enumerated() {
            if let run = runs.last, key.sequence <= run.upperBound {
                runs[runs.count - 1] = run.lowerBound..<max(run.upperBound, key.sequence + 1)
            } else {
                runs.append(key.sequence..<key.sequence + 1)
            }
            let next = index + 1 < keys.count ? keys[index + 1] : nil
            if next?.device != key.device || next?.blobClass != key.blobClass
                || runs.count == Limits.holdingRunNumbersMax / 2
            {
                holdings.append(.init(device: key.device, blobClass: key.blobClass, sequences: runs))
                runs = []
            }
        }
        // A holding of many runs may fill a frame by itself, so each message stays far below the frame's size.
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
