// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
package import DisposableModel
internal import DisposableStore
internal import DisposableSync
package import DisposableWire
internal import Logging

/// The other nodes that have or have purged photos, according to their inventories.
extension EventNode {
    func keep(
        _ heard: HeardRegister, durably: Bool, _ ticket: Ticket
    ) {
        writes.async { [self, store, logger] in
            do throws(StoreError) {
                try store.keep(heard.register, heardAtMilliseconds: heard.heardAtMilliseconds, durably: durably)
                complete { $0.apply(.persisted(ticket)) }
            } catch {
                logger.error("inventory not stored", metadata: ["reason": "\(error)"])
                complete { $0.apply(.persistFailed(ticket)) }
            }
        }
    }

    func forget(registersOf devices: [DeviceID]) {
        writes.async { [store, logger] in
            do throws(StoreError) {
                try store.forget(registersOf: devices)
            } catch {
                logger.error("inventories not removed from the store", metadata: ["reason": "\(error)"])
            }
        }
    }

    func copies(in gallery: [Photo]) -> CopyCounts {
        // Once for all photos: each access copies it.
        let replica = replica
        let isOrganizers = isOrganizers(replica.deviceID, replica)
        let tally = RegisterTally(
            replica.heardRegisters.map { ($0.register, self.isOrganizers($0.register.claims.device, replica)) })
        var counts = CopyCounts()
        for photo in gallery {
            let isHere = replica.isComplete(.original, of: photo.id)
            let others = tally.holders(of: replica.originalPlaces(of: photo.id))
            if isHere { counts.here += 1 }
            if others.count + (isHere ? 1 : 0) >= 2 { counts.onTwoMachines += 1 }
            if others.includesOrganizer || (isHere && isOrganizers) { counts.onOrganizers += 1 }
            if others.count >= 2 || others.includesOrganizer { counts.confirmed += 1 }
        }
        return counts
    }

    /// The inventories of the other nodes, by name.
    var nodeClaims: [NodeClaim] {
        let connected = Set(replica.livePeers.map(\.device))
        return replica.heardRegisters.map { heard in
            let claims = heard.register.claims
            return NodeClaim(
                device: claims.device.description, name: name(of: claims.device, replica),
                isOrganizer: isOrganizers(claims.device, replica),
                originalCount: claims.originals.reduce(0) { $0 + $1.bits.count },
                destroyedCount: claims.destroyed.reduce(0) { $0 + $1.bits.count },
                heardAt: Timestamps.iso8601(heard.heardAtMilliseconds), isConnected: connected.contains(claims.device))
        }
    }

    /// Returns the nodes that claim to have the photo's original, or to have purged the photo.
    func copies(of photo: Photo) throws -> PhotoCopies {
        let places = replica.originalPlaces(of: photo.id)
        let said = zip(replica.heardRegisters, nodeClaims)
        func nodes(where isSaid: (Register.Claims) -> Bool) -> [NodeClaim] {
            said.filter { isSaid($0.0.register.claims) }.map(\.1)
        }
        let holders = nodes { said in
            places.contains { place in
                said.originals.contains { $0.device == place.device && $0.bits[Int(place.sequence)] }
            }
        }
        let destroyers = nodes { said in
            photo.status.isWithdrawn
                && said.destroyed.contains { $0.device == photo.device && $0.bits[Int(photo.sequence)] }
        }
        let isHere = replica.isComplete(.original, of: photo.id)
        let isOrganizers = isOrganizers(replica.deviceID, replica)
        return PhotoCopies(
            photo: photo.id.description, isHere: isHere, isOnTwoMachines: holders.count + (isHere ? 1 : 0) >= 2,
            isOnOrganizers: holders.contains(where: \.isOrganizer) || (isHere && isOrganizers),
            isDestroyedHere: photo.status.isWithdrawn && !replica.destructible.contains(photo.id.operationID),
            nodeCount: replica.state.membership.nodeCount, confirmedBy: holders, destroyedBy: destroyers)
    }

    private func isOrganizers(_ device: DeviceID, _ replica: Replica) -> Bool {
        (replica.state.membership.rank(of: device) ?? .participant) >= .organizer
    }

    private func name(of device: DeviceID, _ replica: Replica) -> String {
        replica.state.album.name(of: replica.state.membership.author(of: device)) ?? device.short
    }
}

/// The number of inventories that name each operation: counted once, so that querying every photo is cheap.
package struct RegisterTally {
    private var counts: [DeviceID: [UInt16]] = [:]
    private var organizers: [DeviceID: [ChunkBitmap]] = [:]

    package init(_ registers: [(register: Register, isOrganizers: Bool)]) {
        for (register, isOrganizers) in registers {
            for (device, bits) in Self.named(by: register) {
                let length = bits.bytes.count * 8
                var list = counts.removeValue(forKey: device) ?? []
                if list.count < length { list += Array(repeating: 0, count: length - list.count) }
                for sequence in 0..<length where bits[sequence] && list[sequence] < .max { list[sequence] += 1 }
                counts[device] = list
                if isOrganizers { organizers[device, default: []].append(bits) }
            }
        }
    }

    /// Returns the operations in an inventory. A device may occur several times in it, but counts as one holder.
    private static func named(by register: Register) -> [DeviceID: ChunkBitmap] {
        var named: [DeviceID: [UInt8]] = [:]
        for places in register.claims.originals {
            var bytes = named.removeValue(forKey: places.device) ?? []
            let more = places.bits.bytes
            if bytes.count < more.count { bytes += Array(repeating: 0, count: more.count - bytes.count) }
            for index in more.indices { bytes[index] |= more[index] }
            named[places.device] = bytes
        }
        return named.mapValues { ChunkBitmap(bytes: $0) }
    }

    /// Returns the count for the operation with the most holders, among those that describe one photo.
    package func holders(of places: [(device: DeviceID, sequence: UInt32)]) -> (count: Int, includesOrganizer: Bool) {
        var best = (count: 0, includesOrganizer: false)
        for (device, sequence) in places {
            let place = Int(sequence)
            if let list = counts[device], place < list.count { best.count = max(best.count, Int(list[place])) }
            if organizers[device]?.contains(where: { $0[place] }) == true { best.includesOrganizer = true }
        }
        return best
    }
}
