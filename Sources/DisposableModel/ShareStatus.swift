// SPDX-License-Identifier: Apache-2.0

/// The shares of an event's reveal key.
public struct ShareStatus: Equatable, Sendable {
    /// The number of shares that reveal the photos.
    public let threshold: Int
    /// The number of all shares.
    public let count: Int
    /// The indices of the published shares, ascending.
    public let released: [UInt8]
    /// The number of shares that still have to be published.
    public let missingCount: Int
}

/// A device to which an organizer has given the share with this index.
public struct ShareHolder: Hashable, Sendable {
    public let device: DeviceID
    public let index: UInt8

    package init(device: DeviceID, index: UInt8) {
        self.device = device
        self.index = index
    }
}

/// A box that an organizer has sealed to a device as the share with this index: 80 bytes.
public struct SealedShare: Hashable, Sendable {
    public let index: UInt8
    public let box: [UInt8]
}
