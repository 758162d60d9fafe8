// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// The times of the event, and the frames of each day.
extension Oracle {
    /// Returns the latest timestamp of the photo and of the operations that it is proven to follow.
    func photoTime(of photo: VerifiedOperation) -> UInt64 {
        var (latest, current) = (photo.header.timestamp.milliseconds, photo)
        while let before = known[current.header.previous], before.header.device == current.header.device,
            before.header.set == current.header.set, before.header.sequence + 1 == current.header.sequence
        {
            current = before
            latest = max(latest, before.header.timestamp.milliseconds)
        }
        return latest
    }

    /// Whether the photo was added while the event took photos.
    func isWithin(_ photo: VerifiedOperation) -> Bool {
        guard let charter, let lateness = charter.schedule.lateness else { return true }
        let (time, tolerance) = (photoTime(of: photo), 600_000 as UInt64)
        var end = charter.schedule.startsAtMilliseconds + UInt64(charter.schedule.durationHours) * 3_600_000
        if charter.isClosed, let closed = charter.closedAtMilliseconds { end = min(end, closed) }
        return charter.isOpened && charter.schedule.startsAtMilliseconds <= time + tolerance
            && time <= end + UInt64(lateness.minutes) * 60_000 + tolerance
    }

    /// Returns the charter's frames for the photo, `nil` without a charter.
    func quota(on photo: VerifiedOperation) -> UInt64? {
        guard let charter else { return nil }
        guard charter.areFramesDaily else { return UInt64(charter.frames) }
        let (day, time) = (86_400_000 as UInt64, photoTime(of: photo))
        let beginnings = stride(from: UInt64(0), to: UInt64(charter.schedule.durationHours) * 3_600_000, by: Int(day))
        let begun = beginnings.filter { charter.schedule.startsAtMilliseconds + $0 <= time }.count
        return UInt64(charter.frames) * UInt64(max(begun, 1))
    }
}
