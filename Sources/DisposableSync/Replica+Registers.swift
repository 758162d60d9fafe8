// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import DisposableWire
internal import OrderedCollections

/// An inventory and when this node received it, by its own wall clock: claims age.
public struct HeardRegister: Equatable, Sendable {
    public let register: Register
    public let heardAtMilliseconds: UInt64

    public init(_ register: Register, heardAtMilliseconds: UInt64) {
        self.register = register
        self.heardAtMilliseconds = heardAtMilliseconds
    }
}

/// The inventories of nodes, so that people see on which other nodes their photos are and where they are purged. A node
/// signs its durable state, keeps the newest inventory of every other device, and passes it on: all of them to a peer
/// that connects, a new one to a few peers. An inventory is its device's claim, and nothing here acts on it. So
/// inventories are hints: a node bounds how many it keeps, and different nodes may keep different ones.
extension Replica {
    /// Restores the stored inventories, after the operations and before the first input.
    public mutating func restore(registers heard: [HeardRegister]) {
        let newestFirst = heard.sorted { $0.heardAtMilliseconds > $1.heardAtMilliseconds }
        let unkept = newestFirst.filter { heard in
            let other = heard.register.claims.device
            guard other != device else {
                registers[other] = heard
                return false
            }
            return !state.membership.isMember(other) || !keep(heard)
        }
        if !unkept.isEmpty { outputs.append(.forget(registers: unkept.map(\.register.claims.device))) }
    }

    // Bounds

    /// Keeps an inventory of another device. At the limit, the sponsor tree with the most loses its inventory that was
    /// received longest ago, and a device of it without an inventory gets no place. So a device and those that it
    /// admitted crowd out nobody else's, and a flood makes the disk write nothing.
    /// Returns whether the inventory is kept.
    mutating func keep(_ heard: HeardRegister) -> Bool {
        let other = heard.register.claims.device
        let previous = registers.updateValue(heard, forKey: other)
        var forgotten: [DeviceID] = []
        while let tree = largestRegisterTreeBeyondBound() {
            if previous == nil, tree.contains(other) {
                registers[other] = nil
                break
            }
            let oldest = tree.min {
                (registers[$0]!.heardAtMilliseconds, $0) < (registers[$1]!.heardAtMilliseconds, $1)
            }
            guard let oldest else { break }
            registers[oldest] = nil
            forgotten.append(oldest)
        }
        if !forgotten.isEmpty { outputs.append(.forget(registers: forgotten)) }
        return registers[other] != nil
    }

    /// Returns the devices of the sponsor tree with the most inventories, if there are more than a node keeps.
    private mutating func largestRegisterTreeBeyondBound() -> [DeviceID]? {
        let others = registers.filter { $0.key != device }
        let byteCount = others.values.reduce(0) { $0 + $1.register.byteCount }
        guard others.count > Limits.registersMax || byteCount > Limits.registersByteCountMax else { return nil }
        var byRoot: [DeviceID: (devices: [DeviceID], byteCount: Int)] = [:]
        for (other, heard) in others {
            let root = trees.tree(of: other, joins: joins, membership: state.membership).root
            byRoot[root, default: ([], 0)].devices.append(other)
            byRoot[root]!.byteCount += heard.register.byteCount
        }
        // The larger of its shares of both limits: otherwise small inventories without end would drive out large ones.
        func share(_ tree: (devices: [DeviceID], byteCount: Int)) -> Int {
            max(tree.byteCount * Limits.registersMax, tree.devices.count * Limits.registersByteCountMax)
        }
        return byRoot.max { (share($0.value), $0.key) < (share($1.value), $1.key) }?.value.devices
    }

    /// Drops the inventories of devices that are no longer members.
    mutating func forgetRegistersOfRemoved() {
        let removed = registers.keys.filter { $0 != device && !state.membership.isMember($0) }.sorted()
        guard !removed.isEmpty else { return }
        for device in removed {
            registers[device] = nil
            registerAllowances[device] = nil
        }
        outputs.append(.forget(registers: removed))
    }

