// SPDX-License-Identifier: Apache-2.0

/// The base of an album: the members, the photos, the withdrawals and the times. By it the parts of the album, such as
/// `Remarks`, `Veils` and `Votes`, decide which of their operations count.
struct AlbumBase: Equatable, Sendable {
    struct Entry: Equatable {
        let device: DeviceID
        let sequence: UInt32
        let timestamp: HybridTimestamp
    }

    private(set) var membership: Membership
    /// The photos, counting or not.
    private(set) var entries: [PhotoID: Entry] = [:]
    /// In the order of arrival.
    private(set) var photosByDevice: [DeviceID: [PhotoID]] = [:]
    private(set) var withdrawn = Withdrawals()
    private(set) var times = ChainTimes()

    init(membership: Membership) { self.membership = membership }

    /// Adds an operation. Call `resolve` afterwards, once for any number of operations.
    /// - Returns: the authors for which the operation changes something at once; `nil` for a duplicate.
    mutating func note(_ operation: VerifiedOperation) -> Set<AuthorID>? {
        guard let authors = membership.note(operation) else { return nil }
        let header = operation.header
        times.insert(operation.id, header, in: membership.chains)
        switch operation.kind {
        case .photo:
            let photo = PhotoID(operation.id)
            entries[photo] = Entry(device: header.device, sequence: header.sequence, timestamp: header.timestamp)
            photosByDevice[header.device, default: []].append(photo)
        case .remove, .erase, .hide, .unhide: withdrawn.note(operation)
        default: break
        }
        return authors
    }

    /// Applies the effects of the added operations. Returns also whether times may have changed.
    mutating func resolve() -> (change: Membership.Change, hasNewTimes: Bool) {
        let hasNewTimes = times.resolve(in: membership.chains)
        return (membership.resolve(), hasNewTimes)
    }

    // Photos

    /// Whether the photo is known and counts.
    func exists(_ photo: PhotoID) -> Bool {
        guard let entry = entries[photo] else { return false }
        return membership.counts(photo.operationID, by: entry.device)
    }

    /// Returns the author of the photo, whether the photo counts or not; `nil` if it is unknown.
    func author(of photo: PhotoID) -> AuthorID? { entries[photo].map { membership.author(of: $0.device) } }

    /// Returns the time of an operation by its timestamp and those of its ancestors in its chain.
    func time(of operation: OperationID, _ timestamp: HybridTimestamp) -> UInt64 {
        times.correction(of: operation) ?? timestamp.milliseconds
    }

    // Withdrawing

    /// Whether `author` has deleted the photo or annotation, known or not.
    func isRemoved(_ subject: PhotoID, by author: AuthorID) -> Bool {
        withdrawn.isRemoved(subject, by: author, membership)
    }

    /// Whether an organizer has erased the photo or annotation, known or not.
    func isErased(_ subject: PhotoID) -> Bool { withdrawn.isErased(subject, membership) }

    func isWithdrawn(_ subject: PhotoID, by author: AuthorID) -> Bool {
        isErased(subject) || isRemoved(subject, by: author)
    }

    func isHidden(_ subject: PhotoID) -> Bool { !hides(of: subject).isEmpty }

    /// Returns the hides that count and that nobody has cancelled, smallest id first.
    func hides(of subject: PhotoID) -> [OperationID] { withdrawn.hides(of: subject, membership) }

    /// Whether an annotation counts and is neither withdrawn nor hidden.
    func stands(_ remark: OperationID, by device: DeviceID) -> Bool {
        membership.counts(remark, by: device) && isUntouched(remark, by: device)
    }

    /// Whether no effective operation withdraws or hides the operation.
    func isUntouched(_ operation: OperationID, by device: DeviceID) -> Bool {
        let subject = PhotoID(operation)
        return !isWithdrawn(subject, by: membership.author(of: device)) && !isHidden(subject)
    }

    /// Does not compare `photosByDevice`, which follows from `entries` but for its order.
    static func == (left: Self, right: Self) -> Bool {
        left.membership == right.membership && left.entries == right.entries && left.withdrawn == right.withdrawn
            && left.times == right.times
    }
}
