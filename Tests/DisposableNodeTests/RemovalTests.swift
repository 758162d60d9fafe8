// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// Nodes in this process, on loopback, of which one is removed with those that it let in.
@Suite(.timeLimit(.minutes(60))) struct RemovalTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func weigh(_ node: Node, _ extent: RemovalExtent) async throws -> RevocationPreview {
        let replies = await ask(
            node,
            .rule(event: nil, act: .weighRevocation(role: "participant", member: "Ben", extent: extent)))
        guard case .revoking(let preview)? = replies.first else { throw NodeError.control("\(replies)") }
        return preview
    }

    @Test("a member is removed with everything and with the node that it let in, after both were named")
    func everything() async throws {
        var configuration = NodeConfiguration.loopback
        configuration.destructionDelaySeconds = 1
        let nodes = try ["host", "ben", "chloe"].map { try folder.node($0, configuration) }
        let (host, ben, chloe) = (nodes[0], nodes[1], nodes[2])
        let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)
        let event = try await host.host(charter, organizerName: "Anna")
        let invitation = try Invitation(text: try await host.event(event).invitation.invitation)
        _ = try await ben.join(invitation, name: "Ben")
        _ = try await chloe.join(invitation, name: "Chloe")
        let paths = [try await folder.picture(1), try await folder.picture(2)]
        try await running(nodes) {
            try await dial(host, from: ben, for: event)
            try await wait("Ben is in") { try await ben.event(event).isAdmitted }
            try await dial(ben, from: chloe, for: event)
            try await wait("the host knows that Ben let in Chloe") {
                (try? await weigh(host, RemovalExtent()))?.admitted == ["Chloe"]
            }
            for (node, path) in zip([ben, chloe], paths) {
                let added = await ask(node, .add(event: nil, paths: [path], keepsMetadata: false, caption: nil))
                #expect(added.last == .finished(exitCode: 0))
            }
            try await wait("the host has the photos") { try await host.event(event).status.photos.completeCount == 2 }

            let alone = try await weigh(host, RemovalExtent())
            #expect(alone.keptPhotoCount == 1 && alone.removedOthers.isEmpty && !alone.needsConfirmation)
            let both = try await weigh(host, RemovalExtent(withAdmitted: true))
            #expect(both.keptPhotoCount == 2 && both.harmsOthers && both.harm.contains("Chloe"))
            let extent = RemovalExtent(withAdmitted: true, everything: true)
            let everything = try await weigh(host, extent)
            #expect(everything.lostPhotoCount == 2 && everything.destroyedPhotoCount == 2)

            let blobs = folder.data("host").path + "/events/\(event)/blobs"
            #expect(Self.fileCount(in: blobs) > 0)
            func remove(_ role: String, isConfirmed: Bool) async -> [ControlReply] {
                await ask(
                    host,
                    .rule(
                        event: nil,
                        act: .revoke(role: role, member: "Ben", extent: extent, isConfirmed: isConfirmed)))
            }
            for (role, isConfirmed) in [("participant", false), ("page", true)] {
                guard case .failed? = await remove(role, isConfirmed: isConfirmed).last else {
                    Issue.record("\(role) was revoked")
                    return
                }
            }
            #expect(try await host.event(event).status.operations.memberCount == 3)
            #expect(await remove("participant", isConfirmed: true).last == .finished(exitCode: 0))
            #expect(try await host.event(event).status.operations.memberCount == 1)
            #expect(try await host.event(event).status.photos.photoCount == 0)
            try await wait("all of it is destroyed") { try await host.event(event).status.photos.toDestroyCount == 0 }
            try await wait("its files are gone") { Self.fileCount(in: blobs) == 0 }
        }
    }

    private static func fileCount(in path: String) -> Int {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return names.count { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }
}
