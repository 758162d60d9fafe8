// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A line of `--json` output, with the fields that the scenarios read of any type of line.
struct Line: Decodable, Sendable {
    struct Peer: Decodable, Sendable {
        var name: String?
        var address: String
        var isAdmitted: Bool
    }

    struct Copies: Decodable, Equatable, Sendable {
        var here: Int
        var onTwoMachines: Int
        var onOrganizers: Int
        var confirmed: Int
    }
    struct Pages: Decodable, Sendable {
        var name: String?
        var addresses: [String]
    }
    struct Epoch: Decodable, Sendable {
        struct Waiting: Decodable, Sendable { var name: String }
        var number: Int
        var hasSecret: Bool
        var nodeCount: Int
        var renewedCount: Int
        var waiting: [Waiting]
        var isWaiting: Bool
    }
    struct Claim: Decodable, Sendable {
        var name: String
        var isConnected: Bool
        var originalCount: Int
        var destroyedCount: Int
    }

    /// Numbers of an event's last hour.
    struct Recent: Decodable, Equatable, Sendable {
        var photos: Int
        var people: Int
    }

    /// A photo with votes.
    struct Voted: Decodable, Equatable, Sendable {
        var photo: String
        var votes: Int
    }

    /// The place of a photo on the plan.
    struct Place: Decodable, Equatable, Sendable {
        var x: Int
        var y: Int
    }

    var type: String
    // ready, rejected, warning
    var listen: String?
    /// URL of the guests' page.
    var portal: String?
    var invitation: String?
    var guestURL: String?
    var address: String?
    var message: String?
    // event of the board
    var category: String?
    var place: String?
    var isReachable: Bool?
    var recent: Recent?
    // discovery
    var mode: String?
    // status
    var isAdmitted: Bool?
    var isPutOut: Bool?
    var digest: String?
    var photoCount: Int?
    var completeCount: Int?
    var pendingCount: Int?
    var veiledCount: Int?
    var missingBlobCount: Int?
    var memberCount: Int?
    var operationCount: Int?
    var toDestroyCount: Int?
    var copies: Copies?
    var nodes: [Claim]?
    var epoch: Epoch?
    var otherPages: [Pages]?
    // vote
    var voterCount: Int?
    var places: [Voted]?
    // copies of a photo
    var isHere: Bool?
    var isOnTwoMachines: Bool?
    var isOnOrganizers: Bool?
    var isDestroyedHere: Bool?
    var nodeCount: Int?
    var confirmedBy: [Claim]?
    var destroyedBy: [Claim]?
    var discovery: String?
    var peers: [Peer]?
    var receivedByteCount: Int?
    var sentByteCount: Int?
    var problems: [String]?
    // added, skipped, photo, exported
    var id: String?
    var file: String?
    var sha256: String?
    var sourceSha256: String?
    var state: String?
    var spot: Place?
    var turn: Int?
    var zone: String?
    // tickets
    var number: Int?
    var link: String?
    var holder: String?
    var users: [String]?
    // messages
    var author: String?
    // the event's cover or plan
    var photo: String?
    var warnings: [String]?
    var reason: String?
    // mirrored
    var fileCount: Int?
    // finding of doctor and fsck
    var kind: String?
    var check: String?
    var text: String?
    var hint: String?
    var wrong: Int?
    // an event nearby
    var name: String?
    var isJoined: Bool?

    init(_ text: String) throws { self = try JSONDecoder().decode(Line.self, from: Data(text.utf8)) }
}
