// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
internal import DisposableWeb
internal import HTTPTypes

/// The space of an event's unfinished uploads: the received bytes, and a window ahead of them.
///
/// A new upload reserves a window, for any announced length. If space is short, idle uploads are dropped, the empty
/// ones first and then the one with the longest idle time: of the guest that exceeds its limit, of the address that
/// does, or of all. Pure: time is an argument.
package struct UploadLedger: Sendable {
    /// The owner of the exceeded limit.
    package enum Shortage: Error, Equatable, Sendable {
        case guest
        case address
        case event
    }

    private struct Claim {
        /// The guest, or the session if the guest is not known.
        var owner: Bytes32
        var address: String
        /// On disk, or about to be.
        var byteCount: UInt64
        var isEmpty = true
        var movedAt: ContinuousClock.Instant
        /// Whether a request holds the upload; such an upload stays.
        var isHeld: Bool
    }

    private let limits: UploadLimits.Unfinished
    private var claims: [UploadName: Claim] = [:]

    package init(_ limits: UploadLimits.Unfinished) { self.limits = limits }

    /// The number of unfinished uploads.
    package var count: Int { claims.count }
    /// The sum of all reservations, in bytes.
    package var byteCount: UInt64 { claims.values.reduce(0) { $0 + $1.byteCount } }

    /// Adds an upload that was on disk at the start; its guest and address are unknown before its session is used.
    package mutating func restore(_ name: UploadName, byteCount: UInt64, movedAt: ContinuousClock.Instant) {
        claims[name] = Claim(
            owner: name.session, address: "", byteCount: byteCount, isEmpty: false, movedAt: movedAt, isHeld: false)
    }

    /// Reserves space for a new upload, held by the creating request. Returns the uploads to drop.
    package mutating func add(
        _ name: UploadName, of owner: Bytes32, at address: String, byteCount: UInt64, now: ContinuousClock.Instant
    ) throws(Shortage) -> [UploadName] {
        let claim = Claim(owner: owner, address: address, byteCount: byteCount, movedAt: now, isHeld: true)
        let leaving = try victims(for: claim, named: name, now: now)
        for name in leaving { claims[name] = nil }
        claims[name] = claim
        return leaving
    }

    /// Extends the reservation of an upload as bytes arrive. Returns the uploads to drop.
    package mutating func grow(
        _ name: UploadName, to byteCount: UInt64, now: ContinuousClock.Instant
    ) throws(Shortage) -> [UploadName] {
        guard var claim = claims[name], byteCount > claim.byteCount else { return [] }
        claim.byteCount = byteCount
        let leaving = try victims(for: claim, named: name, now: now)
        for name in leaving { claims[name] = nil }
        claims[name] = claim
        return leaving
    }

    /// Drops idle uploads, the idlest first, until this many bytes of the disk are free again or none is left.
    package mutating func giveUp(byteCount: UInt64, now: ContinuousClock.Instant) -> [UploadName] {
        let idle = claims.filter { isIdle($0.value, at: now) && !$0.value.isEmpty }
        var (leaving, freed) = ([UploadName](), UInt64(0))
        for (name, claim) in idle.sorted(by: { $0.value.movedAt < $1.value.movedAt }) where freed < byteCount {
            leaving.append(name)
            freed += claim.byteCount
            claims[name] = nil
        }
        return leaving
    }

    private func isIdle(_ claim: Claim, at now: ContinuousClock.Instant) -> Bool {
        !claim.isHeld && now - claim.movedAt >= limits.idleTimeBeforeEviction
    }

    /// Records that a request of the owner holds the upload.
    package mutating func hold(_ name: UploadName, for owner: Bytes32, at address: String) {
        claims[name]?.isHeld = true
        claims[name]?.owner = owner
        claims[name]?.address = address
    }

    /// Returns the address under which an upload counts, and its reservation; `nil` for an upload without one.
    package func claim(of name: UploadName) -> (address: String, byteCount: UInt64)? {
        claims[name].map { ($0.address, $0.byteCount) }
    }

    /// Records that the request has released the upload.
    /// - Parameters:
    ///   - byteCount: the upload's reservation now; `nil` if it is unknown, and stays.
    ///   - hasMoved: whether the request has brought bytes.
    package mutating func release(
        _ name: UploadName, byteCount: UInt64?, hasMoved: Bool, now: ContinuousClock.Instant
    ) {
        guard var claim = claims[name] else { return }
        claim.isHeld = false
        claim.byteCount = byteCount ?? claim.byteCount
        if hasMoved { (claim.isEmpty, claim.movedAt) = (false, now) }
        claims[name] = claim
    }

    /// Releases the space of a removed file; the reservation itself stays.
    package mutating func empty(_ name: UploadName) { claims[name]?.byteCount = 0 }

    package mutating func remove(_ name: UploadName) { claims[name] = nil }

    private func victims(
        for claim: Claim, named own: UploadName, now: ContinuousClock.Instant
    ) throws(Shortage) -> [UploadName] {
        let scopes: [(Shortage, (countMax: Int, byteCountMax: UInt64), (Claim) -> Bool)] = [
            (.guest, (limits.countByGuest, limits.bytesByGuest), { $0.owner == claim.owner }),
            (.address, (limits.countByAddress, limits.bytesByAddress), { $0.address == claim.address }),
            (.event, (limits.countInEvent, limits.bytesInEvent), { _ in true }),
        ]
        var leaving: Set<UploadName> = []
        for (shortage, limit, isInScope) in scopes {
            let others = claims.filter { $0.key != own && !leaving.contains($0.key) && isInScope($0.value) }
            var (count, byteCount) = (others.count + 1, others.values.reduce(claim.byteCount) { $0 + $1.byteCount })
            func isShort() -> Bool { count > limit.countMax || byteCount > limit.byteCountMax }
            guard isShort() else { continue }
            let idle = others.filter { isIdle($0.value, at: now) }
                .sorted { left, right in
                    let (left, right) = (left.value, right.value)
                    return left.isEmpty == right.isEmpty ? left.movedAt < right.movedAt : left.isEmpty
                }
            for (name, claim) in idle where isShort() {
                leaving.insert(name)
                count -= 1
                byteCount -= claim.byteCount
            }
            if isShort() { throw shortage }
        }
        return Array(leaving)
    }
}

extension PortalError {
    /// Makes the error for an upload without space. None of these is about the disk, which has its own message (`noRoom`).
    init(_ shortage: UploadLedger.Shortage) {
        switch shortage {
        case .guest:
            self = .tooMany("limit of unfinished uploads of this guest reached; finish or delete some first")
        case .address:
            self = .tooMany("limit of unfinished uploads from this network address reached", retryAfter: 30)
        case .event:
            self.init(
                .serviceUnavailable, "uploads-full", "this photo box has reached its limit of unfinished uploads",
                hint: "Your photos are still on your phone. Keep this page open: they are sent again in a minute.",
                retryAfter: 30)
        }
    }
}
