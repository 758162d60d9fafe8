// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// The JSON of the guests' API: groups of properties leave no trace in it.
@Suite struct FlatJSONTests {
    @Test("the event and its photos are one object each")
    func keys() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put([1, 2, 3], by: .stranger(1))
        try await withPortal([gallery]) { _, client in
            let opened = try await client.opening(gallery)
            let event = try await opened.get(gallery.path + "api/me").object["event"] as? [String: Any]
            #expect(
                event?.keys.sorted() == [
                    "acceptsUntil", "areFramesDaily", "cover", "endsAt", "expiresAt", "frames", "highlightCount", "id",
                    "isClosed", "isOpened", "missions", "name", "notice", "options", "organizer", "plan",
                    "retentionHours", "sealed", "startsAt", "veils", "words",
                ])
            #expect(
                try await opened.get(gallery.path + "api/photos/\(photo.id)").object.keys.sorted() == [
                    "addedAt", "author", "authorName", "byteCount", "caption", "commentCount", "frame", "has", "height",
                    "id", "isHighlight", "isMine", "mediaType", "mission", "moment", "reactions", "spot", "state",
                    "takenAt", "turn", "width", "zone",
                ])
        }
    }
}
