// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableModel
import DisposableNode
import Foundation
import Synchronization

/// Albums of joined galleries: each is an album of its own, with its own signature, in a folder of the event's album,
/// whose page shows all of them as one.
extension ExportCommand {
    typealias JoinedAlbum = (folder: String, manifest: AlbumManifest)

    /// Writes the albums of the galleries that are joined with the event's, if guests there may save their photos; none
    /// for a selection of photos.
    func exportJoined(into path: String) async throws -> [JoinedAlbum] {
        guard album, !favourites, !highlights else { return [] }
        let found = Mutex<[TwinInfo]>([])
        try await ask(.twins(event: event.event, act: .list), common) { reply in
            if case .twins(let report) = reply { found.withLock { $0 = report.twins } }
        }
        var albums: [JoinedAlbum] = []
        for twin in found.withLock(\.self) where twin.state == .joined && twin.mayBeSaved {
            let name = FileName.component(
                twin.name.precomposedStringWithCanonicalMapping, byteCountMax: 60, orElse: "event")
            let folder = "\(name)-\(twin.event.prefix(8))"
            let exitCode = try await writePhotos(to: "\(path)/\(folder)", of: twin.event)
            guard exitCode != ExitCode(3) else { continue }
            try await makePages(in: "\(path)/\(folder)")
            albums.append((folder, try AlbumManifest.manifest(of: "\(path)/\(folder)")))
        }
        return albums
    }
}
