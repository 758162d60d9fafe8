// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import Foundation
import Testing

/// The JSON of the control socket, the desk and `--json`: groups of properties leave no trace in it.
@Suite(.timeLimit(.minutes(60))) struct FlatJSONTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Returns the keys of the value's object in their order, and checks that it can be decoded.
    private func keys<Value: Codable & Equatable>(_ value: Value) throws -> [String] {
        let bytes = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(Value.self, from: bytes) == value)
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any]).keys.sorted()
    }

    private var charter: Charter {
        var charter = Charter(name: "Party", startsAtMilliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        charter.presentation.price = Price(cents: 0, currency: "EUR")
        charter.schedule.moments = MomentHours(from: 600, to: 1_320)
        charter.schedule.lateness = Lateness(minutes: 5)
        charter.reveal = .at(charter.endsAtMilliseconds)
        return charter
    }

    /// Returns what a node that hosts the event answers.
    private func reply(_ request: ControlRequest) async throws -> ControlReply {
        try await folder.node("host").runOffline { node in
            if await node.events.isEmpty { _ = try await node.host(charter, organizerName: nil) }
            return try #require(await ask(node, request).first)
        }
    }

    @Test("the parameters of an event are one object")
    func parameters() throws {
        #expect(
            try keys(EventParameters(charter, veils: true)) == [
                "acceptsAnyTime", "approve", "areFramesDaily", "category", "consentText", "contact", "details",
                "downloads", "durationHours", "frames", "isCameraOnly", "isClosed", "isListed", "isOpened", "lateMinutes", "links",
                "missions", "moments", "name", "nameRule", "organizerName", "pageSealing", "photosAtOnce", "place", "price",
                "registration", "retentionHours", "reveal", "revealAt", "startsAt", "startsOnOpening", "theme", "tickets",
                "veils", "videos", "wallCode",
            ])
        #expect(try keys(EventParameters()) == [])
        let given = #"{"name":"Party","organizerName":"Anna","place":"Barn","frames":5,"startsAt":7,"theme":"sea"}"#
        let decoded = try JSONDecoder().decode(EventParameters.self, from: Data(given.utf8))
        #expect((decoded.name, decoded.organizer.name, decoded.presentation.place) == ("Party", "Anna", "Barn"))
        #expect((decoded.photos.frames, decoded.schedule.startsAt, decoded.pages.theme) == (5, 7, "sea"))
    }

    @Test("the information of an event is one object, with the parameters as another in it")
    func information() async throws {
        guard case .event(var info) = try await reply(.event(event: nil)) else {
            Issue.record("nothing is said of the event")
            return
        }
        (info.photos.cover, info.photos.plan) = ("01", "02")
        (info.times.revealsAt, info.members.framesLeft) = (3, 4)
        #expect(
            try keys(info) == [
                "acceptsUntil", "byteCount", "captionCount", "commentCount", "consentCount", "cover", "deviceCount",
                "endsAt", "event", "expiresAt", "framesLeft", "framesUsed", "hasEventKey", "hiddenCount", "hours",
                "isDeleted", "isOrganizer", "missionCounts", "noticeCount", "overAt", "parameters", "pendingCount",
                "people", "personCount", "phase", "photoCount", "plan", "reactionCount", "removedCount", "revealsAt",
                "sealing", "untimelyCount", "veiledCount", "waitingCount",
            ])
    }

    @Test("a photo is one object")
    func photo() async throws {
        let path = try await folder.picture(1)
        _ = try await reply(.add(event: nil, paths: [path], keepsMetadata: false))
        guard case .photo(var photo) = try await reply(.gallery(event: nil, onlyMine: false)) else {
            Issue.record("the photo is not listed")
            return
        }
        (photo.takenAt, photo.spot, photo.picture.turn) = (photo.addedAt, Spot(x: 1, y: 2), 90)
        photo.zone = "Kitchen"
        let keys = try keys(photo)
        #expect(
            keys.filter { !["moment", "mission", "caption"].contains($0) } == [
                "addedAt", "author", "byteCount", "comments", "device", "frame", "height", "id", "isMine", "mediaType",
                "reactions", "sha256", "spot", "state", "takenAt", "turn", "width", "zone",
            ])
    }

    @Test("the status of an event is one object")
    func status() async throws {
        guard case .status(var status) = try await reply(.status) else {
            Issue.record("nothing is said of the event")
            return
        }
        (status.photos.frames, status.network.listen, status.network.guestURL) = (1, "[::]:1", "http://10.0.0.7")
        #expect(
            try keys(status) == [
                "completeCount", "copies", "digest", "discovery", "endsAt", "epoch", "event", "expiresAt", "frames",
                "framesUsed", "guestURL", "isAdmitted", "isOrganizer", "isPutOut", "listen", "memberCount",
                "missingBlobCount", "moments", "name", "needsNewerVersion", "nodes", "notices", "operationCount",
                "otherPages", "peers", "pendingCount", "phase", "photoCount", "problems", "receivedByteCount",
                "sealedCount", "sentByteCount", "toDestroyCount", "veiledCount", "waiting",
            ])
    }
}
