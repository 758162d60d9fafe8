// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableValues
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes

/// The sessions of browsers that have shown the event's token or code, each in a file named by the hash of its session:
/// they survive a restart of the node (protocol/guest-api.md §2).
///
/// The sessions themselves, 32 random bytes each, are not stored; challenges are in memory only.
actor SessionStore {
    static let secretByteCount = 32

    struct Opened: Sendable {
        /// The session as base64url, for the cookie.
        let text: String
        let session: GuestSession
        /// Sessions that were ended to make room.
        let replaced: [Bytes32]
    }

    private struct Record: Codable, Equatable {
        var guest: String?
        /// The guest's signature, until its sub-key has joined the event.
        var delegation: String?
        /// Milliseconds since 1970 UTC.
        var expiresAt: UInt64
        /// Absent in records of earlier versions, and for the guests' link and code.
        var opening: SessionOpening?
    }

    private struct Entry {
        var record: Record
        var guest: AuthorID?
        var delegation: Delegation?
        /// The address from which the session was opened; empty for one from before the start.
        var address = ""
        var challenge = [UInt8].random(count: 32)
        /// A counter over the uses of all sessions, to order them by their last use.
        var lastUse: UInt64 = 0
        /// In milliseconds since 1970; 0 for one that was there when the node started.
        var openedAt: UInt64 = 0
        var newGuestCount = 0

        /// Whether the session was never used for anything that would be lost.
        var isIdle: Bool { guest == nil || delegation != nil }

        init(_ record: Record, address: String = "", lastUse: UInt64 = 0) {
            self.record = record
            self.address = address
            self.lastUse = lastUse
            take(record)
        }

        mutating func take(_ record: Record) {
            self.record = record
            guest = record.guest.flatMap { AuthorID(hex: $0) }
            delegation = nil
            if let guest, let signature = record.delegation.flatMap({ [UInt8](hex: $0) }).flatMap({ Signature($0) }) {
                delegation = Delegation(guest: guest, signature: signature)
            }
        }
    }

    private let gallery: any Gallery
    private let folder: String
    private let limits: PortalLimits.Sessions
    private var entries: [Bytes32: Entry]
    private var useCount: UInt64 = 0

    /// Reads the stored sessions, and drops expired and malformed ones.
    init(of gallery: any Gallery, limits: PortalLimits.Sessions) async throws {
        self.gallery = gallery
        self.limits = limits
        let folder = gallery.folderPath + "/sessions"
        self.folder = folder
        let now = Milliseconds.now
        let parent = gallery.folderPath
        entries = try await offTheLoops {
            try Disk.makeFolder(folder, in: parent)
            var entries: [Bytes32: Entry] = [:]
            for name in try Disk.files(in: folder).map(\.name) {
                // On a failing disk one session is lost, which is better than an event that fails to open.
                guard let bytes = try? DurableFile.read(name, in: folder, byteCountMax: 4096) else { continue }
                guard let id = Bytes32(hex: name), entries.count < limits.countMax,
                    let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)), record.expiresAt > now
                else {
                    try Disk.remove("\(folder)/\(name)")
                    continue
                }
                entries[id] = Entry(record)
            }
            return entries
        }
    }

    var count: Int { entries.count }

    /// Opens a session; durable when this returns.
    /// - Parameters:
    ///   - address: under which the session counts, if room has to be made.
    ///   - opening: `nil` for the guests' link and code.
    func open(from address: String, expiresAt: UInt64, opening: SessionOpening? = nil) async throws -> Opened {
        var secret = [UInt8].random(count: Self.secretByteCount)
        let text = Base64URL.text(secret)
        let (id, storageKey) = names(of: &secret)
        let record = Record(expiresAt: expiresAt, opening: opening)
        let replaced = try await makeRoom()
        try await write(record, id)
        useCount += 1
        entries[id] = Entry(record, address: address, lastUse: useCount)
        entries[id]?.openedAt = Milliseconds.now
        return Opened(
            text: text,
            session: GuestSession(
                gallery: gallery, id: id, storageKey: storageKey, guest: nil, opening: opening ?? SessionOpening()),
            replaced: replaced)
    }

    /// Returns the session of this text; `nil` if there is none or it has expired.
    func session(_ text: some StringProtocol) -> GuestSession? {
        guard var secret = Base64URL.bytes(text, count: Self.secretByteCount) else { return nil }
        let (id, storageKey) = names(of: &secret)
        guard let entry = entries[id], entry.record.expiresAt > Milliseconds.now else { return nil }
        useCount += 1
        entries[id]?.lastUse = useCount
        return GuestSession(
            gallery: gallery, id: id, storageKey: storageKey, guest: entry.guest, delegation: entry.delegation,
            opening: entry.record.opening ?? SessionOpening())
    }

    /// Returns the guest of a stream that began earlier: `.some(nil)` has not entered, `nil` means that the session has
    /// ended.
    func viewer(of id: Bytes32) -> AuthorID?? {
        guard let entry = entries[id], entry.record.expiresAt > Milliseconds.now,
            entry.record.opening?.isEnded != true
        else { return nil }
        useCount += 1
        entries[id]?.lastUse = useCount
        return .some(entry.guest)
    }

    /// Whether the session has not ended; it counts as a use.
    func isOpen(_ id: Bytes32) -> Bool { viewer(of: id) != nil }

    func challenge(of id: Bytes32) -> [UInt8]? { entries[id]?.challenge }

    /// Returns the challenge, which then becomes invalid: each is used once.
    func takeChallenge(of id: Bytes32) -> [UInt8]? {
        let challenge = entries[id]?.challenge
        entries[id]?.challenge = [UInt8].random(count: 32)
        return challenge
    }

    /// Counts a guest that is new to the event. Throws 401 if the session has ended, 429 if it has brought too many.
    func admitNewGuest(to id: Bytes32) throws(PortalError) {
        guard let entry = entries[id] else { throw .noSession }
        guard entry.newGuestCount < limits.newGuestCountMax else {
            throw PortalError(
                .tooManyRequests, "too-many-guests", "too many guests entered with this browser",
                hint: "Open the event's link in another browser.", retryAfter: 3600)
        }
        entries[id]?.newGuestCount += 1
    }

    /// Stores the guest of this session; durable when this returns. Returns the guest's oldest sessions beyond the
    /// limit, which have ended for it.
    /// - Parameter delegation: with which the guest's sub-key joins the event later; `nil` if it is a member.
    func setGuest(_ guest: AuthorID, of id: Bytes32, delegation: Delegation?) async throws -> [Bytes32] {
        try await change(id) { record in
            record.guest = guest.description
            record.delegation = delegation.map(\.signature.bytes.hex)
        }
        let others = entries.filter { $0.value.guest == guest && $0.key != id }.sorted {
            $0.value.lastUse < $1.value.lastUse
        }
        let replaced = others.prefix(max(0, others.count + 1 - limits.countByGuestMax)).map(\.key)
        for id in replaced { try await end(id) }
        return replaced
    }

    /// Records that the guest's sub-key has joined the event; durable when this returns.
    func noteJoined(_ id: Bytes32) async throws {
        guard let guest = entries[id]?.guest else { return }
        for (id, entry) in entries where entry.guest == guest && entry.delegation != nil {
            do {
                try await change(id) { $0.delegation = nil }
            } catch let error as PortalError where [.noSession, .sessionEnded].contains(error) {
                // It has ended meanwhile; the others go on.
            }
        }
    }

    /// Returns the sessions of the guest.
    func all(of guest: AuthorID) -> [Bytes32] { entries.filter { $0.value.guest == guest }.map(\.key) }

    /// Extends the session if the event was prolonged.
    func extend(_ id: Bytes32, to expiresAt: UInt64) async throws -> Bool {
        guard let record = entries[id]?.record, record.expiresAt < expiresAt else { return false }
        try await change(id) { $0.expiresAt = max($0.expiresAt, expiresAt) }
        return true
    }

    func end(_ id: Bytes32) async throws {
        entries[id] = nil
        try await settle(id)
    }

    /// Returns the guest's sessions that its one-time codes have opened, the latest first.
    /// - Parameter session: is left out.
    func handedOver(of guest: AuthorID, except session: Bytes32) -> [(id: Bytes32, openedAt: UInt64)] {
        entries.filter { id, entry in
            entry.guest == guest && id != session && entry.record.opening?.key == .handover
        }.map { id, entry in (id: id, openedAt: entry.record.opening?.openedAt ?? 0) }
            .sorted { ($1.openedAt, $0.id) < ($0.openedAt, $1.id) }
    }

    /// Ends a session that a one-time code has opened. The record stays without its guest, so that the browser of the
    /// session learns why it has ended. Durable when this returns.
    func endHandedOver(_ id: Bytes32) async throws {
        guard var record = entries[id]?.record, record.opening?.key == .handover else { return }
        (record.guest, record.delegation) = (nil, nil)
        record.opening?.isEnded = true
        // Before it is durable: a write that is under way does not bring the session back.
        entries[id]?.take(record)
        try await settle(id)
    }

    /// Removes and returns expired sessions.
    func dropExpired() async throws -> [Bytes32] {
        let now = Milliseconds.now
        let expired = entries.filter { $0.value.record.expiresAt <= now }.map(\.key)
        for id in expired { try await end(id) }
        return expired
    }

    /// At the limit, ends a dispensable session: of the guest with the most sessions, if that is more than a person has
    /// devices; otherwise one that was unused in its first minutes, or any, of the address with the most of them. Of
    /// these the least recently used one.
    private func makeRoom() async throws -> [Bytes32] {
        guard entries.count >= limits.countMax else { return [] }
        let ofGuests = Dictionary(grouping: entries.filter { $0.value.guest != nil }, by: \.value.guest)
        let crowding = ofGuests.values.max { ($0.count, $1[0].key) < ($1.count, $0[0].key) }
        let now = Milliseconds.now
        let idle = entries.filter { $0.value.isIdle && $0.value.openedAt + limits.newMilliseconds <= now }
        let candidates: [(key: Bytes32, value: Entry)]
        if let crowding, crowding.count > limits.countByPersonMax {
            candidates = Array(crowding)
        } else {
            let groups = Dictionary(grouping: idle.isEmpty ? entries : idle, by: \.value.address)
            let largest = groups.values.max { ($0.count, $1[0].key) < ($1.count, $0[0].key) }.map(Array.init) ?? []
            let unused = largest.filter(\.value.isIdle)
            candidates = unused.isEmpty ? largest : unused
        }
        guard let oldest = candidates.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return [] }
        try await end(oldest)
        return [oldest]
    }

    /// Changes the record of a session; durable when this returns. Throws `noSession` or `sessionEnded` for one that
    /// has ended, also while its file was written: the end stays.
    private func change(_ id: Bytes32, _ body: (inout Record) -> Void) async throws {
        while true {
            guard let present = entries[id]?.record else { throw PortalError.noSession }
            if present.opening?.isEnded == true { throw PortalError.sessionEnded }
            var record = present
            body(&record)
            try await write(record, id)
            guard entries[id]?.record != present else {
                entries[id]?.take(record)
                return
            }
            // Another change, or the end, has come in between: this one is older.
            try await settle(id)
        }
    }

    /// Brings the file of a session in line with its record, or its end. Of several at once the last one to come back
    /// finds that nothing has changed since it began.
    private func settle(_ id: Bytes32) async throws {
        while true {
            let present = entries[id]?.record
            if let present {
                try await write(present, id)
            } else {
                let folder = folder
                try await offTheLoops { try DurableFile.remove(id.description, in: folder) }
            }
            if entries[id]?.record == present { return }
        }
    }

    private func write(_ record: Record, _ id: Bytes32) async throws {
        let bytes = [UInt8](try JSONEncoder().encode(record))
        let folder = folder
        try await offTheLoops { try DurableFile.write(bytes, to: id.description, in: folder) }
    }

    /// Both are derived from the event, too: a session of one event is invalid in another.
    private nonisolated func names(of secret: inout [UInt8]) -> (id: Bytes32, storageKey: SecretBytes) {
        let id = BLAKE2b.hash(Domain.portalSession, gallery.event.bytes, secret)
        let parent = SecretBytes(consuming: &secret, in: .ordinary)
        let key = KeyDerivation.key(from: parent, context: Domain.Key.portalStorage, input: gallery.event.bytes)
        return (id, key)
    }
}
