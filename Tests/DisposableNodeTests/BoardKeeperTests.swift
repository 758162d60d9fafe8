// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// The nodes whose cards a node fetches for its board.
@Suite struct BoardKeeperTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test("a node that announces something else at the same address is asked again and is no new one")
    func again() async throws {
        let node = try folder.node("node", .loopback)
        for _ in 0..<3 { await node.board.sighted("other%lo", host: "127.0.0.1", port: 9) }
        await node.board.lost("other%lo")
        await node.board.sighted("other%lo", host: "127.0.0.1", port: 9)
        #expect(await node.board.rows().isEmpty)
    }

    @Test("a card states the activity up to the end of the last interval, and is signed once for it")
    func activity() async throws {
        var configuration = NodeConfiguration.offline
        configuration.activityIntervalSeconds = 1
        let start = UInt64(Date().timeIntervalSince1970 * 1_000)
        try await folder.node("host", configuration).runOffline { node in
            _ = try await node.host(Charter(name: "Party", startsAtMilliseconds: start), organizerName: "Anna")
            func card() async -> SignedCard? { CardList(await node.board.cards().bytes)?.entries.first?.signed }
            #expect(await card()?.card.activity == RecentActivity.none)
            _ = await ask(node, .add(event: nil, paths: [try await folder.picture(1)], keepsMetadata: false))
            let one = RecentActivity(photos: 1, people: 1)
            try await wait("the photo is counted") { await card()?.card.activity == one }
            #expect(await node.board.rows().map(\.activity) == [one])
            let first = await card()
            // Another interval in which nothing happens gives no other card.
            let end = UInt64(Date().timeIntervalSince1970) + 2
            try await wait("later intervals") { UInt64(Date().timeIntervalSince1970) >= end }
            #expect(await card() == first)
        }
    }
}
