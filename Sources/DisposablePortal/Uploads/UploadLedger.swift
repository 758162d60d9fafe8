// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
internal import HTTPTypes

/// What the unfinished uploads of an event take of the node: the bytes that have come, and a window ahead of them.
///
/// An upload that has only been announced takes a window, whatever length it was announced with. Where room is short,
/// uploads on which nothing has moved for a while give way, the empty ones first and then the one that has been idle
/// longest: of the guest that wants room where the guest has too much, of the address where the address has, else of
/// all. Pure: time is an argument.
package struct UploadLedger: Sendable {
    /// Who has too much.
    package enum Shortage: Error, Equatable, Sendable {
        case guest
        case address
        case event
    }

    private struct Claim {
        /// The guest, or the session where the guest is not known.
        var owner: Bytes32
        var address: String
        /// On disk, or about to be.
        var byteCount: UInt64
        var isEmpty = true
        var movedAt: ContinuousClock.Instant
        /// Whether a request has the upload in hand; such an upload stays.
        var isHeld: Bool
    }

    private let limits: UploadLimits
    private var claims: [UploadName: Claim] = [:]

    package init(_ limits: UploadLimits) { self.limits = limits }

    /// The sum of all claims, in bytes.
    package var byteCount: UInt64 { claims.values.reduce(0) { $0 + $1.byteCount } }

    /// Notes an upload that was on disk at the start; its guest and address are not known before its
    /// session is used.
    package mutating func restore(_ name: UploadName, byteCount: UInt64, movedAt: ContinuousClock.Instant) {
        claims[name] = Claim(
            owner: name.session, address: "", byteCount: byteCount, isEmpty: false, movedAt: movedAt, isHeld: false)
    }

    /// Makes a claim for a new upload, held by the request that makes it. Returns the uploads that give way.
    package mutating func add(
        _ name: UploadName, of owner: Bytes32, at address: String, byteCount: UInt64, now: ContinuousClock.Instant
    ) throws(Shortage) -> [UploadName] {
        let claim = Claim(owner: owner, address: address, byteCount: byteCount, movedAt: now, isHeld: true)
        let leaving = try victims(for: claim, named: name, now: now)
        for name in leaving { claims[name] = nil }
        claims[name] = claim
        return leaving
    }

    /// Has the claim of an upload grow, as bytes come. Returns the uploads that give way.
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

    /// Gives up idle uploads, the idlest first, until so many bytes of the disk are free again or none is left.
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

    /// A request of the owner takes the upload in hand.
    package mutating func hold(_ name: UploadName, for owner: Bytes32, at address: String) {
        claims[name]?.isHeld = true
        claims[name]?.owner = owner
        claims[name]?.address = address
    }

    /// The address that an upload counts for, and what it claims; `nil` for one that has no claim.
    package func claim(of name: UploadName) -> (address: String, byteCount: UInt64)? {
        claims[name].map { ($0.address, $0.byteCount) }
    }

    /// The request has put it back.
    /// - Parameters:
    ///   - byteCount: what the upload claims now; `nil` where that is not known, and stays.
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

    /// What was claimed for a file that is gone is free again; the claim itself stays.
    package mutating func empty(_ name: UploadName) { claims[name]?.byteCount = 0 }

    package mutating func remove(_ name: UploadName) { claims[name] = nil }

    private func victims(
        for claim: Claim, named own: UploadName, now: ContinuousClock.Instant
    ) throws(Shortage) -> [UploadName] {
        let scopes: [(Shortage, (countMax: Int, byteCountMax: UInt64), (Claim) -> Bool)] = [
            (.guest, (limits.unfinishedByGuest, limits.bytesByGuest), { $0.owner == claim.owner }),
            (.address, (limits.unfinishedByAddress, limits.bytesByAddress), { $0.address == claim.address }),
            (.event, (limits.unfinishedInEvent, limits.bytesInEvent), { _ in true }),
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
    /// An upload that finds no room. None of these is about the disk, which has a message of its own (`noRoom`).
    init(_ shortage: UploadLedger.Shortage) {
        switch shortage {
        case .guest:
            self = .tooMany("this guest has as many unfinished uploads as one may have; finish or delete some first")
        case .address:
            self = .tooMany("there are too many unfinished uploads from this network address", retryAfter: 30)
        case .event:
            self.init(
                .serviceUnavailable, "uploads-full", "this photo box has as many unfinished uploads as it can take",
                hint: "Your photos are still on your phone. Keep this page open: they are sent again in a minute.",
                retryAfter: 30)
        }
    }
}
