// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableNode

/// Where photos are and where they are destroyed, in words that say who says so.
func showCopies(_ copies: PhotoCopies, _ console: Console) {
    console.json("copies", copies)
    var lines: [String] = []
    let isTakenAway = copies.isDestroyedHere || !copies.destroyedBy.isEmpty
    if !isTakenAway {
        let ticks = [
            (copies.isHere, "here"), (copies.isOnTwoMachines, "on two machines"),
            (copies.isOnOrganizers, "on an organizer's"),
        ]
        lines.append("safe      " + ticks.map { "\($0 ? "✓" : "-") \($1)" }.joined(separator: "  "))
        lines.append("original  confirmed by " + said(by: copies.confirmedBy, of: copies.nodeCount - 1))
    } else {
        lines.append(
            "destroyed \(copies.isDestroyedHere ? "here, and" : "not here yet;") by their word on "
                + said(by: copies.destroyedBy, of: copies.nodeCount - 1))
    }
    for node in copies.confirmedBy + copies.destroyedBy { lines.append("          \(words(for: node))") }
    console.result(lines.joined(separator: "\n"))
}

func showCopies(of status: EventStatus, _ console: Console) {
    let copies = status.copies
    console.result(
        """
          copies   \(copies.here) here, \(copies.onTwoMachines) on two machines, \
        \(copies.onOrganizers) on an organizer's; \(copies.confirmed) confirmed by two other nodes or an organizer's
        """)
    if status.toDestroyCount > 0 {
        let things = Show.count(status.toDestroyCount, "thing")
        console.result("  gone     \(things) taken away, to be destroyed here within the hour")
    }
    for node in status.nodes {
        console.result(
            "  copy     at \(words(for: node)): \(Show.count(node.originalCount, "original")), "
                + "\(node.destroyedCount) destroyed")
    }
}

private func said(by nodes: [NodeClaim], of count: Int) -> String {
    "\(nodes.count) of \(Show.count(count, "other node"))"
}

private func words(for node: NodeClaim) -> String {
    "\(node.name)\(node.isOrganizer ? " (organizer)" : ""), "
        + (node.isConnected ? "connected" : "last heard \(Show.time(iso8601: node.heardAt))")
}
