// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import Foundation
import Synchronization

/// The album of a gallery that is joined with an event's: an album of its own, with its own signature, in a folder of
/// the event's album, whose page shows all of them as one.
struct JoinedAlbum {
    /// The name of the folder.
    let folder: String
    let manifest: AlbumManifest

    /// Writes these albums of an event, where guests may save the photos.
    /// - Parameters:
    ///   - path: the folder of the event's album.
    ///   - ask: sends a request to the node.
    ///   - photos: writes the photos of an event that everybody sees into a folder. Returns false if there are none.
    ///   - pages: writes the pages of the album in a folder.
    static func write(
        into path: String, of event: String?,
        ask: (ControlRequest, @escaping @Sendable (ControlReply) -> Void) async throws -> Void,
        photos: (_ event: String, _ folder: String) async throws -> Bool, pages: (_ folder: String) async throws -> Void
    ) async throws -> [JoinedAlbum] {
        let found = Mutex<[TwinInfo]>([])
        try await ask(.twins(event: event, act: .list)) { reply in
            if case .twins(let report) = reply { found.withLock { $0 = report.twins } }
        }
        var albums: [JoinedAlbum] = []
        for twin in found.withLock(\.self) where twin.state == .joined && twin.mayBeSaved {
            let name = FileName.component(
                twin.name.precomposedStringWithCanonicalMapping, byteCountMax: 60, orElse: "event")
            let folder = "\(name)-\(twin.event.prefix(8))"
            guard try await photos(twin.event, "\(path)/\(folder)") else { continue }
            try await pages("\(path)/\(folder)")
            albums.append(JoinedAlbum(folder: folder, manifest: try .manifest(of: "\(path)/\(folder)")))
        }
        return albums
    }
}
