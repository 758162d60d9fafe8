// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// Joined galleries at nodes: which node reads what, what pages show, and what is forgotten
/// (protocol/disposable-v1.md §9.28).
@Suite(.timeLimit(.minutes(60))) struct TwinNodeTests {
    private let folder: TestFolder
    init() throws { folder = try TestFolder() }

    /// The event begins now: photos later than a day after its end are not in the order of their times.
    private func host(_ node: Node, _ name: String) async throws -> EventID {
        let now = UInt64(Date().timeIntervalSince1970 * 1_000)
        return try await node.host(Charter(name: name, startsAtMilliseconds: now), organizerName: "Anna")
    }

    private func twins(_ node: Node, _ act: TwinAct, in event: EventID? = nil) async throws -> TwinReport {
        let replies = await ask(node, .twins(event: event?.description, act: act))
        guard case .twins(let report)? = replies.first else { throw NodeError.control("\(replies)") }
        return report
    }

    private func refusal(_ node: Node, _ act: TwinAct, in event: EventID? = nil) async throws -> String {
        let replies = await ask(node, .twins(event: event?.description, act: act))
        guard case .failed(let message, _, _)? = replies.first else { throw NodeError.control("\(replies)") }
        return message
    }

    private func add(_ node: Node, _ seed: UInt64, to event: EventID) async throws {
        let replies = await ask(
            node, .add(event: event.description, paths: [try await folder.picture(seed)], keepsMetadata: false))
        let isAdded = replies.contains { if case .added = $0 { true } else { false } }
        guard isAdded else { throw NodeError.control("\(replies)") }
    }

    private func page(_ node: Node, _ event: EventID) async throws -> PhotoPage {
        try await node.joinedPage(of: event, before: nil, limit: 60, withVeiled: false)
    }

    /// The number of photos in the encrypted album of an event.
    private func webAlbumCount(_ node: Node, _ event: EventID) async throws -> Int {
        let web = folder.path("web \(event)")
        try FileManager.default.createDirectory(atPath: web, withIntermediateDirectories: true)
        let replies = await ask(
            node,
            .exportWebAlbum(
                event: event.description, folder: web, key: String(repeating: "07", count: 32), hasOriginals: true))
        let counts = replies.compactMap { reply -> Int? in
            if case .webAlbum(let album) = reply { album.photoCount } else { nil }
        }
        return try #require(counts.first, "\(replies)")
    }

    @Test("two events of one node are joined and separated, and pages have both, newest first, piece by piece")
    func one() async throws {
        try await folder.node("host").runOffline { node in
            let (garden, beach) = (try await host(node, "Garden party"), try await host(node, "Beach party"))
            for seed in UInt64(1)...3 {
                try await add(node, seed, to: garden)
                try await add(node, 10 + seed, to: beach)
            }
            let report = try await twins(node, .with(event: "Beach party"), in: garden)
            #expect(report.twins.map(\.state) == [.joined] && report.twins.map(\.photoCount) == [3])
            #expect(report.twins.map(\.needsRenewal) == [false] && report.agreement == nil)
            #expect(node.hasTwins(garden) && node.hasTwins(beach))

            let all = try await page(node, garden)
            #expect(all.totalCount == 6 && all.photos.count == 6 && all.next == nil)
            #expect(all.photos.map(\.addedAtMilliseconds) == all.photos.map(\.addedAtMilliseconds).sorted(by: >))
            #expect(try await page(node, beach).photos.map(\.id) == all.photos.map(\.id))
            let origins = await node.twinPhotos(among: all.photos.map(\.id), of: garden)
            #expect(origins.count == 3 && origins.values.allSatisfy { $0.eventName == "Beach party" })

            var (pieces, cursor): ([PhotoID], PhotoID?) = ([], nil)
            repeat {
                let piece = try await node.joinedPage(of: garden, before: cursor, limit: 4, withVeiled: true)
                pieces += piece.photos.map(\.id)
                cursor = piece.next
            } while cursor != nil
            #expect(pieces == all.photos.map(\.id))
            await #expect(throws: NodeError.self) {
                try await node.joinedPage(of: garden, before: PhotoID(Bytes32.zero), limit: 4, withVeiled: false)
            }

            #expect(try await twins(node, .separate(event: "Garden party"), in: beach).twins.isEmpty)
            #expect(try await twins(node, .list, in: garden).twins.map(\.state) == [.ended])
            #expect(!node.hasTwins(garden) && !node.hasTwins(beach))
            #expect(try await page(node, garden).totalCount == 3)
        }
    }

    @Test("no album of another event has photos that are sealed there, although this node could open them")
    func sealed() async throws {
        var charter = Charter(name: "Beach party", startsAtMilliseconds: 1_700_000_000_000)
        charter.reveal = .byHost
        let sealed = charter
        try await folder.node("host").runOffline { node in
            let garden = try await host(node, "Garden party")
            let beach = try await node.host(sealed, organizerName: "Anna")
            try await add(node, 1, to: garden)
            try await add(node, 2, to: beach)
            _ = try await twins(node, .with(event: "Beach party"), in: garden)
            #expect(node.hasTwins(garden))
            #expect(try await page(node, garden).totalCount == 1)

            func exportedCount(onlyShown: Bool) async -> Int {
                let replies = await ask(
                    node,
                    .export(
                        event: beach.description, folder: folder.path("\(onlyShown)"), isAlbum: false,
                        onlyShown: onlyShown))
                return replies.count { if case .exported = $0 { true } else { false } }
            }
            let (own, shown) = (await exportedCount(onlyShown: false), await exportedCount(onlyShown: true))
            #expect(own == 1 && shown == 0)

            #expect(try await webAlbumCount(node, garden) == 1)
        }
    }

    @Test("what guests of the other event may not save has no original here, and is in no album")
    func saving() async throws {
        var charter = Charter(name: "Beach party", startsAtMilliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        charter.options.downloads = .own
        let kept = charter
        try await folder.node("host").runOffline { node in
            let garden = try await host(node, "Garden party")
            let beach = try await node.host(kept, organizerName: "Anna")
            try await add(node, 1, to: garden)
            try await add(node, 2, to: beach)
            let report = try await twins(node, .with(event: "Beach party"), in: garden)
            #expect(report.twins.map(\.mayBeSaved) == [false])
            for (event, savedCount) in [(garden, 1), (beach, 2)] {
                let photos = try await page(node, event).photos
                #expect(photos.count == 2 && photos.allSatisfy { $0.available.contains(.preview) })
                #expect(photos.count { $0.available.contains(.original) } == savedCount)
                #expect(try await webAlbumCount(node, event) == savedCount)
            }
        }
    }

    @Test("a person names a joined event by the name that it has now, or by the one that it had")
    func renamed() async throws {
        try await folder.node("host").runOffline { node in
            let (garden, beach) = (try await host(node, "Garden party"), try await host(node, "Beach party"))
            _ = try await twins(node, .with(event: "Beach party"), in: garden)
            var parameters = EventParameters()
            parameters.name = "Boat party"
            let edited = await ask(node, .rule(event: beach.description, act: .edit(parameters)))
            #expect(edited.last == .finished(exitCode: 0), "\(edited)")
            for name in ["Boat party", "Beach party"] {
                let report = try await twins(node, .renew(event: name), in: garden)
                #expect(report.twins.map(\.name) == ["Boat party"])
            }
            #expect(try await twins(node, .separate(event: "Boat party"), in: garden).twins.isEmpty)
        }
    }

    @Test("a text that is no invitation and no agreement, or one for another event, is refused with the reason")
    func refused() async throws {
        try await folder.node("host").runOffline { node in
            let (garden, beach) = (try await host(node, "Garden party"), try await host(node, "Beach party"))
            let invitation = try await node.event(garden).invitation.invitation
            #expect(try await refusal(node, .take(text: "hello"), in: garden).contains("DISPOSABLE1:"))
            #expect(try await refusal(node, .take(text: invitation), in: garden).contains("the same event"))
            let offer = try #require(try await twins(node, .take(text: invitation), in: beach).agreement)
            #expect(try await refusal(node, .take(text: offer), in: beach).contains("the same event"))
            let third = try await host(node, "Third party")
            #expect(try await refusal(node, .take(text: offer), in: third).contains("for another event"))
            #expect(try await refusal(node, .separate(event: "Beach party"), in: garden).contains("is not joined"))
            #expect(try await twins(node, .list, in: garden).twins.isEmpty)
        }
    }

    @Test("a guest's node reads the twin and adds nothing to it, and forgets it once the other side has separated them")
    func readers() async throws {
        var configuration = NodeConfiguration.loopback
        configuration.destructionDelaySeconds = 1
        let (anna, olga) = (try folder.node("anna", configuration), try folder.node("olga", configuration))
        let ben = try folder.node("ben", configuration)
        let (garden, beach) = (try await host(anna, "Garden party"), try await host(olga, "Beach party"))
        _ = try await ben.join(try Invitation(text: try await anna.event(garden).invitation.invitation), name: "Ben")
        try await running([anna, olga, ben]) {
            try await dial(anna, from: ben, for: garden)
            try await wait("Ben is in") { try await ben.event(garden).isAdmitted }
            try await add(anna, 1, to: garden)
            try await add(olga, 2, to: beach)
            try await wait("Olga listens") { try await !olga.event(beach).invitation.addresses.isEmpty }
            let invitation = try await anna.event(garden).invitation.invitation
            let offer = try #require(try await twins(olga, .take(text: invitation)).agreement)
            let answer = try #require(try await twins(anna, .take(text: offer)).agreement)
            #expect(try await twins(anna, .list).twins.map(\.state) == [.waiting])
            _ = try await twins(olga, .take(text: answer))
            // Ben's node finds the beach party at Anna's, which reads it.
            for node in [anna, ben] {
                try await wait("both are shown") { try await page(node, garden).totalCount == 2 }
            }
            try await wait("both are shown at the beach") { try await page(olga, beach).totalCount == 2 }
            #expect(await ben.readEvents == [beach])
            #expect(await ben.events == [garden])
            let added = await ask(
                ben, .add(event: "Beach party", paths: [try await folder.picture(3)], keepsMetadata: false))
            guard case .failed(let message, _, _)? = added.last else { throw NodeError.control("\(added)") }
            #expect(message.contains("only reads"))
            guard case .words(let words)? = await ask(olga, .backup(event: beach.description)).first else {
                throw NodeError.control("no words")
            }
            let restored = await ask(ben, .restore(event: beach.description, words: words))
            guard case .failed(let reason, _, _)? = restored.last else { throw NodeError.control("\(restored)") }
            #expect(reason.contains("only reads"))
            // No key was kept, either.
            guard case .failed? = await ask(ben, .backup(event: beach.description)).first else {
                throw NodeError.control("Ben's node has the key")
            }
            try await wait("Olga's node knows both readers") {
                try await olga.event(beach).status.operations.memberCount == 3
            }

            _ = try await twins(olga, .separate(event: "Garden party"))
            for node in [anna, ben] {
                try await wait("the own photos are shown") { try await page(node, garden).totalCount == 1 }
                try await wait("the beach party is forgotten") { await node.readEvents.isEmpty }
            }
            try await wait("the garden party is forgotten") { await olga.readEvents.isEmpty }
            #expect(await ben.events == [garden])
        }
    }

    @Test("a node reads four events for each of its own, also where others have just been separated")
    func places() async throws {
        try await folder.node("anna").runOffline { anna in
            let (garden, barn) = (try await host(anna, "Garden party"), try await host(anna, "Barn party"))
            try await folder.node("olga").runOffline { olga in
                for number in 1...5 {
                    let party = try await host(olga, "Party \(number)")
                    for own in number == 5 ? [garden, barn] : [garden] {
                        let invitation = try await anna.event(own).invitation.invitation
                        let offer = try #require(try await twins(olga, .take(text: invitation), in: party).agreement)
                        // Its fifth twin takes the place of the first, which is still read.
                        if number == 5, own == garden {
                            _ = try await twins(anna, .separate(event: "Party 1"), in: garden)
                        }
                        _ = try await twins(anna, .take(text: offer), in: own)
                        let isRead = await anna.readEvents.contains(party)
                        #expect(isRead == (number < 5 || own == barn))
                    }
                }
                #expect(try await twins(anna, .list, in: garden).twins.map(\.name) == (2...5).map { "Party \($0)" })
            }
            let read = await anna.readEvents
            #expect(read.count == 5)
        }
    }

    @Test("a node that was removed from the other event shows its photos no longer")
    func removed() async throws {
        let (anna, olga) = (try folder.node("anna", .loopback), try folder.node("olga", .loopback))
        let (garden, beach) = (try await host(anna, "Garden party"), try await host(olga, "Beach party"))
        try await running([anna, olga]) {
            try await add(olga, 1, to: beach)
            try await wait("Olga listens") { try await !olga.event(beach).invitation.addresses.isEmpty }
            let invitation = try await anna.event(garden).invitation.invitation
            let offer = try #require(try await twins(olga, .take(text: invitation)).agreement)
            let answer = try #require(try await twins(anna, .take(text: offer)).agreement)
            _ = try await twins(olga, .take(text: answer))
            try await wait("Anna's pages show the photo") { try await page(anna, garden).totalCount == 1 }
            let peers = try await olga.event(beach).status.network.peers
            let reader = try #require(peers.first)
            let revoked = await ask(
                olga,
                .rule(
                    event: "Beach party",
                    act: .revoke(role: "participant", member: reader.device, isConfirmed: true)))
            #expect(revoked.last == .finished(exitCode: 0), "\(revoked)")
            try await wait("Anna's pages show it no longer") { try await page(anna, garden).totalCount == 0 }
            #expect(try await page(olga, beach).totalCount == 1)
        }
    }
}
