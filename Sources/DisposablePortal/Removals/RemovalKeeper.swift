// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import Foundation
internal import Logging

/// Signs the removals of guests' photos after a delay, or at once when the node stops. Each pending one is a file, so
/// that it is signed after a crash, too.
actor RemovalKeeper {
    private struct Record: Codable {
        let guest: String
        /// Milliseconds since 1970 UTC.
        let dueAt: UInt64
    }

    private let gallery: any Gallery
    private let folder: String
    private let limits: PortalLimits.Removals
    private let logger: Logger
    private var pending: PendingRemovals
    /// Removals that are taken for signing and not signed yet, with their guests.
    private var signing: [PhotoID: AuthorID] = [:]

    init(of gallery: any Gallery, limits: PortalLimits.Removals, logger: Logger) async throws {
        self.gallery = gallery
        self.limits = limits
        self.logger = logger
        let folder = gallery.folderPath + "/removals"
        self.folder = folder
        var pending = PendingRemovals(countMax: limits.countMax)
        let parent = gallery.folderPath
        let records = try await offTheLoops {
            try Disk.makeFolder(folder, in: parent)
            return try Disk.files(in: folder).map(\.name).compactMap { name in
                do {
                    let bytes = try DurableFile.read(name, in: folder, byteCountMax: 4096)
                    return (name, try? JSONDecoder().decode(Record.self, from: Data(bytes)))
                } catch {
                    // On a failing disk one photo stays, which is better than an event that fails to open.
                    logger.error("pending removal not read", metadata: ["reason": "\(error)"])
                    return nil
                }
            }
        }
        let (now, wallNow) = (ContinuousClock.now, Milliseconds.now)
        for (name, record) in records {
            guard let photo = PhotoID(hex: name), let record, let guest = AuthorID(hex: record.guest) else {
                try await offTheLoops { try DurableFile.remove(name, in: folder) }
                continue
            }
            // The clock may have been set since; the wait is at most the delay.
            let left = min(Duration.milliseconds(Int64(clamping: record.dueAt) - Int64(wallNow)), limits.delay)
            pending.add(PendingRemovals.Removal(photo: photo, guest: guest, dueAt: now + max(left, .zero)))
        }
        self.pending = pending
    }

    /// Signs due removals, until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: .milliseconds(250))) != nil { await sign(pending.takeDue(at: .now)) }
    }

    func isPending(_ photo: PhotoID) -> Bool { pending.removal(of: photo) != nil }

    /// Returns the guest's photos whose removal is not signed yet.
    func leaving(by guest: AuthorID) -> Set<PhotoID> {
        pending.photos(of: guest).union(signing.filter { $0.value == guest }.keys)
    }

    /// Schedules the removal of the photo. Returns its time, in milliseconds since 1970; the same again for a pending
    /// one. Durable when this returns.
    func add(_ photo: PhotoID, by guest: AuthorID) async throws -> UInt64 {
        let (now, wallNow) = (ContinuousClock.now, Milliseconds.now)
        if let removal = pending.removal(of: photo), removal.guest == guest {
            return wallNow + UInt64(max(0, (removal.dueAt - now) / .milliseconds(1)))
        }
        guard pending.count(of: guest) < limits.countByGuestMax else {
            throw Refusal.tooFast(seconds: Int(limits.delay.components.seconds) + 1)
        }
        guard !pending.isFull else {
            throw Refusal.unavailable(reason: "too many photos are being deleted at once")
        }
        let dueAt = wallNow + UInt64(limits.delay / .milliseconds(1))
        let bytes = [UInt8](try JSONEncoder().encode(Record(guest: guest.description, dueAt: dueAt)))
        try await offTheLoops { [folder] in try DurableFile.write(bytes, to: photo.description, in: folder) }
        pending.add(PendingRemovals.Removal(photo: photo, guest: guest, dueAt: now + limits.delay))
        return dueAt
    }

    /// Keeps the photo. Returns false if it is too late. Durable when this returns.
    func keep(_ photo: PhotoID, by guest: AuthorID) async throws -> Bool {
        guard pending.keep(photo, by: guest) else { return false }
        try await offTheLoops { [folder] in try DurableFile.remove(photo.description, in: folder) }
        return true
    }

    /// Signs all pending removals now: the node stops.
    func signAll() async { await sign(pending.takeAll()) }

    private func sign(_ removals: [PendingRemovals.Removal]) async {
        for removal in removals { signing[removal.photo] = removal.guest }
        for removal in removals {
            defer { signing[removal.photo] = nil }
            do {
                try await gallery.remove(removal.photo, by: removal.guest)
            } catch Refusal.unknownPhoto, Refusal.alreadyRemoved, Refusal.notYours {
                // Deleted already, or not the guest's: nothing to do in either case.
            } catch {
                logger.debug("removal not signed", metadata: ["photo": "\(removal.photo.short)", "reason": "\(error)"])
                pending.add(
                    PendingRemovals.Removal(
                        photo: removal.photo, guest: removal.guest, dueAt: .now + limits.delay))
                continue
            }
            try? await offTheLoops { [folder] in try DurableFile.remove(removal.photo.description, in: folder) }
        }
    }
}
