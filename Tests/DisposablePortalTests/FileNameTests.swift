// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Testing

@Suite struct FileNameTests {
    private func photo(_ author: String?, frame: UInt64? = 7, _ type: MediaType = .jpeg) -> PortalPhoto {
        var photo = PortalPhoto(
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
        #expect(FileName.Entry(photo("Anna")).text(number: 12) == "7-Anna-12.jpg")
        #expect(FileName.Entry(photo(nil, frame: nil, .quicktime)).text(number: 1) == "0-guest-1.mov")
    }

    @Test(
        "what people type leaves the folder in no way and disturbs no list",
        arguments: [
            ("../../etc/passwd", "_.._etc_passwd"), ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"), ("..", "none"),
            ("  .hidden. ", "hidden"), ("new\nline\u{0}", "new_line_"), ("CON", "_CON"), ("con.txt", "_con.txt"),
            ("Lpt1", "_Lpt1"), ("Contact", "Contact"), ("gpj\u{202E}.exe", "gpj_.exe"), ("Zoë 📸 👨‍👩‍👧", "Zoë 📸 👨‍👩‍👧"),
            ("e\u{301}", "\u{E9}"), ("", "none"),
        ])
    func component(text: String, expected: String) {
        let component = FileName.component(text, byteCountMax: 60, orElse: "none")
        #expect(Array(component.utf8) == Array(expected.utf8))
    }

    @Test("a long name is cut between characters, and the whole stays within 120 bytes")
    func length() {
        let family = "👨‍👩‍👧‍👦"
        for text in [
            String(repeating: family, count: 40), String(repeating: "CON", count: 99),
            String(repeating: "x", count: 500),
        ] {
            let name = FileName.Entry(photo(text, frame: .max, .quicktime)).text(number: 100_000)
            #expect(name.utf8.count <= 120)
        }
        let name = FileName.component(String(repeating: family, count: 40), byteCountMax: 60, orElse: "")
        #expect(name == family + family)
    }

    @Test("a header says a name in a plain way and in the whole one, and no name gets out of its quotes")
    func attachment() {
        #expect(
            FileName.attachment("Zoë \"x\"%.zip")
                == "attachment; filename=\"Zo_ _x__.zip\"; filename*=UTF-8''Zo%C3%AB%20%22x%22%25.zip")
    }
}
