// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableSync

/// The moments of the event, as this node may tell them to guests now.
extension EventNode {
    /// `nil` if the event has no moments.
    public var momentsNow: MomentsNow? {
        guard let moments = replica.state.moments else { return nil }
        let (time, isClockSet) = (now.wallClockMilliseconds, isClockSet)
        let photos = momentPhotos()
        func entry(_ moment: Moment, isOver: Bool) -> MomentsNow.Entry {
            let group = photos[moment.day]
            return MomentsNow.Entry(
                moment: moment, link: isOver ? moments.keys.link(of: moment.day) : nil,
                photoCount: group?.photos.count ?? 0, lateCount: group?.lateCount ?? 0)
        }
        return MomentsNow(
            hours: moments.hours, commitment: moments.keys.commitment, isClockSet: isClockSet,
            running: isClockSet ? moments.running(at: time).map { entry($0, isOver: false) } : nil,
            past: isClockSet ? moments.past(at: time).map { entry($0, isOver: true) } : [], milliseconds: time)
    }

    /// The same for the person at this machine.
    var momentInfo: MomentInfo? {
        momentsNow.map { now in
            MomentInfo(
                commitment: now.commitment.description, isClockSet: now.isClockSet,
                running: now.running.map(MomentInfo.Entry.init), past: now.past.map(MomentInfo.Entry.init))
        }
    }

    private var isClockSet: Bool {
        Moments.isClockSet(
            now.wallClockMilliseconds, foundedAt: replica.state.foundedAtMilliseconds,
            corroborated: replica.corroboratedTime)
    }

    /// Returns the photos that are shown to all by their moment, oldest first; cached until a change.
    func momentPhotos() -> [UInt32: MomentGroup] {
        if let kept = reading.moments { return kept }
        let state = replica.state
        var groups: [UInt32: MomentGroup] = [:]
        for photo in visiblePhotos() {
            guard let verdict = state.moment(of: photo.id) else { continue }
            groups[verdict.day, default: MomentGroup()].photos.append(photo)
            if verdict.isLate { groups[verdict.day]!.lateCount += 1 }  // set above
        }
        reading.moments = groups
        return groups
    }
}

extension MomentInfo.Entry {
    fileprivate init(_ entry: MomentsNow.Entry) {
        self.init(
            day: entry.moment.day, startsAt: entry.moment.startsAtMilliseconds,
            endsAt: entry.moment.endsAtMilliseconds, photoCount: entry.photoCount, lateCount: entry.lateCount,
            link: entry.link?.description)
    }
}
