// SPDX-License-Identifier: Apache-2.0

/// Photos that guests do not want to be in, and that are shown to nobody but their authors and moderators until a
/// moderator decides (protocol/disposable-v1.md §9.20).
///
/// 1. Veils count while an organizer's `veiling` stands.
/// 2. A veil counts if its author is not the photo's; of one device only the first 64 count.
/// 3. At most 3 photos of one author's veils are veiled, and at most 40 of one sponsor tree, each author's first before
///    any author's second. Photos that were taken away or hidden do not count.
/// 4. A photo whose veil a moderator has lifted cannot be veiled again.
public struct Veils: Equatable, Sendable {
    /// The veils of one device that can count.
    public static let perDeviceMax = 64
    /// The photos that one author can have veiled, undecided or lifted: one that is hidden or deleted no longer counts.
    public static let perAuthorMax = 3
    /// The same for all authors of one sponsor tree.
    public static let perTreeMax = 40

    private struct Veil: Equatable {
        let id: OperationID
        let photo: PhotoID
        let sequence: UInt32
        let timestamp: HybridTimestamp
    }
    /// A veil that counts, with its place among its author's.
    private struct Request {
        let photo: PhotoID
        let device: DeviceID
        let place: Int
        let timestamp: HybridTimestamp
        let id: OperationID
    }

    private var switches: [DeviceID: Set<OperationID>] = [:]
    /// The first of each device, in the order of its chain.
    private var veils: [DeviceID: [Veil]] = [:]
    private var lifts: [PhotoID: [DeviceID: Set<OperationID>]] = [:]
    /// The photos that veils name, and the operations of veils and settings, counting or not.
    private var named: Set<PhotoID> = []
    private var operations: Set<OperationID> = []

    // Derived by `resolve`.
    /// The photos with a veil within the limits, lifted or not, and the devices of these veils.
    private var requested: [PhotoID: Set<DeviceID>] = [:]
    private var countsByAuthor: [AuthorID: Int] = [:]
    private var countsByTree: [DeviceID: Int] = [:]

    init() {}

    /// Whether there is nothing to derive.
    var isEmpty: Bool { veils.isEmpty }

    mutating func note(_ operation: VerifiedOperation) {
        let (id, header) = (operation.id, operation.header)
        let photo = PhotoID(header.subject)
        switch operation.kind {
        case .veiling:
            operations.insert(id)
            switches[header.device, default: []].insert(id)
        case .veil:
            operations.insert(id)
            named.insert(photo)
            let veil = Veil(id: id, photo: photo, sequence: header.sequence, timestamp: header.timestamp)
            var own = veils[header.device] ?? []
            let place = own.firstIndex { (veil.sequence, veil.id) < ($0.sequence, $0.id) } ?? own.count
            guard place < Self.perDeviceMax else { break }
            own.insert(veil, at: place)
            veils[header.device] = Array(own.prefix(Self.perDeviceMax))
        case .lift: lifts[photo, default: [:]][header.device, default: []].insert(id)
        default: break
        }
    }

    /// Whether the derivation may depend on this photo or operation. For all others it is not repeated, since it takes
    /// time linear in the number of veils.
    func mayDepend(on subject: OperationID) -> Bool {
        named.contains(PhotoID(subject)) || operations.contains(subject)
    }

