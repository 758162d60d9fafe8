// SPDX-License-Identifier: Apache-2.0

/// The offers of programs to guests, and the limits of what guests add (protocol/disposable-v1.md §9.17).
///
/// The fold reads none of it: a photo that is in the gallery must not vanish because an option changed.
public struct PageOptions: Equatable, Sendable {
    public static let videoSecondsMax: UInt32 = 3_600
    public static let themeNumberMax: UInt32 = 255
    /// The largest number that a person can set: the photos that a page queues.
    public static let photosAtOnceMax: UInt32 = 500

    public var nameRule = NameRule.optional
    /// Whether pages offer the camera only, and no photos that were taken before.
    public var isCameraOnly = false
    public var downloads = DownloadRule.everyone
    public var videos = VideoRule.on
    /// May be a theme of a later version.
    public var themeNumber: UInt32 = 0
    /// Whether guests have frames only with a ticket. The fold reads this one (§9.24).
    public var needsTickets = false
    /// Whether new guests need the code that the wall shows at that time (`WallCode`).
    public var needsWallCode = false
    /// The number of photos that a guest may choose at once; 0 for any. May be more than `photosAtOnceMax`: nodes of
    /// the first release keep every number.
    public var photosAtOnce: UInt32 = 0

    public init() {}

    /// The theme; the first one where this version does not know it.
    public var theme: EventTheme {
        get { EventTheme(rawValue: themeNumber) ?? .film }
        set { themeNumber = newValue.rawValue }
    }
}

/// Whether guests give a name.
public enum NameRule: UInt32, CaseIterable, Sendable {
    case optional = 0
    case required, never

    public var word: String { "\(self)" }
    public init?(word: String) {
        guard let rule = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = rule
    }
}

/// The photos that a guest may save.
public enum DownloadRule: UInt32, CaseIterable, Sendable {
    case everyone = 0
    /// A guest's own.
    case own
    /// None: organizers save them.
    case organizers

    public var word: String { "\(self)" }
    public init?(word: String) {
        guard let rule = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = rule
    }
}

/// The videos that guests may add.
public enum VideoRule: Hashable, Sendable {
    case on, off
    /// 1...`PageOptions.videoSecondsMax`.
    case seconds(UInt32)

    /// The number in the message: 0 for all, otherwise one more than the seconds.
    public var number: UInt32 {
        switch self {
        case .on: 0
        case .off: 1
        case .seconds(let count): count &+ 1
        }
    }

    public init(number: UInt32) {
        switch number {
        case 0: self = .on
        case 1: self = .off
        default: self = .seconds(number - 1)
        }
    }

    /// `on`, `off`, or the seconds.
    public var word: String {
        switch self {
        case .on: "on"
        case .off: "off"
        case .seconds(let count): "\(count)"
        }
    }

    public init?(word: String) {
        switch word {
        case "on": self = .on
        case "off": self = .off
        default:
            guard let count = UInt32(word), count > 0, count < .max else { return nil }
            self = .seconds(count)
        }
    }

    /// The length of the longest video in seconds: 0 for none, `nil` for any.
    public var secondsMax: UInt32? {
        switch self {
        case .on: nil
        case .off: 0
        case .seconds(let count): count
        }
    }
}

/// The colours of pages, wall, poster and album.
public enum EventTheme: UInt32, CaseIterable, Sendable {
    case film = 0
    case garden, sea, rose, night, slate

    public var word: String { "\(self)" }
    public init?(word: String) {
        guard let theme = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = theme
    }
}

extension PageOptions {
    /// Whether the field is in its range. A theme of a later version is.
    func isWellFormed(_ field: CharterField) -> Bool {
        switch field {
        case .videos: videos.number <= Self.videoSecondsMax + 1
        case .theme: themeNumber <= Self.themeNumberMax
        default: true
        }
    }
}
