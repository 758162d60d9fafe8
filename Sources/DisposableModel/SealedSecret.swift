// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// An event secret, or the key of a message, sealed to one device.
public struct SealedSecret: Equatable, Sendable {
    public static let byteCount = Invitation.secretByteCount + SealedBox.overheadByteCount

    public let device: DeviceID
    /// A part of the array with all boxes of the operation: there may be a thousand, of which a node opens one.
    private let bytes: ArraySlice<UInt8>

    /// 80 bytes.
    public var box: [UInt8] { Array(bytes) }

    public init(device: DeviceID, box: ArraySlice<UInt8>) {
        self.device = device
        bytes = box
    }

    public init(device: DeviceID, box: [UInt8]) { self.init(device: device, box: box[...]) }

    /// Seals a secret to a device. Throws `CryptoError.weakPublicKey` if nothing can be sealed to it.
    /// - Parameters:
    ///   - secret: 32 bytes.
    ///   - device: the only device that can open it.
    ///   - seed: 32 random bytes for all boxes of one operation, then discarded: each box has its own ephemeral key.
    ///   - context: that of the ephemeral keys, one of `Domain.Key`.
    public init(
        of secret: SecretBytes, for device: DeviceID, seed: SecretBytes, context: String = Domain.Key.epochSealing
    ) throws(CryptoError) {
        let recipient = try AgreementPublicKey(of: device.verifyingKey)
        let ephemeral = AgreementKey(
            scalar: KeyDerivation.key(from: seed, context: context, input: device.bytes))
        let box = try secret.withSpan { span throws(CryptoError) in
            try SealedBox.seal(span, to: recipient, ephemeral: ephemeral)
        }
        self.init(device: device, box: box)
    }
}
