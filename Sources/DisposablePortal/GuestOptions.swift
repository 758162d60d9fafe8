// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Foundation

/// The organizers' options, as a node keeps them towards guests (protocol/disposable-v1.md §9.17).
extension Gallery {
    func options() async -> EventOptions { await charter()?.options ?? EventOptions() }

    /// Throws `.noName` or `.cameraOnly` where the options refuse a photo of the guest, whatever is in the file.
    /// - Parameter source: where the guest's page says that the file is from; `nil` if it does not say.
    func checkOptions(of guest: AuthorID, source: PhotoSource?) async throws {
        let options = await options()
        if options.nameRule == .required, try await self.guest(guest).name == nil { throw GalleryError.noName }
        // A page that says nothing, or something else, is believed: nothing in a file proves that it is of now.
        if options.isCameraOnly, source == .library { throw GalleryError.cameraOnly }
    }

    /// Throws `.notForSaving` where the guest may not have the file of this photo.
    /// - Parameter isPlayed: whether the file is wanted for playing. A video has no other picture that moves, so
    ///   everybody who sees it may play it.
    func checkSaving(of photo: PortalPhoto, by guest: AuthorID?, isPlayed: Bool = false) async throws {
        let rule = await options().downloads
        switch rule {
        case .everyone: return
        case .own where photo.author == guest && guest != nil: return
        case .own, .organizers:
            if isPlayed, photo.mediaType.isVideo { return }
            throw GalleryError.notForSaving(rule)
        }
    }
}

/// Where a page says that a file is from: the key `source` of an upload's metadata.
enum PhotoSource: String {
    case camera, library

    init?(metadata: String) {
        for pair in metadata.split(separator: ",") {
            let parts = pair.split(separator: " ")
            guard parts.count == 2, parts[0] == "source" else { continue }
            guard let bytes = Data(base64Encoded: String(parts[1])) else { return nil }
            self.init(rawValue: String(decoding: bytes, as: UTF8.self))
            return
        }
        return nil
    }
}

extension DisposableModel.MediaType {
    var isVideo: Bool { rawValue.hasPrefix("video/") }
}
