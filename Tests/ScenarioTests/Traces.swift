// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import Foundation
import Testing

/// What a photo leaves on the disks of nodes, as far as anybody could tell, and where something of it is left.
///
/// Looked for in every byte of every file: the texts of its operations' bodies with the keys of its blobs in them, the
/// plaintext of original, preview and thumbnail, their ciphertext; and the bodies as a node's own storage key opens
/// them, tried at every byte of its database and log.
struct Traces {
    private static let windowByteCount = 32

    /// By the first eight bytes of a window what it is of.
    private var windows: [UInt64: [(bytes: [UInt8], name: String)]] = [:]
    /// Which first two bytes windows have, so that most places are passed by.
    private var beginnings = [Bool](repeating: false, count: 1 << 16)
    private var bodies: [(id: OperationID, byteCount: Int)] = []
    private(set) var names: Set<String> = []
    /// What of it is on the disk of a node that has it: everything sealed, and nothing else.
    var kept: Set<String> { names.filter { $0.hasPrefix("sealed") } }

    /// Learns them from a node's data folder, of which a copy is made and opened.
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
        // Of a sealed photo only its author's folder tells the keys.
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
            // What stands in any file is nobody's trace.
            guard Set(window).count > 12 else { continue }
            let word = window.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            windows[word, default: []].append((window, name))
            beginnings[Int(word & 0xFFFF)] = true
        }
    }

    /// All files below a folder, by their paths, and what opens a node's database there.
    struct Files {
        fileprivate var bytes: [(path: String, bytes: [UInt8])] = []
        fileprivate let storageKey: SecretBytes?

        init(in folder: String) throws {
            storageKey = try EventFolder.all(in: folder).first.map {
                KeyDerivation.key(from: try EventKeys(loadingFrom: $0).storageKey, context: Domain.Key.storedBody)
            }
            for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
                // Sockets and folders have no bytes.
                guard let data = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)")) else { continue }
                bytes.append((path, [UInt8](data)))
            }
        }
    }

    /// What of it is left anywhere below a folder. With a node's data folder, also of what its storage key opens.
    ///
    /// Of a running node's folder see `Stage.left`.
    func left(in folder: String) throws -> Set<String> { left(in: try Files(in: folder)) }

    func left(in files: Files) -> Set<String> {
        var found: Set<String> = []
        for (path, bytes) in files.bytes {
            search(bytes, &found)
            if path.contains("sqlite"), let storageKey = files.storageKey { open(bytes, storageKey, &found) }
        }
        return found
    }

    /// What of it a node reads in the bodies that it keeps: a copy of its folder is made and opened.
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
        for (id, byteCount) in bodies {
            let sealedByteCount = nonceByteCount + byteCount + tagByteCount
            let name = id.bytes
            for place in 0..<max(0, bytes.count - sealedByteCount + 1) {
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
