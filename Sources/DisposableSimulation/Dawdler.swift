// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// A peer that announces more operations than any other, names those that it has heard, and delivers one of the
/// requested ones every nine seconds.
struct Dawdler {
    /// The requested operations that it has not sent.
    private var owed: [ConnectionID: [OperationID]] = [:]
    private var bringsAt: UInt64 = 0
    private(set) var broughtCount = 0

    /// The number of operations that it remembers, and of those that it owes on one connection.
    static let heardMax = 8_192
    private static let pauseMilliseconds: UInt64 = 9_000

    mutating func note(wanted ids: [OperationID], _ connection: ConnectionID) {
        owed[connection] = (owed[connection] ?? []).suffix(Self.heardMax) + ids
    }

    mutating func forget(_ connection: ConnectionID) { owed[connection] = nil }

    /// Announces so many more operations that the other side requests, instead of sending its own.
    func boast(over ping: Ping, _ random: inout SplitMix64) -> PeerMessage {
        func more(than summary: SetSummary) -> SetSummary {
            SetSummary(count: summary.count + 8_192, fingerprint: random.bytes(Fingerprint.byteCount))
        }
        let authority = more(than: ping.authority)
        return .ping(Ping(nonce: 1, authority: authority, content: more(than: ping.content)))
    }

    func name(_ heard: [UncheckedOperation], of set: OperationSet, answering message: [UInt8]) -> PeerMessage? {
        var items = ItemSet(
            heard.filter { $0.header.set == set }.map {
                ItemSet.Item(timestamp: $0.header.timestamp.milliseconds, id: $0.id.bytes32)
            })
        let responder = ReconciliationResponder(
            items: items.snapshot(), frameSizeLimit: Limits.reconciliationMessageByteCountMax)
        guard let answer = try? responder.reconcile(message) else { return nil }
        return .reconcile(set: set, isInitiator: false, message: answer)
    }

    mutating func act(_ heard: [UncheckedOperation], at now: Instant, _ connections: inout DishonestConnections) {
        guard now.milliseconds >= bringsAt else { return }
        bringsAt = now.milliseconds + Self.pauseMilliseconds
        for connection in connections.live where owed[connection]?.isEmpty == false {
            let id = owed[connection]!.removeFirst()  // it is not empty
            guard let operation = heard.first(where: { $0.id == id }) else { continue }
            connections.send(.operations([operation]), connection)
            broughtCount += 1
        }
    }
}
