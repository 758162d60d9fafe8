// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposableSync
import DisposableWire
import Testing

/// Nodes in this process, on loopback, one of which states more than the other accepts at once.
@Suite(.timeLimit(.minutes(60))) struct WaitingTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test("status names whose operations wait, how many and how large they are, until all have arrived")
    func waiting() async throws {
        var configuration = NodeConfiguration.loopback
        var budgets = UnitBudgets()
        (budgets.smallTree, budgets.plainTree) = (20, 20)
        configuration.budgets = budgets
        let (first, member) = (try folder.node("host", configuration), try folder.node("member", .loopback))
        let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)
        let event = try await first.host(charter, organizerName: "Anna")
        _ = try await member.join(try Invitation(text: try await first.event(event).invitation.invitation), name: "Ben")
        try await running([first, member]) {
            try await dial(first, from: member, for: event)
            try await wait("the member is in") { try await member.event(event).isAdmitted }
            try await wait("its name is known") {
                try await first.event(event).status.network.peers.contains { $0.name == "Ben" }
            }
        }
        // While the other is away, so that they arrive together, however slow this machine is: most of them pass neither
        // the budget of 20 nor the lane of 100 and 10 a second.
        let alone = try folder.node("member", .loopback)
        try await running([alone]) {
            await withTaskGroup { group in
                for number in 0..<400 { group.addTask { _ = await ask(alone, .rename(event: nil, name: "Ben \(number)")) } }
            }
        }
        let (host, again) = (try folder.node("host", configuration), try folder.node("member", .loopback))
        try await running([host, again]) {
            try await dial(host, from: again, for: event)
            try await wait("enough of them have arrived") {
                try await host.event(event).status.operations.waiting.contains { $0.operationCount > 10 }
            }
            let status = try await host.event(event).status
            let tree = try #require(status.operations.waiting.first)
            #expect(status.operations.waiting.count == 1 && tree.name.hasPrefix("Ben") && tree.deviceCount == 1)
            #expect(tree.operationCount > 10 && tree.byteCount > 252 * tree.operationCount && !tree.isEstablished)
            #expect(tree.device == status.network.peers.first?.device)
            let problem = try #require(status.problems.first { $0.contains("wait") })
            #expect(problem.hasPrefix("\(tree.operationCount) operations ("))
            #expect(problem.contains("disposable role grant page \(tree.device.prefix(8))"))

            guard case .ruled = await ask(host, .rule(event: nil, act: .grant(role: "page", member: tree.device))).first
            else {
                throw NodeError.control("not granted")
            }
            try await wait("all have arrived") {
                let (here, there) = (
                    try await host.event(event).status.operations, try await again.event(event).status.operations
                )
                return here.waiting.isEmpty && here.digest == there.digest
                    && here.operationCount == there.operationCount
            }
            #expect(try await !host.event(event).status.problems.contains { $0.contains("wait") })
        }
    }
}
