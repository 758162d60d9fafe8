// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// The extent of the removal of a participant.
public struct RemovalExtent: Codable, Sendable, Equatable {
    /// Also removes devices that are members through this member alone.
    public var withAdmitted = false
    /// Discards all of their operations; the bodies are purged.
    public var everything = false

    public init(withAdmitted: Bool = false, everything: Bool = false) {
        self.withAdmitted = withAdmitted
        self.everything = everything
    }
}

/// The effect on people of revoking a role, or removing a member.
public struct RevocationPreview: Codable, Sendable, Equatable {
    public var member: String
    /// The member's name, or the start of its key.
    public var name: String
    public var role: String
    /// The number of photos that would no longer be shown, and of their people; in addition those of people other than
    /// the removed ones.
    public var lostPhotoCount: Int
    public var lostPeopleCount: Int
    public var lostPhotoCountOfOthers: Int
    /// The number of photos that would be shown again: they were unknown when the role was revoked before.
    public var regainedPhotoCount: Int
    /// The number of photos of the member and of its guests that stay, and of their people.
    public var keptPhotoCount: Int
    public var keptPeopleCount: Int
    /// Names of members that are members only through this one, those with the most operations first; whether they
    /// would be removed with it.
    public var admitted: [String]
    public var extent: RemovalExtent
    /// Names of further members that would be removed.
    public var removedOthers: [String]
    /// The number of heads for which the revocation has no room.
    public var cutHeadCount: Int
    /// The number of photos that would be purged everywhere an hour later.
    public var destroyedPhotoCount: Int
    /// Whether anyone but the member loses something.
    public var harmsOthers: Bool

    init(_ effect: RulingEffect, _ role: Role, of grantee: Grantee, _ extent: RemovalExtent, in state: EventState) {
        func name(_ author: AuthorID) -> String { state.album.shownName(of: author) ?? author.short }
        let admittedKeys = Set(extent.withAdmitted ? effect.admittedDevices.map(\.bytes32) : [])
        let removed = admittedKeys.union([grantee])
        member = grantee.description
        self.name = name(AuthorID(grantee))
        self.role = "\(role)"
        lostPhotoCount = effect.lostPhotos.values.reduce(0, +)
        lostPeopleCount = effect.lostPhotos.count
        lostPhotoCountOfOthers = effect.lostPhotos.filter { !removed.contains($0.key.bytes32) }.values.reduce(0, +)
        regainedPhotoCount = effect.regainedPhotos.values.reduce(0, +)
        keptPhotoCount = effect.keptPhotoCount
        keptPeopleCount = effect.keptPeopleCount
        self.extent = extent
        destroyedPhotoCount = effect.destroyedPhotoCount
        admitted = effect.admittedDevices.map { name(AuthorID($0)) }
        removedOthers = effect.removedDevices.filter { !removed.contains($0.bytes32) }.map { name(AuthorID($0)) }
        cutHeadCount = effect.cutHeadCount
        harmsOthers = effect.harmsOthers(than: grantee)
    }

    /// Whether others lose something, or the member's operations are discarded.
    public var needsConfirmation: Bool { harmsOthers || extent.everything }

    /// The effect to confirm, in one sentence; empty if there is none.
    public var harm: String {
        var parts: [String] = []
        if extent.everything {
            let count = "\(destroyedPhotoCount) photo\(destroyedPhotoCount == 1 ? "" : "s")"
            parts.append("\(count), and all texts, of the removed members would be purged everywhere an hour later")
        }
        if lostPhotoCountOfOthers > 0 {
            parts.append(
                "\(lostPhotoCountOfOthers) photo\(lostPhotoCountOfOthers == 1 ? "" : "s") of others would not be shown"
            )
        }
        if extent.withAdmitted, !admitted.isEmpty {
            parts.append("\(Self.some(of: admitted)), admitted only by \(name), would be removed, too")
        }
        if !removedOthers.isEmpty { parts.append("\(Self.some(of: removedOthers)) would no longer be members") }
        if cutHeadCount > 0 { parts.append("\(cutHeadCount) heads do not fit into it") }
        return parts.joined(separator: "; ")
    }

    /// Returns the first names, and the number of further ones.
    private static func some(of names: [String]) -> String {
        let more = names.count > 10 ? " and \(names.count - 10) more" : ""
        return names.prefix(10).joined(separator: ", ") + more
    }
}
