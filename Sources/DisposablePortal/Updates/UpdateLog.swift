// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The newest changes of one event, numbered, for reconnected streams and polling clients (protocol/guest-api.md §6).
/// Pure.
///
/// A session may ask for changes from before it began. So a later change of a photo replaces the content of its earlier
/// ones: the caption of a photo that was since deleted, hidden or veiled is in none.
///
/// An id is `<instance>-<number>`; each start of the node has a new instance, so that numbers of an earlier one are not
/// mistaken for these.
package struct UpdateLog: Sendable {
    package enum Change: Equatable, Sendable {
        /// With the photo as everybody sees it; `nil` if not everybody does: it waits, or was withdrawn since. One of
        /// another event is none of this gallery once the two are separated.
        case photo(PhotoID, AlbumPhoto?, isOfTwin: Bool = false)
        case removed(PhotoID)
        case event
        /// A moment has begun or ended.
        case moment
        /// The preview of a photo whose original is on its way.
        case early(UploadID)
        /// It is shown no more; with the photo in its place, if there is one.
        case gone(UploadID, PhotoID?)
        /// For walls; the photo is the one to show.
        case wall(WallAct, PhotoID?)
    }

    package struct Entry: Equatable, Sendable {
        package let number: UInt64
        package let change: Change
    }

    package enum Since: Equatable, Sendable {
        case entries([Entry])
        /// The changes since then are discarded, or the number never existed.
        case reset
    }

    package let instance: String
    private let countMax: Int
    private var entries: [Entry] = []
    /// The number of the newest entry; 0 before the first.
    package private(set) var newest: UInt64 = 0
    /// Entries up to and including this number are discarded.
    private var forgotten: UInt64 = 0
    /// The entries that contain a photo, by the photo.
    private var contents: [PhotoID: [UInt64]] = [:]

    package init(instance: String, countMax: Int) {
        self.instance = instance
        self.countMax = countMax
    }

    package mutating func append(_ change: Change) {
        newest += 1
        replaceContents(before: change)
        entries.append(Entry(number: newest, change: change))
        // Twice the count before half of it is removed, so that appending is cheap.
        if entries.count >= 2 * countMax { forget(entries.count - countMax) }
    }

    private mutating func replaceContents(before change: Change) {
        let photo: PhotoID
        let replacement: Change
        switch change {
        case .photo(let id, let shown, _): (photo, replacement) = (id, shown == nil ? .removed(id) : change)
        case .removed(let id): (photo, replacement) = (id, change)
        case .event, .moment, .early, .gone, .wall: return
        }
        var numbers = (contents[photo] ?? []).filter { $0 > forgotten }
        for number in numbers { entries[Int(number - forgotten) - 1] = Entry(number: number, change: replacement) }
        if case .photo(_, .some, _) = change { numbers.append(newest) } else { numbers = [] }
        contents[photo] = numbers.isEmpty ? nil : numbers
    }

    /// Discards all entries: clients with earlier numbers have to reload everything.
    package mutating func appendEverything() {
        newest += 1
        (entries, contents) = ([], [:])
        forgotten = newest
    }

    package func since(_ number: UInt64) -> Since {
        guard number <= newest, number >= forgotten else { return .reset }
        // Numbers have no gaps, so the index follows from the number.
        return .entries(Array(entries.dropFirst(Int(number - forgotten))))
    }

    package func id(_ number: UInt64) -> String { "\(instance)-\(number)" }

    /// Returns the number in an id of this instance; `nil` for any other text.
    package func number(in id: some StringProtocol) -> UInt64? {
        guard let dash = id.lastIndex(of: "-"), id[..<dash] == instance else { return nil }
        let digits = id[id.index(after: dash)...]
        guard let number = UInt64(digits), String(number) == digits, number <= newest else { return nil }
        return number
    }

    private mutating func forget(_ count: Int) {
        entries.removeFirst(count)
        forgotten += UInt64(count)
        contents = contents.compactMapValues { numbers in
            let left = numbers.filter { $0 > forgotten }
            return left.isEmpty ? nil : left
        }
    }
}
