// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableSync

/// The line protocol of negentropy's interoperability tests (its `test/` folder).
///
/// | in | out |
/// | --- | --- |
/// | `item,<timestamp>,<id>` | nothing |
/// | `seal` | nothing; no more items |
/// | `initiate` | `msg,<hex>`; without it this side is the responder |
/// | `msg,<hex>` | responder: `msg,<hex>`; initiator: `have,<id>`..., `need,<id>`..., then `msg,<hex>` or `done` |
///
/// Other input, or input out of turn, is answered with `error,<reason>`.
public struct NegentropyHarness: Sendable {
    private enum State: Sendable {
        case collecting(ItemSet)
        case responding(ItemSet.Snapshot)
        case initiating(ReconciliationInitiator)
    }

    private var state = State.collecting(ItemSet())
    private let frameSizeLimit: Int

    /// - Parameter frameSizeLimit: the value of the environment variable `FRAMESIZELIMIT`: at least 4096, or 0 for no
    ///   limit.
    public init(frameSizeLimit: Int) { self.frameSizeLimit = frameSizeLimit }

    /// Returns the lines to print for an input line, without line ends.
    public mutating func handle(line: String) -> [String] {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        switch (fields[0], fields.count) {
        case ("item", 3): return insert(timestamp: fields[1], id: fields[2])
        case ("seal", 1): return seal()
        case ("initiate", 1): return initiate()
        case ("msg", 2): return reconcile(hex: fields[1])
        default: return ["error,unknown line"]
        }
    }

    private mutating func insert(timestamp: Substring, id: Substring) -> [String] {
        guard case .collecting(var items) = state else { return ["error,item after seal"] }
        guard let timestamp = UInt64(timestamp), timestamp < .max, let id = Bytes32(hex: id) else {
            return ["error,malformed item"]
        }
        state = .collecting(ItemSet())  // leaves `items` unshared, so that it grows in place
        let isNew = items.insert(ItemSet.Item(timestamp: timestamp, id: id))
        state = .collecting(items)
        return isNew ? [] : ["error,duplicate item"]
    }

    private mutating func seal() -> [String] {
        guard case .collecting(var items) = state else { return ["error,already sealed"] }
        state = .responding(items.snapshot())
        return []
    }

    private mutating func initiate() -> [String] {
        guard case .responding(let items) = state else { return ["error,not sealed or already initiated"] }
        let initiator = ReconciliationInitiator(items: items, frameSizeLimit: frameSizeLimit)
        state = .initiating(initiator)
        return ["msg,\(initiator.initiate().hex)"]
    }

    private func reconcile(hex: Substring) -> [String] {
        guard let message = [UInt8](hex: hex) else { return ["error,malformed message"] }
        do throws(ReconciliationError) {
            switch state {
            case .collecting:
                return ["error,not sealed"]
            case .responding(let items):
                let responder = ReconciliationResponder(items: items, frameSizeLimit: frameSizeLimit)
                return ["msg,\(try responder.reconcile(message).hex)"]
            case .initiating(let initiator):
                let step = try initiator.reconcile(message)
                let ids = step.have.map { "have,\($0)" } + step.need.map { "need,\($0)" }
                switch step.next {
                case .send(let message): return ids + ["msg,\(message.hex)"]
                case .done: return ids + ["done"]
                }
            }
        } catch {
            return ["error,\(error)"]
        }
    }
}
