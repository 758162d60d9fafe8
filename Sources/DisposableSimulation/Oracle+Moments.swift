// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel

/// The moments, and the photos that belong to them.
extension Oracle {
    /// The moments that take place, by the days of the event.
    package var moments: [UInt32: UInt64] {
        guard let charter, let hours = charter.schedule.moments, charter.isOpened,
            let salt = firstCharter?.body?.prefix(16)
        else { return [:] }
        var over = charter.schedule.startsAtMilliseconds + UInt64(charter.schedule.durationHours) * 3_600_000
        let end = over
        if charter.isClosed, let closed = charter.closedAtMilliseconds { over = min(over, closed) }
        var moments: [UInt32: UInt64] = [:]
        for day in 1...UInt32(30) {
            let from = charter.schedule.startsAtMilliseconds + UInt64(day - 1) * 86_400_000
            let to = min(from + 86_400_000, end)
            guard from < to else { break }
            // Each time at which a moment may begin: a whole minute, with five minutes left of the day and the event.
            let times = stride(from: from / 60_000 * 60_000, to: to, by: 60_000).filter { time in
                let local = (Int(time / 60_000) + 1_440 + Int(hours.utcOffset)) % 1_440
                let (first, last) = (Int(hours.from), Int(hours.to) - 1)
                let isWithin = first <= last ? first <= local && local <= last : !(last < local && local < first)
                return time >= from && time + 300_000 <= to && isWithin
            }
            guard !times.isEmpty else { continue }
            var link = SecretBytes(copying: Array(salt).span, in: .ordinary)
            for step in 0...(30 - day) {
                let context = step == 0 ? "disposable/1 moment key" : "disposable/1 moment link"
                link = KeyDerivation.key(from: link, context: context, input: EventID(key: eventKey.verifyingKey).bytes)
            }
            let number = link.withSpan { span in (0..<8).reduce(UInt64(0)) { $0 * 256 + UInt64(span[$1]) } }
            let time = times[Int(number % UInt64(times.count))]
            if time < over { moments[day] = time }
        }
        return moments
    }

    /// The moments of the photos that have one, late or not.
    package var momentsOfPhotos: [PhotoID: MomentVerdict] {
        let moments = moments
        guard !moments.isEmpty else { return [:] }
        var verdicts: [PhotoID: MomentVerdict] = [:]
        for id in statuses.keys {
            guard let photo = known[id.operationID] else { continue }
            let time = photoTime(of: photo)
            let begun = moments.filter { $0.value <= time && time < $0.value + 360_000 }
            guard let latest = begun.max(by: { $0.value < $1.value }) else { continue }
            verdicts[id] = MomentVerdict(day: latest.key, isLate: time >= latest.value + 300_000)
        }
        return verdicts
    }
}
