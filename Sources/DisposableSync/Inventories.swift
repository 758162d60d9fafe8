// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
public import DisposableWire

/// An inventory and when this node received it, by its own wall clock: claims age.
public struct HeardRegister: Equatable, Sendable {
    public let register: Register
    public let heardAtMilliseconds: UInt64

    public init(_ register: Register, heardAtMilliseconds: UInt64) {
        self.register = register
        self.heardAtMilliseconds = heardAtMilliseconds
    }
}

/// The newest inventory of each device. That of this device is always kept; of others at most `Limits.registersMax`
/// with `Limits.registersByteCountMax`, so different nodes may keep different ones.
package struct Inventories {
    /// The result of an inventory from a peer.
    package enum Reception: Equatable {
        /// It is known, older than the known one, or its device signs them too often.
        case ignored
        /// Its signature is wrong.
        case malformed
        /// It is kept, and is to be stored and passed on.
        case kept(HeardRegister)
    }

    private let device: DeviceID
    package var signer: InventorySigner
    private var newest: [DeviceID: HeardRegister] = [:]
    /// The rate limit for new inventories of each other device.
    private var allowances = KeyedAllowances<DeviceID>(
        perSecond: 1, burst: Limits.registersBurstMax, countMax: 2 * Limits.registersMax)
    /// Devices whose inventories were dropped from memory, and not yet from the store.
    private var dropped: [DeviceID] = []

    /// - Parameters:
    ///   - device: this device.
    ///   - instance: 16 random bytes of this process.
    package init(of device: DeviceID, instance: [UInt8]) {
        self.device = device
        signer = InventorySigner(instance: instance)
    }

    package subscript(device: DeviceID) -> HeardRegister? { newest[device] }
    package var devices: [DeviceID] { newest.keys.sorted() }
    package var own: Register? { newest[device]?.register }
    /// The inventories of other devices, in the order of their keys.
    package var ofOthers: [HeardRegister] {
        newest.values.filter { $0.register.claims.device != device }.sorted {
            $0.register.claims.device < $1.register.claims.device
        }
    }
    package var otherCount: Int { newest.keys.count { $0 != device } }

    /// Returns the devices whose inventories the store is to remove, once each.
    package mutating func takeDropped() -> [DeviceID] {
        defer { dropped = [] }
        return dropped
    }

    /// Sets the inventory of this device unless a newer one is known. Returns whether it is set.
    package mutating func setOwn(_ inventory: HeardRegister) -> Bool {
        guard own.map(inventory.register.supersedes) ?? true else { return false }
        newest[device] = inventory
        return true
    }

    /// Restores stored inventories.
    /// - Parameter root: returns the root of a device's sponsor tree.
    package mutating func restore(
        _ stored: [HeardRegister], isMember: (DeviceID) -> Bool, root: (DeviceID) -> DeviceID
    ) {
        for inventory in stored.sorted(by: { $0.heardAtMilliseconds > $1.heardAtMilliseconds }) {
            let other = inventory.register.claims.device
            if other == device {
                newest[other] = inventory
            } else if !isMember(other) || !keep(inventory, root: root) {
                dropped.append(other)
            }
        }
    }

    /// Handles an inventory of another member.
    package mutating func receive(
        _ register: Register, of event: EventID, at now: Instant, root: (DeviceID) -> DeviceID
    ) -> Reception {
        let other = register.claims.device
        if let known = newest[other], !register.supersedes(known.register) { return .ignored }
        guard allowances.isLevel(other, at: now.milliseconds) else { return .ignored }
        guard register.isValid(for: event) else { return .malformed }
        allowances.spend(1, by: other, at: now.milliseconds)
        let heard = HeardRegister(register, heardAtMilliseconds: now.wallClockMilliseconds)
        return keep(heard, root: root) ? .kept(heard) : .ignored
    }

    /// Keeps an inventory of another device. At the limit, the sponsor tree with the most loses its inventory that was
    /// received longest ago, and a device of it without an inventory gets no place. So a device and those that it
    /// admitted crowd out nobody else's, and a flood makes the disk write nothing.
    private mutating func keep(_ heard: HeardRegister, root: (DeviceID) -> DeviceID) -> Bool {
        let other = heard.register.claims.device
        let previous = newest.updateValue(heard, forKey: other)
        while let tree = largestTreeBeyondBound(root) {
            if previous == nil, tree.contains(other) {
                newest[other] = nil
                break
            }
            let oldest = tree.min { (newest[$0]!.heardAtMilliseconds, $0) < (newest[$1]!.heardAtMilliseconds, $1) }
            guard let oldest else { break }
            newest[oldest] = nil
            dropped.append(oldest)
        }
        return newest[other] != nil
    }

    /// Returns the devices of the sponsor tree with the most inventories, if there are more than a node keeps.
    private func largestTreeBeyondBound(_ root: (DeviceID) -> DeviceID) -> [DeviceID]? {
        let others = newest.filter { $0.key != device }
        let byteCount = others.values.reduce(0) { $0 + $1.register.byteCount }
        guard others.count > Limits.registersMax || byteCount > Limits.registersByteCountMax else { return nil }
        var byRoot: [DeviceID: (devices: [DeviceID], byteCount: Int)] = [:]
        for (other, heard) in others {
            let root = root(other)
            byRoot[root, default: ([], 0)].devices.append(other)
            byRoot[root]!.byteCount += heard.register.byteCount
        }
        // The larger of its shares of both limits: otherwise small inventories without end would drive out large ones.
        func share(_ tree: (devices: [DeviceID], byteCount: Int)) -> Int {
            max(tree.byteCount * Limits.registersMax, tree.devices.count * Limits.registersByteCountMax)
        }
        return byRoot.max { (share($0.value), $0.key) < (share($1.value), $1.key) }?.value.devices
    }

    /// Drops the inventories of devices that are no longer members.
    package mutating func removeOthers(where isRemoved: (DeviceID) -> Bool) {
        for other in newest.keys.filter({ $0 != device && isRemoved($0) }).sorted() {
            newest[other] = nil
            allowances.remove(other)
            dropped.append(other)
        }
    }
}
