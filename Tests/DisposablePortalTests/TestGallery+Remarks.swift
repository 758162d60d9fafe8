// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Synchronization

/// Comments, captions, reactions, missions, turns and messages.
extension TestGallery {
    func comments(
        on photo: PhotoID, before comment: OperationID?, limit: Int, for viewer: AuthorID?
    ) async throws -> CommentPage {
        try state.withLock {
            _ = try Self.item(photo, for: viewer, in: $0)
            let all = $0.comments[photo] ?? []
            guard let end = comment.map({ id in all.firstIndex { $0.id == id } }) ?? all.count else {
                throw Refusal.unknownComment(comment?.short ?? "")
            }
            let start = max(0, end - limit)
            return CommentPage(comments: Array(all[start..<end]), earlierCount: start)
        }
    }

    func comment(_ text: String, on photo: PhotoID, by guest: AuthorID) async throws -> OperationID {
        if state.withLock({ $0.holdsStatements }) {
            await withCheckedContinuation { continuation in state.withLock { $0.heldStatements.append(continuation) } }
        }
        return try state.withLock { state in
            _ = try Self.item(photo, for: guest, in: state)
            guard Label.isWellFormedProse(text, byteCountMax: 2_000), !text.allSatisfy(\.isWhitespace) else {
                throw Refusal.malformedText
            }
            let before = state.comments[photo] ?? []
            let ownCount = before.count { $0.author == guest }
            guard ownCount < Remarks.commentsPerPhotoMax else {
                throw Refusal.tooManyComments(limit: ownCount)
            }
            let id = OperationID(BLAKE2b.hash(photo.bytes32.bytes + guest.bytes + Array("\(before.count)".utf8)))
            state.comments[photo] =
                before + [
                    PhotoComment(
                        id: id, author: guest, authorName: state.names[guest], saidAtMilliseconds: 1, text: text)
                ]
            state.noteRemarks(on: photo)
            return id
        }
    }

    func removeComment(_ id: OperationID, on photo: PhotoID, by guest: AuthorID) async throws {
        try state.withLock { state in
            guard let place = state.comments[photo]?.firstIndex(where: { $0.id == id }) else {
                throw Refusal.unknownComment(id.short)
            }
            guard state.comments[photo]![place].author == guest else { throw Refusal.notYours(PhotoID(id)) }
            state.comments[photo]!.remove(at: place)
            state.noteRemarks(on: photo)
        }
    }

    func setCaption(_ text: String?, of photo: PhotoID, by guest: AuthorID) async throws {
        try state.withLock { state in
            guard try Self.item(photo, for: guest, in: state).photo.author == guest else {
                throw Refusal.notYours(photo)
            }
            guard state.sealed == nil || text == nil else { throw Refusal.notShownYet }
            if let text {
                guard Label.isWellFormedProse(text, byteCountMax: 2_000), !text.allSatisfy(\.isWhitespace) else {
                    throw Refusal.malformedText
                }
            }
            guard let place = state.items.firstIndex(where: { $0.photo.id == photo }) else { return }
            state.items[place].photo.caption = text
        }
    }

    func react(_ emoji: Unicode.Scalar, isOn: Bool, to photo: PhotoID, by guest: AuthorID) async throws {
        try state.withLock { state in
            _ = try Self.item(photo, for: guest, in: state)
            guard let place = state.items.firstIndex(where: { $0.photo.id == photo }) else { return }
            if isOn {
                state.items[place].photo.reactions[emoji, default: []].insert(guest)
            } else {
                state.items[place].photo.reactions[emoji]?.remove(guest)
            }
        }
    }

    func missions(for viewer: AuthorID?) async -> [AnsweredMission] {
        state.withLock { state in
            (state.charter?.missions ?? []).map { mission in
                let answers = state.items.filter { $0.photo.context.mission?.id == mission.id }
                let photos = answers.filter { !$0.isRemoved }.map(\.photo)
                let shown = photos.filter { $0.state != .waiting }
                return AnsweredMission(
                    mission: mission, photoCount: shown.count,
                    isAnswered: photos.contains { $0.author == viewer }, examples: shown.prefix(3).map(\.id))
            }
        }
    }

    func setMission(_ id: UInt32?, of photo: PhotoID, by guest: AuthorID) async throws {
        try state.withLock { state in
            guard try Self.item(photo, for: guest, in: state).photo.author == guest else {
                throw Refusal.notYours(photo)
            }
            let mission = id.flatMap { id in state.charter?.missions.first { $0.id == id } }
            guard id == nil || mission != nil else { throw Refusal.unknownMission(id ?? 0) }
            if let place = state.items.firstIndex(where: { $0.photo.id == photo }) {
                state.items[place].photo.context.mission = mission
            }
        }
    }

    func origins(of photos: [PhotoID]) async -> [PhotoID: String] {
        state.withLock { state in state.origins.filter { photos.contains($0.key) } }
    }

    func turns(of photos: [PhotoID]) async throws -> [PhotoID: PhotoTurn] {
        state.withLock { state in
            let turned = state.items.filter { photos.contains($0.photo.id) && $0.photo.turn != .none }
            return Dictionary(uniqueKeysWithValues: turned.map { ($0.photo.id, $0.photo.turn) })
        }
    }

    func setTurn(_ turn: PhotoTurn, of photo: PhotoID, by guest: AuthorID) async throws {
        try state.withLock { state in
            guard try Self.item(photo, for: guest, in: state).photo.author == guest else {
                throw Refusal.notYours(photo)
            }
            guard let place = state.items.firstIndex(where: { $0.photo.id == photo }) else { return }
            state.items[place].photo.turn = turn
        }
    }

    func message(_ text: String, by guest: AuthorID) async throws -> OperationID {
        try state.withLock { state in
            guard (1...2_000).contains(text.utf8.count), !text.allSatisfy(\.isWhitespace) else {
                throw Refusal.malformedText
            }
            guard state.messages.count(where: { $0.author == guest }) < state.messageLimit else {
                throw Refusal.tooManyMessages(limit: state.messageLimit)
            }
            let id = OperationID(Bytes32([UInt8](repeating: UInt8(state.messages.count + 1), count: 32))!)
            state.messages.append(Message(id: id, author: guest, text: text))
            for reader in state.readers { reader.yield(.messages) }
            return id
        }
    }

    func removeMessage(_ id: OperationID, by guest: AuthorID) async throws {
        try state.withLock { state in
            guard let place = state.messages.firstIndex(where: { $0.id == id && $0.author == guest }) else {
                throw Refusal.unknownMessage(id.short)
            }
            state.messages.remove(at: place)
        }
    }
}
