// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// tus' checksum extension: only the bytes that the client sent are kept.
@Suite struct UploadChecksumTests {
    private static func fields(at offset: Int, _ hash: [UInt8]) -> [String: String?] {
        Uploader.patch(at: offset).merging(["Upload-Checksum": "sha1 \(Data(hash).base64EncodedString())"]) { $1 }
    }

    /// Sends bytes with the checksum of `original`, or with their own.
    private func send(
        _ bytes: some Sequence<UInt8>, of original: [UInt8]? = nil, at offset: Int, to path: String, _ guest: Uploader
    ) async throws -> Reply {
        let bytes = Array(bytes)
        return try await guest.ask(
            "PATCH", path, headers: Self.fields(at: offset, SHA1.hash(original ?? bytes)), body: bytes)
    }

    @Test("pieces with checksums become the photo")
    func right() async throws {
        try await Uploader.serve { guest in
            let bytes = photoBytes(300_000)
            let path = try await guest.create(bytes.count)
            #expect(try await send(bytes[..<200_000], at: 0, to: path, guest)["upload-offset"] == "200000")
            let last = try await send(bytes[200_000...], at: 200_000, to: path, guest)
            #expect(last.status == 204)
            #expect(last["disposable-photo"] != nil)
            #expect(guest.gallery.originals == [bytes])
        }
    }

    @Test("a piece with a flipped bit is refused and not kept, and the upload continues with the correct piece")
    func flipped() async throws {
        try await Uploader.serve { guest in
            let bytes = photoBytes(300_000)
            let path = try await guest.create(bytes.count)
            _ = try await guest.send(path, bytes[..<70_000], at: 0)
            for place in [0, 1_000, 100_000, 229_999] {
                var wrong = Array(bytes[70_000...])
                wrong[place] ^= 0x10
                let reply = try await send(wrong, of: Array(bytes[70_000...]), at: 70_000, to: path, guest)
                #expect(reply.status == 460)
                #expect(reply.errorCode == "wrong-checksum")
                #expect(reply["tus-resumable"] == "1.0.0")
                #expect(try await guest.offset(path) == 70_000)
            }
            #expect(guest.gallery.originals.isEmpty)
            #expect(try await send(bytes[70_000...], at: 70_000, to: path, guest)["disposable-photo"] != nil)
            #expect(guest.gallery.originals == [bytes])
        }
    }

    @Test(
        "an unusable checksum is refused before the body is read",
        arguments: [
            ("md5 1B2M2Y8AsgTpgAmY7PhCfg==", "unknown-checksum"), ("sha1", "malformed-header"),
            ("sha1 AAAA", "malformed-header"), ("sha1 %%%", "malformed-header"), ("", "malformed-header"),
            ("crc32 AAAA", "malformed-header"), ("crc32 AAAAAAA=", "malformed-header"),
        ])
    func unusable(header: String, code: String) async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(10)
            var headers = Uploader.patch(at: 0)
            headers["Upload-Checksum"] = header
            let reply = try await guest.ask("PATCH", path, headers: headers, body: photoBytes(10))
            #expect(reply.status == 400)
            #expect(reply.errorCode == code)
            #expect(try await guest.offset(path) == 0)
        }
    }

    @Test(
        "CRC-32 is the one of IEEE 802.3, and a body that differs in a bit is not kept",
        arguments: [("123456789", "y/Q5Jg=="), ("photo", "FLeEGA==")])
    func crc32(text: String, checksum: String) async throws {
        try await Uploader.serve { guest in
            let bytes = Array(text.utf8)
            let path = try await guest.create(bytes.count + 1)
            var headers = Uploader.patch(at: 0)
            headers["Upload-Checksum"] = "crc32 \(checksum)"
            var wrong = bytes
            wrong[2] ^= 0x80
            let refused = try await guest.ask("PATCH", path, headers: headers, body: wrong)
            #expect(refused.status == 460)
            #expect(try await guest.offset(path) == 0)
            let kept = try await guest.ask("PATCH", path, headers: headers, body: bytes)
            #expect(kept.status == 204)
            #expect(kept["upload-offset"] == "\(bytes.count)")
        }
    }

    @Test("a body with a checksum that breaks off keeps nothing, also after a restart during it")
    func broken() async throws {
        try await withTemporaryFolder { folder in
            let bytes = photoBytes(400_000)
            let gallery = try TestGallery(folderPath: folder)
            try await withPortal([gallery]) { _, client in
                let guest = try await Uploader(client, gallery)
                let path = try await guest.create(bytes.count)
                let whole = try await send(bytes[..<100_000], at: 0, to: path, guest)
                #expect(whole.status == 204)
                let socket = try await guest.begin(
                    path, bytes[100_000..<300_000], of: 300_000, at: 100_000,
                    headers: Self.fields(at: 100_000, SHA1.hash(Array(bytes[100_000...]))))
                withExtendedLifetime(socket) {}
                try await eventually { try await guest.offset(path) == 100_000 }
                #expect(try await send(bytes[100_000...], at: 100_000, to: path, guest)["disposable-photo"] != nil)
                #expect(gallery.originals == [bytes])
            }
        }
    }
}
