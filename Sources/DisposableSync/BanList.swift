// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableWire

/// Devices that are banned for a while, because they sent wrong chunks.
package struct BanList {
    private var endsAt: [DeviceID: UInt64] = [:]

    package init() {}

    package func isBanned(_ device: DeviceID, at now: UInt64) -> Bool { endsAt[device].map { now < $0 } ?? false }
    package func banned(at now: UInt64) -> [DeviceID] { endsAt.keys.filter { isBanned($0, at: now) } }

    package mutating func ban(_ device: DeviceID, at now: UInt64) {
        endsAt = endsAt.filter { now < $0.value }
        endsAt[device] = now + UInt64(Limits.shunMilliseconds)
    }
}
