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
    public var withAdmitted: Bool
    /// Names of still others that would not be in any more.
    public var removedOthers: [String]
    /// Ends of chains for which the revocation has no room.
    public var cutHeadCount: Int
    /// Whether anybody but the member loses something, so that it has to be confirmed.
    public var harmsOthers: Bool

    init(_ effect: RulingEffect, _ role: Role, of grantee: Grantee, withAdmitted: Bool, in state: EventState) {
        func name(_ author: AuthorID) -> String { state.album.shownName(of: author) ?? author.short }
        let admittedKeys = Set(withAdmitted ? effect.admittedDevices.map(\.bytes32) : [])
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
        self.withAdmitted = withAdmitted
        admitted = effect.admittedDevices.map { name(AuthorID($0)) }
        removedOthers = effect.removedDevices.filter { !removed.contains($0.bytes32) }.map { name(AuthorID($0)) }
        cutHeadCount = effect.cutHeadCount
        harmsOthers = effect.harmsOthers(than: grantee)
    }

    /// What others than the member lose, in one sentence; empty where that is nothing.
    public var harm: String {
        var parts: [String] = []
        if lostPhotoCountOfOthers > 0 {
            parts.append(
                "\(lostPhotoCountOfOthers) photo\(lostPhotoCountOfOthers == 1 ? "" : "s") of others would not be shown any more"
            )
        }
        if withAdmitted, !admitted.isEmpty {
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
