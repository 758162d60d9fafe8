// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel

/// A command about the shares with which organizers reveal the photos together.
public enum ShareAct: Codable, Sendable, Equatable {
    case show
    /// Publishes this machine's share. `isConfirmed`: also if it is earlier than planned.
    case release(isConfirmed: Bool)
    /// Destroys the shares that this machine has not given to anybody.
    case finish
}

/// The shares of an event's reveal key, as this node knows them.
public struct ShareInfo: Codable, Sendable, Equatable {
    public struct Holder: Codable, Sendable, Equatable {
        /// The device's key, and its person's name or the start of the key.
        public var key: String
        public var name: String
        public var isMe: Bool
        /// Whether the share has been published.
        public var isReleased: Bool
    }
    /// The number of shares that reveal the photos, and of all.
    public var threshold: Int
    public var count: Int
    /// The number of shares that still have to be published, 0 once the photos are revealed.
    public var missingCount: Int
    public var isRevealed: Bool
    public var holders: [Holder]
    /// The shares on this machine that nobody has been given yet.
    public var undealtCount: Int
    /// The photos that are shown.
    public var photoCount: Int
}

extension EventInfo.Sealing {
    init(_ state: EventState) {
        self =
            state.charter.map { $0.revealKey == .zero } ?? true
            ? .none : state.isRevealed ? .revealed : state.shareTerms == nil ? .organizers : .shared
    }
}
