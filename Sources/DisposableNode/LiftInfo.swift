// SPDX-License-Identifier: Apache-2.0

/// The veiled photos that only devices ask for which were let in lately, and those of them that a request has lifted.
public struct LiftInfo: Codable, Sendable, Equatable {
    /// The number of these photos before the request.
    public var photoCount: Int
    /// The number of these devices.
    public var deviceCount: Int
    /// The ids of the photos that the request has lifted.
    public var photos: [String]

    public init(photoCount: Int, deviceCount: Int, photos: [String]) {
        self.photoCount = photoCount
        self.deviceCount = deviceCount
        self.photos = photos
    }
}
