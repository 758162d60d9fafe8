// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The secrets of an event and their order (protocol/disposable-v1.md §9.11).
public enum Epoch {
    /// Returns an operation's commitment to the secret that it seals, which exposes a box with another secret. The
    /// secret has 256 random bits, which no salt could hide better.
    public static func commitment(to secret: SecretBytes, parent: OperationID, event: EventID) -> Bytes32 {
        KeyDerivation.key(from: secret, context: Domain.Key.epoch, input: event.bytes + parent.bytes)
            .withSpan { span in Bytes32((0..<span.count).map { span[$0] })! }  // 32 bytes by construction
    }
}

/// The current event secret: a function of the set of epoch operations, and of the ranks with which they were signed.
///
/// 1. An epoch counts if it was signed with an organizer's rank. It follows the epoch that its subject names, or the
///    secret of the invitation.
/// 2. A path leads from the first secret on: among the epochs that follow the last one, and count or lead to one that
///    counts, the smallest id is next. The end of the path is the current epoch.
/// 3. An addition seals the secret of the epoch that its subject names to more devices. It requires the same rank.
public struct Epochs: Equatable, Sendable {
    private struct Statement: Equatable {
        /// The parent, or the epoch that is added to.
        let subject: OperationID
        /// `nil` for an addition.
        let commitment: Bytes32?
        let seals: [SealedSecret]
    }

    private var statements: [DeviceID: [OperationID: Statement]] = [:]
    /// The epochs on the path to the current one, which is the last. Empty while the secret is the invitation's.
    public private(set) var chain: [OperationID] = []
    /// Grows whenever the path or the sealed boxes may have changed.
    public private(set) var revision = 0
    /// The boxes that organizers have sealed, by epoch; the smallest operation first.
    private var seals: [OperationID: [SealedSecret]] = [:]
    private var commitments: [OperationID: (parent: OperationID, commitment: Bytes32)] = [:]
    /// The devices that ever were an organizer's. Any other member can sign epochs without end, which lead nowhere.
    private var organizers: Set<DeviceID> = []

    /// The current epoch, `.none` while the secret is the invitation's.
    public var current: OperationID { chain.last ?? .none }

    /// Whether a known epoch does not lead to the current one: it lost, or does not count.
    public func isStray(_ epoch: OperationID) -> Bool { commitments[epoch] != nil && !chain.contains(epoch) }

    mutating func note(_ operation: VerifiedOperation) {
        guard case .epoch(let commitment, let seals) = operation.content else { return }
        let statement = Statement(subject: operation.header.subject, commitment: commitment, seals: seals)
        statements[operation.header.device, default: [:]][operation.id] = statement
    }

    /// Recomputes the current epoch.
    mutating func resolve(_ membership: Membership) {
        revision += 1
        (chain, seals, commitments) = ([], [:], [:])
        organizers = membership.everOrganizers
        var counting: Set<OperationID> = []
        var additions: [(id: OperationID, statement: Statement)] = []
        for (device, own) in statements where organizers.contains(device) {
            for (id, statement) in own {
                let counts = membership.rank(of: id, by: device) >= .organizer
                if let commitment = statement.commitment {
                    commitments[id] = (statement.subject, commitment)
                    seals[id] = statement.seals
                    if counts { counting.insert(id) }
                } else if counts {
                    additions.append((id, statement))
                }
            }
        }
        for (_, statement) in additions.sorted(by: { $0.id < $1.id }) {
            seals[statement.subject]?.append(contentsOf: statement.seals)
        }
        // The epochs that count or lead to one that does.
        var leading: Set<OperationID> = []
        for var id in counting {
            while let epoch = commitments[id], leading.insert(id).inserted { id = epoch.parent }
        }
        let following = Dictionary(grouping: leading) { commitments[$0]?.parent ?? .none }
        while let next = following[current]?.min() { chain.append(next) }
    }

    /// The operations of organizers that prove to a device which secret is current, in the order of their ids, and their
    /// signers: those that began an epoch, and those that add devices to the current one. Boxes that were added to an
    /// earlier epoch prove no path to the current one.
    public var proof: (operations: [OperationID], signers: [DeviceID]) {
        var (operations, signers): ([OperationID], Set<DeviceID>) = ([], [])
        for (device, own) in statements where organizers.contains(device) {
            let shown = own.filter { $0.value.commitment != nil || $0.value.subject == current }.keys
            operations += shown
            if !shown.isEmpty { signers.insert(device) }
        }
        return (operations.sorted(), signers.sorted())
    }

    /// Returns the devices to which the secret of an epoch was sealed.
    public func devices(of epoch: OperationID) -> Set<DeviceID> { Set((seals[epoch] ?? []).map(\.device)) }

    /// Returns the boxes sealed to `device`, by epoch in the order of their ids.
    public func seals(for device: DeviceID) -> [(epoch: OperationID, box: [UInt8])] {
        seals.sorted { $0.key < $1.key }.flatMap { epoch, seals in
            seals.filter { $0.device == device }.map { (epoch, $0.box) }
        }
    }

    /// Returns the epoch of this secret, `nil` if no known epoch has it.
    public func epoch(of secret: SecretBytes, event: EventID) -> OperationID? {
        commitments.keys.sorted().first { isSecret(secret, of: $0, event: event) }
    }

    /// Whether the operation that began the epoch is committed to this secret.
    public func isSecret(_ secret: SecretBytes, of epoch: OperationID, event: EventID) -> Bool {
        guard let (parent, commitment) = commitments[epoch] else { return false }
        return Epoch.commitment(to: secret, parent: parent, event: event) == commitment
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.statements == right.statements && left.chain == right.chain && left.seals == right.seals
    }
}
