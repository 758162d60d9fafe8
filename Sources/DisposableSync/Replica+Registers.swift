// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import DisposableWire
internal import OrderedCollections

/// A register and when this node heard it, by its own wall clock: claims age.
public struct HeardRegister: Equatable, Sendable {
    public let register: Register
    public let heardAtMilliseconds: UInt64

    public init(_ register: Register, heardAtMilliseconds: UInt64) {
        self.register = register
        self.heardAtMilliseconds = heardAtMilliseconds
    }
}

/// What nodes say of their own disks, so that people see where else their photos are and where they are destroyed. Each
/// node signs what is durable with it, keeps the newest of everybody else, and passes it on: to whoever connects all of
/// them, of a new one to a few. What a register says is its device's claim, and nothing here acts upon it.
extension Replica {
    /// What the store has kept, before the first input.
    public mutating func restore(registers heard: [HeardRegister]) {
        for heard in heard { registers[heard.register.claims.device] = heard }
    }

    // Own

    /// What is here has changed, or may have.
    mutating func scheduleRegister() {
        guard registerDueAt == nil, registering == nil else { return }
        // The larger the event, the longer: what one says goes to everybody.
        let share = max(1, state.membership.nodeCount / Limits.meshNodesMax)
        let pause = UInt64(Limits.registerMilliseconds) * UInt64(share)
        registerDueAt = max(now.milliseconds + 1_000, registeredAt.map { $0 + pause } ?? 0)
    }

    /// Signs what is here, where it is not what was said last. It is told when it is on disk, and with it all it names.
    mutating func signRegister() {
        registerDueAt = nil
        guard isAdmitted else { return }
        let (originals, destroyed) = claims
        let last = registers[device]?.register.claims
        // Nothing goes beyond the last number there is: whoever has said that has this device's key.
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

    /// Whether the ticket is that of this node's register.
    mutating func registerKept(_ ticket: Ticket, isStored: Bool) -> Bool {
        guard let (kept, register) = registering, kept == ticket else { return false }
        registering = nil
        registeredAt = now.milliseconds
        // Unless it has turned out meanwhile that this device has said more.
        if isStored, registers[device].map({ register.supersedes($0.register) }) ?? true {
            registers[device] = HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds)
            for (connection, peer) in peers where peer.haveSent { tell(register, to: connection) }
        }
        // What came meanwhile, or the same again.
        scheduleRegister()
        return true
    }

    private var claims: (originals: [Register.Places], destroyed: [Register.Places]) {
        var budget = RegisterBudget()
        let remaining = destructible
        let gone = withdrawn.subtracting(remaining).compactMap { state.photo(PhotoID($0)) }
        // Half of the room at most, so that neither drives out the other.
        let destroyed = budget.places(gone.map { ($0.device, $0.sequence) }, sharingWith: 1)
        return (budget.places(blobs.completeOriginals, sharingWith: 0), destroyed)
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
        registerAllowances[claims.device] = allowance
        let heard = HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds)
        registers[claims.device] = heard
        outputs.append(.keep(heard, durably: false, newTicket()))
        outputs.append(.changed(.peers))
        let others = peers.filter {
            $0.key != connection && $0.value.haveSent && $0.value.device != claims.device
        }.map(\.key)
        for other in others.shuffled(using: &random).prefix(Limits.relayPeersMax) { tell(register, to: other) }
    }

    /// This device has said more than it knows of: its folder was restored, or is in use twice. Said anew with a higher
    /// counter, once for each process, lest two of them outbid each other for ever.
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

    /// Everything that is known, to a peer that has come; also what it has said itself, as it may have lost that.
    mutating func tellRegisters(to connection: ConnectionID) {
        for device in registers.keys.sorted() { tell(registers[device]!.register, to: connection) }
    }

    private mutating func tell(_ register: Register, to connection: ConnectionID) {
        send(.register(register), to: connection)
    }

    // What people see

    /// What other nodes that are members say, in the order of their devices.
    public var heardRegisters: [HeardRegister] {
        registers.values.filter {
            $0.register.claims.device != device && state.membership.isMember($0.register.claims.device)
        }.sorted { $0.register.claims.device < $1.register.claims.device }
    }

    /// How the photo's original operations are named in registers; of a photo that is taken away there are none.
    public func originalPlaces(of photo: PhotoID) -> [(device: DeviceID, sequence: UInt32)] {
        blobs.originalPlaces(of: photo)
    }
}

/// How much a register may still name.
private struct RegisterBudget {
    private var placesCount = Limits.registerPlacesMax
    /// Half a kilobyte is for the rest of it.
    private var byteCount = Limits.registerByteCountMax - 512

    /// - Parameter others: how many lists the room is shared with that come later.
    mutating func places(
        _ operations: [(device: DeviceID, sequence: UInt32)], sharingWith others: Int
    ) -> [Register.Places] {
        let bytesLeft = byteCount - byteCount / (others + 1)
        let placesLeft = placesCount - placesCount / (others + 1)
        var result: [Register.Places] = []
        let byDevice = Dictionary(grouping: operations) { $0.device }
        for device in byDevice.keys.sorted() {
            let sequences = byDevice[device]!.map { Int($0.sequence) }
            var bits = ChunkBitmap(chunkCount: sequences.max()! + 1)
            // Protobuf's own: two fields and two lengths.
            let cost = 32 + bits.bytes.count + 12
            // A claim less is no lie.
            guard placesCount > placesLeft, byteCount - cost >= bytesLeft else { continue }
            for sequence in sequences { bits[sequence] = true }
            placesCount -= 1
            byteCount -= cost
            result.append(Register.Places(device: device, bits: bits))
        }
        return result
    }
}
