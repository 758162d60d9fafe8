// SPDX-License-Identifier: Apache-2.0

/// The place of a photo in the display order (protocol/disposable-v1.md §9.7), which also orders photos of several
/// events.
public struct DisplayPlace: Comparable, Hashable, Sendable {
    /// The time of the photo within its event's days, in milliseconds since 1970 UTC.
    public let milliseconds: UInt64
    public let counter: UInt16
    public let device: DeviceID
    public let sequence: UInt32
    public let id: PhotoID

    /// - Parameter window: the range of the display times of the photo's event.
    init(_ photo: Photo, in window: ClosedRange<UInt64>) {
        milliseconds = min(max(photo.timestamp.milliseconds, window.lowerBound), window.upperBound)
        (counter, device, sequence, id) = (photo.timestamp.counter, photo.device, photo.sequence, photo.id)
    }

    public static func < (left: Self, right: Self) -> Bool {
        if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
        return (left.counter, left.device, left.sequence, left.id)
            < (right.counter, right.device, right.sequence, right.id)
    }
}
