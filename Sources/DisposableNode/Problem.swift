// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Logging
internal import Synchronization

/// A lasting problem of the node or of one of its events; each is reported once.
enum Problem: Hashable, Sendable {
    /// The disk is full.
    case room
    /// There is no mDNS.
    case multicast
    /// Writing fails.
    case storage
    /// The database was corrupt and is rebuilt.
    case rebuilt
    /// Photos are sealed to a key that no other machine has.
    case onlyKey
    /// A device key is in use on two machines.
    case clone(DeviceID)
    case destruction
    case leaving
    case expiry
    /// Posters and cards name an old secret.
    case printed
    /// A removed member has the event's secret.
    case leakedSecret
    /// An organizer uses a feature of a newer version.
    case olderVersion
    /// This node was removed from the event.
    case removed
    /// Joined galleries for which this node has no room.
    case twins
    case other(String)

    /// The key of the desk's own sentence (`problems` in `Public/texts/desk`); `nil` for problems that only their text
    /// describes.
    var reason: String? {
        switch self {
        case .room: "room"
        case .multicast: "multicast"
        case .storage: "storage"
        case .rebuilt: "rebuilt"
        case .onlyKey: "only-key"
        case .clone: "clone"
        case .destruction: "destruction"
        case .leaving: "leaving"
        case .expiry: "expiry"
        case .printed: "printed"
        case .leakedSecret: "leaked-secret"
        case .olderVersion: "older-version"
        case .removed: "removed"
        case .twins: "twins"
        case .other: nil
        }
    }
}

/// The problems of a node, for `status`; reports the start and the end of each.
final class ProblemLog: Sendable {
    /// The start or the end of a problem, with its message for people.
    enum Change: Sendable {
        case noted(String)
        case solved(String)
    }

    private struct Key: Hashable {
        /// `nil` for a problem of the node itself.
        let event: EventID?
        let problem: Problem
    }

    private let texts = Mutex<[Key: String]>([:])
    private let logger: Logger
    private let isRead: Bool
    private let tell: @Sendable (Change) -> Void

    /// - Parameter isRead: whether somebody reads the updates, so that the log need not show the same text.
    init(logger: Logger, isRead: Bool, tell: @escaping @Sendable (Change) -> Void) {
        self.logger = logger
        self.isRead = isRead
        self.tell = tell
    }

    /// The problems of the node and of all events, in alphabetical order.
    var all: [String] { texts.withLock { $0.values.sorted() } }

    /// By text, for pages that word problems in their own language.
    var reasons: [String: String] {
        let reasons = texts.withLock { $0.compactMap { key, text in key.problem.reason.map { (text, $0) } } }
        return Dictionary(reasons) { first, _ in first }
    }

    /// Reports a problem unless it is known, and keeps it until it is solved.
    /// - Parameter again: whether a known problem is reported again if its text has changed.
    func note(_ problem: Problem, of event: EventID?, _ text: String, again: Bool = false) {
        let key = Key(event: event, problem: problem)
        let isNew = texts.withLock { texts in
            let known = texts.updateValue(text, forKey: key)
            return known == nil || again && known != text
        }
        guard isNew else { return }
        logger.log(level: isRead ? .info : .error, "problem", metadata: ["reason": "\(text)"])
        tell(.noted(text))
    }

    /// - Parameter text: the message if the problem was known; `nil` for none.
    func solve(_ problem: Problem, of event: EventID?, _ text: String? = nil) {
        let key = Key(event: event, problem: problem)
        guard texts.withLock({ $0.removeValue(forKey: key) }) != nil, let text else { return }
        logger.log(level: isRead ? .info : .notice, "problem solved", metadata: ["reason": "\(text)"])
        tell(.solved(text))
    }

    /// Removes the problems of an event that is not this node's any longer.
    func forget(_ event: EventID) { texts.withLock { $0 = $0.filter { $0.key.event != event } } }
}
