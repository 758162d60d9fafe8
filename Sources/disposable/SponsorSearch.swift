// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode

/// The search of a joining node for a member that admits it, and the reasons why there is none.
struct SponsorSearch: Sendable {
    let node: Node
    let event: EventID
    /// Seconds without admission after which the search fails; 0 searches forever.
    let timeout: Int
    private let rejections = Seen<PeerAddress>()
    private let replacements = Seen<EventID>()

    init(node: Node, event: EventID, timeout: Int) { (self.node, self.event, self.timeout) = (node, event, timeout) }

    func noteRejection(by address: PeerAddress) {
        guard rejections.isNew(address) else { return }
        Console.say(
            "disposable: warning: the node at \(address) does not accept this invitation: it serves another "
                + "event, or the invitation was changed")
    }

    func noteReplacement() { _ = replacements.isNew(event) }

    /// Returns once the node is admitted, or has stopped. Throws if the invitation was replaced, or nobody was found.
    func run() async throws {
        try await Task.sleep(for: .seconds(timeout > 0 ? timeout : 15))
        var hasLooked = false
        // A node may be there that has not admitted this one yet, or is about to send the reason.
        while await (try? node.event(event))?.isAdmitted != true {
            defer { hasLooked = true }
            guard replacements.isEmpty else {
                throw Failure(
                    "this invitation was replaced",
                    hint: "ask the organizer for the new one: `disposable invite --node`")
            }
            // Fails once the node has stopped.
            guard let status = try? await node.event(event).status else { return }
            if status.network.peers.isEmpty {
                let rejected = rejections.all.sorted()
                guard timeout <= 0, hasLooked || rejected.isEmpty else { throw Self.nobodyFound(rejected) }
                if !hasLooked {
                    Console.say("disposable: warning: no node of this event has been found yet; still looking")
                    Console.say("disposable: hint: same network? Or name a node: --peer HOST:PORT")
                }
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private static func nobodyFound(_ rejected: [PeerAddress]) -> Failure {
        guard !rejected.isEmpty else {
            return Failure(
                "no node of this event was found", hint: "same network? Or name a node: --peer HOST:PORT")
        }
        return Failure(
            "no node of this event was found, and \(rejected.map(\.description).joined(separator: ", ")) "
                + "did not accept the invitation",
            hint: "ask for a new invitation: `disposable invite --node` on a member's machine")
    }
}
