// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableNode

/// Prints the copies and purges of a photo, with the nodes that report them.
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
        lines.append("original  confirmed by " + countText(copies.confirmedBy, of: copies.nodeCount - 1))
    } else {
        lines.append(
            "purged    \(copies.isDestroyedHere ? "here" : "not here yet"); confirmed by "
                + countText(copies.destroyedBy, of: copies.nodeCount - 1))
    }
    for node in copies.confirmedBy + copies.destroyedBy { lines.append("          \(describe(node))") }
    console.result(lines.joined(separator: "\n"))
}

func showCopies(of status: EventStatus, _ console: Console) {
    let copies = status.photos.copies
    console.result(
        """
          copies   \(copies.here) here, \(copies.onTwoMachines) on two machines, \
        \(copies.onOrganizers) on an organizer's; \(copies.confirmed) confirmed by two other nodes or an organizer's
        """)
    if status.photos.toDestroyCount > 0 {
        let things = Show.count(status.photos.toDestroyCount, "thing")
        console.result("  purge    \(things) withdrawn, to be purged here within the hour")
    }
    for node in status.network.nodes {
        console.result(
            "  copy     at \(describe(node)): \(Show.count(node.originalCount, "original")), "
                + "\(node.destroyedCount) purged")
    }
}

private func countText(_ nodes: [NodeClaim], of count: Int) -> String {
    "\(nodes.count) of \(Show.count(count, "other node"))"
}

private func describe(_ node: NodeClaim) -> String {
    "\(node.name)\(node.isOrganizer ? " (organizer)" : ""), "
        + (node.isConnected ? "connected" : "last report \(Show.time(iso8601: node.heardAt))")
}
