// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// A guest's browser that sends photos by tus.
struct Uploader: Sendable {
    /// Runs a portal of one event, and a guest that sends photos to it.
    static func serve(
        limits: PortalLimits = PortalLimits(), folder: String? = nil,
        _ body: @escaping @Sendable (Uploader) async throws -> Void
    ) async throws {
        let gallery = try TestGallery(folderPath: folder)
        try await withPortal([gallery], limits: limits) { _, client in try await body(Uploader(client, gallery)) }
    }

    static let version: [String: String?] = ["Tus-Resumable": "1.0.0"]

    let client: HTTPClient
    let gallery: TestGallery

    /// Enters as a new guest.
    init(_ client: HTTPClient, _ gallery: TestGallery) async throws {
        self.init(try await client.entering(gallery), in: gallery)
    }

    /// Uses an existing session.
    init(_ client: HTTPClient, in gallery: TestGallery) {
        self.client = client
        self.gallery = gallery
    }

    /// Returns the same browser at another server of the same node.
    func at(_ other: HTTPClient) throws -> Uploader {
        var other = other
        other.headers["Authorization"] = "Bearer \(try session)"
        return Uploader(other, in: gallery)
    }

    var session: Substring {
        get throws {
            let field = try #require(client.headers["Cookie"] ?? client.headers["Authorization"])
            return try #require(field.split { $0 == "=" || $0 == " " }.last)
        }
    }

    func ask(
        _ method: String, _ path: String, headers: [String: String?] = [:], body: [UInt8] = []
    ) async throws -> Reply {
        try await client.send(method, path, headers: Self.version.merging(headers) { $1 }, body: body)
    }

    /// Creates an upload and returns its location.
    func create(_ byteCount: Int) async throws -> String {
        let reply = try await ask("POST", gallery.path + "uploads", headers: ["Upload-Length": "\(byteCount)"])
        try #require(reply.status == 201, "\(reply.text)")
        return try #require(reply["location"])
    }

    func send(_ path: String, _ bytes: some Sequence<UInt8>, at offset: Int) async throws -> Reply {
        try await ask("PATCH", path, headers: Self.patch(at: offset), body: Array(bytes))
    }

    /// Returns the photo of a file that is sent in one piece.
    func photo(of bytes: [UInt8]) async throws -> String {
        try #require(try await send(try await create(bytes.count), bytes, at: 0)["disposable-photo"])
    }

    static func patch(at offset: Int) -> [String: String?] {
        ["Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream"]
    }

    /// Returns how many bytes have arrived, once the server has given up a body that broke off.
    func offset(_ path: String) async throws -> Int {
        var reply = try await ask("HEAD", path)
        try await eventually {
            if reply.status == 423 { reply = try await ask("HEAD", path) }
            return reply.status != 423
        }
        return try #require(reply["upload-offset"].flatMap { Int($0) }, "\(reply.status)")
    }

    /// Begins a body, sends only `bytes` of it, and waits until some of that is on disk. It ends with the socket.
    func begin(
        _ path: String, _ bytes: some Collection<UInt8>, of byteCount: Int, at offset: Int = 0,
        headers: [String: String?] = [:]
    ) async throws -> Socket {
        let before = try storedByteCount(path)
        let socket = try Socket(port: client.port)
        var fields = client.headers.mapValues { Optional($0) }.merging(Self.version) { $1 }
        fields.merge(Self.patch(at: offset).merging(headers) { $1 }) { $1 }
        fields["Content-Length"] = "\(byteCount)"
        let lines = fields.map { "\($0): \($1 ?? "")\r\n" }.joined()
        // Immediately: a test that is scheduled between the two could look like a stalled body.
        try await socket.write(
            Array("PATCH \(path) HTTP/1.1\r\nHost: \(client.host)\r\n\(lines)\r\n".utf8) + bytes)
        if bytes.count > 65_536 { try await eventually { try storedByteCount(path) > before + 65_536 } }
        return socket
    }

    /// Returns the disk space of an upload.
    func storedByteCount(_ path: String) throws -> Int {
        let name = try #require(try gallery.uploadNames.first { $0.contains(path.suffix(32)) })
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(gallery.folderPath)/uploads/\(name)")
        return try #require(attributes[.size] as? Int)
    }
}

extension TestGallery {
    /// The names of the files in the folder of uploads.
    var uploadNames: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folderPath + "/uploads").sorted() }
    }

    /// The originals in the event, oldest first.
    var originals: [[UInt8]] { with { $0.items.reversed().compactMap { $0.bytes[.original] } } }
}

/// Makes a folder for `body`, and removes it afterwards.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.path + "/portal-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// Bytes that begin like a JPEG; others for another seed.
func photoBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SplitMix(state: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { bytes += withUnsafeBytes(of: generator.next()) { Array($0) } }
    bytes.removeLast(bytes.count - count)
    for (index, byte) in [UInt8(0xFF), 0xD8, 0xFF].prefix(count).enumerated() { bytes[index] = byte }
    return bytes
}

/// The same random numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
