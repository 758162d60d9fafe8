// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// Events that are carried between nodes in a file.
@Suite("Bundles", .timeLimit(.minutes(60))) struct BundleTests {
    private let folder: TestFolder
    private let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)

    init() throws { folder = try TestFolder() }

    /// An event at Anna's node. Ben and Chloe were admitted there one after the other, and have never met.
    private func makeParty() async throws -> EventID {
        let host = try folder.node("anna", .loopback)
        let event = try await host.host(charter, organizerName: "Anna")
        let invitation = try Invitation(text: try await host.event(event).invitation.invitation)
        try await running([host]) {
            for name in ["ben", "chloe"] {
                let guest = try folder.node(name, .loopback)
                _ = try await guest.join(invitation, name: name)
                try await running([guest]) {
                    try await dial(host, from: guest, for: event)
                    try await wait("\(name) is in") { try await guest.event(event).isAdmitted }
                }
            }
        }
        return event
    }

    private func at(_ name: String, _ request: ControlRequest) async throws -> [ControlReply] {
        try await open(name).runOffline { await ask($0, request) }
    }

    /// Opens a node's folder, once the node that had it has let go.
    private func open(_ name: String, _ configuration: NodeConfiguration = .offline) async throws -> Node {
        for _ in 0..<600 {
            do { return try folder.node(name, configuration) } catch NodeError.folderInUse {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        return try folder.node(name, configuration)
    }

    private func add(_ seed: UInt64, at name: String) async throws {
        let replies = try await at(
            name, .add(event: nil, paths: [try await folder.picture(seed)], keepsMetadata: false))
        guard case .added? = replies.first else { throw NodeError.control("\(replies)") }
    }

    private func export(_ name: String, from node: String) async throws -> String {
        let replies = try await at(node, .exportBundle(event: nil, file: folder.path(name)))
        guard replies.contains(where: { if case .bundled = $0 { true } else { false } }) else {
            throw NodeError.control("\(replies)")
        }
        return folder.path(name)
    }

    private func carried(_ replies: [ControlReply]) throws -> CarriedBundle {
        for case .carriedIn(let bundle) in replies { return bundle }
        throw NodeError.control("\(replies)")
    }

    private func failure(_ replies: [ControlReply]) -> String? {
        if case .failed(let message, _, _)? = replies.last { message } else { nil }
    }

    private func status(of name: String) async throws -> EventStatus {
        let replies = try await at(name, .status)
        guard case .status(let status)? = replies.first else { throw NodeError.control("\(replies)") }
        return status
    }

    private func states(at name: String) async throws -> [String] {
        try await at(name, .gallery(event: nil, onlyMine: false)).compactMap {
            if case .photo(let photo) = $0 { photo.state } else { nil }
        }
    }

    @Test(
        "two nodes that never met have the same gallery after a file in each direction, and a second time changes nothing"
    )
    func bothWays() async throws {
        _ = try await makeParty()
        try await add(1, at: "ben")
        try await add(2, at: "chloe")
        let fromBen = try await export("ben.carry", from: "ben")
        let taken = try carried(try await at("chloe", .importBundle(event: nil, file: fromBen)))
        #expect(taken.from == "ben")
        #expect(taken.newBlobCount == 3 && taken.refusedOperationCount == 0)
        let fromChloe = try await export("chloe.carry", from: "chloe")
        _ = try carried(try await at("ben", .importBundle(event: nil, file: fromChloe)))
        let (ben, chloe) = (try await status(of: "ben"), try await status(of: "chloe"))
        #expect(ben.operations.digest != nil && ben.operations.digest == chloe.operations.digest)
        #expect(ben.operations.operationCount == chloe.operations.operationCount)
        #expect((ben.photos.completeCount, chloe.photos.completeCount) == (2, 2))
        #expect(try await states(at: "ben") == ["complete", "complete"])

        let again = try await at("ben", .importBundle(event: nil, file: fromChloe))
        #expect(again.last == .finished(exitCode: 0))
        #expect(try carried(again).newOperationCount == 0)
        #expect(try carried(again).newBlobCount == 0)
        #expect(try await status(of: "ben").operations.operationCount == ben.operations.operationCount)
    }

    @Test("a running node takes a file and passes on what is new to its peers")
    func besideANode() async throws {
        let event = try await makeParty()
        try await add(1, at: "ben")
        let file = try await export("ben.carry", from: "ben")
        let (anna, chloe) = (try await open("anna", .loopback), try await open("chloe", .loopback))
        try await running([anna, chloe]) {
            try await dial(anna, from: chloe, for: event)
            try await wait("they are connected") { try await !anna.event(event).status.network.peers.isEmpty }
            let replies = await ask(chloe, .importBundle(event: nil, file: file))
            #expect(replies.last == .finished(exitCode: 0))
            #expect(try carried(replies).newBlobCount == 3)
            try await wait("the others have it") { try await anna.event(event).status.photos.completeCount == 1 }
            #expect(try await anna.event(event).status.operations.digest == chloe.event(event).status.operations.digest)
            #expect(try await chloe.event(event).status.network.peers.count == 1)
        }
    }

    @Test("a damaged file says where, what can be read is taken, and the whole file brings the rest")
    func damage() async throws {
        _ = try await makeParty()
        for seed in 1...3 { try await add(UInt64(seed), at: "ben") }
        let file = try await export("ben.carry", from: "ben")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        // In the last block but one: in a photo's original.
        let place =
            EventBundle.Header.byteCount + (bytes.count / EventBundle.sealedBlockByteCount - 1)
            * EventBundle.sealedBlockByteCount
        bytes[place + 1_000] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("damaged.carry")))
        let replies = try await at("chloe", .importBundle(event: nil, file: folder.path("damaged.carry")))
        let expected = NodeError.damagedBundle(path: folder.path("damaged.carry"), places: [UInt64(place)], count: 1)
        #expect(failure(replies) == "\(expected)")
        let taken = try carried(replies)
        #expect(taken.newOperationCount > 0 && (6...8).contains(taken.newBlobCount))
        #expect(try await states(at: "chloe").count == 3)
        let rest = try carried(try await at("chloe", .importBundle(event: nil, file: file)))
        #expect(rest.newOperationCount == 0)
        #expect(rest.newBlobCount == 9 - taken.newBlobCount)
        #expect(try await status(of: "chloe").photos.completeCount == 3)
    }

    @Test(
        "a file that was cut, in a block or between two, says so, and what precedes the cut is taken",
        arguments: [0, 777])
    func cut(remainder: Int) async throws {
        _ = try await makeParty()
        for seed in 1...3 { try await add(UInt64(seed), at: "ben") }
        let file = try await export("ben.carry", from: "ben")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let count = EventBundle.Header.byteCount + 2 * EventBundle.sealedBlockByteCount + remainder
        try bytes.prefix(count).write(to: URL(fileURLWithPath: folder.path("cut.carry")))
        let replies = try await at("chloe", .importBundle(event: nil, file: folder.path("cut.carry")))
        let expected = NodeError.truncatedBundle(path: folder.path("cut.carry"), byteCount: UInt64(count))
        #expect(failure(replies) == "\(expected)")
        #expect(try carried(replies).newOperationCount > 0)
        _ = try await at("chloe", .importBundle(event: nil, file: file))
        #expect(try await status(of: "chloe").photos.completeCount == 3)
    }

    @Test("a file of another event, a file that is none and a name that is taken are refused, and nothing changes")
    func refusals() async throws {
        _ = try await makeParty()
        let other = try folder.node("other")
        _ = try await other.runOffline { try await $0.host(charter, organizerName: nil) }
        let foreign = try await export("other.carry", from: "other")
        let before = try await status(of: "ben")
        #expect(
            failure(try await at("ben", .importBundle(event: nil, file: foreign)))
                == "\(NodeError.foreignBundle(path: foreign))")
        let picture = try await folder.picture(5)
        #expect(
            failure(try await at("ben", .importBundle(event: nil, file: picture)))
                == "\(NodeError.noBundle(path: picture))")
        #expect(
            failure(try await at("ben", .exportBundle(event: nil, file: picture)))
                == "\(NodeError.fileExists(path: picture))")
        #expect(try Data(contentsOf: URL(fileURLWithPath: picture)).starts(with: [0xFF, 0xD8]))
        #expect(try await status(of: "ben").operations.operationCount == before.operations.operationCount)
    }

    @Test("a node that nobody has admitted yet shows the gallery of a file")
    func outside() async throws {
        let invitation = try await open("anna").runOffline { node in
            let event = try await node.host(charter, organizerName: "Anna")
            return try Invitation(text: try await node.event(event).invitation.invitation)
        }
        try await add(1, at: "anna")
        let file = try await export("anna.carry", from: "anna")
        try await folder.node("ben").runOffline { _ = try await $0.join(invitation, name: "Ben") }
        let taken = try carried(try await at("ben", .importBundle(event: nil, file: file)))
        #expect(taken.newBlobCount == 3)
        let ben = try await status(of: "ben")
        #expect(try await ben.operations.digest == status(of: "anna").operations.digest)
        #expect(ben.photos.completeCount == 1 && !ben.isAdmitted)
    }

    @Test("a photo that was deleted leaves no body in a file")
    func deletions() async throws {
        _ = try await makeParty()
        try await add(1, at: "ben")
        guard case .photo(let photo)? = try await at("ben", .gallery(event: nil, onlyMine: true)).first else {
            throw NodeError.control("no photo")
        }
        _ = try await at("ben", .remove(event: nil, photo: photo.id))
        let taken = try carried(
            try await at("chloe", .importBundle(event: nil, file: try await export("ben.carry", from: "ben"))))
        #expect(taken.blobCount == 0)
        #expect(try await states(at: "chloe").isEmpty)
    }
}
