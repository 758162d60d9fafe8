// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// Facts about a run that no node knows, and with which the checks compare the nodes.
struct Evidence {
    /// Operations that a node has acknowledged to its person, which it must never lose.
    private(set) var acknowledged: [(node: Int, id: OperationID)] = []
    /// Photos that were shown when a member on which they depend was removed.
    private(set) var hostagePhotos: Set<PhotoID> = []
    /// Node and index of blobs with a deliberately flipped bit.
    private var damage: Set<[Int]> = []

    var hasDamage: Bool { !damage.isEmpty }

    func isDamaged(_ place: Int, on node: Int) -> Bool { damage.contains([node, place]) }

    mutating func noteDamage(_ place: Int, on node: Int) { damage.insert([node, place]) }

    mutating func noteHostage(_ photo: PhotoID) { hostagePhotos.insert(photo) }

    mutating func noteAcknowledged(_ ids: [OperationID], by node: Int) { acknowledged += ids.map { (node, $0) } }
}
