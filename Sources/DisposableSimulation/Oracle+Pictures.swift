// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rules of the cover, the plan and the spots once more.
extension Oracle {
    /// Returns the photo that has the role and is shown.
    package func picture(_ role: PictureRole) -> PhotoID? {
        let (on, off) = (UInt64(role.rawValue), UInt64(role.rawValue) + Spot.takenOff)
        let stated = operations.filter {
            $0.kind == .picture && [on, off].contains($0.header.argument) && rank(ofAct: $0) >= .organizer
                && isWithdrawn($0) == nil
        }
        guard let last = latest(stated), last.header.argument == on,
            case .frame? = statuses[PhotoID(last.header.subject)]
        else { return nil }
        return PhotoID(last.header.subject)
    }

    /// The photos in the gallery, in the order of their ids.
    package var gallery: [PhotoID] {
        let plan = picture(.plan)
        return statuses.keys.filter { photo in
            if case .frame? = statuses[photo] { photo != plan } else { false }
        }.sorted()
    }

    /// The places of photos on the plan, whatever the status of the photos.
    package var spots: [PhotoID: Spot] {
        guard let plan = picture(.plan) else { return [:] }
        var spots: [PhotoID: Spot] = [:]
        for photo in operations where photo.kind == .photo && counts(photo) {
            let stated = operations.filter {
                $0.kind == .spot && $0.header.subject == photo.id && author(of: $0) == author(of: photo) && counts($0)
                    && isWithdrawn($0) == nil
            }
            guard let argument = latest(stated)?.header.argument, argument & Spot.takenOff == 0 else { continue }
            let (x, y) = (argument >> 16 & 0xFFFF, argument & 0xFFFF)
            let spot = Spot(x: UInt16(x), y: UInt16(y))
            // A spot on another plan has another argument.
            if spot.argument(on: plan) == argument { spots[PhotoID(photo.id)] = spot }
        }
        return spots
    }

    /// of each device the last of its chain, of those the one with the latest timestamp.
    func latest(_ stated: [VerifiedOperation]) -> VerifiedOperation? {
        let ends = stated.filter { one in
            !stated.contains { other in
                other.header.device == one.header.device
                    && (other.header.sequence > one.header.sequence
                        || other.header.sequence == one.header.sequence && other.id < one.id)
            }
        }
        return ends.min {
            $0.header.timestamp != $1.header.timestamp
                ? $0.header.timestamp > $1.header.timestamp : $0.id < $1.id
        }
    }
}
