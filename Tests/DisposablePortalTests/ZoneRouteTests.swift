// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct ZoneRouteTests {
    @Test("guests see the photos of one place, and how many came in at each")
    func places() async throws {
        let gallery = try TestGallery()
        let photos = (1...4).map { gallery.put(Array("jpeg".utf8), by: .stranger(UInt8($0))) }
        gallery.with { state in
            for place in state.items.indices {
                let id = state.items[place].photo.id
                let isFirst = id == photos[0].id || id == photos[1].id
                state.items[place].photo.context.zone = isFirst ? "Bar & garden" : id == photos[2].id ? "Kitchen" : nil
            }
        }
        try await withPortal([gallery]) { _, client in
            let guest = try await client.opening(gallery)
            let people = try await guest.get(gallery.path + "api/people").object
            let zones = try #require(people["zones"] as? [[String: Any]])
            #expect(zones.map { $0["name"] as? String } == ["Bar & garden", "Kitchen"])
            #expect(zones.map { $0["count"] as? Int } == [2, 1])
            let page = try await guest.get(gallery.path + "api/photos?zone=Bar%20%26%20garden").object
            let found = try #require(page["photos"] as? [[String: Any]]).compactMap { $0["id"] as? String }
            #expect(Set(found) == Set(photos.prefix(2).map(\.id.description)) && page["count"] as? Int == 2)
            let none = try await guest.get(gallery.path + "api/photos?zone=Cellar").object
            #expect(none["count"] as? Int == 0)
            for more in ["&mine=1", "&highlights=1", "&moment=1", "&mission=1"] {
                let reply = try await guest.get(gallery.path + "api/photos?zone=Kitchen" + more)
                #expect(reply.errorCode == "malformed-request", "\(more)")
            }
            for query in ["zone=", "zone=a%0Ab"] {
                let reply = try await guest.get(gallery.path + "api/photos?" + query)
                #expect(reply.errorCode == "malformed-request", "\(query)")
            }
        }
    }
}
