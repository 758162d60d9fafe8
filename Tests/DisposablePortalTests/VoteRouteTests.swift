// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct VoteRouteTests {
    private let ballot = OperationID(Bytes32([UInt8](repeating: 7, count: 32))!)
    private let photo = PhotoID(Bytes32([UInt8](repeating: 8, count: 32))!)
    private let author = AuthorID(Bytes32([UInt8](repeating: 9, count: 32))!)

    private func vote(isOpen: Bool) -> PhotoVote {
        let winner = PhotoVote.Place(photo: photo, author: author, authorName: nil, voteCount: 3)
        return PhotoVote(
            ballot: ballot, openedAtMilliseconds: 1, closedAtMilliseconds: isOpen ? nil : 2, hasVoted: false,
            voterCount: 4, places: isOpen ? [] : [winner], winnerCount: isOpen ? 0 : 1, placeCount: isOpen ? 0 : 1)
    }

    private func body(_ photo: Any, in ballot: OperationID? = nil) -> [String: Any] {
        ["ballot": (ballot ?? self.ballot).description, "photo": photo]
    }

    @Test("a guest votes for a photo, changes its mind, and is told that it has voted, not for what")
    func voted() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.vote = vote(isOpen: true) }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "api/vote"
            #expect(try await guest.get(gallery.path + "api/me").text.contains(#""isOpen":true"#))
            #expect(try await guest.get(path).object["hasVoted"] as? Bool == false)
            #expect(try await guest.vote(path, body(photo.description)).status == 204)
            #expect(try await guest.vote(path, body(NSNull())).status == 204)
            let shown = try await guest.get(path).object
            #expect(shown["hasVoted"] as? Bool == true && shown["voters"] as? Int == 4)
            #expect((shown["winners"] as? [Any])?.isEmpty == true)
            #expect(gallery.with { Array($0.votes.values) } == [nil])
        }
    }

    @Test("after the closing everybody is told the winners, with the names of their authors")
    func closed() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.vote = vote(isOpen: false) }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "api/vote"
            let winners = try #require(try await guest.get(path).object["winners"] as? [[String: Any]])
            #expect(winners.count == 1 && winners[0]["photo"] as? String == photo.description)
            #expect(winners[0]["votes"] as? Int == 3 && winners[0]["authorName"] is NSNull)
            let late = try await guest.vote(path, body(photo.description))
            #expect((late.status, late.errorCode) == (409, "no-vote-open"))
        }
    }

    @Test(
        "a refusal says why",
        arguments: [
            (VoteRefusal.notOpen, "no-vote-open"), (.own, "own-photo"), (.usedUp, "too-many-votes"),
            (.open, "vote-open"), (.noSecret, "no-vote-secret"),
        ])
    func refused(refusal: VoteRefusal, code: String) async throws {
        let gallery = try TestGallery()
        gallery.with { ($0.vote, $0.voteRefusal) = (vote(isOpen: true), refusal) }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let reply = try await guest.vote(gallery.path + "api/vote", body(photo.description))
            #expect((reply.status, reply.errorCode) == (409, code))
        }
    }

    @Test("ids of another length are refused, and so is a question where there never was a vote")
    func malformed() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "api/vote"
            for message in [body("00"), ["photo": photo.description], ["ballot": "00", "photo": photo.description]] {
                let reply = try await guest.vote(path, message)
                #expect((reply.status, reply.errorCode) == (400, "malformed-request"))
            }
            let none = try await guest.get(path)
            #expect((none.status, none.errorCode) == (409, "no-vote-open"))
            #expect(gallery.with { $0.votes.isEmpty })
        }
    }

    @Test("the desk opens and closes a vote on the node's own machine only, and shows it everywhere")
    func desk() async throws {
        for isHere in [true, false] {
            let desk = TestDesk()
            try await withDesk(desk, isFromHere: isHere) { client, key in
                let organizer = try await client.sitting(with: key())
                let path = "/desk/api/e/0123abcd/vote"
                #expect(try await organizer.get(path).status == 200)
                let opened = try await organizer.post(path, ["isOpen": true])
                let closed = try await organizer.post(path, ["isOpen": false])
                let expected = isHere ? 200 : 403
                #expect(opened.status == expected && closed.status == expected)
            }
            let event = try #require(DeskEvent("0123abcd"))
            #expect(desk.questions == [.vote(event)])
            #expect(desk.acts == (isHere ? [.setVote(event, isOpen: true), .setVote(event, isOpen: false)] : []))
        }
    }
}

extension HTTPClient {
    fileprivate func vote(_ path: String, _ json: [String: Any]) async throws -> Reply {
        try await send(
            "PUT", path, headers: ["Content-Type": "application/json"],
            body: [UInt8](try JSONSerialization.data(withJSONObject: json)))
    }
}
