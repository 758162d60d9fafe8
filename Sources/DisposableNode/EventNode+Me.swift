// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation

/// The data of this node's person: its export, and its deletion.
extension EventNode {
    // Export

    /// All data known here about the person, as `me.json`; the photos are beside it.
    struct PersonalData: Codable, Sendable {
        static let fileName = "me.json"

        struct Photo: Codable, Sendable {
            /// The file in this folder; absent if it could not be written.
            var file: String?
            var about: GalleryPhoto
        }
        /// An operation by the person, or by others about the person or their content.
        struct Statement: Codable, Sendable {
            var id: String
            var kind: String
            /// ISO 8601, by the clock of the signing device.
            var statedAt: String
            /// Empty for a veil by somebody else.
            var device: String
            var sequence: UInt32
            var subject: String?
            var argument: UInt64
            /// The text of a name, caption, comment or notice, if it is still here. That of a message is sealed: only the
            /// organizers can read it.
            var text: String?
            /// Whether it was withdrawn.
            var isTakenAway: Bool
        }

        /// The text that people agree to before they add photos.
        struct Consent: Codable, Sendable {
            var statement: String
            /// The organizers' own text; absent if there is none.
            var organizersText: String?
            var isGiven: Bool
        }

        var format = 1
        var event: String
        var eventName: String
        var exportedAt: String
        /// The person's present name.
        var name: String?
        /// The person's public key.
        var key: String
        var framesUsed: Int
        var consent: Consent?
        var photos: [Photo]
        var said: [Statement]
        var saidByOthers: [Statement]
        /// A description of the data that stays with other nodes.
        var remains: String
    }

    func exportMe(to target: String, reply: (ControlReply) async -> Void) async throws {
        let photos = try await gallery(onlyMine: true).filter { !$0.photo.status.isWithdrawn }
        let name = ShownNames(of: photos, in: replica.state.album)[replica.authorID]
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        var entries: [PersonalData.Photo] = []
        var problemCount = 0
        for (index, photo) in photos.enumerated() {
            let (file, _) = try await export(
                photo, by: name, number: index + 1, of: photos.count, from: store, to: target)
            if file.problem != nil { problemCount += 1 }
            entries.append(
                .init(
                    file: file.problem == nil ? (file.file as NSString).lastPathComponent : nil,
                    about: photo.asGalleryPhoto))
            await reply(.exported(file))
            await reply(.progress(done: index + 1, total: photos.count))
        }
        let me = try await personalData(of: replica.authorID, photos: entries)
        let path = "\(target)/\(PersonalData.fileName)"
        try me.encoded().write(to: URL(fileURLWithPath: path), options: .atomic)
        await reply(
            .exportedMe(
                file: path, photoCount: entries.count { $0.file != nil },
                statementCount: me.said.count + me.saidByOthers.count))
        await reply(.finished(exitCode: problemCount > 0 ? 1 : 0))
    }

    /// Returns everything that is known here about a guest, as the text of `me.json`.
    ///
    /// Runs for one guest at a time: each run reads every operation, and holds the present album, which the next change
    /// therefore copies.
    /// - Parameters:
    ///   - guest: the guest.
    ///   - files: the names of the photos' files, which lie beside it; of those that are here.
    public func personalData(of guest: AuthorID, files: [PhotoID: String]) async throws -> [UInt8] {
        await withCheckedContinuation { reading.loneWork.acquire(.collectingPersonalData, $0) }
        defer { reading.loneWork.release(.collectingPersonalData) }
        let state = replica.state
        let photos = state.album.photos(by: guest).compactMap(state.photo).filter { !$0.status.isWithdrawn }
        let entries = try await describe(state.ordered(photos)).map { photo in
            var about = photo.asGalleryPhoto
            about.isMine = true
            return PersonalData.Photo(file: files[photo.photo.id], about: about)
        }
        return [UInt8](try await personalData(of: guest, photos: entries).encoded())
    }

    private func personalData(of author: AuthorID, photos: [PersonalData.Photo]) async throws -> PersonalData {
        let (said, saidByOthers) = try await statements(of: author)
        let state = replica.state
        return PersonalData(
            event: event.description, eventName: self.name,
            exportedAt: Timestamps.iso8601(now.wallClockMilliseconds),
            name: state.album.name(of: author), key: author.description,
            framesUsed: state.album.usedSlotCount(of: author),
            consent: state.consentText.map { text in
                .init(
                    statement: ConsentText.statement, organizersText: text.organizers.isEmpty ? nil : text.organizers,
                    isGiven: state.hasConsented(author))
            }, photos: photos, said: said, saidByOthers: saidByOthers, remains: PersonalDataText.remains)
    }

