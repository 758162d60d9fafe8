// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct TicketRouteTests {
    @Test("a guest without a ticket is told so, and uses one")
    func used() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.needsTicket = true }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "api/ticket"
            let before = try await guest.get(path).object
            #expect(before["isMissing"] as? Bool == true && before["number"] is NSNull)
            let reply = try await guest.post(path, ["ticket": "AAAAAAAAAAAAAAAAAAAAAA"])
            #expect(reply.status == 200)
            let after = try await guest.get(path).object
            #expect(after["isMissing"] as? Bool == false && after["number"] as? Int == 17)
        }
    }

    @Test(
        "a refusal says why",
        arguments: [
            (TicketRefusal.unknown, 404, "no-such-ticket"), (.used(number: 3), 409, "ticket-used"),
            (.cancelled(number: 3), 409, "ticket-cancelled"), (.another, 409, "has-ticket"),
        ])
    func refused(refusal: TicketRefusal, status: Int, code: String) async throws {
        let gallery = try TestGallery()
        gallery.with { $0.ticketRefusal = refusal }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let reply = try await guest.post(gallery.path + "api/ticket", ["ticket": "AAAAAAAAAAAAAAAAAAAAAA"])
            #expect((reply.status, reply.errorCode) == (status, code))
        }
    }

    @Test("without scripts a guest types a ticket, and reads why one is not taken")
    func typed() async throws {
        let gallery = try TestGallery()
        gallery.with { ($0.needsTicket, $0.ticketRefusal) = (true, .unknown) }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.entering(gallery)
            let path = gallery.path + "simple"
            let form = "action=\"\(path)/ticket\""
            #expect(try await guest.get(path).text.contains(form))
            let refused = try await guest.post(path + "/ticket", form: ["ticket": "A"])
            #expect(refused.status == 404 && refused.text.contains("This is not a ticket of this party."))
            #expect(refused.text.contains(form))
            gallery.with { $0.ticketRefusal = nil }
            let taken = try await guest.post(path + "/ticket", form: ["ticket": " AAAAAAAAAAAAAAAAAAAAAA "])
            #expect(taken.status == 303 && taken["location"] == path)
            let after = try await guest.get(path).text
            #expect(!after.contains(form))
        }
    }
}
