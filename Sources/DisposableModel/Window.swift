// SPDX-License-Identifier: Apache-2.0

/// Which of a device's operations count: all, or those that every revocation leaves.
enum Window: Equatable, Sendable {
    case all
    case only(Set<OperationID>)

    func contains(_ operation: OperationID) -> Bool {
        switch self {
        case .all: true
        case .only(let kept): kept.contains(operation)
        }
    }

    mutating func keep(only kept: Set<OperationID>) {
        switch self {
        case .all: self = .only(kept)
        case .only(let before): self = .only(before.intersection(kept))
        }
    }
}

extension [DeviceID: Window] {
    /// Returns the devices with different windows in both.
    func differences(from other: Self) -> Set<DeviceID> {
        Set(keys).union(other.keys).filter { self[$0] != other[$0] }
    }
}
