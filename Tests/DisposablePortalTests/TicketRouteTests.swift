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
}
