// SPDX-License-Identifier: Apache-2.0

extension EventState {
    /// Returns the name of the zone of the node that took the photo in; `nil` if that node has none.
    public func zone(of photo: Photo) -> String? {
        guard let zones = charter?.zones, !zones.list.isEmpty else { return nil }
        return zones[membership.node(of: photo.device)]
    }
}
