// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// Operations that describe originals of photos that are unknown, or that belong to another author as far as this node
/// knows. Not limited by arrival, since the result would depend on the order; they are in the sets in any case.
package struct PendingOriginals {
    /// By photo and by the device that described them.
    private var originals: [PhotoID: [DeviceID: [VerifiedOperation]]] = [:]
    /// The photos for which a device's originals wait.
    private var photos: [DeviceID: Set<PhotoID>] = [:]

    package init() {}

    package var isEmpty: Bool { photos.isEmpty }
    package func devices(awaiting photo: PhotoID) -> [DeviceID] { (originals[photo] ?? [:]).keys.sorted() }
    package func photos(awaitedBy device: DeviceID) -> [PhotoID] { (photos[device] ?? []).sorted() }

    package mutating func insert(_ operation: VerifiedOperation) {
        let (photo, device) = (PhotoID(operation.header.subject), operation.header.device)
        originals[photo, default: [:]][device, default: []].append(operation)
        photos[device, default: []].insert(photo)
    }

    /// Removes and returns the operations of the device for the photo.
    package mutating func take(_ photo: PhotoID, by device: DeviceID) -> [VerifiedOperation] {
        let taken = originals[photo]?.removeValue(forKey: device) ?? []
        if originals[photo]?.isEmpty == true { originals[photo] = nil }
        photos[device]?.remove(photo)
        if photos[device]?.isEmpty == true { photos[device] = nil }
        return taken
    }
}
