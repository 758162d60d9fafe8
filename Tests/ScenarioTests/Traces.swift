// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import Foundation
import Testing

/// The traces that a photo leaves on the disks of nodes, and the search for them.
///
/// The search covers every byte of every file, for the bodies of the photo's operations with the keys of its blobs, the
/// plaintext of original, preview and thumbnail, their ciphertext; and for the bodies decrypted with a node's own
/// storage key, tried at every byte of its database and log.
struct Traces {
    private static let windowByteCount = 32

    /// The trace to which a window belongs, by the first eight bytes of the window.
    private var windows: [UInt64: [(bytes: [UInt8], name: String)]] = [:]
    /// The first two bytes of all windows, to skip most offsets quickly.
    private var beginnings = [Bool](repeating: false, count: 1 << 16)
    private var bodies: [(id: OperationID, byteCount: Int)] = []
    private(set) var names: Set<String> = []
    /// The traces on the disk of a node that has the photo: everything sealed, and nothing else.
    var kept: Set<String> { names.filter { $0.hasPrefix("sealed") } }

    /// Learns the traces from a copy of a node's data folder.
    init(of photo: String, in data: String, copyingTo path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: data + "/events", toPath: path + "/events")
        let folder = try #require(try EventFolder.all(in: path).first)
        try? FileManager.default.removeItem(atPath: folder.path + "/event.sqlite-shm")
        let store = try EventStore.open(folder)
        var operations: [VerifiedOperation] = []
        var recipient: AgreementPublicKey?
        try store.forEachOperation(bodies: { _ in true }) { batch in
            operations += batch.filter { "\($0.id)" == photo || "\($0.header.subject)" == photo }
            for case .charter(let charter)? in batch.map(\.content) {
                recipient = AgreementPublicKey(charter.revealKey)
            }
        }
        for operation in operations {
            guard let body = operation.body, !body.isEmpty else { continue }
            bodies.append((operation.id, body.count))
            names.insert("sealed body")
            note(body, as: "body", step: 8)
            switch operation.content {
            case .photo(let manifest):
                try note(#require(manifest.thumbnail), "thumbnail", body, recipient, store)
                try note(#require(manifest.preview), "preview", body, recipient, store)
            case .original(let manifest): try note(manifest.original, "original", body, recipient, store)
            case .text(let text): note(Array(text.utf8), as: "text", step: 1)
            default: break
            }
        }
        try store.close()
        try FileManager.default.removeItem(atPath: path)
    }

    private mutating func note(
        _ sealed: BlobReference, _ name: String, _ body: [UInt8], _ recipient: AgreementPublicKey?, _ store: EventStore
    ) throws {
        // Only the author's folder has the keys of a sealed photo.
        let blob = try #require(
            recipient.flatMap { sealed.opened(sealedTo: $0, by: store.keys.importSecret) }
                ?? (sealed.isSealed ? nil : sealed))
        let key = try #require(blob.key).withSpan { span in (0..<span.count).map { span[$0] } }
        #expect((Data(body).range(of: Data(key)) == nil) == sealed.isSealed)
        note(key, as: "key of the \(name)", step: 1)
        note(try store.blobs.plaintext(of: blob, range: 0..<blob.byteCount), as: name, step: 512)
        for index in 0..<blob.layout.chunkCount {
            note(try store.blobs.chunk(index, of: blob.root), as: "sealed \(name)", step: 512)
        }
    }

    private mutating func note(_ bytes: [UInt8], as name: String, step: Int) {
        names.insert(name)
        for start in stride(from: 0, through: bytes.count - Self.windowByteCount, by: step) {
            let window = Array(bytes[start..<start + Self.windowByteCount])
            // Bytes that occur in any file are not a trace.
            guard Set(window).count > 12 else { continue }
            let word = window.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            windows[word, default: []].append((window, name))
            beginnings[Int(word & 0xFFFF)] = true
        }
    }

    /// All files below a folder, by their paths, with the key that opens a node's database there.
    struct Files {
        fileprivate var bytes: [(path: String, bytes: [UInt8])] = []
        fileprivate let storageKey: SecretBytes?

        init(in folder: String) throws {
            storageKey = try EventFolder.all(in: folder).first.map {
                KeyDerivation.key(from: try EventKeys(loadingFrom: $0).storageKey, context: Domain.Key.storedBody)
            }
            for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
                // Sockets and folders have no content.
                guard let data = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)")) else { continue }
                bytes.append((path, [UInt8](data)))
            }
        }
    }

    /// Returns the traces found anywhere below a folder; in a node's data folder also those that its storage key opens.
    ///
    /// For a running node's folder see `Stage.left`.
    func left(in folder: String) throws -> Set<String> { left(in: try Files(in: folder)) }

    func left(in files: Files) -> Set<String> {
        var found: Set<String> = []
        for (path, bytes) in files.bytes {
            search(bytes, &found)
            if path.contains("sqlite"), let storageKey = files.storageKey { open(bytes, storageKey, &found) }
        }
        return found
    }

    /// Returns the traces in the bodies that a node can read, from a copy of its folder.
    func readable(in data: String, copyingTo path: String) throws -> Set<String> {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: data + "/events", toPath: path + "/events")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try #require(try EventFolder.all(in: path).first)
        try? FileManager.default.removeItem(atPath: folder.path + "/event.sqlite-shm")
        let store = try EventStore.open(folder)
        var found: Set<String> = []
        try store.forEachOperation(bodies: { _ in true }) { batch in
            for operation in batch { search(operation.body ?? [], &found) }
        }
        try store.close()
        return found
    }

    private func search(_ bytes: [UInt8], _ found: inout Set<String>) {
        bytes.withUnsafeBytes { buffer in
            for place in 0..<max(0, buffer.count - Self.windowByteCount + 1) {
                let word = buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                guard beginnings[Int(word & 0xFFFF)], let candidates = windows[word] else { continue }
                for (window, name) in candidates where buffer[place..<place + window.count].elementsEqual(window) {
                    found.insert(name)
                }
            }
        }
    }

    private func open(_ bytes: [UInt8], _ key: SecretBytes, _ found: inout Set<String>) {
        let (nonceByteCount, tagByteCount) = (XChaCha20Poly1305.nonceByteCount, 16)
        // A nonce is random, so it does not begin with eight zeros, as most places of a database do.
        let places = bytes.withUnsafeBytes { buffer in
            (0..<max(0, buffer.count - 7)).filter {
                buffer.loadUnaligned(fromByteOffset: $0, as: UInt64.self) != 0
            }
        }
        for (id, byteCount) in bodies {
            let sealedByteCount = nonceByteCount + byteCount + tagByteCount
            let name = id.bytes
            for place in places {
                guard place + sealedByteCount <= bytes.count else { break }
                let nonce = Array(bytes[place..<place + nonceByteCount])
                let ciphertext = bytes.span.extracting(place + nonceByteCount..<place + sealedByteCount)
                if (try? XChaCha20Poly1305.open(ciphertext, authenticating: name.span, key: key, nonce: nonce)) != nil {
                    found.insert("sealed body")
                    return
                }
            }
        }
    }
}
