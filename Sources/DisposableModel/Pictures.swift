// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The uses that an organizer has for a photo.
public enum PictureRole: UInt8, CaseIterable, Codable, Sendable {
    /// Shown with the event's name.
    case cover = 1
    /// A map of the place, on which photos have spots. The photo is not shown among the others.
    case plan = 2
}

/// A place on a plan as it is displayed, with its orientation applied.
public struct Spot: Equatable, Hashable, Sendable {
    /// The distance from the left edge: 0 to 65,535 is the whole width.
    public let x: UInt16
    /// The distance from the top edge: 0 to 65,535 is the whole height.
    public let y: UInt16

    /// Added to the argument of a picture or a spot to take it off.
    public static let takenOff: UInt64 = 1 << 32

    public init(x: UInt16, y: UInt16) { (self.x, self.y) = (x, y) }

    /// The first 31 bits of a plan's id: a spot is shown on this plan only.
    static func tag(of plan: PhotoID) -> UInt64 {
        plan.bytes32.bytes.prefix(4).reduce(0) { $0 << 8 | UInt64($1) } >> 1
    }

    /// Returns the argument of the operation that puts a photo on the plan here.
    public func argument(on plan: PhotoID) -> UInt64 { Self.tag(of: plan) << 33 | UInt64(x) << 16 | UInt64(y) }
}

/// A part of a plan: all spots from the first corner to the second, with those on its edges.
public struct SpotBox: Equatable, Sendable {
    public let from: Spot
    public let to: Spot

    public static let all = SpotBox(from: Spot(x: 0, y: 0), to: Spot(x: .max, y: .max))

    public init(from: Spot, to: Spot) { (self.from, self.to) = (from, to) }

    public func contains(_ spot: Spot) -> Bool {
        spot.x >= from.x && spot.x <= to.x && spot.y >= from.y && spot.y <= to.y
    }
}

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

    mutating func note(_ operation: VerifiedOperation, _ remark: Remarks.Remark) {
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
    func chosen(_ role: PictureRole, _ album: Album) -> PhotoID? {
        guard let pictures = pictures[role] else { return nil }
        let counting = album.membership.everOrganizers.flatMap { device in
            (pictures[device] ?? [:]).values.filter {
                album.membership.rank(of: $0.remark.id, by: device) >= .organizer
                    && album.isUntouched($0.remark.id, by: device)
            }
        }
        return Remarks.latest(counting, \.remark)?.photo
    }

    /// Returns where on the plan the photo's author has put it; `nil` if nowhere.
    func spot(of photo: PhotoID, by author: AuthorID, on plan: PhotoID, _ album: Album) -> Spot? {
        guard let argument = latestPlacing(of: photo, by: author, album), argument & Spot.takenOff == 0,
            argument >> 33 == Spot.tag(of: plan)
        else { return nil }
        return Spot(x: UInt16(truncatingIfNeeded: argument >> 16), y: UInt16(truncatingIfNeeded: argument))
    }

    /// Whether the photo's author has put it on any plan, shown or not.
    func isPlaced(_ photo: PhotoID, by author: AuthorID, _ album: Album) -> Bool {
        latestPlacing(of: photo, by: author, album).map { $0 & Spot.takenOff == 0 } ?? false
    }

    private func latestPlacing(of photo: PhotoID, by author: AuthorID, _ album: Album) -> UInt64? {
        guard let placings = placings[photo] else { return nil }
        let own = album.membership.devices(of: author, among: placings).flatMap(\.value.values)
        return Remarks.latest(own.filter { album.stands($0.remark.id, by: $0.remark.device) }, \.remark)?.argument
    }
}
