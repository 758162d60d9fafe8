// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import DisposableWire
internal import Foundation
internal import GRDB

/// What nodes say of their own disks: the newest register of each.
extension EventStore {
    /// Takes the place of the device's last one.
    /// - Parameter durably: for one of our own, before anybody hears of it: what it names was stored before, and is on
    ///   disk with it.
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

    /// Every device's newest register, and when it was heard. What cannot be read is left out: it comes again.
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
