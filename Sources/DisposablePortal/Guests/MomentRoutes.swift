// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import HummingbirdCore

/// The moments: the one that runs, and those that are over (protocol/guest-api.md §9).
struct MomentRoutes: Sendable {
    func add(to group: RouterGroup) { group.get("api/moment", use: show) }

    @Sendable private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        try .json(MomentsMessage(await context.requireSession().gallery.moments()))
    }
}

/// The answer of `api/moment`, and the data of a change `moment`.
struct MomentsMessage: Encodable, Sendable {
    struct Hours: Encodable, Sendable {
        let from: UInt32
        let to: UInt32
        let utcOffset: Int32
    }
    struct Running: Encodable, Sendable {
        let day: UInt32
        let startsAt: UInt64
        let endsAt: UInt64
        /// For pages whose clocks differ from the node's.
        let remainingMilliseconds: UInt64
        let count: Int
    }
    struct Past: Encodable, Sendable {
        let day: UInt32
        let startsAt: UInt64
        let endsAt: UInt64
        let count: Int
        let lateCount: Int
        /// In hexadecimal.
        let link: OrNull<String>
    }
    /// Null if the event has no moments.
    let hours: OrNull<Hours>
    let commitment: OrNull<String>
    let isClockSet: Bool
    let running: OrNull<Running>
    let past: [Past]

    init(_ moments: MomentsNow?) {
        hours = OrNull(moments.map { Hours(from: $0.hours.from, to: $0.hours.to, utcOffset: $0.hours.utcOffset) })
        commitment = OrNull(moments?.commitment.description)
        isClockSet = moments?.isClockSet ?? true
        running = OrNull(
            moments.flatMap { moments in
                moments.running.map { entry in
                    let end = entry.moment.endsAtMilliseconds
                    return Running(
                        day: entry.moment.day, startsAt: entry.moment.startsAtMilliseconds, endsAt: end,
                        remainingMilliseconds: end - min(end, moments.milliseconds), count: entry.photoCount)
                }
            })
        past = (moments?.past ?? []).map { entry in
            Past(
                day: entry.moment.day, startsAt: entry.moment.startsAtMilliseconds,
                endsAt: entry.moment.endsAtMilliseconds, count: entry.photoCount, lateCount: entry.lateCount,
                link: OrNull(entry.link?.description))
        }
    }
}