    /// Derives which photos are asked for, within the limits.
    mutating func resolve(_ base: AlbumBase) {
        (requested, countsByAuthor, countsByTree) = ([:], [:], [:])
        guard isOn(base) else { return }
        var byAuthor: [AuthorID: [PhotoID: (veil: Veil, device: DeviceID)]] = [:]
        for (device, veils) in veils {
            let author = base.membership.author(of: device)
            for veil in veils where counts(veil, by: device, author, base) {
                let known = byAuthor[author]?[veil.photo]?.veil
                if let known, (known.timestamp, known.id) < (veil.timestamp, veil.id) { continue }
                byAuthor[author, default: [:]][veil.photo] = (veil, device)
            }
        }
        var byTree: [DeviceID: [Request]] = [:]
        var trees = TreeSearch(base.membership)
        for (author, photos) in byAuthor {
            let first = photos.values.sorted { ($0.veil.timestamp, $0.veil.id) < ($1.veil.timestamp, $1.veil.id) }
                .prefix(Self.perAuthorMax)
            countsByAuthor[author] = first.count
            for (place, (veil, device)) in first.enumerated() {
                let request = Request(
                    photo: veil.photo, device: device, place: place, timestamp: veil.timestamp, id: veil.id)
                byTree[trees.tree(of: device), default: []].append(request)
            }
        }
        for (tree, requests) in byTree {
            countsByTree[tree] = requests.count
            let first = requests.sorted { ($0.place, $0.timestamp, $0.id) < ($1.place, $1.timestamp, $1.id) }
            for request in first.prefix(Self.perTreeMax) {
                requested[request.photo, default: []].insert(request.device)
            }
        }
    }

    private func counts(_ veil: Veil, by device: DeviceID, _ author: AuthorID, _ base: AlbumBase) -> Bool {
        guard base.stands(veil.id, by: device), base.exists(veil.photo), let owner = base.author(of: veil.photo) else {
            return false
        }
        return owner != author && !base.isWithdrawn(veil.photo, by: owner) && !base.isHidden(veil.photo)
    }

    // Queries

    func isOn(_ base: AlbumBase) -> Bool { !standingSwitches(base).isEmpty }

    /// Returns the settings that count, smallest id first.
    func standingSwitches(_ base: AlbumBase) -> [OperationID] {
        base.membership.everOrganizers.flatMap { device in
            (switches[device] ?? []).filter {
                base.membership.rank(of: $0, by: device) >= .organizer && base.isUntouched($0, by: device)
            }
        }.sorted()
    }

    func isVeiled(_ photo: PhotoID, _ base: AlbumBase) -> Bool {
        requested[photo] != nil && standingLifts(of: photo, base).isEmpty
    }

    /// Returns the lifts that count, smallest id first.
    func standingLifts(of photo: PhotoID, _ base: AlbumBase) -> [OperationID] {
        guard let lifts = lifts[photo] else { return [] }
        return base.membership.everModerators.flatMap { device in
            (lifts[device] ?? []).filter {
                base.membership.rank(of: $0, by: device) >= .moderator && base.isUntouched($0, by: device)
            }
        }.sorted()
    }

    /// Returns the author's veils of the photo that were not withdrawn, smallest id first.
    func veils(of photo: PhotoID, by author: AuthorID, _ base: AlbumBase) -> [OperationID] {
        base.membership.devices(of: author, among: veils).flatMap { device, veils in
            veils.filter { $0.photo == photo && base.stands($0.id, by: device) }.map(\.id)
        }.sorted()
    }

    /// Returns the photos with a veil within the limits that were not lifted, whether they have a frame or not.
    func veiled(_ base: AlbumBase) -> Set<PhotoID> {
        Set(requested.keys.filter { standingLifts(of: $0, base).isEmpty })
    }

    /// Returns the devices of the veils of the photo that are within the limits.
    func requesters(of photo: PhotoID) -> Set<DeviceID> { requested[photo] ?? [] }

    /// Whether the device has signed as many veils as can count.
    func isUsedUp(by device: DeviceID) -> Bool { (veils[device]?.count ?? 0) >= Self.perDeviceMax }
    func count(by author: AuthorID) -> Int { countsByAuthor[author] ?? 0 }
    func count(inTree tree: DeviceID) -> Int { countsByTree[tree] ?? 0 }
}

/// The reason why a photo is not veiled.
public enum VeilRefusal: String, Equatable, Sendable {
    /// Organizers have not switched veils on.
    case off
    /// The author deletes it instead.
    case own
    /// A moderator has lifted a veil from it.
    case lifted
    /// The guest has asked for as many photos as one can.
    case usedUp
    /// The guests of this sponsor have.
    case full
}
