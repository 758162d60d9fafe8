// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Testing

@Suite struct GiftRouteTests {
    private let zoe = AuthorID(Bytes32([UInt8](repeating: 7, count: 32))!)

    private func body(_ count: Int, left: Int, to author: String? = nil) -> [String: Any] {
        ["to": author ?? zoe.description, "count": count, "left": left]
    }

    @Test("a guest gives frames once, however often the page sends it")
    func given() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.names[zoe] = "Zoe" }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let (list, path) = (gallery.path + "api/gifts", gallery.path + "api/gift")
            let before = try await guest.get(list).object
            #expect(before["left"] as? Int == 3 && before["atOnce"] as? Int == EventState.giftMax)
            let people = try #require(before["people"] as? [[String: Any]])
            #expect(people.contains { $0["id"] as? String == zoe.description && $0["name"] as? String == "Zoe" })
            #expect(before["count"] as? Int == people.count)
            #expect(try await guest.post(path, body(2, left: 3)).status == 204)
            let again = try await guest.post(path, body(2, left: 3))
            #expect((again.status, again.errorCode) == (409, "frames-changed"))
            let after = try await guest.get(list).object
            let given = try #require(after["given"] as? [[String: Any]])
            #expect(after["left"] as? Int == 1 && given.count == 1 && given[0]["count"] as? Int == 2)
        }
    }

    @Test(
        "a refusal says why",
        arguments: [
            (GiftRefusal.off, 409, "gifts-off"), (.unlimited, 409, "gifts-off"), (.oneself, 409, "no-recipient"),
            (.unknownRecipient, 409, "no-recipient"), (.recipientUnlimited, 409, "no-recipient"),
            (.recipientFull(left: 1), 409, "recipient-full"), (.tooFew(left: 1), 409, "too-few-frames"),
            (.changed(left: 1), 409, "frames-changed"), (.wrongNumber, 409, "wrong-number"),
        ])
    func refused(refusal: GiftRefusal, status: Int, code: String) async throws {
        let gallery = try TestGallery()
        gallery.with { $0.giftRefusal = refusal }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let reply = try await guest.post(gallery.path + "api/gift", body(1, left: 3))
            #expect((reply.status, reply.errorCode) == (status, code))
        }
    }

    @Test("each given frame counts as a remark: a new guest gives five at once, and then one a second")
    func rate() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "api/gift"
            let many = try await guest.post(path, body(27, left: 3))
            #expect((many.status, many.errorCode) == (429, "too-fast"))
            let wait = try #require(many["retry-after"].flatMap { Int($0) })
            #expect((20...22).contains(wait))
            #expect(try await guest.post(path, body(2, left: 3)).status == 204)
        }
    }

    @Test("a key of another length, and a message without a number, are refused")
    func malformed() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "api/gift"
            for message in [body(1, left: 3, to: "00"), ["to": zoe.description, "count": 1], body(0, left: 3), body(28, left: 3)] {
                let reply = try await guest.post(path, message)
                #expect((reply.status, reply.errorCode) == (400, "malformed-request"))
            }
            #expect(gallery.with { $0.gifts.isEmpty })
        }
    }
}
