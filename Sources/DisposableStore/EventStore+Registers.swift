// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import DisposableWire
internal import Foundation
internal import GRDB

/// The inventories of nodes: the newest of each.
extension EventStore {
    /// Replaces the device's last inventory.
    /// - Parameter durably: for an own inventory, before it is sent: everything that it names was stored before, and
    ///   becomes durable with it.
    public func keep(_ register: Register, heardAtMilliseconds: UInt64, durably: Bool) throws(StoreError) {
        try database.write(durably: durably) { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO register (device, message, heardAt) VALUES (?1, ?2, ?3)
                    ON CONFLICT (device) DO UPDATE SET message = ?2, heardAt = ?3
                    """
            ).execute(arguments: [
                Data(register.claims.device.bytes), Data(PeerMessage.register(register).bytes),
                Int64(clamping: heardAtMilliseconds),
            ])
        }
    }

    public func forget(registersOf devices: [DeviceID]) throws(StoreError) {
        try database.write(durably: false) { db in
            for device in devices {
                try db.cachedStatement(sql: "DELETE FROM register WHERE device = ?")
                    .execute(arguments: [Data(device.bytes)])
            }
        }
    }

    /// Returns every device's newest inventory, with the time of its arrival. Unreadable ones are left out: they arrive
    /// again.
    public func registers() throws(StoreError) -> [(register: Register, heardAtMilliseconds: UInt64)] {
        let rows = try database.read { db in try Row.fetchAll(db, sql: "SELECT message, heardAt FROM register") }
        return rows.compactMap { row in
            guard let bytes = row.bytes(0), let heardAt = row.number(1),
                case .register(let register)? = try? PeerMessage(bytes), register.isValid(for: folder.event)
            else { return nil }
            return (register, UInt64(clamping: heardAt))
        }
    }
}
