// SPDX-License-Identifier: Apache-2.0

/// The event's cover and plan, and the spots of photos (protocol/disposable-v1.md §9.19).
///
/// 1. The latest picture operation of a role that was signed with an organizer's rank says which photo has the role, or
///    that none has.
/// 2. The latest spot operation of a photo's author says where on which plan the photo is, or that it is on none.
struct Pictures: Equatable, Sendable {
    private struct Picture: Equatable {
        let remark: Remarks.Remark
        /// `nil` takes off the picture.
        let photo: PhotoID?
    }
    private struct Placing: Equatable {
        let remark: Remarks.Remark
        let argument: UInt64
    }

    private var pictures: [PictureRole: [DeviceID: [OperationID: Picture]]] = [:]
    private var placings: [PhotoID: [DeviceID: [OperationID: Placing]]] = [:]

    mutating func note(_ operation: VerifiedOperation) {
        let remark = Remarks.Remark(operation)
        let (photo, argument) = (PhotoID(operation.header.subject), operation.header.argument)
        switch operation.kind {
        case .picture:
            guard argument < 2 * Spot.takenOff,
                let role = PictureRole(rawValue: UInt8(clamping: argument % Spot.takenOff))
            else { break }
            let picture = Picture(remark: remark, photo: argument < Spot.takenOff ? photo : nil)
            pictures[role, default: [:]][remark.device, default: [:]][remark.id] = picture
        case .spot:
            placings[photo, default: [:]][remark.device, default: [:]][remark.id] = Placing(
                remark: remark, argument: argument)
        default: break
        }
    }

    /// Returns the photo that was given the role last, whether it is shown or not.
    func chosen(_ role: PictureRole, _ base: AlbumBase) -> PhotoID? {
        guard let pictures = pictures[role] else { return nil }
        let counting = base.membership.everOrganizers.flatMap { device in
            (pictures[device] ?? [:]).values.filter {
                base.membership.rank(of: $0.remark.id, by: device) >= .organizer
                    && base.isUntouched($0.remark.id, by: device)
            }
        }
        return Remarks.latest(counting, \.remark)?.photo
    }

    /// Returns where on the plan the photo's author has put it; `nil` if nowhere.
    func spot(of photo: PhotoID, by author: AuthorID, on plan: PhotoID, _ base: AlbumBase) -> Spot? {
        guard let argument = latestPlacing(of: photo, by: author, base), argument & Spot.takenOff == 0,
            argument >> 33 == Spot.tag(of: plan)
        else { return nil }
        return Spot(x: UInt16(truncatingIfNeeded: argument >> 16), y: UInt16(truncatingIfNeeded: argument))
    }

    /// Whether the photo's author has put it on any plan, shown or not.
    func isPlaced(_ photo: PhotoID, by author: AuthorID, _ base: AlbumBase) -> Bool {
        latestPlacing(of: photo, by: author, base).map { $0 & Spot.takenOff == 0 } ?? false
    }

    private func latestPlacing(of photo: PhotoID, by author: AuthorID, _ base: AlbumBase) -> UInt64? {
        guard let placings = placings[photo] else { return nil }
        let own = base.membership.devices(of: author, among: placings).flatMap(\.value.values)
        return Remarks.latest(own.filter { base.stands($0.remark.id, by: $0.remark.device) }, \.remark)?.argument
    }
}
