// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableStore
import Foundation
import Testing

/// Photos that a guest's page has sealed, at the node that takes them (protocol/disposable-v1.md §9.26).
@Suite(.timeLimit(.minutes(60))) struct PageSealingNodeTests {
    private let folder: TestFolder
    private let guest: SigningKey
    private var author: AuthorID { AuthorID(guest.verifyingKey) }

    init() throws {
        folder = try TestFolder()
        guest = SigningKey(seed: Self.secret(7))
    }

    private static func secret(_ byte: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    /// Returns the ciphertext of one chunk with its part of the head, as a page makes them.
    private func sealed(
        _ plaintext: [UInt8], _ blobClass: BlobClass, to recipient: AgreementPublicKey
    ) throws -> (ciphertext: [UInt8], head: [String: Any]) {
        let secret = Self.secret(9)
        let key = BlobSealing.key(
            importSecret: secret, blobClass: blobClass, plaintextHash: BLAKE2b.hash(plaintext.span))
        var ciphertext: [UInt8] = []
        BlobSealing.sealChunk(plaintext.span, index: 0, isLast: true, key: key, appendingTo: &ciphertext)
        let hash = BlobSealing.hash(ofChunk: ciphertext.span)
        let root = BlobSealing.root(byteCount: UInt64(plaintext.count), chunkHashes: [hash])
        let ephemeral = Sealing.ephemeralKey(importSecret: secret, root: root, recipient: recipient)
        let box = try key.withSpan { try SealedBox.seal($0, to: recipient, ephemeral: ephemeral) }
        var sha256 = SHA256()
        sha256.update(plaintext.span)
        let head: [String: Any] = [
            "byteCount": plaintext.count, "root": "\(root)", "key": box.hex, "sha256": "\(sha256.finalize())",
        ]
        return (ciphertext, head)
    }

    /// Writes the package of a photo whose three files are these bytes.
    private func packaged(_ plaintext: [UInt8], to key: Bytes32, named name: String) throws -> String {
        var head: [String: Any] = ["width": 640, "height": 480]
        var body: [UInt8] = []
        for (label, blobClass) in [("thumbnail", BlobClass.thumbnail), ("preview", .preview), ("original", .original)] {
            let (ciphertext, part) = try sealed(plaintext, blobClass, to: AgreementPublicKey(key))
            head[label] = part
            body += ciphertext
        }
        let text = [UInt8](try JSONSerialization.data(withJSONObject: head))
        var bytes = Array("disposable/1 sealed photo".utf8) + [0]
        bytes += [0, 0, UInt8(text.count >> 8), UInt8(text.count & 255)] + text + body
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func onHost(_ body: @Sendable (Node, EventNode) async throws -> Void) async throws {
        try await folder.node("host").runOffline { node in
            var charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000, frames: 3)
            charter.reveal = .byHost
            let event = try await node.host(charter, pageSealing: true, organizerName: "Anna")
            let served = try await node.event(event)
            let subKey = try await served.subKeyID(of: author)
            let device = try await served.hosting().device
            try await served.enter(Delegation(to: subKey, at: device, event: event, by: guest))
            try await body(node, served)
        }
    }

    @Test("a sealed photo is kept unread, its author is shown nothing of it, and everybody sees it after the reveal")
    func taken() async throws {
        let picture = try await folder.picture(1)
        try await onHost { node, event in
            let key = try #require(await event.pageSealingKey)
            #expect(await event.sealed?.pageKey == key)
            // A photo in the clear is refused.
            await #expect(throws: NodeError.refused(.pageSealing(.needed))) {
                try await event.add(fileAt: picture, by: author)
            }
            let bytes = [UInt8](repeating: 77, count: 20_000)
            let photo = try await event.add(fileAt: packaged(bytes, to: key, named: "one"), by: author)
            #expect(try await event.add(fileAt: packaged(bytes, to: key, named: "again"), by: author) == photo)
            let own = try await event.albumPhoto(photo, for: author)
            #expect(own.isSealed && own.available.isEmpty)
            #expect(try await event.reader(.original, of: photo, for: author) == nil)
            await ask(node, .reveal(event: nil, isConfirmed: true))
            let shown = try await event.albumPhoto(photo, for: nil)
            #expect(shown.available == Set(BlobClass.allCases))
            for blobClass in BlobClass.allCases {
                let reader = try #require(try await event.reader(blobClass, of: photo, for: nil))
                #expect(try reader.read(0..<reader.byteCount) == bytes)
            }
            // The page may not know of the reveal yet.
            #expect(await event.pageSealingKey == nil)
            let late = try await event.add(fileAt: packaged(Array(bytes.dropLast()), to: key, named: "late"), by: author)
            #expect(late != photo)
        }
    }

    @Test("a package that is damaged is refused")
    func damaged() async throws {
        try await onHost { _, event in
            let key = try #require(await event.pageSealingKey)
            let path = try packaged([UInt8](repeating: 78, count: 5_000), to: key, named: "one")
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for change in 0..<3 {
                var bytes = whole
                switch change {
                case 0: bytes.removeLast()
                case 1: bytes[bytes.count - 100] ^= 1
                default: bytes[29] ^= 0xFF
                }
                try bytes.write(to: URL(fileURLWithPath: path))
                await #expect(throws: (any Error).self) { try await event.add(fileAt: path, by: author) }
            }
            try whole.write(to: URL(fileURLWithPath: path))
            _ = try await event.add(fileAt: path, by: author)
        }
    }
}
