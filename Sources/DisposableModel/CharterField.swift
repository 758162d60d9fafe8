// SPDX-License-Identifier: Apache-2.0

/// The parts of a charter that are edited one by one; operations hold these numbers.
public enum CharterField: UInt8, CaseIterable, Sendable {
    case name = 1
    case details = 2
    case place = 3
    case startsAt = 4
    case durationHours = 5
    case frames = 6
    case reveal = 7
    case retentionHours = 8
    case category = 9
    case price = 10
    case links = 11
    case registration = 12
    case contact = 13
    case consentText = 14
    case organizerName = 15
    case isListed = 16
    case isOpened = 17
    case isClosed = 18
    case lateness = 21
    case areFramesDaily = 22
    case startsOnOpening = 23
    case moments = 24
    case nameRule = 27
    case isCameraOnly = 28
    case downloads = 29
    case videos = 30
    case theme = 31
    case missions = 32
    case tickets = 33
    case position = 35
    case wallCode = 36
    case photosAtOnce = 37
    case zones = 38

    /// Whether the first release knew the field. An edit of a later field is never refused for its body: nodes of the
    /// first release keep it and pass it on (protocol/disposable-v1.md §13).
    package var isOfFirstRelease: Bool { rawValue <= Self.wallCode.rawValue }
}

extension CharterField {
    /// Whether version 1 had no such field: it is in the digest only where it is set, so that older nodes agree on
    /// events that do not use it.
    var isAdded: Bool { rawValue > CharterField.isClosed.rawValue }
}
