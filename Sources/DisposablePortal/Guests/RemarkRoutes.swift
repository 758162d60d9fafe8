// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore

/// Guests' annotations of photos: captions, comments and reactions (protocol/guest-api.md §4).
struct RemarkRoutes: Sendable {
    let limits: PortalLimits

    func add(to group: RouterGroup) {
        group.get("api/photos/:id/comments", use: list)
        group.post("api/photos/:id/comments", use: comment)
        group.delete("api/photos/:id/comments/:comment", use: remove)
        group.post("api/photos/:id/reactions", use: react)
        group.put("api/photos/:id/caption", use: caption)
    }

    private struct CommentsMessage: Encodable {
        struct Comment: Encodable {
            let id: String
            let author: String
            let authorName: OrNull<String>
            let isMine: Bool
            let saidAt: UInt64
            let text: String
        }
        let comments: [Comment]
        let earlierCount: Int
    }

    @Sendable private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let photo = try context.photo()
        let query = request.uri.queryParameters
        let limit = try query["limit"].map { text in
            guard let limit = Int(text), (1...limits.answers.commentCountMax).contains(limit) else {
                throw PortalError.malformed("limit is a number from 1 to \(limits.answers.commentCountMax)")
            }
            return limit
        }
        let page = try await session.gallery.comments(
            on: photo, before: try request.commentCursor(), limit: limit ?? limits.answers.commentCountMax,
            for: session.guest)
        return try .json(
            CommentsMessage(
                comments: page.comments.map {
                    .init(
                        id: $0.id.description, author: $0.author.description, authorName: OrNull($0.authorName),
                        isMine: $0.author == session.guest, saidAt: $0.saidAtMilliseconds, text: $0.text)
                }, earlierCount: page.earlierCount))
    }

    private struct CommentMessage: Decodable { let text: String }
    private struct SaidMessage: Encodable { let id: String }

    @Sendable private func comment(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(CommentMessage.self, limits: limits)
        let photo = try context.photo()
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        let id = try await context.stating(by: guest) {
            try await session.gallery.comment(message.text, on: photo, by: guest)
        }
        return try .json(SaidMessage(id: id.description), status: .created)
    }

    @Sendable private func remove(_ request: Request, _ context: PortalContext) async throws -> Response {
        let photo = try context.photo()
        let (session, guest) = try await context.requireActingGuest()
        guard let id = context.parameters.get("comment").flatMap({ OperationID(hex: $0) }) else {
            throw PortalError(Refusal.unknownComment(context.parameters.get("comment") ?? ""))
        }
        try await context.stating(by: guest) {
            try await session.gallery.removeComment(id, on: photo, by: guest)
        }
        return Response(status: .noContent)
    }

    /// An empty text deletes the caption.
    @Sendable private func caption(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(CommentMessage.self, limits: limits)
        let photo = try context.photo()
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        try await context.stating(by: guest) {
            try await session.gallery.setCaption(message.text.isEmpty ? nil : message.text, of: photo, by: guest)
        }
        return Response(status: .noContent)
    }

    private struct ReactionMessage: Decodable {
        let emoji: String
        let isOn: Bool
    }

    @Sendable private func react(_ request: Request, _ context: PortalContext) async throws -> Response {
        let message = try await request.json(ReactionMessage.self, limits: limits)
        let photo = try context.photo()
        guard message.emoji.unicodeScalars.count == 1, let emoji = message.emoji.unicodeScalars.first,
            Remarks.emoji.contains(emoji)
        else {
            throw PortalError.malformed("emoji is one of \(Remarks.emoji.map { String($0) }.joined(separator: " "))")
        }
        let (session, guest) = try await context.requireActingGuest()
        try context.requireEvent().gate.admitRemark(by: guest)
        try await context.stating(by: guest) {
            try await session.gallery.react(emoji, isOn: message.isOn, to: photo, by: guest)
        }
        return Response(status: .noContent)
    }
}

extension Request {
    /// Returns the comment before which a page of comments ends; `nil` for the newest page.
    func commentCursor() throws(PortalError) -> OperationID? {
        guard let text = uri.queryParameters["before"] else { return nil }
        guard let id = OperationID(hex: text) else { throw .malformed("before is a comment's id") }
        return id
    }
}

extension PortalContext {
    /// Returns the photo in the path. Ids are long random numbers; any other text names no photo.
    func photo() throws(PortalError) -> PhotoID {
        let text = parameters.get("id") ?? ""
        guard let id = PhotoID(hex: text) else { throw PortalError(Refusal.unknownPhoto(text)) }
        return id
    }
}
