// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import Logging
internal import NIOPosix

/// The uploads of one event: which there are, who has one in hand, and how much they may take (`UploadLedger`).
///
/// An upload is found only by the session that made it. One request at a time has it in hand (`withUpload`); the offset
/// that others are told is what was on disk when it was put back. After a restart the folder says which uploads there
/// are, and the first request of the session, which brings the key, says how far each has come.
package actor UploadStore {
    private enum State: Sendable {
        /// As found at the start, or after an error: the file says what there is.
        case unread
        case read(UploadFile.Contents)
    }

    private struct Entry {
        var state: State
        var isSettled: Bool
        /// When bytes last came, or something was asked of an upload that has them all.
        var touchedAt: ContinuousClock.Instant
        var isHeld = false
        /// Ends the request that has the upload in hand.
        var interrupt: (@Sendable () -> Void)?
    }

    package nonisolated let folder: UploadFolder
    package nonisolated let limits: UploadLimits
    /// Adding photos: so many at once.
    nonisolated let completions: FairTurns<AuthorID>
    private nonisolated let leaving: @Sendable (AuthorID) async -> Set<PhotoID>
    private var sessions: [Bytes32: [UploadID: Entry]] = [:]
    private var ledger: UploadLedger
    /// What each address may still send.
    private var addressBytes: TokenBuckets<String>
    /// Bodies under way, by the owner of their session.
    private var bodyCounts: [Bytes32: Int] = [:]

    /// Reads the folder, without what expired while nothing ran; blocks for as long as that takes.
    /// - Parameter leaving: a guest's photos that are about to be taken back.
    package init(
        folderPath: String, limits: UploadLimits = UploadLimits(),
        leaving: @escaping @Sendable (AuthorID) async -> Set<PhotoID> = { _ in [] }
    ) throws {
        folder = UploadFolder(in: folderPath)
        self.limits = limits
        ledger = UploadLedger(limits)
        self.leaving = leaving
        completions = FairTurns(
            FairTurns.Limits(
                places: limits.completionsAtOnce, placesByAddress: limits.completionsPerAddress,
                placesByGuest: limits.completionsPerGuest, waitingByAddress: limits.waitingCompletionsPerAddress,
                waitingByGuest: limits.waitingCompletionsPerGuest))
        addressBytes = TokenBuckets(limits.addressBytes, keyCountMax: 4_096)
        let now = ContinuousClock.now
        for found in try folder.open() {
            guard found.age < limits.lifetime else {
                try folder.remove(found.name, isSettled: found.isSettled)
                continue
            }
            sessions[found.name.session, default: [:]][found.name.upload] = Entry(
                state: .unread, isSettled: found.isSettled, touchedAt: now - found.age)
            guard !found.isSettled else { continue }
            ledger.restore(found.name, byteCount: found.fileByteCount, movedAt: now - found.age)
        }
    }

    /// Makes room for an upload; returns when it is on disk. Others that are idle may give way (`UploadLedger`).
    package func create(
        _ head: UploadFile.Head, for session: GuestSession, from address: String
    ) async throws -> UploadID {
        let id = UploadID()
        let file = UploadFile(id, of: session, in: folder)
        let name = UploadName(session: session.id, upload: id)
        // Claimed before the disk is asked, so that two at once cannot both have the last place.
        try await claim(name, of: session, from: address, byteCount: min(head.length, limits.window))
        let none = UploadFile.Contents(head: head, end: .init(), outcome: nil)
        sessions[session.id, default: [:]][id] = Entry(
            state: .read(none), isSettled: false, touchedAt: .now, isHeld: true)
        do {
            let contents = try await makeFile(file, head)
            putBack(contents, id, of: session)
            return id
        } catch {
            let reason = error
            do { try await drop(id, of: session) } catch {}  // the first error says why; what is left of it expires
            throw reason
        }
    }

    /// On a disk that is short of room idle uploads give way first.
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

    /// Lends an upload to one request. Throws 404 for one that the session does not have, 423 while another request has
    /// it in hand; what `body` throws leaves the upload as its file says.
    ///
    /// - Parameter purpose: who only looks, or deletes, ends a body that is under way, since the client has given that
    ///   up, and waits for it; who sends a body does neither.
    package nonisolated func withUpload<Result: Sendable>(
        _ id: UploadID, of session: GuestSession, from address: String, for purpose: Purpose,
        _ body: (inout HeldUpload) async throws -> Result
    ) async throws -> Result {
        var held = try await takeInHand(id, of: session, from: address, for: purpose)
        do {
            let result = try await body(&held)
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

    private func takeInHand(
        _ id: UploadID, of session: GuestSession, from address: String, for purpose: Purpose
    ) async throws -> HeldUpload {
        // Asked again and again, not queued: whoever waits may go away, or come to the end of its time.
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
                    // What has not come whole lives on by the bytes that come, not by being asked for.
                    if contents.isComplete { try file.touch(isSettled: entry.isSettled) }
                    return contents
                } catch let error as DiskError where error.isFileMissing {
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

    /// Whether the upload is the caller's now. False while another request that was asked to end has it.
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
            throw .tooMany("\(count) uploads are under way at once", retryAfter: 1)
        }
        bodyCounts[session.owner] = count + 1
    }

    private func endBody(of session: GuestSession) {
        let count = bodyCounts[session.owner]! - 1  // begun before
        bodyCounts[session.owner] = count > 0 ? count : nil
    }

    private func putBack(
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
            let ahead = min(contents.head.length, contents.end.offset + limits.window)
            ledger.release(
                name, byteCount: max(ahead, contents.end.fileByteCount), hasMoved: hasMoved, now: .now)
        } else {
            entry.state = .unread
            ledger.release(name, byteCount: nil, hasMoved: hasMoved, now: .now)
        }
        if entry.isSettled { ledger.remove(name) }
        sessions[session.id]![id] = entry
    }

    /// Forgets an upload; returns when its file is gone. A photo that it became stays.
    package func drop(_ id: UploadID, of session: GuestSession) async throws {
        try await drop([UploadName(session: session.id, upload: id)])
    }

    /// Forgets all that a session has, but for what a request has in hand.
    package func dropAll(of session: Bytes32) async throws {
        try await drop(
            (sessions[session] ?? [:]).filter { !$0.value.isHeld }.keys.map { UploadName(session: session, upload: $0) }
        )
    }

    private func drop(_ names: [UploadName]) async throws {
        let gone = names.compactMap { name in
            ledger.remove(name)
            return sessions[name.session]?.removeValue(forKey: name.upload).map { (name, $0.isSettled) }
        }
        for name in names where sessions[name.session]?.isEmpty == true { sessions[name.session] = nil }
        guard !gone.isEmpty else { return }
        try await offTheLoops { [folder] in
            for (name, isSettled) in gone { try folder.remove(name, isSettled: isSettled) }
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
        do { try await drop(leaving) } catch {}  // the next start finds what is left of them
    }

    /// Lets an upload or form that a request has in hand take so many bytes. Others that are idle may give way.
    func grow(_ name: UploadName, to byteCount: UInt64) async throws {
        let (address, before) = ledger.claim(of: name) ?? ("", 0)
        try charge(byteCount > before ? byteCount - before : 0, to: address)
        let leaving: [UploadName]
        do throws(UploadLedger.Shortage) {
            leaving = try ledger.grow(name, to: byteCount, now: .now)
        } catch {
            throw PortalError(error)
        }
        do { try await drop(leaving) } catch {}  // the next start finds what is left of them
    }

    private func charge(_ byteCount: UInt64, to address: String) throws(PortalError) {
        guard let wait = addressBytes.take(Double(byteCount), for: address, at: .now) else { return }
        throw .tooMany(
            "this network address has sent very much lately", retryAfter: Int((wait / .seconds(1)).rounded(.up)))
    }

    /// A form whose files are about to come is one of the guest's bodies, and each file counts while it is on disk.
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

    /// Forgets what nobody has touched for its lifetime, and the oldest outcomes of a session with very many.
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

    /// Sweeps every ten minutes until cancelled.
    package nonisolated func sweepPeriodically(logger: Logger) async throws {
        while true {
            try await Task.sleep(for: .seconds(600))
            do { try await sweep() } catch let error as DiskError {
                logger.info("expired uploads stay", metadata: ["reason": "\(error)"])
            }
        }
    }
}

extension UploadStore {
    /// States the file as a photo of the guest, which is none of those that the guest is taking back.
    nonisolated func add(fileAt path: String, by guest: AuthorID, to gallery: any Gallery) async throws -> PhotoID {
        try await gallery.add(fileAt: path, by: guest) { [leaving] in await leaving(guest) }
    }

    /// Runs `work` where it may block, if the disk has room for `byteCount` bytes more than its reserve. Throws 503
    /// `disk-full` where it has not.
    nonisolated func onDisk<Result: Sendable>(
        needing byteCount: UInt64, _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await offTheLoops { [folder, reserve = limits.diskReserve] in
            let volume = try Disk.volume(of: folder.path)
            guard volume.freeByteCount >= byteCount + reserve(volume.byteCount) else { throw PortalError.noRoom }
            do { return try work() } catch let error as DiskError where error.isDiskFull { throw PortalError.noRoom }
        }
    }
}

/// Runs what blocks for as long as the disk takes on threads that may be blocked.
func offTheLoops<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await NIOThreadPool.singleton.runIfActive(work)
}
