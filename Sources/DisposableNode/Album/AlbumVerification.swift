// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import Foundation
internal import Glibc

/// The verification of an album: whether it is unchanged, and the authors of its photos; from its own files and the
/// event's public key alone, years later and on any machine (protocol/album.md §3).
public struct AlbumVerification: Sendable {
    public enum Problem: Sendable, Equatable {
        /// A file in the manifest that does not exist.
        case missing(String)
        case altered(String)
        /// A file in the photos' folder that is not in the manifest.
        case foreign(String)
        /// The manifest's description of the photo differs from the one that its author signed.
        case notAsSigned(String)
        /// Operations whose signatures are invalid, or which belong to another event.
        case invalidOperations(count: Int)
        case wrongEventID
        case wrongDigest
        /// An organizer has signed an operation that only a newer version understands, so there is no digest to
        /// compare.
        case needsNewerVersion
        /// The manifest's signature, or the signer's membership, is invalid.
        case notSignedByMember
    }

    public private(set) var manifest: AlbumManifest
    public private(set) var problems: [Problem] = []
    /// Files that match the descriptions that their authors signed.
    public private(set) var intactCount = 0
    /// Photos of the gallery that are not in the album because their originals had not arrived.
    public private(set) var absentCount = 0
    /// The name of the signer in the event, and whether it was an organizer.
    public private(set) var signerName: String?
    public private(set) var isSignedByOrganizer = false
    /// The event's key, to compare its words with the poster's.
    public private(set) var eventKey: VerifyingKey?

    /// Reads the whole album, however long that takes. Throws `AlbumError` if there is nothing to verify.
    /// - Parameters:
    ///   - folder: the path of the album.
    ///   - progress: called with the number of examined photos and their total.
    public init(folder: String, progress: (Int, Int) -> Void = { _, _ in }) throws {
        let bytes: [UInt8]
        (manifest, bytes) = try AlbumManifest.read(from: folder)
        guard let key = Bytes32(hex: manifest.event.key).map(VerifyingKey.init),
            EventID(key: key).description == manifest.event.id
        else {
            problems.append(.wrongEventID)
            return
        }
        eventKey = key
        let (state, contents) = try fold(eventKey: key, folder: folder)
        checkSignature(of: bytes, state, folder: folder)
        if state.needsNewerVersion {
            problems.append(.needsNewerVersion)
        } else if state.digest?.description != manifest.digest {
            problems.append(.wrongDigest)
        }

        var listed: Set<String> = []
        for (index, photo) in manifest.photos.enumerated() {
            listed.insert(photo.file)
            if !Self.isAsSigned(photo, state, contents) { problems.append(.notAsSigned(photo.file)) }
            check(photo, in: folder)
            progress(index + 1, manifest.photos.count)
        }
        absentCount = Set(state.gallery.map { $0.id.description }).subtracting(manifest.photos.map(\.id)).count
        let present =
            (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(AlbumManifest.photosFolderName)")) ?? []
        problems += present.sorted().map { "\(AlbumManifest.photosFolderName)/\($0)" }.filter { !listed.contains($0) }
            .map(Problem.foreign)
    }

    /// Folds the operations. Every signature is verified, as for operations from other nodes.
    private mutating func fold(eventKey: VerifyingKey, folder: String) throws -> (
        EventState, [OperationID: OriginalManifest]
    ) {
        var state = EventState(eventKey: eventKey)
        var originals: [OperationID: OriginalManifest] = [:]
        var invalidCount = 0
        let bytes = try AlbumError.reading(AlbumManifest.operationsFileName, in: folder, byteCountMax: 4 << 30)
        var rest = bytes[...]
        do {
            while let operation = try OperationFile.next(&rest) {
                guard let verified = try? operation.verified(event: state.event) else {
                    invalidCount += 1
                    continue
                }
                state.take(verified)
                if case .original(let original) = verified.content { originals[verified.id] = original }
            }
        } catch {
            // Records after a corrupt one cannot be separated.
            invalidCount += 1
        }
        state.resolve()
        if invalidCount > 0 { problems.append(.invalidOperations(count: invalidCount)) }
        return (state, originals)
    }

    private mutating func checkSignature(of manifestBytes: [UInt8], _ state: EventState, folder: String) {
        let text = try? AlbumError.reading(AlbumManifest.signatureFileName, in: folder, byteCountMax: 1_024)
        let hex = String(decoding: text ?? [], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let signer = DeviceID(hex: manifest.signer), state.membership.isMember(signer),
            let signature = [UInt8](hex: hex).flatMap({ Signature($0) }),
            signer.verifyingKey.isValid(
                signature, for: AlbumManifest.signedBytes(manifest: manifestBytes, event: state.event))
        else {
            problems.append(.notSignedByMember)
            return
        }
        signerName = state.album.name(of: state.membership.author(of: signer))
        isSignedByOrganizer = (state.membership.rank(of: signer) ?? .participant) >= .organizer
    }

    /// Whether the photo matches its author's description, and the gallery shows it at that number.
    private static func isAsSigned(
        _ photo: AlbumManifest.Photo, _ state: EventState, _ originals: [OperationID: OriginalManifest]
    ) -> Bool {
        guard let id = PhotoID(hex: photo.id), let known = state.photo(id), known.status.frame == photo.frame,
            known.author.description == photo.author
        else { return false }
        return state.album.originals(of: id).contains { originals[$0]?.sha256.description == photo.sha256 }
    }

    private mutating func check(_ photo: AlbumManifest.Photo, in folder: String) {
        // The names come from a file that anyone may have written.
        let parts = photo.file.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == AlbumManifest.photosFolderName, parts[1] != "..", parts[1] != "." else {
            problems.append(.notAsSigned(photo.file))
            return
        }
        switch Self.sha256(ofFileAt: "\(folder)/\(photo.file)") {
        case nil: problems.append(.missing(photo.file))
        case .some(let hash) where hash.description == photo.sha256: intactCount += 1
        case .some: problems.append(.altered(photo.file))
        }
    }

    private static func sha256(ofFileAt path: String) -> Bytes32? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { return hash.finalize() }
            let part = buffer[..<count]
            hash.update(part.span)
        }
    }
}
