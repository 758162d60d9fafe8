// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import Foundation
import Testing

@Suite struct PhoneClockTests {
    private static let hour = 3_600_000

    private func send(_ guest: Uploader, ahead: String?) async throws {
        let bytes = photoBytes(200)
        let metadata = ahead.map { "ahead \(Data($0.utf8).base64EncodedString())" }
        let created = try await guest.ask(
            "POST", guest.gallery.path + "uploads",
            headers: ["Upload-Length": "\(bytes.count)", "Upload-Metadata": metadata])
        try #require(created.status == 201, "\(created.text)")
        let path = try #require(created["location"])
        #expect(try await guest.send(path, bytes[...], at: 0).status == 204)
    }

    @Test("photos of a phone whose clock differs from those of most phones are dated by theirs")
    func majority() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            // This node's own clock is an hour behind: nobody's photos change for that.
            for ahead in [Self.hour, Self.hour + 1_000, Self.hour - 1_000, 3 * Self.hour, 0] {
                try await send(try await Uploader(client, gallery), ahead: "\(ahead)")
            }
        }
        #expect(gallery.with { $0.adding.camerasAhead } == [0, 0, 0, 2 * 3_600_000 - 1_000, -3_600_000])
    }

    @Test("a page that says nothing, or no number, or more than ten years changes no date")
    func unknown() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            for ahead in ["0", "0", "0", nil, "soon", "9223372036854775807", "-316224000001"] {
                try await send(try await Uploader(client, gallery), ahead: ahead)
            }
        }
        #expect(gallery.with { $0.adding.camerasAhead } == Array(repeating: 0, count: 7))
    }
}
