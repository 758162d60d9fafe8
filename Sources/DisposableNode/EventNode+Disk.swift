// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

/// Detection, reporting and repair of disk problems of a running event: a full, forgetful or failing disk.
extension EventNode {
    /// Limits the bytes of originals of a sponsor tree on a half-full disk; `nil` for no limit.
    func limitOriginals(perTree byteCount: UInt64?) {
        guard replica.originalsPerTree != byteCount else { return }
        apply(.originalsLimited(perTree: byteCount))
    }

    /// Stops requesting and accepting blobs; stored ones are still served. With still less room, bodies of others'
    /// operations are not stored, and finally no operations of others.
    private func roomEnded(_ error: StoreError, _ space: DiskSpace = .noBlobs) {
        setSpace(min(space, disk.space))
        context.report(.diskFull(error, space))
    }

    func setSpace(_ space: DiskSpace) {
        guard space != disk.space else { return }
        disk.space = space
        apply(.roomChanged(space))
    }

    // Writing

    func storingFailed(_ error: StoreError) {
        if error.isDiskFull { roomEnded(error) } else { note(.storage, "\(error)") }
    }

    func stored(_ ticket: Ticket, _ error: StoreError?) {
        disk.storageFailure = error
        if let error {
            if case .belowReserve = error { roomEnded(error, .noOperations) } else { storingFailed(error) }
            apply(.persistFailed(ticket))
        } else {
            solve(.storage)
            apply(.persisted(ticket))
        }
    }

    // Corrupt blobs

    func takeBack(_ root: BlobRoot) {
        guard disk.takingBack.insert(root).inserted else { return }
        writes.async { [self, blobs = store.blobs] in
            let result = Result { () throws(StoreError) in try blobs.takeBack(root) }
            complete { $0.takenBack(root, result) }
        }
    }

    func takenBack(_ root: BlobRoot, _ result: Result<BlobStore.Remainder, StoreError>) {
        disk.takingBack.remove(root)
        let left: Replica.StoredBlob
        switch result {
        case .failure(let error): return storingFailed(error)
        case .success(.whole): return
        case .success(.partial(let chunks, let hashes)): left = .partial(chunks, hashes: hashes)
        case .success(.nothing): left = .absent
        }
        let text = "a file on this disk is corrupt; its corrupt parts are fetched again from other nodes"
        logger.warning("blob damaged", metadata: ["blob": "\(root.short)"])
        announce(.warning(text))
        apply(.takenBack(root, left: left))
    }

    // The database

    /// Returns the message for people about an event whose database was rebuilt, `nil` if it was not.
    static func story(of store: EventStore, _ replica: Replica, name: String) -> String? {
        if let done = store.rebuilding {
            return "the database of \(name) was corrupt (\(done.reason))"
                + (done.setAsidePath.map { "; it was set aside as \($0)" } ?? "")
                + " and rebuilt with \(done.operationCount) operations and \(done.completeCount) files; "
                + "other nodes provide the rest"
        }
        guard replica.mustReconcile, !replica.isAloneInEvent else { return nil }
        return "the database of \(name) was rebuilt, and this node has not met another one since: until then it "
            + "cannot add or change anything"
    }

    /// Records that a member has sent all of its operations, so this device knows its own latest ones.
    func reconciled() {
        writes.async { [store, logger] in
            do { try store.hasReconciled() } catch {
                logger.error("reconciliation not stored", metadata: ["reason": "\(error)"])
            }
        }
        solve(.rebuilt, "this node has received the operations of \(name) from others")
        sayName()
    }

    // Copies of the folder

    func cloned(_ device: DeviceID) {
        guard device != replica.deviceID else {
            let text =
                "the device key of this node is in use twice: a copy of its folder runs on another machine, or ran there; "
                + "no photo is lost, but keep one of the two and let the other join again with the invitation"
            return note(.clone(device), text)
        }
        let album = replica.state.album
        let name = album.name(of: album.membership.author(of: device)) ?? device.short
        note(
            .clone(device), "the device key of \(name) is in use on two machines: one runs a copy of the other's folder"
        )
    }
}