    // Own

    /// Schedules a new inventory after a possible change of the stored data.
    mutating func scheduleRegister() {
        guard registerDueAt == nil, registering == nil else { return }
        // The larger the event, the longer the pause: each inventory goes to every node.
        let share = max(1, state.membership.nodeCount / Limits.meshNodesMax)
        let pause = UInt64(Limits.registerMilliseconds) * UInt64(share)
        registerDueAt = max(now.milliseconds + 1_000, registeredAt.map { $0 + pause } ?? 0)
    }

    /// Signs an inventory if it differs from the last one. It is sent when it is durable together with everything that
    /// it names.
    mutating func signRegister() {
        registerDueAt = nil
        guard isAdmitted else { return }
        let (originals, destroyed) = claims
        let last = registers[device]?.register.claims
        // The last counter has no successor: another process that has used it has this device's key.
        guard last?.counter != .max else { return }
        guard last?.originals != originals || last?.destroyed != destroyed || isRegisterDisputed else { return }
        isRegisterDisputed = false
        let register = Register(
            Register.Claims(
                device: device, instance: identity.instance, counter: (last?.counter ?? 0) + 1, originals: originals,
                destroyed: destroyed), of: state.event, key: identity.deviceKey)
        let ticket = newTicket()
        registering = (ticket, register)
        outputs.append(
            .keep(HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds), durably: true, ticket))
    }

    /// Whether the ticket is that of this node's inventory.
    mutating func registerKept(_ ticket: Ticket, isStored: Bool) -> Bool {
        guard let (kept, register) = registering, kept == ticket else { return false }
        registering = nil
        registeredAt = now.milliseconds
        // Unless it has turned out meanwhile that this device has signed a newer one.
        if isStored, registers[device].map({ register.supersedes($0.register) }) ?? true {
            registers[device] = HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds)
            for (connection, peer) in peers where peer.hasRegisters { tellRegister(of: device, to: connection) }
        }
        // Changes that came meanwhile, or the same again.
        scheduleRegister()
        return true
    }

    private var claims: (originals: [Register.Places], destroyed: [Register.Places]) {
        var budget = RegisterBudget()
        let remaining = destructible
        let gone = withdrawn.subtracting(remaining).compactMap { state.photo(PhotoID($0)) }
        // Half of the room at most, so that neither list drives out the other.
        let destroyed = budget.places(
            inTurns(gone.map { ($0.device, $0.sequence) }), sharingWith: 1)
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
            let costs = tree.map { (byteCount: RegisterBudget.cost(of: byDevice[$0] ?? []), device: $0) }.sorted {
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
        let claims = register.claims
        guard state.membership.isMember(claims.device),
            state.membership.author(of: claims.device) == AuthorID(claims.device)
        else { return }
        if claims.device == device { return noteOwn(register, from: connection) }
        if let known = registers[claims.device], !register.supersedes(known.register) { return }
        var allowance =
            registerAllowances[claims.device]
            ?? Allowance(perSecond: 1, burst: Limits.registersBurstMax, at: now.milliseconds)
        if let until = allowance.levelAt, until > now.milliseconds { return }
        guard register.isValid(for: state.event) else { return close(connection, .malformed) }
        allowance.spend(1, at: now.milliseconds)
        if registerAllowances.count >= 2 * Limits.registersMax {
            let burst = Limits.registersBurstMax
            registerAllowances = registerAllowances.filter {
                $0.value.saved(at: now.milliseconds, atMost: burst) < burst
            }
        }
        registerAllowances[claims.device] = allowance
        let heard = HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds)
        guard keep(heard) else { return }
        outputs.append(.keep(heard, durably: false, newTicket()))
        outputs.append(.changed(.peers))
        let others = peers.filter {
            $0.key != connection && $0.value.hasRegisters && $0.value.device != claims.device
        }.map(\.key)
        for other in others.shuffled(using: &random).prefix(Limits.relayPeersMax) {
            tellRegister(of: claims.device, to: other)
        }
    }

    /// Handles an inventory of this device that it does not know: its folder was restored, or is in use twice. It signs
    /// a new one with a higher counter, once for each process, so that two of them do not outbid each other for ever.
    private mutating func noteOwn(_ register: Register, from connection: ConnectionID) {
        guard register.claims.instance != identity.instance, disputedInstances.count < 64,
            registers[device].map({ register.supersedes($0.register) }) ?? true,
            disputedInstances.insert(register.claims.instance).inserted
        else { return }
        guard register.isValid(for: state.event) else { return close(connection, .malformed) }
        registers[device] = HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds)
        isRegisterDisputed = true
        scheduleRegister()
    }

    /// Sends all known inventories, once for each connection, to a peer with the same joins: it would ignore the
    /// inventory of an unknown device. Includes its own, since it may have lost that.
    mutating func tellRegisters(to connection: ConnectionID) {
        guard let peer = peers[connection], !peer.hasRegisters else { return }
        peer.hasRegisters = true
        peer.outgoingRegisters.formUnion(registers.keys.sorted())
        loadOutgoing(to: connection)
    }

    private mutating func tellRegister(of device: DeviceID, to connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        // A peer that accepts nothing: entries that were dropped meanwhile make room.
        if peer.outgoingRegisters.count > Limits.registersMax {
            peer.outgoingRegisters.removeAll { registers[$0] == nil }
        }
        peer.outgoingRegisters.append(device)
        loadOutgoing(to: connection)
    }

    /// Sends the latest waiting inventories while there is room. Those that were dropped meanwhile are skipped.
    mutating func sendRegisters(to connection: ConnectionID) {
        while let peer = peers[connection], peer.hasRoom, !peer.outgoingRegisters.isEmpty {
            let device = peer.outgoingRegisters.removeFirst()
            if let heard = registers[device] { send(.register(heard.register), to: connection) }
        }
    }

    // For people

    /// The inventories of other nodes that are members, in the order of their devices.
    public var heardRegisters: [HeardRegister] {
        registers.values.filter {
            $0.register.claims.device != device && state.membership.isMember($0.register.claims.device)
        }.sorted { $0.register.claims.device < $1.register.claims.device }
    }

    /// Returns the names of the photo's original operations in inventories; none for a withdrawn photo.
    public func originalPlaces(of photo: PhotoID) -> [(device: DeviceID, sequence: UInt32)] {
        blobs.originalPlaces(of: photo)
    }
}

