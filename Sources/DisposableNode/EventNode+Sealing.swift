// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging

/// Sealed photos on this node: opening them for a viewer, and for all (protocol/disposable-v1.md §11.2).
extension EventNode {
    /// Returns whether a viewer may see the photo: a guest or this node's person by the author's key, or the public.
    func mayBeSeen(_ photo: Photo, by viewer: AuthorID?) -> Bool { mayBeSeen(photo, by: viewer, in: replica) }

    /// Returns the same by a copy of the replica: for many photos, as each access copies it.
    func mayBeSeen(_ photo: Photo, by viewer: AuthorID?, in replica: Replica) -> Bool {
        if replica.state.isOpen(photo.id) { return true }
        guard let viewer else { return false }
        // Its author, at the node that sealed the photo.
        if photo.author == viewer { return replica.signs(for: photo.device) }
        return viewer == replica.authorID && isForOrganizers()
    }

    /// Whether photos are only ever shown to organizers, and this node is one's.
    private func isForOrganizers() -> Bool {
        replica.state.charter?.reveal == .never && revealKey() != nil
    }

    /// The keys that open photos on this node.
    var opener: PhotoOpener {
        let state = replica.state
        return PhotoOpener(
            revealKey: state.revealKey ?? (isForOrganizers() ? revealKey() : nil),
            recipient: state.sealingKey, importSecret: store.keys.importSecret)
    }

    /// Returns the reveal key with its secret half, if this node has it: from the event key's seed, or from a grant to
    /// an organizer.
    func revealKey() -> AgreementKey? {
        let (keys, state) = (store.keys, replica.state)
        if let seed = keys.organizer?.seed {
            let key = Sealing.revealKey(eventKeySeed: seed, event: event)
            return state.sealingKey == key.publicKey ? key : nil
        }
        let own = keys.device.agreementKey
        return state.membership.sealedRevealKeys(for: replica.deviceID).lazy
            .compactMap { try? SealedBox.open($0, with: own) }
            .filter { $0.count == AgreementKey.byteCount }
            .map { AgreementKey(scalar: $0) }
            .first { state.sealingKey == $0.publicKey }
    }

    /// Returns the reveal key sealed to a new organizer: 80 bytes, none if photos are not sealed or this node lacks the
    /// key.
    func sealedRevealKey(_ role: Role, for grantee: Grantee) throws -> [UInt8] {
        guard role == .organizer, replica.state.isRevealed == false, let key = revealKey()
        else {
            return []
        }
        let recipient = try AgreementPublicKey(of: VerifyingKey(grantee))
        let ephemeral = AgreementKey(scalar: Entropy.secret(AgreementKey.byteCount))
        return try SealedBox.seal(key.disclosed.bytes.span, to: recipient, ephemeral: ephemeral)
    }

    // The reveal

    /// Handles the due reveal. An organizer's node opens everything; others wait a minute for that, then open the
    /// photos that they have sealed.
    func revealDue(overdueMilliseconds: UInt64) {
        if let key = replica.state.isRevealedByShares ? replica.state.revealKey : revealKey() {
            let salt = Entropy.bytes(OperationBody.saltByteCount)
            apply(.author(.reveal(secret: key.disclosed, salt: salt), by: nil, authors.newTicket()))
        } else if overdueMilliseconds >= Replica.revealNoticeMilliseconds {
            jobs.add { await self.releaseOwnKeys() }
        }
    }

    /// Opens every photo that this node has sealed, its person's and its guests'.
    private func releaseOwnKeys() async {
        guard let recipient = replica.state.sealingKey else { return }
        let photos = replica.state.photos.filter {
            !$0.status.isWithdrawn && replica.signs(for: $0.device) && !replica.state.isOpen($0.id)
        }
        do {
            for described in try await describe(photos) where !isStopped {
                try await releaseKeys(of: described, recipient)
            }
        } catch {
            logger.error("sealed photos not opened", metadata: ["reason": "\(error)"])
        }
    }

    /// Opens one sealed photo of this node's person.
    func releaseKeys(of photo: Photo) async throws {
        guard let recipient = replica.state.sealingKey, let described = try await describe([photo]).first else {
            return
        }
        try await releaseKeys(of: described, recipient)
    }

    private func releaseKeys(of described: DescribedPhoto, _ recipient: AgreementPublicKey) async throws {
        guard let keys = described.sealedKeys(recipient, importSecret: store.keys.importSecret) else { return }
        let body = OperationBody.encode(.keyRelease(keys), salt: Entropy.bytes(OperationBody.saltByteCount))
        let author = described.photo.author
        let key = author == replica.authorID ? nil : try subKey(of: author)
        _ = try await self.author(.keyRelease(described.photo.id, body: body), by: key)
    }

    /// Throws if opening the photos now differs from what guests were told.
    func checkReveal(_ charter: Charter) throws {
        if let planned = charter.revealsAtMilliseconds, now.wallClockMilliseconds < planned, !charter.isClosed {
            throw NodeError.earlyReveal(planned: Timestamps.iso8601(planned))
        }
        if charter.reveal == .never { throw NodeError.neverRevealed }
    }

    /// Opens all photos on the command of a person who may.
    /// - Parameter isConfirmed: whether that person knows that it is earlier than planned.
    /// - Returns: the number of photos that are shown from now on.
    func reveal(isConfirmed: Bool) async throws -> Int {
        let state = replica.state
        guard let charter = state.charter else {
            throw NodeError.refused(.notAdmitted)
        }
        guard charter.revealKey != .zero else { throw NodeError.nothingSealed }
        guard !state.isRevealed else { throw NodeError.refused(.nothingToDo) }
        guard let key = revealKey() else { throw NodeError.refused(.noRevealKey) }
        if !isConfirmed { try checkReveal(charter) }
        let salt = Entropy.bytes(OperationBody.saltByteCount)
        _ = try await author(.reveal(secret: key.disclosed, salt: salt))
        return replica.state.gallery.count
    }
}

/// Opens sealed photos with the available key.
struct PhotoOpener: Sendable {
    let revealKey: AgreementKey?
    let recipient: AgreementPublicKey?
    let importSecret: SecretBytes

    /// Returns `nil` if the blob cannot be opened here.
    func open(_ reference: BlobReference, released: ReleasedKeys?) -> BlobReference? {
        guard reference.isSealed else { return reference }
        if let revealKey, let opened = reference.opened(with: revealKey) { return opened }
        if let key = released?[reference.id.blobClass] {
            var bytes = key.bytes
            return reference.opened(with: SecretBytes(consuming: &bytes, in: .ordinary))
        }
        return recipient.flatMap { reference.opened(sealedTo: $0, by: importSecret) }
    }
}

extension EventNode.DescribedPhoto {
    /// Returns the keys of a photo that this device has sealed, `nil` if its bodies are missing or it is not sealed.
    fileprivate func sealedKeys(_ recipient: AgreementPublicKey, importSecret: SecretBytes) -> ReleasedKeys? {
        func key(_ reference: BlobReference?) -> Bytes32? {
            guard let reference, reference.isSealed else { return nil }
            return reference.opened(sealedTo: recipient, by: importSecret)?.key?.withSpan { span in
                Bytes32((0..<span.count).map { span[$0] })
            }
        }
        let keys = ReleasedKeys(
            thumbnail: key(manifest?.thumbnail), preview: key(manifest?.preview), original: key(original?.original))
        return keys == ReleasedKeys(thumbnail: nil, preview: nil, original: nil) ? nil : keys
    }
}
