// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Testing

@Suite struct SavedNameTests {
    private func photo(_ author: String?, frame: UInt64? = 7, _ type: MediaType = .jpeg) -> AlbumPhoto {
        var photo = AlbumPhoto(
            id: PhotoID(Bytes32.zero), author: .stranger(1), authorName: nil, state: .frame(frame ?? 0),
            addedAtMilliseconds: 0, takenAtMilliseconds: nil, width: 4, height: 3, mediaType: .jpeg, byteCount: 1,
            available: [.original])
        photo.authorName = author
        photo.mediaType = type
        if frame == nil { photo.state = .waiting }
        return photo
    }

    @Test("a photo's name is its frame, its author and a number")
    func names() {
        #expect(SavedName.Entry(photo("Anna")).text(number: 12) == "7-Anna-12.jpg")
        #expect(SavedName.Entry(photo(nil, frame: nil, .quicktime)).text(number: 1) == "0-guest-1.mov")
        var pending = photo("Anna")
        pending.state = .pending(3)
        #expect(SavedName.Entry(pending).text(number: 2) == "3-Anna-2.jpg")
    }

    @Test("a long name is shortened to 120 bytes")
    func length() {
        let family = "👨‍👩‍👧‍👦"
        for text in [
            String(repeating: family, count: 40), String(repeating: "CON", count: 99),
            String(repeating: "x", count: 500),
        ] {
            let name = SavedName.Entry(photo(text, frame: .max, .quicktime)).text(number: 100_000)
            #expect(name.utf8.count <= 120)
        }
    }

    @Test("a header has a plain and a full name, and no name ends its quotes")
    func attachment() {
        #expect(
            SavedName.attachment("Zoë \"x\"%.zip")
                == "attachment; filename=\"Zo_ _x__.zip\"; filename*=UTF-8''Zo%C3%AB%20%22x%22%25.zip")
    }
}
