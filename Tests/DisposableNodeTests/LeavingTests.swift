// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// Nodes in this process, on loopback, of which one leaves.
@Suite(.timeLimit(.minutes(60))) struct LeavingTests {
    private let folder: TestFolder
    private let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)

    init() throws { folder = try TestFolder() }
    private func node(_ name: String) throws -> Node { try folder.node(name, .loopback) }

    private func request(
        deletes: Bool = false, isConfirmed: Bool = true, wait: Int = 1_800, unheard: Bool = false
    ) -> ControlRequest {
        .leave(
            event: nil,
            LeaveRequest(deletesPhotos: deletes, isConfirmed: isConfirmed, waitSeconds: wait, forgetsUnheard: unheard))
    }

    private func begin() async throws -> (host: Node, guest: Node, event: EventID, invitation: Invitation) {
        let (host, guest) = (try node("host"), try node("guest"))
        let event = try await host.host(charter, organizerName: "Anna")
        let invitation = try Invitation(text: try await host.event(event).invitation.invitation)
        _ = try await guest.join(invitation, name: "Ben")
        return (host, guest, event, invitation)
    }

    private func meet(_ host: Node, _ guest: Node, _ event: EventID) async throws {
        try await dial(host, from: guest, for: event)
        try await wait("the guest is in, and both know") {
            guard try await guest.event(event).isAdmitted else { return false }
            return try await host.event(event).status.operations.memberCount == 2
        }
    }

    @Test("who leaves with its photos left behind hands them over and forgets; the same invitation says so")
    func leave() async throws {
        let (host, guest, event, invitation) = try await begin()
        let paths = [try await folder.picture(1), try await folder.picture(2)]
        try await running([host, guest]) {
            try await meet(host, guest, event)
            let added = await ask(guest, .add(event: nil, paths: paths, keepsMetadata: false, caption: nil))
            #expect(added.last == .finished(exitCode: 0))
            let preview = await ask(guest, request(isConfirmed: false))
            guard case .leaving(let found) = preview.first else {
                Issue.record("\(preview)")
                return
            }
            #expect(found.ownPhotoCount == 2 && !found.hasEventKey && !found.isLastNode && !found.deletesPhotos)
            #expect(await guest.events == [event], "only looked at")

            let left = await ask(guest, request())
            #expect(left.suffix(2) == [.left(event: event.description, name: "Party"), .finished(exitCode: 0)])
            #expect(await guest.events.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder.data("guest").path + "/events/\(event)"))
            #expect(folder.data("guest").tombstones.map(\.name) == ["Party"])
            let status = try await host.event(event).status
            #expect(status.photos.completeCount == 2 && status.operations.memberCount == 1)
            let error = try await #require(throws: NodeError.self) { _ = try await guest.join(invitation, name: "Ben") }
            guard case .forgotten = error else {
                Issue.record("\(error)")
                return
            }
            _ = try await guest.join(invitation, name: "Ben", again: true)
            try await meet(host, guest, event)
            #expect(folder.data("guest").tombstones.isEmpty)
        }
    }

    @Test("with nobody there to hear it, it is not forgotten, and goes on at the next start, when somebody is")
    func unheard() async throws {
        let (host, guest, event, _) = try await begin()
        let path = try await folder.picture(3)
        try await running([host, guest]) {
            try await meet(host, guest, event)
            #expect(
                await ask(guest, .add(event: nil, paths: [path], keepsMetadata: false, caption: nil)).last
                    == .finished(exitCode: 0))
            try await wait("the host has it") { try await host.event(event).status.photos.completeCount == 1 }
        }
        let alone = try node("guest")
        try await running([alone]) {
            let replies = await ask(alone, request(deletes: true, wait: 1))
            guard case .failed(_, .some, 1) = replies.last else {
                Issue.record("\(replies)")
                return
            }
            #expect(await alone.events == [event])
            guard
                case .failed(let message, _, 1) = await ask(
                    alone, .add(event: nil, paths: [path], keepsMetadata: false, caption: nil)
                ).last ?? .finished(exitCode: 0)
            else {
                // A file that cannot be added is skipped, and the command fails.
                return
            }
            #expect(message == "\(NodeError.refused(.hasLeft))")
        }
        let (again, hosting) = (try node("guest"), try node("host"))
        try await running([hosting, again]) {
            try await dial(hosting, from: again, for: event)
            try await wait("the guest has forgotten") { folder.data("guest").tombstones.count == 1 }
            try await wait("and nothing is left") {
                !FileManager.default.fileExists(atPath: folder.data("guest").path + "/events/\(event)")
            }
            let status = try await hosting.event(event).status
            #expect(status.photos.photoCount == 0 && status.operations.memberCount == 1)
        }
    }

    @Test("forgetting that was interrupted is finished before anything else is done with the folder")
    func interrupted() async throws {
        let offline = try folder.node("host")
        let event = try await offline.runOffline { node in try await node.host(charter, organizerName: nil) }
        // As it stands when the process ends right after the word that counts.
        let tombstone = """
            {"event":"\(event)","name":"Party","forgottenAt":1,"reason":"left"}
            """
        let path = folder.data("host").path + "/forgotten"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try tombstone.write(toFile: "\(path)/\(event).json", atomically: true, encoding: .utf8)
        let next = try folder.node("host")
        #expect(await next.events.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.data("host").path + "/events/\(event)"))
        try await next.runOffline { _ in }
    }

    @Test("the only node of an event forgets it at once; a holder of its key is warned first")
    func lastNode() async throws {
        let host = try node("host")
        let event = try await host.host(charter, organizerName: nil)
        try await running([host]) {
            guard case .leaving(let found) = await ask(host, request(isConfirmed: false)).first else {
                Issue.record("no preview")
                return
            }
            #expect(found.hasEventKey && found.isLastNode)
            #expect(await ask(host, request()).last == .finished(exitCode: 0))
            #expect(!FileManager.default.fileExists(atPath: folder.data("host").path + "/events/\(event)"))
        }
    }
}