    /// By the person, and by others about the person, in the order in which they came here.
    private func statements(
        of me: AuthorID
    ) async throws -> (said: [PersonalData.Statement], byOthers: [PersonalData.Statement]) {
        let album = replica.state.album
        return try await readers.run { [store] in
            var (said, byOthers): ([PersonalData.Statement], [PersonalData.Statement]) = ([], [])
            try store.forEachOperation(bodies: { [.name, .caption, .comment, .notice].contains($0) }) { operations in
                for operation in operations {
                    let subject = operation.header.subject
                    if album.membership.author(of: operation.header.device) == me {
                        said.append(.init(operation, in: album))
                    } else if subject.bytes32 == me.bytes32
                        || (album.author(of: PhotoID(subject)) ?? album.remark(subject)?.author) == me
                    {
                        // Nobody but the organizers is told who writes to them, also not about whose photo.
                        if operation.kind == .message { continue }
                        var statement = PersonalData.Statement(operation, in: album)
                        // The text of another author is that author's data.
                        statement.text = nil
                        // Nobody is told who asks for a veil.
                        if operation.kind == .veil { (statement.device, statement.sequence) = ("", 0) }
                        byOthers.append(statement)
                    }
                }
            }
            return (said, byOthers)
        }
    }

    // Deletion

    /// Deletes everything that the person has added: photos, captions, comments, notices, reactions, and every name.
    func eraseMe(reply: (ControlReply) async -> Void) async throws {
        // Otherwise the name would be signed again at the next start.
        try store.setMetadata(nil, for: "own name")
        names.own = nil
        let erased = try await eraseAll(of: replica.authorID, by: nil, reply: reply)
        await reply(.erasedMe(erased))
        await reply(.finished(exitCode: erased.isNothing ? 3 : 0))
    }

    /// - Parameter key: the sub-key of a guest; `nil` for this device.
    func eraseAll(
        of author: AuthorID, by key: SigningKey?, reply: (ControlReply) async -> Void = { _ in }
    ) async throws -> ErasedData {
        let state = replica.state
        let album = state.album
        let photos = album.photos(by: author).filter { !album.isRemoved($0, by: author) }
        // Annotations of these photos are withdrawn with them, but a deleted caption must stay deleted even if the
        // photo's removal arrives later at a node.
        let words = album.remarks { album.remark($0)?.author == author && !album.isRemoved(PhotoID($0), by: author) }
        let reactions = state.photos.filter { !$0.status.isWithdrawn }.map(\.id).flatMap { photo in
            album.reactions(to: photo).filter { $0.value.contains(author) }.keys.map { (photo, $0) }
                + (album.highlighters(of: photo).contains(author) ? [(photo, Remarks.highlight)] : [])
        }
        let total = photos.count + words.count + reactions.count
        var done = 0
        for (photo, emoji) in reactions {
            // A reaction has no text to purge, so it is taken off like any other, at the permitted rate.
            while true {
                do {
                    let salt = Entropy.bytes(OperationBody.saltByteCount)
                    _ = try await self.author(
                        .say(.reaction(photo, emoji, isOn: false), salt: salt), by: key)
                    break
                } catch NodeError.refused(.tooFast(let seconds)) {
                    try await Task.sleep(for: .seconds(seconds))
                } catch NodeError.refused(.nothingToDo), NodeError.refused(.unknownPhoto) { break }
            }
            done += 1
            await reply(.progress(done: done, total: total))
        }
        try await withdrawVote(of: author, by: key)
        for subject in photos + words.map({ PhotoID($0) }) {
            do { _ = try await self.author(.remove(subject), by: key) } catch NodeError.refused(.alreadyRemoved) {}
            done += 1
            await reply(.progress(done: done, total: total))
        }
        return ErasedData(photoCount: photos.count, wordCount: words.count, reactionCount: reactions.count)
    }
}

extension EventNode.PersonalData {
    fileprivate func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

extension EventNode.PersonalData.Statement {
    fileprivate init(_ operation: VerifiedOperation, in album: Album) {
        let header = operation.header
        var text: String?
        switch operation.content {
        case .name(let said), .text(let said): text = said
        default: break
        }
        self.init(
            id: operation.id.description, kind: operation.kind.map { "\($0)" } ?? "kind \(header.kind)",
            statedAt: Timestamps.iso8601(header.timestamp.milliseconds), device: header.device.description,
            sequence: header.sequence, subject: header.subject == .none ? nil : header.subject.description,
            argument: header.argument, text: text, isTakenAway: album.withdrawal(of: operation.id) != nil)
    }
}

/// Texts used in several places.
public enum PersonalDataText {
    public static let remains =
        "Some data cannot be deleted, because all nodes need it for the same gallery: the public key of your device; "
        + "the times of its operations; the kind of each, and the photo that it is about; the fact that it was "
        + "deleted. It includes no name, picture or text."
}
