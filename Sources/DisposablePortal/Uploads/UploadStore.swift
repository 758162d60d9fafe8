// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
package import Logging

/// The uploads of one event: the list, the request that holds each, and their space (`UploadLedger`).
///
/// Only the session that made an upload finds it. One request at a time holds it (`withUpload`); other requests get the
/// offset that was durable when it was released. After a restart the folder lists the uploads, and the first request of
/// the session, which has the key, reads how far each has come.
package actor UploadStore {
    enum State: Sendable {
        /// As found at the start, or after an error: the file says what there is.
        case unread
        case read(UploadFile.Contents)
    }

    struct Entry {
        var state: State
        var isSettled: Bool
        /// The time of the last received bytes, or of the last request for a complete upload.
        var touchedAt: ContinuousClock.Instant
        var isHeld = false
        /// Ends the request that holds the upload.
        var interrupt: (@Sendable () -> Void)?
    }

    package nonisolated let folder: UploadFolder
    package nonisolated let limits: UploadLimits
    /// The permits for adding photos.
    nonisolated let completions: FairTurns<AuthorID>
    /// The same for previews of photos whose originals are on their way.
    nonisolated let rendering: FairTurns<AuthorID>
    nonisolated let previews: EarlyPreviews
    nonisolated let clocks = PhoneClocks()
    var sessions: [Bytes32: [UploadID: Entry]] = [:]
    var ledger: UploadLedger
    /// Seals the descriptions of `taken`; `nil` where the node takes over no upload.
    let nodeKey: SecretBytes?
    /// The uploads that the node finishes without their clients. No request has one in hand.
    var taken: [UploadName: Taking] = [:]
    nonisolated let work: AsyncStream<HeldUpload>
    let workSink: AsyncStream<HeldUpload>.Continuation
    /// The bytes that each address may still send.
    private var addressBytes: TokenBuckets<String>
    /// The numbers of bodies in progress, by the owner of their session.
    private var bodyCounts: [Bytes32: Int] = [:]

    /// Reads the folder, without what expired while nothing ran; blocks for as long as that takes.
    /// - Parameter nodeKey: 32 bytes that only this node has; without them every client waits for its photo.
    package init(folderPath: String, nodeKey: SecretBytes? = nil, limits: UploadLimits = UploadLimits()) throws {
        folder = UploadFolder(in: folderPath)
        self.limits = limits
        self.nodeKey = nodeKey
        // Bounded by `limits.taken.countInEvent`.
        (work, workSink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        ledger = UploadLedger(limits.unfinished)
        completions = FairTurns(limits.completions)
        rendering = FairTurns(
            FairTurns.Limits(
                places: 2, placesByAddress: 2, placesByOwner: 1,
                waitingByAddress: limits.completions.waitingByAddress, waitingByOwner: 2))
        previews = EarlyPreviews(limits.previews)
        addressBytes = TokenBuckets(limits.addressBytes, keyCountMax: 4_096)
        let now = ContinuousClock.now
        for found in try folder.open() {
            guard found.age < limits.lifetime else {
                try folder.remove(found.name, isSettled: found.isSettled)
                if found.isTaken { try folder.removeTaken(found.name) }
                continue
            }
            sessions[found.name.session, default: [:]][found.name.upload] = Entry(
                state: .unread, isSettled: found.isSettled, touchedAt: now - found.age)
            guard !found.isSettled else { continue }
            ledger.restore(found.name, byteCount: found.fileByteCount, movedAt: now - found.age)
            guard found.isTaken, nodeKey != nil else { continue }
            sessions[found.name.session]![found.name.upload]!.isHeld = true
            ledger.hold(found.name, for: found.name.session, at: "")
            taken[found.name] = Taking(guest: nil)
        }
    }

    package var unfinishedCount: Int { ledger.count }

    /// Creates an upload; durable when this returns. Idle ones may be dropped for it (`UploadLedger`).
    package func create(
        _ head: UploadFile.Head, for session: GuestSession, from address: String
    ) async throws -> UploadID {
        let id = UploadID()
        let file = UploadFile(id, of: session, in: folder)
        let name = UploadName(session: session.id, upload: id)
        // Reserved before the disk is queried, so that two concurrent requests cannot both get the last place.
        try await claim(name, of: session, from: address, byteCount: min(head.length, limits.unfinished.window))
        let none = UploadFile.Contents(head: head, end: .init(), outcome: nil)
        sessions[session.id, default: [:]][id] = Entry(
            state: .read(none), isSettled: false, touchedAt: .now, isHeld: true)
        do {
            let contents = try await makeFile(file, head)
            putBack(contents, id, of: session)
            return id
        } catch {
            let reason = error
            do { try await drop(id, of: session) } catch {}  // the first error is reported; the rest of it expires
            throw reason
        }
    }

    // On a disk that is short of space idle uploads are dropped first.
    private func makeFile(_ file: UploadFile, _ head: UploadFile.Head) async throws -> UploadFile.Contents {
        do {
            return try await onDisk(needing: head.length) { try file.create(head) }
        } catch let error as PortalError where error == .noRoom {
            let leaving = ledger.giveUp(byteCount: head.length, now: .now)
            guard !leaving.isEmpty else { throw error }
            try await drop(leaving)
            return try await onDisk(needing: head.length) { try file.create(head) }
        }
    }

    /// Lends an upload to one request. Throws 404 for one that the session does not have, 423 while another request
    /// holds it; after an error of `body` the upload is as its file says.
    ///
    /// - Parameter purpose: a request that only reads the state, or deletes, ends a body in progress, since the client
    ///   has given that up, and waits for it; a request with a body does neither.
    package nonisolated func withUpload<Result: Sendable>(
        _ id: UploadID, of session: GuestSession, from address: String, for purpose: Purpose,
        _ body: (inout HeldUpload) async throws -> Result
    ) async throws -> Result {
        var held = try await hold(id, of: session, from: address, for: purpose)
        do {
            let result = try await body(&held)
            guard !held.isTaken else {
                await hand(held, after: purpose)
                return result
            }
            await putBack(held.contents, id, of: session, after: purpose, hasMoved: held.hasMoved)
            return result
        } catch {
            await putBack(
                held.isCertain ? held.contents : nil, id, of: session, after: purpose, hasMoved: held.hasMoved)
            throw error
        }
    }

    package enum Purpose: Sendable {
        case look
        case body(interrupt: @Sendable () -> Void)
    }

    private func hold(
        _ id: UploadID, of session: GuestSession, from address: String, for purpose: Purpose
    ) async throws -> HeldUpload {
        // Polled, not queued: a waiting request may be cancelled or time out.
        let deadline = ContinuousClock.now + limits.wait
        while try !claim(id, of: session, from: address, for: purpose, isLastTry: .now >= deadline) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let entry = sessions[session.id]![id]!  // claimed
        let file = UploadFile(id, of: session, in: folder)
        do {
            let contents = try await offTheLoops { () throws -> UploadFile.Contents? in
                do {
                    guard case .read(let contents) = entry.state else {
                        return try file.load(isSettled: entry.isSettled)
                    }
                    // Received bytes extend the lifetime of an incomplete upload; requests for its state do not.
                    if contents.isComplete { try file.touch(isSettled: entry.isSettled) }
                    return contents
                } catch let error as FileError where error.isFileMissing {
                    return nil
                }
            }
            guard let contents else { throw PortalError.unknownUpload }
            return HeldUpload(
                id: id, session: session, address: address, file: file, store: self, contents: contents,
                idleTime: .now - entry.touchedAt)
        } catch {
            putBack(nil, id, of: session, after: purpose)
            if error as? PortalError == .unknownUpload { try await drop(id, of: session) }
            throw error
        }
    }

    /// Whether the caller now holds the upload. False while another request that was told to end still holds it.
    private func claim(
        _ id: UploadID, of session: GuestSession, from address: String, for purpose: Purpose, isLastTry: Bool
    ) throws(PortalError) -> Bool {
        guard var entry = sessions[session.id]?[id] else { throw .unknownUpload }
        if entry.isHeld {
            guard case .look = purpose, !isLastTry else { throw .uploadInHand }
            entry.interrupt?()
            sessions[session.id]![id]!.interrupt = nil
            return false
        }
        entry.isHeld = true
        if case .body(let interrupt) = purpose {
            try beginBody(of: session)
            entry.interrupt = interrupt
        }
        sessions[session.id]![id] = entry
        ledger.hold(UploadName(session: session.id, upload: id), for: session.owner, at: address)
        return true
    }

    private func beginBody(of session: GuestSession) throws(PortalError) {
        let count = bodyCounts[session.owner] ?? 0
        guard count < limits.bodiesByGuest else {
            throw .tooMany("\(count) uploads are in progress at once", retryAfter: 1)
        }
        bodyCounts[session.owner] = count + 1
    }

    func endBody(of session: GuestSession) {
        let count = bodyCounts[session.owner]! - 1  // begun before
        bodyCounts[session.owner] = count > 0 ? count : nil
    }

    func putBack(
        _ contents: UploadFile.Contents?, _ id: UploadID, of session: GuestSession, after purpose: Purpose = .look,
        hasMoved: Bool = false
    ) {
        if case .body = purpose { endBody(of: session) }
        guard var entry = sessions[session.id]?[id] else { return }
        let name = UploadName(session: session.id, upload: id)
        entry.isHeld = false
        entry.interrupt = nil
        if hasMoved || contents?.isComplete == true { entry.touchedAt = .now }
        if let contents {
            entry.state = .read(contents)
            entry.isSettled = contents.outcome != nil
            let ahead = min(contents.head.length, contents.end.offset + limits.unfinished.window)
            ledger.release(
                name, byteCount: max(ahead, contents.end.fileByteCount), hasMoved: hasMoved, now: .now)
        } else {
            entry.state = .unread
            ledger.release(name, byteCount: nil, hasMoved: hasMoved, now: .now)
        }
        if entry.isSettled {
            ledger.remove(name)
            previews.end(name, as: contents?.photo)
        } else if hasMoved {
            previews.note(movedOn: name, now: .now)
        }
        sessions[session.id]![id] = entry
    }

    /// Removes an upload; its file is gone when this returns. A photo made of it stays.
    package func drop(_ id: UploadID, of session: GuestSession) async throws {
        try await drop([UploadName(session: session.id, upload: id)])
    }

    /// Removes all uploads of a session that has ended. Bodies in progress are interrupted, and what they leave expires;
    /// uploads that the node finishes by itself go on: their bytes were all here before.
    package func dropAll(of session: Bytes32) async throws {
        let own = sessions[session] ?? [:]
        for (id, entry) in own {
            entry.interrupt?()
            sessions[session]?[id]?.interrupt = nil
        }
        try await drop(own.filter { !$0.value.isHeld }.keys.map { UploadName(session: session, upload: $0) })
    }

    func drop(_ names: [UploadName]) async throws {
        let gone = names.compactMap { name in
            ledger.remove(name)
            previews.end(name, as: nil)
            let isTaken = taken.removeValue(forKey: name) != nil
            return sessions[name.session]?.removeValue(forKey: name.upload).map { (name, $0.isSettled, isTaken) }
        }
        for name in names where sessions[name.session]?.isEmpty == true { sessions[name.session] = nil }
        guard !gone.isEmpty else { return }
        try await offTheLoops { [folder] in
            for (name, isSettled, isTaken) in gone {
                try folder.remove(name, isSettled: isSettled)
                if isTaken { try folder.removeTaken(name) }
            }
        }
    }

    // Room

    private func claim(
        _ name: UploadName, of session: GuestSession, from address: String, byteCount: UInt64
    ) async throws {
        try charge(byteCount, to: address)
        let leaving: [UploadName]
        do throws(UploadLedger.Shortage) {
            leaving = try ledger.add(name, of: session.owner, at: address, byteCount: byteCount, now: .now)
        } catch {
            throw PortalError(error)
        }
        do { try await drop(leaving) } catch {}  // the next start finds the rest of them
    }

    /// Lets an upload or form that a request holds use this many bytes. Idle ones may be dropped for it.
    func grow(_ name: UploadName, to byteCount: UInt64) async throws {
        let (address, before) = ledger.claim(of: name) ?? ("", 0)
        try charge(byteCount > before ? byteCount - before : 0, to: address)
        let leaving: [UploadName]
        do throws(UploadLedger.Shortage) {
            leaving = try ledger.grow(name, to: byteCount, now: .now)
        } catch {
            throw PortalError(error)
        }
        do { try await drop(leaving) } catch {}  // the next start finds the rest of them
    }

    private func charge(_ byteCount: UInt64, to address: String) throws(PortalError) {
        guard let wait = addressBytes.take(Double(byteCount), for: address, at: .now) else { return }
        throw .tooMany(
            "rate limit exceeded: too many bytes from this address", retryAfter: Int((wait / .seconds(1)).rounded(.up)))
    }

    /// Counts a form as one of the guest's bodies, and each of its files while it is on disk.
    func beginForm(of session: GuestSession, from address: String) async throws -> UploadName {
        try beginBody(of: session)
        let name = UploadName(session: session.id, upload: UploadID())
        do { try await claim(name, of: session, from: address, byteCount: 0) } catch {
            endBody(of: session)
            throw error
        }
        return name
    }

    func noteFileGone(_ form: UploadName) { ledger.empty(form) }

    func endForm(_ form: UploadName, of session: GuestSession) {
        ledger.remove(form)
        endBody(of: session)
    }

    /// Removes expired uploads, and the oldest outcomes of a session with too many.
    package func sweep() async throws {
        let now = ContinuousClock.now
        var names: [UploadName] = []
        for (session, uploads) in sessions {
            let free = uploads.filter { !$0.value.isHeld }
            let expired = free.filter { now - $0.value.touchedAt >= limits.lifetime }
            let settled = free.filter { $0.value.isSettled }.sorted { $0.value.touchedAt > $1.value.touchedAt }
            let ids = Set(expired.keys).union(settled.dropFirst(limits.finishedPerSession).map(\.key))
            names += ids.map { UploadName(session: session, upload: $0) }
        }
        try await drop(names)
    }

    /// Whether this is an upload of the session that has not become a photo yet.
    func isUnfinished(_ id: UploadID, of session: GuestSession) -> Bool { sessions[session.id]?[id]?.isSettled == false }

    /// Shows a preview until the upload ends. Returns false if it has ended already.
    func show(_ preview: EarlyPreview, of id: UploadID, in session: GuestSession) -> Bool {
        guard isUnfinished(id, of: session) else { return false }
        previews.show(preview, of: UploadName(session: session.id, upload: id), now: .now)
        return true
    }

    /// Sweeps every ten minutes until cancelled; previews every half minute.
    package nonisolated func sweepPeriodically(logger: Logger) async throws {
        for round in 1... {
            try await Task.sleep(for: .seconds(30))
            previews.sweep(now: .now)
            guard round % 20 == 0 else { continue }
            do { try await sweep() } catch let error as FileError {
                logger.info("expired uploads not removed", metadata: ["reason": "\(error)"])
            }
        }
    }
}

extension UploadStore {
    /// Signs the file as a photo of the guest.
    nonisolated func add(
        fileAt path: String, by guest: AuthorID, _ described: SentFile = SentFile(), to gallery: any Gallery
    ) async throws -> PhotoID {
        let ahead = clocks.difference(of: described.clockAhead)
        return try await gallery.add(fileAt: path, by: guest, mission: described.mission, cameraAhead: ahead)
    }

    /// Runs `work` where it may block, if the disk has space for `byteCount` bytes beyond its reserve. Throws 503
    /// `disk-full` if it has not.
    nonisolated func onDisk<Result: Sendable>(
        needing byteCount: UInt64, _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await offTheLoops { [folder, reserve = limits.diskReserve] in
            let volume = try Disk.volume(of: folder.path)
            guard volume.freeByteCount >= byteCount + reserve(volume.byteCount) else { throw PortalError.noRoom }
            do { return try work() } catch let error as FileError where error.isDiskFull { throw PortalError.noRoom }
        }
    }
}
