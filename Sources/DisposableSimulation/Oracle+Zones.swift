// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rule of zones once more.
extension Oracle {
    /// The names of the zones, by the photos that came in there.
    package var zonesOfPhotos: [PhotoID: String] {
        var zones: [PhotoID: String] = [:]
        for id in statuses.keys {
            guard let photo = known[id.operationID] else { continue }
            let device = photo.header.device
            let join = joins(of: device).filter { isCounting(join: $0) }.min { $0.id < $1.id }
            let isOfGuest = author(of: photo) != AuthorID(device)
            let node = isOfGuest ? join.flatMap { sponsor($0) } : device
            zones[id] = charter?.zones.list.first { $0.node == node }?.name
        }
        return zones
    }
}
