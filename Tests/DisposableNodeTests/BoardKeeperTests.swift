// SPDX-License-Identifier: Apache-2.0
import DisposableNode
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
}
