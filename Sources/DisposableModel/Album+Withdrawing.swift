// SPDX-License-Identifier: Apache-2.0

/// The photos and annotations that are deleted, erased, discarded or hidden (protocol/disposable-v1.md §9.5).
extension Album {
    /// Whether `author` has deleted the photo, known or not: a photo may arrive after its deletion.
    public func isRemoved(_ photo: PhotoID, by author: AuthorID) -> Bool {
        base.isRemoved(photo, by: author)
    }

    /// Whether an organizer has erased the photo, known or not.
    public func isErased(_ photo: PhotoID) -> Bool { base.isErased(photo) }

    /// Whether nodes purge the photo's bytes and keys, and serve them no longer.
    public func isWithdrawn(_ photo: PhotoID, by author: AuthorID) -> Bool {
        base.isWithdrawn(photo, by: author)
    }

    /// Every known photo and annotation that was withdrawn for good, with the reason.
    public var withdrawals: [OperationID: WithdrawalReason] {
        var withdrawals: [OperationID: WithdrawalReason] = [:]
        for subject in base.withdrawn.subjects.map(\.operationID) {
            withdrawals[subject] = withdrawal(of: subject)
        }
        guard base.membership.hasDiscarded else { return withdrawals }
        func add(_ id: OperationID, by device: DeviceID) {
            if withdrawals[id] == nil, base.membership.isDiscarded(id, by: device) { withdrawals[id] = .discarded }
        }
        for (photo, entry) in base.entries { add(photo.operationID, by: entry.device) }
        for (id, sayer) in sayers { add(id, by: sayer.device) }
        for (id, link) in base.membership.chains.loose { add(id, by: link.device) }
        return withdrawals
    }

    /// Returns the subjects that these authors, or devices that sign for them, have deleted, even if they do not own
    /// them.
    public func subjects(takenBackBy authors: Set<AuthorID>) -> Set<OperationID> {
        base.withdrawn.subjects(removedBy: authors, base.membership)
    }

    /// Returns why the photo, the annotation, or another operation with a body that the fold does not read was
    /// withdrawn for good; `nil` if it was not, or is not known.
    public func withdrawal(of subject: OperationID) -> WithdrawalReason? {
        let photo = PhotoID(subject)
        guard base.withdrawn.mentions(photo) || base.membership.hasDiscarded else { return nil }
        if let device = base.entries[photo]?.device ?? sayers[subject]?.device {
            if isRemoved(photo, by: base.membership.author(of: device)) { return .removed }
            if isErased(photo) { return .erased }
            return base.membership.isDiscarded(subject, by: device) ? .discarded : nil
        }
        guard let link = base.membership.chains[subject], link.isLoose else { return nil }
        return base.membership.isDiscarded(subject, by: link.device) ? .discarded : nil
    }

    private func isDiscarded(_ photo: PhotoID) -> Bool {
        base.entries[photo].map { base.membership.isDiscarded(photo.operationID, by: $0.device) } ?? false
    }

    /// Returns the operations whose bodies are purged with `subject`: its own and, for a photo, those of all operations
    /// that describe or annotate it.
    public func bodies(with subject: OperationID) -> [OperationID] {
        let photo = PhotoID(subject)
        guard base.entries[photo] != nil else {
            return sayers[subject] == nil && base.membership.chains[subject]?.isLoose != true ? [] : [subject]
        }
        return [subject] + (descriptions[photo]?.originals.all ?? []).sorted()
            + (keyReleases[photo]?.all ?? []).sorted() + remarks.texts(about: photo)
    }

    /// Returns the withdrawn subject with which the operation's body is purged: the operation itself, or its photo;
    /// `nil` if neither is withdrawn. Also valid for an operation that has not arrived yet.
    public func withdrawnSubject(of id: OperationID, _ header: OperationHeader) -> OperationID? {
        guard !base.withdrawn.isEmpty || base.membership.hasDiscarded else { return nil }
        let kind = header.knownKind
        guard kind?.isErasable != false else { return nil }
        if base.membership.isDiscarded(id, by: header.device) { return id }
        guard let kind, kind != .twinning else { return nil }  // no remove withdraws a twinning
        let sayer = base.membership.author(of: header.device)
        if isWithdrawn(PhotoID(id), by: sayer) { return id }
        let photo = PhotoID(header.subject)
        switch kind {
        case .original, .keyRelease, .caption:
            // The author of an unknown photo is unknown, too, and only its author's operations count: assume the
            // signer.
            let isGone = isWithdrawn(photo, by: author(of: photo) ?? sayer) || isDiscarded(photo)
            return isGone ? header.subject : nil
        case .comment:
            let isRemoved = author(of: photo).map { self.isRemoved(photo, by: $0) } ?? false
            return isRemoved || isErased(photo) || isDiscarded(photo) ? header.subject : nil
        default: return nil
        }
    }

    public func isHidden(_ photo: PhotoID) -> Bool { base.isHidden(photo) }

    /// Returns the hides that count and that nobody has cancelled, smallest id first: an unhide must name them.
    public func hides(of photo: PhotoID) -> [OperationID] {
        base.hides(of: photo)
    }
}
