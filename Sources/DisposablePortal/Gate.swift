// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import Synchronization

/// The rate limits by address and by guest, and the commands in progress (protocol/guest-api.md §7).
final class Gate: Sendable {
    private struct State {
        var sessions: TokenBuckets<String>
        var wrongCodes: SharedRate
        var newGuests: SharedRate
        var earlyPreviews: TokenBuckets<AuthorID>
        var remarks: TokenBuckets<AuthorID>
        var records: TokenBuckets<AuthorID>
        var archives: TokenBuckets<Bytes32>
        var addressArchives: TokenBuckets<String>
        var giftLists: TokenBuckets<AuthorID>
        var handovers: TokenBuckets<AuthorID>
        var tiles: TokenBuckets<String>
        /// Commands in progress.
        var statementsByGuest: [AuthorID: Int] = [:]
        var statementsByAddress: [String: Int] = [:]
    }

    private let limits: PortalLimits.Rates
    private let state: Mutex<State>

    init(_ limits: PortalLimits.Rates) {
        self.limits = limits
        let count = limits.addressCountMax
        state = Mutex(
            State(
                sessions: TokenBuckets(limits.sessions, keyCountMax: count),
                wrongCodes: SharedRate(limits.wrongCodes, addressCountMax: count),
                newGuests: SharedRate(limits.newGuests, addressCountMax: count),
                earlyPreviews: TokenBuckets(limits.earlyPreviews, keyCountMax: count),
                remarks: TokenBuckets(limits.remarks, keyCountMax: count, initialCount: limits.newGuestRemarkCount),
                records: TokenBuckets(limits.records, keyCountMax: count),
                archives: TokenBuckets(limits.archives, keyCountMax: count),
                addressArchives: TokenBuckets(limits.addressArchives, keyCountMax: count),
                giftLists: TokenBuckets(limits.giftLists, keyCountMax: count),
                handovers: TokenBuckets(limits.handovers, keyCountMax: count),
                tiles: TokenBuckets(limits.tiles, keyCountMax: count)))
    }

    // Rates, by the address under which a connection counts

    func admitSession(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.sessions.take(for: address, at: .now) })
    }

    func admitTile(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.tiles.take(for: address, at: .now) })
    }

    func admitNewGuest(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.newGuests.take(for: address, at: .now) })
    }

    /// Called before a code is compared, so that a right code reveals nothing while its address has to wait. Limits
    /// codes of 40 bits only. Links and desk keys are too long to guess, so they are not limited.
    func admitCode(from address: String) throws(PortalError) {
        guard let wait = state.withLock({ $0.wrongCodes.wait(for: address, at: .now) }) else { return }
        throw PortalError(
            .tooManyRequests, "too-many-codes", "too many wrong codes were entered",
            hint: "Wait a little, then type the code again; or scan it, which works at once.",
            retryAfter: wait.retrySeconds)
    }

    func noteWrongCode(from address: String) {
        state.withLock { state in _ = state.wrongCodes.take(for: address, at: .now) }
    }

    private func refuse(after wait: Duration?) throws(PortalError) {
        guard let wait else { return }
        throw .tooManyRequests(after: wait)
    }

    // Commands

    /// - Parameter count: the number of operations.
    func admitRemark(by guest: AuthorID, count: Int = 1) throws(PortalError) {
        guard let wait = state.withLock({ $0.remarks.take(Double(count), for: guest, at: .now) }) else { return }
        throw PortalError(Refusal.tooFast(seconds: wait.retrySeconds))
    }

    /// Called before everything about a guest is collected.
    func admitRecord(of guest: AuthorID) throws(PortalError) {
        guard let wait = state.withLock({ $0.records.take(for: guest, at: .now) }) else { return }
        throw PortalError(
            .tooManyRequests, "too-many-downloads", "everything about this guest was saved several times just now",
            retryAfter: wait.retrySeconds)
    }

    /// Called before the form of an archive is read: each of its photos is looked up, also for an archive that is
    /// refused then.
    func admitArchive(for owner: Bytes32, from address: String) throws(PortalError) {
        let wait = state.withLock { state in
            state.archives.take(for: owner, at: .now) ?? state.addressArchives.take(for: address, at: .now)
        }
        guard let wait else { return }
        throw PortalError(
            .tooManyRequests, "too-many-downloads", "many archives were asked for just now",
            retryAfter: wait.retrySeconds)
    }

    /// Called before gifts and the possible recipients are listed.
    func admitGiftList(of guest: AuthorID) throws(PortalError) {
        guard let wait = state.withLock({ $0.giftLists.take(for: guest, at: .now) }) else { return }
        throw PortalError(Refusal.tooFast(seconds: wait.retrySeconds))
    }

    /// Called before a guest gets a one-time code.
    func admitHandover(of guest: AuthorID) throws(PortalError) {
        guard let wait = state.withLock({ $0.handovers.take(for: guest, at: .now) }) else { return }
        throw PortalError(Refusal.tooFast(seconds: wait.retrySeconds))
    }

    /// - Parameters:
    ///   - address: under which the command counts as well.
    ///   - count: the number of operations. One command of an address is accepted however many it has.
    func beginStatement(of guest: AuthorID, from address: String? = nil, count: Int = 1) throws(PortalError) {
        try state.withLock { state throws(PortalError) in
            let byGuest = state.statementsByGuest[guest] ?? 0
            let byAddress = address.flatMap { state.statementsByAddress[$0] } ?? 0
            guard byGuest < limits.statementCountByGuest,
                byAddress == 0 || byAddress + count <= limits.statementCountByAddress
            else {
                throw PortalError(Refusal.tooFast(seconds: 1))
            }
            state.statementsByGuest[guest] = byGuest + 1
            if let address { state.statementsByAddress[address] = byAddress + count }
        }
    }

    func endStatement(of guest: AuthorID, from address: String? = nil, count: Int = 1) {
        state.withLock { state in
            state.statementsByGuest[guest] = state.statementsByGuest[guest].flatMap { $0 > 1 ? $0 - 1 : nil }
            guard let address else { return }
            state.statementsByAddress[address] = state.statementsByAddress[address].flatMap {
                $0 > count ? $0 - count : nil
            }
        }
    }

    /// Called before a preview of an unfinished upload is decoded.
    func admitEarlyPreview(by guest: AuthorID) throws(PortalError) {
        guard let wait = state.withLock({ $0.earlyPreviews.take(for: guest, at: .now) }) else { return }
        throw PortalError(Refusal.tooFast(seconds: wait.retrySeconds))
    }
}
