// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// A command about galleries that are joined with those of other events.
public enum TwinAct: Codable, Sendable, Equatable {
    case list
    /// `text`: the nodes' invitation of the other event, for which this node's agreement is made; or the agreement that
    /// the other event's organizer has made, which joins the galleries on this side.
    case take(text: String)
    /// Joins the gallery with that of another event of which this node is an organizer's, named as `--event` is.
    case with(event: String)
    /// Gives the present secret of the other event to the members of now. `event`: its name, or the start of its id.
    case renew(event: String)
    case separate(event: String)
}

/// An event whose gallery is joined with this event's, as one node knows it.
public struct TwinInfo: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable {
        /// Both sides agree, and the photos are shown together.
        case joined
        /// The other event's organizer has not agreed, or the agreement is not here yet.
        case waiting
        /// An organizer of the other event has ended it.
        case ended
    }
    /// The other event's id.
    public var event: String
    public var name: String
    /// ISO 8601.
    public var joinedAt: String
    public var state: State
    /// The photos of the other event that are shown; 0 while this node has none of it.
    public var photoCount: Int
    /// Whether guests of the other event may save its photos; false while this node has none of it.
    public var mayBeSaved: Bool
    /// Whether one of the two events has a new secret since, so that nodes that come now cannot read the other event.
    public var needsRenewal: Bool
}

/// The joined galleries of an event after a command.
public struct TwinReport: Codable, Sendable, Equatable {
    public var event: String
    public var name: String
    public var twins: [TwinInfo]
    /// The text for the organizer of the other event: a secret. Absent if there is nothing to hand over.
    public var agreement: String?
}

/// The reason why the galleries of two events are not joined, or not separated.
public enum TwinProblem: Equatable, Sendable {
    /// The text is neither an invitation nor an agreement; the reason is for people.
    case unreadable(String)
    /// The agreement is for another event, or no organizer of that event has signed it.
    case invalid
    /// An event cannot be its own twin.
    case own
    /// The event has as many twins as it can have.
    case full
    /// This node has signed as many twinnings as are looked at.
    case usedUp
    /// The event has no such twin.
    case unknown(String)
    /// This node cannot prove to the other event that it is an organizer's.
    case unproven
    /// The other event's secret is not here.
    case notHere
    /// This node only reads the event, for the gallery of another.
    case reader
}

extension TwinProblem {
    var message: String {
        switch self {
        case .unreadable(let reason): reason
        case .invalid: "the agreement is for another event, or no organizer of the other event has signed it"
        case .own: "this is the invitation or the agreement of the same event"
        case .full: "the gallery is joined with \(Twin.countMax) others already, the limit of an event"
        case .usedUp: "this node has joined or renewed galleries \(Twin.perDeviceMax) times, the limit of a device"
        case .unknown(let text): "the gallery is not joined with that of \(text.prefix(80))"
        case .unproven: "this node cannot prove to the other event that it is an organizer's"
        case .notHere: "this node has not read the other event yet, so it does not know its present secret"
        case .reader: "this node only reads that event, because its gallery is joined with another one"
        }
    }

    var hint: String? {
        switch self {
        case .unreadable: "copy the whole text, with DISPOSABLE1: or DISPOSABLETWIN1: before it"
        case .invalid: "ask the organizer of the other event for a new one, made with the invitation of this event"
        case .own: "the organizer of the other event shows its invitation with `disposable invite --node`"
        case .full: "separate one first: `disposable event join-galleries` lists them"
        case .usedUp: "another organizer's node can do it"
        case .unknown: "`disposable event join-galleries` lists those that are joined"
        case .unproven: "do it on a machine that has the event's key, or of an organizer appointed with it"
        case .notHere: "connect it to a node of the other event, or ask its organizer for a new agreement"
        case .reader: "join it with its own invitation to take part: `disposable join DISPOSABLE1:...`"
        }
    }

    var exitCode: Int32 {
        switch self {
        case .unreadable: 2
        case .unknown: 3
        case .invalid, .own, .full, .usedUp, .unproven, .notHere, .reader: 1
        }
    }
}
