// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
internal import DisposableWire

/// Switches this node to the event secret that the operations determine, and records which members were met under it
/// (protocol/disposable-v1.md §6.12).
package struct EpochFollower {
    package struct Change: Equatable {
        /// Whether the current secret is another one.
        package let isRotated: Bool
        /// Epochs whose secret turned out to be sealed to this device falsely, in the order of their ids.
        package let falselySealed: [OperationID]
    }

    package private(set) var keyring: Keyring
    /// The revision of the epochs from which the keyring was last derived.
    private var followedRevision: Int?
    /// Members met under the current secret.
    private var met: Set<DeviceID> = []

    package init(_ keyring: Keyring) { self.keyring = keyring }

    /// Derives the keyring again if the epochs have changed.
    /// - Parameter key: this device's key, to which secrets are sealed.
    package mutating func follow(_ epochs: Epochs, key: SigningKey) -> Change? {
        guard epochs.revision != followedRevision else { return nil }
        followedRevision = epochs.revision
        let before = keyring
        keyring.follow(epochs, key: key)
        let isRotated = !keyring.current.isEqual(to: before.current)
        if isRotated { met = [] }
        return Change(
            isRotated: isRotated, falselySealed: keyring.falselySealed.subtracting(before.falselySealed).sorted())
    }

    /// Adds the secret of another invitation. The next `follow` derives the keyring again.
    package mutating func take(invited secret: SecretBytes) {
        keyring.take(invited: secret)
        followedRevision = nil
    }

    /// Whether a connection uses another secret than the current one.
    package func isOutdated(_ credentials: EventCredentials) -> Bool { !credentials.isEqual(to: keyring.current) }

    package mutating func meet(_ device: DeviceID) { met.insert(device) }
    package func hasMet(_ device: DeviceID) -> Bool { met.contains(device) }
}
