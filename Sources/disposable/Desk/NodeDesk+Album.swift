// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal

/// The album of an event as one file.
extension NodeDesk {
    func album(of event: DeskEvent) async throws -> DeskAlbumAnswer {
        try await translated {
            DeskAlbumAnswer(album: try albums.album(of: try await node.event(named: event.text).event))
        }
    }

    func makeAlbum(_ wish: DeskAlbumWish, of event: DeskEvent) async throws -> DeskAlbumAnswer {
        try await translated {
            let event = try await node.event(named: event.text)
            try await albums.make(wish, named: await event.charter?.name ?? "", of: event, in: node)
            return DeskAlbumAnswer(album: try albums.album(of: event.event))
        }
    }

    func removeAlbum(of event: DeskEvent) async throws -> DeskAlbumAnswer {
        try await translated {
            await albums.remove(of: try await node.event(named: event.text).event)
            return DeskAlbumAnswer(album: nil)
        }
    }

    func albumFile(in event: DeskEvent) async throws -> DeskAlbumFile {
        try await translated { try albums.file(of: try await node.event(named: event.text)) }
    }
}
