// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The inventories of nodes, so that people see on which other nodes their photos are and where they are purged. A node
/// signs its durable state, keeps the newest inventory of every other device, and passes it on: all of them to a peer
/// that connects, a new one to a few peers. An inventory is its device's claim, and nothing here acts on it.
extension Replica {
    /// Restores the stored inventories, after the operations and before the first input.
    public mutating func restore(registers heard: [HeardRegister]) {
        inventories.restore(heard, isMember: state.membership.isMember) {
            pipeline.budgets.trees.tree(of: $0, joins: index.joins, membership: state.membership).root
        }
        forgetDropped()
    }

    /// Has the store remove inventories that were dropped from memory.
    private mutating func forgetDropped() {
        let dropped = inventories.takeDropped()
        if !dropped.isEmpty { outputs.append(.forget(registers: dropped)) }
    }

    mutating func forgetRegistersOfRemoved() {
        inventories.removeOthers { !state.membership.isMember($0) }
        forgetDropped()
    }

    // Own

    mutating func scheduleRegister() {
        inventories.signer.request(nodeCount: state.membership.nodeCount, at: now.milliseconds)
    }

    /// Signs an inventory if it differs from the last one, and has it stored.
    mutating func signRegister() {
        guard isAdmitted else { return inventories.signer.cancel() }
        let (originals, destroyed) = inventoryClaims
        guard
            let (ticket, register) = inventories.signer.sign(
                originals: originals, destroyed: destroyed, last: inventories.own, of: state.event,
                with: identity.deviceKey, outputs.newTicket())
        else { return }
        outputs.append(
            .keep(HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds), durably: true, ticket))
    }

    /// Handles the end of storing this node's inventory. Returns whether the ticket is that of one.
    mutating func registerKept(_ ticket: Ticket, isStored: Bool) -> Bool {
        guard let register = inventories.signer.stored(ticket, at: now.milliseconds) else { return false }
        // Unless it has turned out meanwhile that this device has signed a newer one.
        let heard = HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds)
        if isStored, inventories.setOwn(heard) {
            for (connection, peer) in peers where peer.outbox.hasInventories {
                tellRegister(of: device, to: connection)
            }
        }
        // Changes that came meanwhile, or the same again.
        scheduleRegister()
        return true
    }

    private var inventoryClaims: (originals: [Register.Places], destroyed: [Register.Places]) {
        var budget = InventoryBudget()
        let gone = index.withdrawals.subjects.subtracting(destructible).compactMap { state.photo(PhotoID($0)) }
        // Half of the room at most, so that neither list drives out the other.
        let destroyed = budget.places(inTurns(gone.map { ($0.device, $0.sequence) }), sharingWith: 1)
        return (budget.places(inTurns(blobs.completeOriginals), sharingWith: 0), destroyed)
    }

    /// Sorts the operations by device so that each sponsor tree gets the same room: a member that admits devices with
    /// small keys, or signs operations with high numbers, drives out none of others.
    private func inTurns(
        _ operations: [(device: DeviceID, sequence: UInt32)]
    ) -> [(device: DeviceID, sequences: [Int])] {
        let byDevice = Dictionary(grouping: operations) { $0.device }.mapValues { $0.map { Int($0.sequence) } }
        var turns: [(byteCount: Int, device: DeviceID)] = []
        for tree in grouped(byDevice.keys) {
            let costs = tree.map { (byteCount: InventoryBudget.cost(of: byDevice[$0] ?? []), device: $0) }.sorted {
                $0 < $1
            }
            var sum = 0
            for (byteCount, device) in costs {
                sum += byteCount
                turns.append((sum, device))
            }
        }
        return turns.sorted { $0 < $1 }.map { ($0.device, byDevice[$0.device] ?? []) }
    }

    // Others'

    mutating func receive(_ register: Register, from connection: ConnectionID) {
        let other = register.claims.device
        guard state.membership.isMember(other), state.membership.author(of: other) == AuthorID(other) else { return }
        guard other != device else { return receiveOwn(register, from: connection) }
        let reception = inventories.receive(register, of: state.event, at: now) {
            pipeline.budgets.trees.tree(of: $0, joins: index.joins, membership: state.membership).root
        }
        forgetDropped()
        switch reception {
        case .ignored: break
        case .malformed: close(connection, .malformed)
        case .kept(let heard):
            outputs.append(.keep(heard, durably: false, newTicket()))
            outputs.append(.changed(.peers))
            let others = peers.filter {
                $0.key != connection && $0.value.outbox.hasInventories && $0.value.device != other
            }.map(\.key)
            for peer in others.shuffled(using: &random).prefix(Limits.relayPeersMax) {
                tellRegister(of: other, to: peer)
            }
        }
    }

    /// Handles an inventory of this device that it does not know.
    private mutating func receiveOwn(_ register: Register, from connection: ConnectionID) {
        guard inventories.signer.answers(register), inventories.own.map(register.supersedes) ?? true else { return }
        guard register.isValid(for: state.event) else { return close(connection, .malformed) }
        _ = inventories.setOwn(HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds))
        inventories.signer.answer(register)
        scheduleRegister()
    }

    /// Sends all known inventories, once for each connection, to a peer with the same joins: it would ignore the
    /// inventory of an unknown device. Includes its own, since it may have lost that.
    mutating func tellRegisters(to connection: ConnectionID) {
        guard let peer = peers[connection], !peer.outbox.hasInventories else { return }
        peer.outbox.append(allInventories: inventories.devices)
        loadOutgoing(to: connection)
    }

    private mutating func tellRegister(of device: DeviceID, to connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        peer.outbox.append(inventoryOf: device) { inventories[$0] != nil }
        loadOutgoing(to: connection)
    }

    /// Sends the latest waiting inventories while there is room. Those that were dropped meanwhile are skipped.
    mutating func sendRegisters(to connection: ConnectionID) {
        while let device = peers[connection]?.outbox.nextInventory() {
            if let heard = inventories[device] { send(.register(heard.register), to: connection) }
        }
    }

    // For people

    /// The inventories of other nodes that are members, in the order of their devices.
    public var heardRegisters: [HeardRegister] {
        inventories.ofOthers.filter { state.membership.isMember($0.register.claims.device) }
    }

    /// Returns the names of the photo's original operations in inventories; none for a withdrawn photo.
    public func originalPlaces(of photo: PhotoID) -> [(device: DeviceID, sequence: UInt32)] {
        blobs.originalPlaces(of: photo)
    }
}
