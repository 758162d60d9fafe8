// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// Conditions that are reported to people: some once each, a due reveal each minute.
package struct Notices {
    package var reveal = RevealReminders()
    private var clones: Set<DeviceID> = []
    private var versions: Set<UInt32> = []

    package init() {}

    /// Records that a device's key is in use twice. Returns whether to report it.
    package mutating func recordClone(_ device: DeviceID) -> Bool { clones.insert(device).inserted }

    /// Records another version of the protocol. Returns whether to report it: at most 16 versions are.
    package mutating func recordVersion(_ version: UInt32) -> Bool {
        versions.count < 16 && versions.insert(version).inserted
    }
}
