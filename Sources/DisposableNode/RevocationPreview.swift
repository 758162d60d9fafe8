// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// What taking a role away, or putting a member out, would come to for people.
public struct RevocationPreview: Codable, Sendable, Equatable {
    public var member: String
    /// The member's name, or the start of its key.
    public var name: String
    public var role: String
    /// Photos that would not be shown any more, and of how many people; of these, photos of others than those that
    /// are removed.
    public var lostPhotoCount: Int
    public var lostPeopleCount: Int
    public var lostPhotoCountOfOthers: Int
    /// Photos that would be shown again: they were not known when the role was taken away before.
    public var regainedPhotoCount: Int
    /// Photos of the member and of its guests that stay, and of how many people.
    public var keptPhotoCount: Int
    public var keptPeopleCount: Int
    /// Names of those that are in by the member's word alone, those with most operations first; whether they would be
    /// removed with it.
    public var admitted: [String]
    public var extent: RemovalExtent
    /// Names of still others that would not be in any more.
    public var removedOthers: [String]
    /// Ends of chains for which the revocation has no room.
    public var cutHeadCount: Int
    /// Photos that would be destroyed everywhere an hour later.
    public var destroyedPhotoCount: Int
    /// Whether anybody but the member loses something.
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

    /// Others lose something, or what the member did is destroyed.
    public var needsConfirmation: Bool { harmsOthers || extent.everything }

    /// What has to be confirmed, in one sentence; empty where that is nothing.
    public var harm: String {
        var parts: [String] = []
        if extent.everything {
            let count = "\(destroyedPhotoCount) photo\(destroyedPhotoCount == 1 ? "" : "s")"
            parts.append("\(count), and all words, of who is removed would be destroyed everywhere an hour later")
        }
        if lostPhotoCountOfOthers > 0 {
            parts.append(
                "\(lostPhotoCountOfOthers) photo\(lostPhotoCountOfOthers == 1 ? "" : "s") of others would not be shown any more"
            )
        }
        if extent.withAdmitted, !admitted.isEmpty {
            parts.append("\(Self.some(of: admitted)), in by the word of \(name) alone, would be removed too")
        }
        if !removedOthers.isEmpty { parts.append("\(Self.some(of: removedOthers)) would not be in any more") }
        if cutHeadCount > 0 { parts.append("\(cutHeadCount) ends of chains have no room in it") }
        return parts.joined(separator: "; ")
    }

    /// The first names, and how many there are beside them.
    private static func some(of names: [String]) -> String {
        let more = names.count > 10 ? " and \(names.count - 10) more" : ""
        return names.prefix(10).joined(separator: ", ") + more
    }
}