/// The remaining room in an inventory.
private struct RegisterBudget {
    private var placesCount = Limits.registerPlacesMax
    /// Half a kilobyte is for the rest of it.
    private var byteCount = Limits.registerByteCountMax - 512

    /// Returns the bytes for naming these operations of one device, with protobuf's overhead: two fields and two
    /// lengths.
    static func cost(of sequences: [Int]) -> Int { 32 + (sequences.max() ?? 0) / 8 + 1 + 12 }

    /// Returns the places of the devices that fit, the first ones first; the result is in the order of keys.
    /// - Parameter others: the number of later lists that share the room.
    mutating func places(
        _ operations: [(device: DeviceID, sequences: [Int])], sharingWith others: Int
    ) -> [Register.Places] {
        let bytesLeft = byteCount - byteCount / (others + 1)
        let placesLeft = placesCount - placesCount / (others + 1)
        var result: [Register.Places] = []
        for (device, sequences) in operations {
            let cost = Self.cost(of: sequences)
            // A missing claim is not a false one.
            guard placesCount > placesLeft, byteCount - cost >= bytesLeft else { continue }
            var bits = ChunkBitmap(chunkCount: 1 + (sequences.max() ?? 0))
            for sequence in sequences { bits[sequence] = true }
            placesCount -= 1
            byteCount -= cost
            result.append(Register.Places(device: device, bits: bits))
        }
        return result.sorted { $0.device < $1.device }
    }
}
