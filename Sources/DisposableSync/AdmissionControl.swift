// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Which devices this node admits, and at which rate: a rate instead of a total, so that nobody can use it up.
///
/// A device from a source of its own is admitted at once, whatever others do: each source (`PeerSource`) has its own
/// number of admissions an hour, and only the excess uses the shared rate. Nothing is kept over a restart, which is the
/// owner's act.
struct AdmissionControl {
    /// Devices that are not admitted at all at present.
    var bans = BanList()
    /// In milliseconds of the shared rate, since it is slower than one a second.
    private var nodes = Self.allowance(burst: Limits.nodeAdmissionsBurstMax)
    /// The same for devices that become sponsor trees of their own while veils are on.
    private var trees = Self.allowance(burst: Limits.treeAdmissionsBurstMax)
    private var guests = Allowance(
        perSecond: Limits.guestAdmissionsPerSecond, burst: Limits.guestAdmissionsBurstMax, at: 0)
    /// Devices that were offered an admission: repeating one is free. The latest are kept.
    private var offered: OrderedSet<DeviceID> = []
    /// The sources of the last hour, oldest first.
    private var sources: OrderedDictionary<PeerSource, (count: Int, since: UInt64)> = [:]

    private static let hour: UInt64 = 3_600_000

    private static func allowance(burst: Int) -> Allowance {
        Allowance(perSecond: 1_000, burst: burst * Limits.nodeAdmissionMilliseconds, at: 0)
    }

    /// Whether `device`, which connects from `host`, is offered an admission now; otherwise the milliseconds until the
    /// next one.
    /// - Parameter isTreeWithVeils: whether it becomes a sponsor tree of its own with veils of its own (§9.20).
    mutating func admit(_ device: DeviceID, from host: String, isTreeWithVeils: Bool, at now: UInt64) -> UInt64? {
        guard !offered.contains(device) else { return nil }
        if !spendOwn(of: PeerSource(host), at: now) {
            let levelAt = max(nodes.levelAt ?? 0, isTreeWithVeils ? trees.levelAt ?? 0 : 0)
            if levelAt > now { return levelAt - now }
            nodes.spend(Limits.nodeAdmissionMilliseconds, at: now)
            if isTreeWithVeils { trees.spend(Limits.nodeAdmissionMilliseconds, at: now) }
        }
        if offered.count >= Limits.admissionSourcesMax { offered.removeFirst() }
        offered.append(device)
        return nil
    }

    /// Returns the same for a guest that is new here.
    mutating func admitGuest(at now: UInt64) -> UInt64? {
        if let levelAt = guests.levelAt, levelAt > now { return levelAt - now }
        guests.spend(1, at: now)
        return nil
    }

    private mutating func spendOwn(of source: PeerSource, at now: UInt64) -> Bool {
        let source = sources[source] == nil ? source.merged(beside: sources.keys) : source
        if let entry = sources[source], now < entry.since + Self.hour {
            guard entry.count < Limits.admissionsPerSourceMax else { return false }
            sources[source]?.count += 1
            return true
        }
        sources.removeValue(forKey: source)
        if sources.count >= Limits.admissionSourcesMax { sources.removeFirst() }
        sources[source] = (1, now)
        return true
    }
}
