// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Foundation

/// The organizers' options, as a node keeps them towards guests (protocol/disposable-v1.md §9.17).
extension Gallery {
    func options() async -> PageOptions { await charter()?.options ?? PageOptions() }

    /// Throws `.noName`, `.cameraOnly`, `.refusedVideo`, `.pageSealing(.needed)` or `.unknownMission` where the organizers
    /// refuse what the guest is about to send, as far as its page says what that is. The length of a video is known once
    /// it is here.
    func checkOptions(of guest: AuthorID, _ described: SentFile = SentFile()) async throws {
        let options = await options()
        if options.nameRule == .required, try await self.guest(guest).name == nil { throw Refusal.noName }
        // A page that says nothing, or something else, is believed: nothing in a file proves that it is of now.
        if options.isCameraOnly, described.source == .library { throw Refusal.cameraOnly }
        if options.videos == .off, described.isVideo { throw Refusal.refusedVideo(secondsMax: 0) }
        let needsSeal = await sealed()?.pageKey != nil
        if needsSeal, !described.isSealed { throw Refusal.pageSealing(.needed) }
        if let mission = described.mission, await charter()?.missions.contains(where: { $0.id == mission }) != true {
            throw Refusal.unknownMission(mission)
        }
    }

    /// Throws `.notForSaving` where the guest may not have the file of this photo.
    /// - Parameter isPlayed: whether the file is wanted for playing. A video has no other picture that moves, so
    ///   everybody who sees it may play it.
    func checkSaving(of photo: AlbumPhoto, by guest: AuthorID?, isPlayed: Bool = false) async throws {
        let rule = await options().downloads
        switch rule {
        case .everyone: return
        case .own where photo.author == guest && guest != nil: return
        case .own, .organizers:
            if isPlayed, photo.mediaType.isVideo { return }
            throw Refusal.notForSaving(rule)
        }
    }
}

/// The description of a file by its page: the keys `source`, `filetype`, `mission` and `ahead` of an upload's metadata.
struct SentFile {
    enum Source: String {
        case camera, library
    }

    /// `nil` if the page does not say.
    var source: Source?
    var isVideo = false
    /// Whether the page has sealed it. A file that is not what its page says is refused once it is here.
    var isSealed = false
    /// The id of the mission that the photo answers; 0, which no mission has, for a text that is no id.
    var mission: UInt32?
    /// The milliseconds by which the phone's clock is ahead of this node's; `nil` if the page does not say.
    var clockAhead: Int64?

    /// The type of a photo that a page has sealed (protocol/guest-api.md §19).
    static let sealedType = "application/vnd.disposable.sealed"

    init() {}

    init(metadata: String) {
        for pair in metadata.split(separator: ",") {
            let parts = pair.split(separator: " ")
            guard parts.count == 2, let bytes = Data(base64Encoded: String(parts[1])) else { continue }
            let value = String(decoding: bytes, as: UTF8.self)
            switch parts[0] {
            case "source": source = Source(rawValue: value)
            case "filetype":
                isVideo = value.hasPrefix("video/")
                isSealed = value == Self.sealedType
            case "mission": mission = UInt32(value) ?? 0
            case "ahead":
                let limit = PhoneClocks.differenceMillisecondsMax
                clockAhead = Int64(value).flatMap { (-limit...limit).contains($0) ? $0 : nil }
            default: break
            }
        }
    }
}

extension DisposableModel.MediaType {
    var isVideo: Bool { rawValue.hasPrefix("video/") }
}
