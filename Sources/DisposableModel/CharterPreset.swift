// SPDX-License-Identifier: Apache-2.0

/// Suitable defaults for a kind of event: a start for a charter, in which everything can be changed.
public enum CharterPreset: String, CaseIterable, Sendable {
    case wedding, birthday, camp, festival, baptism, christmas, trip

    public func charter(name: String, startsAtMilliseconds: UInt64) -> Charter {
        let (hours, frames, reveal): (UInt32, UInt32, RevealRule) =
            switch self {
            case .wedding: (36, 27, .atEnd)
            case .birthday: (12, 27, .now)
            case .camp: (168, 36, .atEnd)
            case .festival: (72, 24, .now)
            case .baptism: (12, 24, .now)
            case .christmas: (24, 27, .atEnd)
            case .trip: (72, 36, .now)
            }
        var charter = Charter(
            name: name, startsAtMilliseconds: startsAtMilliseconds, durationHours: hours, frames: frames,
            isListed: self == .festival)
        charter.reveal = reveal
        charter.presentation.category = rawValue
        return charter
    }
}
