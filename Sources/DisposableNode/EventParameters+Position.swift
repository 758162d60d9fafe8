// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

extension EventParameters {
    /// The position on the map of the board, in thousandths of a degree; none without both numbers.
    public struct Position: Codable, Sendable, Hashable {
        /// -90,000...90,000; north is positive.
        public var latitude: Int32?
        /// -180,000...180,000; east is positive.
        public var longitude: Int32?

        public init(_ position: EventPosition?) {
            latitude = position?.latitude
            longitude = position?.longitude
        }

        public var position: EventPosition? {
            guard let latitude, let longitude else { return nil }
            return EventPosition(latitude: latitude, longitude: longitude)
        }
    }
}
