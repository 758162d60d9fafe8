// SPDX-License-Identifier: Apache-2.0

/// The frames of an author, for nodes that add photos.
extension Album {
    /// Returns the sum of the extra frames that organizers have given the author.
    public func extraFrames(of author: AuthorID) -> UInt64 { quotas.extraFrames(of: author) }

    /// Returns the author's photos that lost their frames, or were beyond a quota that has grown, with the frames to
    /// claim for them. The result is the same for every holder of one of the author's keys, so that two concurrent
    /// claims agree.
    package func reclaims(
        of author: AuthorID, limit: (AuthorID, UInt64) -> UInt64?
    ) -> [(photo: PhotoID, slot: UInt64)] {
        let losers = photos(by: author).compactMap { photo($0, limit: limit) }.filter { photo in
            photo.status == .waiting && !countingClaims(on: photo.id).isEmpty
        }.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
        let held = losers.compactMap { loser in
            // A claim beyond the present quota keeps its frame in case the quota grows.
            countingClaims(on: loser.id).contains { quotas.roll(of: author)?.isHeld(by: $0) == true } ? nil : loser.id
        }
        guard !held.isEmpty else { return [] }
        // A later photo may have more frames, so one that gets none leaves its frame to the next.
        var free = freeSlots(of: author, count: held.count, limit: nil)[...]
        return held.compactMap { photo in
            guard let slot = free.first, slot <= limit(author, photoTime(of: photo)) ?? .max else { return nil }
            free.removeFirst()
            return (photo, slot)
        }
    }

    /// Returns the first `count` free frames of the author's quota, for new photos.
    public func freeSlots(of author: AuthorID, count: Int, limit: UInt64?) -> [UInt64] {
        (quotas.roll(of: author) ?? Roll()).freeSlots(count: count, limit: limit)
    }

    /// Whether the frame has more than one claim.
    public func isContested(_ slot: UInt64, of author: AuthorID) -> Bool {
        quotas.roll(of: author)?.isContested(slot) == true
    }

    /// Whether this claim or gift holds the frame.
    public func isHeld(_ slot: UInt64, of author: AuthorID, by claim: OperationID) -> Bool {
        quotas.roll(of: author)?.holder(of: slot)?.id == claim
    }

    /// Returns the author's free frames from `slot` down to 1.
    func freeSlots(of author: AuthorID, downFrom slot: UInt64) -> [UInt64] {
        (quotas.roll(of: author) ?? Roll()).freeSlots(downFrom: slot)
    }

    /// Returns the frames that the photo holds and for which other claims or gifts compete.
    package func contestedSlots(heldBy photo: PhotoID) -> [UInt64] {
        guard let author = author(of: photo) else { return [] }
        return countingClaims(on: photo).filter {
            isContested($0.slot, of: author) && isHeld($0.slot, of: author, by: $0.id)
        }.map(\.slot)
    }

    /// Returns the photos that may have other frames because a claim or gift has taken this one from another: those of
    /// the author, and of the recipients of gifts of the frame, counting or not.
    /// - Returns: `nil` if they, or the claims on the frame, are more than `countMax`.
    package func photos(competingFor slot: UInt64, of author: AuthorID, countMax: Int) -> [PhotoID]? {
        guard let recipients = quotas.roll(of: author)?.recipients(of: slot, countMax: countMax) else { return nil }
        var found: [PhotoID] = []
        for device in recipients.union([author]).flatMap(base.membership.devices(of:)) {
            guard found.count + (base.photosByDevice[device]?.count ?? 0) <= countMax else { return nil }
            found.append(contentsOf: base.photosByDevice[device] ?? [])
        }
        return found.sorted()
    }

    /// Returns how many frames that others have given are added to the author's own.
    func receivedFrames(of author: AuthorID) -> UInt64 { quotas.receivedFrames(of: author) }

    /// Returns the number of frames that each giver has given to the author.
    func gifts(to author: AuthorID) -> [AuthorID: Int] { quotas.gifts(to: author) }

    /// Returns the recipients of the frames up to `slot` that the author has given.
    func recipients(by author: AuthorID, upTo slot: UInt64) -> [AuthorID] {
        (quotas.roll(of: author)?.gifts ?? []).filter { $0.slot <= slot }.compactMap(\.recipient)
    }

    public func usedSlotCount(of author: AuthorID) -> Int { quotas.roll(of: author)?.usedCount ?? 0 }
}

extension Album {
    /// The parts that are out of date until the end of the batch.
    struct Stale: Equatable {
        /// The authors whose quotas are.
        var rolls: Set<AuthorID> = []
        var isTrust = false
        var areVeils = false
        /// Whether names, votes, tickets, extra frames or the rule of approval may be.
        var areParts = false

        var isEmpty: Bool { rolls.isEmpty && !isTrust && !areVeils && !areParts }
    }
}
