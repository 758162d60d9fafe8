// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The connections of a dishonest peer: it dials and authenticates as every member does.
struct DishonestConnections {
    let instance: [UInt8]
    private let key: SigningKey
    private let credentials: EventCredentials
    private let staticKey: AgreementKey

    private var known: [PeerAddress] = []
    private var inUse: Set<PeerAddress> = []
    private var dialled: [ConnectionID: PeerAddress] = [:]
    private var machines: [ConnectionID: PeerConnection] = [:]
    /// Authenticated connections, in the order of authentication.
    private(set) var live: [ConnectionID] = []
    private var lastFrame: (connection: ConnectionID, bytes: [UInt8])?
    private var outputs: [Replica.Output] = []

    private static let knownMax = 64
    private static let countMax = 16

    init(key: SigningKey, credentials: EventCredentials, random: inout SplitMix64) {
        self.key = key
        self.credentials = credentials
        staticKey = AgreementKey(scalar: random.secret())
        instance = random.bytes(16)
    }

    /// Returns the outputs since the last call, in order.
    mutating func takeOutputs() -> [Replica.Output] {
        defer { outputs = [] }
        return outputs
    }

    // Opening and closing

    mutating func note(_ address: PeerAddress) {
        if known.count < Self.knownMax, !known.contains(address) { known.append(address) }
    }

    mutating func dialOthers() {
        for address in known where !inUse.contains(address) && live.count + inUse.count < Self.countMax {
            inUse.insert(address)
            outputs.append(.dial(address))
        }
    }

    mutating func noteFailedDial(_ address: PeerAddress) { inUse.remove(address) }

    mutating func connect(
        _ connection: ConnectionID, to address: PeerAddress, _ entropy: Replica.Entropy, at now: Instant
    ) {
        dialled[connection] = address
        machines[connection] = .dialled(
            credentials: credentials, staticKey: staticKey,
            entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: key, claims: claims(at: now))
    }

    mutating func accept(
        _ connection: ConnectionID, challenge: [UInt8], preface: [UInt8], _ entropy: Replica.Entropy, at now: Instant
    ) {
        machines[connection] = .accepted(
            challenge: challenge, preface: preface, credentials: credentials, staticKey: staticKey,
            entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: key, claims: claims(at: now))
    }

    private func claims(at now: Instant) -> Authentication.Claims {
        .init(
            device: DeviceID(key.verifyingKey), instance: instance, wallClockMilliseconds: now.wallClockMilliseconds,
            listenPort: 8028)
    }

    mutating func forget(_ connection: ConnectionID) {
        machines[connection] = nil
        live.removeAll { $0 == connection }
        if let address = dialled.removeValue(forKey: connection) { inUse.remove(address) }
    }

    mutating func close(_ connection: ConnectionID) {
        outputs.append(.close(connection))
        forget(connection)
    }

    // Receiving and sending

    /// Returns the results in order; `perform` handles those that are no messages.
    mutating func receive(_ bytes: [UInt8], _ connection: ConnectionID) -> [PeerConnection.Output] {
        machines[connection]?.receive(bytes) ?? []
    }

    /// Returns false if the connection has ended.
    mutating func perform(_ output: PeerConnection.Output, _ connection: ConnectionID) -> Bool {
        switch output {
        case .send(let bytes): outputs.append(.send(connection, bytes))
        case .authenticated: live.append(connection)
        case .message: break
        case .failed, .refused:
            close(connection)
            return false
        }
        return true
    }

    mutating func send(_ message: PeerMessage, _ connection: ConnectionID) {
        guard let bytes = machines[connection]?.seal(message), !bytes.isEmpty else { return }
        lastFrame = (connection, bytes)
        outputs.append(.send(connection, bytes))
    }

    mutating func sendToAll(_ message: PeerMessage) { for connection in live { send(message, connection) } }

    /// Sends operations in as many messages as needed: no frame can be too long.
    mutating func sendToAll(_ operations: [UncheckedOperation]) {
        for message in PeerMessage.packing(operations) { sendToAll(message) }
    }

    /// Sends bytes that need not be a message.
    mutating func send(garbage: [UInt8], _ connection: ConnectionID) {
        guard let bytes = machines[connection]?.seal(garbage), !bytes.isEmpty else { return }
        outputs.append(.send(connection, bytes))
    }

    /// Sends the latest frame again. The channel counts its messages: an old one does not decrypt.
    mutating func repeatLastFrame() {
        guard let lastFrame, live.contains(lastFrame.connection) else { return }
        outputs.append(.send(lastFrame.connection, lastFrame.bytes))
    }
}
