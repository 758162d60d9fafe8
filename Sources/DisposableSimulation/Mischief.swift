// SPDX-License-Identifier: Apache-2.0

/// A way of breaking the rules.
package enum Mischief: String, CaseIterable, Sendable {
    /// Signs two operations with one sequence, and sends one to some peers and the other to the rest.
    case forker
    /// Sends operations of unknown authors, requests for operations and chunks, and holdings, as fast as it may.
    case flooder
    /// Claims to hold every blob, and answers no request.
    case chunkLiar
    /// Claims to hold every blob, and sends wrong chunks.
    case badChunks
    /// Repeats others' operations, and sends old frames again.
    case replayer
    /// Claims frames twice, frames beyond its quota, and frames for other people's photos; tries to delete those, too.
    case slotCheater
    /// Repeats received messages with some of the bytes wrong.
    case babbler
    /// Takes photos correctly until it learns of its removal, and then continues: more photos, admissions, rulings of
    /// its own.
    case outcast
    /// Announces more operations than any other, names known ones, and sends one of them every nine seconds.
    case dawdler
    /// Admits devices of its own and signs for each of them the largest possible inventory.
    case registrar
    /// Admits devices of its own and signs for all of them, over one connection, large operations of unknown kinds.
    case multiplier
    /// Admits a great many devices and guests, and lets them act.
    case crowd
    /// Serves guests and admits members until it is removed, and tries to make the removal cost them their photos.
    case hostageTaker
    /// Admits devices with its sub-keys, and with devices that joined that way, after it was removed.
    case smuggler
    /// Keeps a connection to every node that it knows, dials again at once, and takes no operation there. One of many
    /// devices of one machine.
    case caller
}

extension Mischief {
    /// The misbehaviours from which a party's seed chooses, in this order.
    static let cases: [Mischief] = [
        .forker, .flooder, .chunkLiar, .badChunks, .replayer, .slotCheater, .babbler, .dawdler,
    ]
}
