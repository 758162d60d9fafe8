// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation

/// What the event knows about this node's person: all of it to take home, and all of it that can be to be taken away.
extension EventNode {
    // Taking it home

    /// Everything that is known here about the person, as `me.json`; the photos lie beside it.
    struct PersonalData: Codable, Sendable {
        static let fileName = "me.json"

        struct Photo: Codable, Sendable {
            /// In this folder; absent where it could not be written.
            var file: String?
            var about: GalleryPhoto
        }
        /// An operation by the person, or by somebody else about the person or what they made.
        struct Statement: Codable, Sendable {
            var id: String
            var kind: String
            /// ISO 8601, by the clock of the device that said it.
            var statedAt: String
            var device: String
            var sequence: UInt32
            var subject: String?
            var argument: UInt64
            /// Of a name, a caption, a comment or a notice, where it is still here.
            var text: String?
            /// Whether it was taken away.
            var isTakenAway: Bool
        }

        var format = 1
        var event: String
        var eventName: String
        var exportedAt: String
        /// What the person is called now.
        var name: String?
        /// The public key that the person speaks with.
        var key: String
        var framesUsed: Int
        var photos: [Photo]
        var said: [Statement]
        var saidByOthers: [Statement]
        /// What others know for good, in words.
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
        let (said, saidByOthers) = try await statements()
        let me = PersonalData(
            event: event.description, eventName: self.name,
            exportedAt: Timestamps.iso8601(now.wallClockMilliseconds),
            name: replica.state.album.name(of: replica.authorID), key: replica.authorID.description,
            framesUsed: replica.state.album.usedSlotCount(of: replica.authorID), photos: entries, said: said,
            saidByOthers: saidByOthers, remains: PersonalDataText.remains)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let path = "\(target)/\(PersonalData.fileName)"
        try encoder.encode(me).write(to: URL(fileURLWithPath: path), options: .atomic)
        await reply(
            .exportedMe(
                file: path, photoCount: entries.count { $0.file != nil },
                statementCount: said.count + saidByOthers.count))
        await reply(.finished(exitCode: problemCount > 0 ? 1 : 0))
    }

    /// By the person, and by others about the person, in the order in which they came here.
    private func statements() async throws -> (said: [PersonalData.Statement], byOthers: [PersonalData.Statement]) {
        let (album, me) = (replica.state.album, replica.authorID)
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
                        var statement = PersonalData.Statement(operation, in: album)
                        // What somebody else says is theirs.
                        statement.text = nil
                        byOthers.append(statement)
                    }
                }
            }
            return (said, byOthers)
        }
    }

    // Taking it away

    /// Takes back all that the person has given: photos, captions, comments, notices, reactions, and every name.
    func eraseMe(reply: (ControlReply) async -> Void) async throws {
        // Or it would be said again at the next start.
        try store.setMetadata(nil, for: "own name")
        ownName = nil
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
        // What was said about these photos goes with them, but a caption that was taken back is so also if the photo's
        // removal comes later somewhere.
        let words = album.remarks { album.remark($0)?.author == author && !album.isRemoved(PhotoID($0), by: author) }
        let reactions = state.photos.filter { !$0.status.isWithdrawn }.map(\.id).flatMap { photo in
            album.reactions(to: photo).filter { $0.value.contains(author) }.keys.map { (photo, $0) }
        }
        let total = photos.count + words.count + reactions.count
        var done = 0
        for (photo, emoji) in reactions {
            // There is nothing in it that could be destroyed, so it is taken off like any other; as fast as one may.
            while true {
                do {
                    let salt = Entropy.bytes(OperationBody.saltByteCount)
                    _ = try await self.author(
                        .say(.reaction(photo, emoji, isOn: false), salt: salt), by: key)
                    break
                } catch NodeError.tooFast(let seconds) {
                    try await Task.sleep(for: .seconds(seconds))
                } catch NodeError.nothingToDo, NodeError.unknownPhoto { break }
            }
            done += 1
            await reply(.progress(done: done, total: total))
        }
        for subject in photos + words.map({ PhotoID($0) }) {
            do { _ = try await self.author(.remove(subject), by: key) } catch NodeError.alreadyRemoved {}
            done += 1
            await reply(.progress(done: done, total: total))
        }
        return ErasedData(photoCount: photos.count, wordCount: words.count, reactionCount: reactions.count)
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

/// Words that stand in more than one place.
public enum PersonalDataText {
    public static let remains =
        "What cannot be taken away, because all nodes need it to come to the same gallery: the public key of your device; "
        + "when it came, and when it said what; which kind each statement is, and which photo it is about; that it was "
        + "taken away. No name, picture or text is among it."
}
