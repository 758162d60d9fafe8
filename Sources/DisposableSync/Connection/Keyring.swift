// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableWire

/// The event secrets of a node: that of the current epoch, if the node has it, and older ones with which it meets nodes
/// that do not know a new one yet (protocol/disposable-v1.md §6.12).
///
/// Only the invitation's secret is stored: every other secret is in an operation, sealed to this device, and is derived
/// with the operations. So no second copy can disagree.
public struct Keyring: Sendable {
    /// The secret with which the node dials and admits newcomers.
    public private(set) var current: EventCredentials
    /// The epoch of that secret, `.none` for the invitation's if it belongs to no known epoch.
    public private(set) var epoch: OperationID
    /// The other secrets, the most useful first.
    public private(set) var older: [EventCredentials] = []
    /// Epochs whose secret was sealed to this device falsely.
    private(set) var falselySealed: Set<OperationID> = []
    private var invited: EventCredentials
    private var opened: [OperationID: EventCredentials] = [:]

    init(invited: EventCredentials) {
        self.invited = invited
        current = invited
        epoch = .none
    }

    /// Creates the keyring of a device that is not running, from its stored operations.
    public init(
        invited secret: SecretBytes, eventKey: VerifyingKey, deviceKey: SigningKey, operations: [VerifiedOperation]
    ) {
        var state = EventState(eventKey: eventKey)
        state.apply(operations)
        self.init(invited: EventCredentials(event: state.event, secret: secret))
        follow(state.epochs, key: deviceKey)
    }

    /// The kinds of operation that decide which secrets a device has.
    public static let kinds: [OperationKind] = [.join, .grant, .revokeRole, .revokeDevice, .epoch]

    /// All secrets, the current one first; at most `Limits.eventSecretsMax`.
    public var all: [EventCredentials] { [current] + older }

    /// Returns the credentials with which a preface was made, if any match.
    public func credentials(answering preface: [UInt8], challenge: [UInt8]) -> EventCredentials? {
        all.first { Preface.matches(preface, challenge: challenge, credentials: $0) }
    }

    mutating func take(invited secret: SecretBytes) { invited = EventCredentials(event: invited.event, secret: secret) }

    /// Opens the boxes that are sealed to the device of `key`, and chooses the secret nearest to the current epoch's.
    mutating func follow(_ epochs: Epochs, key: SigningKey) {
        openSeals(epochs, key: key)
        let invitedEpoch = epochs.epoch(of: invited.secret, event: invited.event) ?? .none
        var known = opened
        if known[invitedEpoch] == nil { known[invitedEpoch] = invited }
        // The path from the current epoch back to the first secret; then those that lost against others.
        let way = epochs.chain.reversed() + [.none]
        let others = known.keys.filter { !way.contains($0) }.sorted()
        var order = (way + others).filter { known[$0] != nil }
        if order.count > Limits.eventSecretsMax {
            // A node that has been away all the time knows only the first one.
            let first = order.filter { $0 == .none }
            order = order.filter { $0 != .none }.prefix(Limits.eventSecretsMax - first.count) + first
        }
        let credentials = order.compactMap { known[$0] }
        guard let first = credentials.first else { return }
        (current, epoch, older) = (first, order[0], Array(credentials.dropFirst()))
    }

    private mutating func openSeals(_ epochs: Epochs, key: SigningKey) {
        let own = key.agreementKey
        falselySealed = []
        let seals = Dictionary(grouping: epochs.seals(for: DeviceID(key.verifyingKey)), by: \.epoch)
        for (epoch, seals) in seals where opened[epoch] == nil {
            let secret = seals.prefix(Limits.eventSecretsMax).lazy
                .compactMap { try? SealedBox.open($0.box, with: own) }
                .first { epochs.isSecret($0, of: epoch, event: invited.event) }
            if let secret {
                opened[epoch] = EventCredentials(event: invited.event, secret: secret)
            } else {
                falselySealed.insert(epoch)
            }
        }
    }
}

extension EventCredentials {
    func isEqual(to other: EventCredentials) -> Bool { secret.isEqual(to: other.secret) }
}
