// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal

/// The board of a node for its pages.
struct NodeBoard: BoardSource {
    let node: Node

    func rows() async -> [BoardRow] { await node.board.rows() }
    func cards() async -> (bytes: [UInt8], tag: String) { await node.board.cards() }
}
