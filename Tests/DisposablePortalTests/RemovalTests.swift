// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct PendingRemovalsTests {
    private static let (anna, ben) = (AuthorID.stranger(1), AuthorID.stranger(2))
    private static let photos = (0..<4).map { PhotoID(hex: String(repeating: "\($0)", count: 64))! }
    private static let start = ContinuousClock.now

    private func removal(_ index: Int, at seconds: Int) -> PendingRemovals.Removal {
        .init(photo: Self.photos[index], guest: Self.anna, dueAt: Self.start + .seconds(seconds))
    }

    @Test("a removal is due once its time has come, and then once only")
    func due() {
        var pending = PendingRemovals(countMax: 4)
        for (index, seconds) in [(0, 10), (1, 12), (2, 11)] { pending.add(removal(index, at: seconds)) }
        #expect(pending.nextDueAt == Self.start + .seconds(10))
        let due = [9_999, 11_000, 11_000].map { pending.takeDue(at: Self.start + .milliseconds($0)).map(\.photo) }
        #expect(due == [[], [Self.photos[0], Self.photos[2]], []])
        #expect(pending.nextDueAt == Self.start + .seconds(12))
    }

    @Test("what is kept is never due; only its author keeps it, and only while it waits")
    func keep() {
        var pending = PendingRemovals(countMax: 4)
        pending.add(removal(0, at: 10))
        let tries = [(0, Self.ben), (1, Self.anna), (0, Self.anna), (0, Self.anna)]
        let kept = tries.map { index, guest in pending.keep(Self.photos[index], by: guest) }
        #expect(kept == [false, false, true, false])
        pending.add(removal(1, at: 10))
        let due = pending.takeDue(at: Self.start + .seconds(10))
        #expect(due.map(\.photo) == [Self.photos[1]])
        let isKept = pending.keep(Self.photos[1], by: Self.anna)
        #expect(!isKept)
        #expect(pending.nextDueAt == nil)
    }

    @Test("when the node stops, everything that waits is taken, in order of time")
    func stop() {
        var pending = PendingRemovals(countMax: 4)
        for (index, seconds) in [(3, 30), (1, 10), (2, 20)] { pending.add(removal(index, at: seconds)) }
        let taken = pending.takeAll()
        #expect(taken.map(\.photo) == [1, 2, 3].map { Self.photos[$0] })
        #expect(pending.nextDueAt == nil)
    }

    @Test("so many wait at once, and no more")
    func full() {
        var pending = PendingRemovals(countMax: 2)
        for index in 0..<2 { pending.add(removal(index, at: 10)) }
        #expect(pending.isFull)
    }
}

@Suite struct RemovalTests {
    private func limits(_ delay: Duration) -> PortalLimits {
        var limits = PortalLimits()
        limits.removalDelay = delay
        return limits
    }

    @Test("a photo is taken back for everybody when its author has not changed its mind")
    func remove() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.milliseconds(50))) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            let before = UInt64(Date().timeIntervalSince1970 * 1000)
            let reply = try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)")
            #expect(reply.status == 202)
            #expect(try reply.object["removedAt"] as? UInt64 ?? 0 >= before)
            try await eventually { gallery.with { $0.removals } == [photo.id] }
            try await eventually { try FileManager.default.contentsOfDirectory(atPath: gallery.folderPath + "/removals") == [] }
            #expect(try await client.get(gallery.path + "api/photos/\(photo.id)").status == 404)
        }
    }

    @Test("a photo that is kept after all stays, and cannot be kept twice")
    func keep() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.seconds(300))) { portal, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            let path = gallery.path + "api/photos/\(photo.id)"
            #expect(try await client.send("DELETE", path).status == 202)
            #expect(try await client.send("DELETE", path).status == 202)
            #expect(try await client.get(path).status == 200)
            #expect(try await client.send("POST", path + "/keep").status == 204)
            let late = try await client.send("POST", path + "/keep")
            #expect(late.status == 409)
            #expect(late.errorCode == "too-late")
            await portal.stop()
            #expect(gallery.with { $0.removals } == [])
        }
    }

    @Test("nobody takes back or keeps what is another's, or without a guest")
    func notYours() async throws {
        let gallery = try TestGallery()
        let photo = gallery.put([1], by: .stranger(1))
        try await withPortal([gallery], limits: limits(.zero)) { _, client in
            let entered = try await client.entering(gallery)
            let path = gallery.path + "api/photos/\(photo.id)"
            #expect(try await entered.send("DELETE", path).errorCode == "not-yours")
            #expect(try await entered.send("POST", path + "/keep").errorCode == "too-late")
            let unknown = gallery.path + "api/photos/" + String(repeating: "0", count: 64)
            #expect(try await entered.send("DELETE", unknown).errorCode == "unknown-photo")
            let opened = try await client.opening(gallery)
            #expect(try await opened.send("DELETE", path).errorCode == "not-entered")
            #expect(try await client.send("DELETE", path).errorCode == "no-session")
            #expect(gallery.with { $0.removals } == [])
        }
    }

    @Test("what still waits is signed at once when the node stops")
    func stop() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.seconds(300))) { portal, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            #expect(try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)").status == 202)
            #expect(gallery.with { $0.removals } == [])
            await portal.stop()
            #expect(gallery.with { $0.removals } == [photo.id])
        }
    }

    @Test("what still waits when the node is killed is signed after its next start")
    func restart() async throws {
        let gallery = try TestGallery()
        let guest = TestGuest()
        // The first portal is cancelled without a stop, and says nothing to anybody.
        let photo = try await withPortal([gallery], limits: limits(.seconds(300))) { _, client in
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            #expect(try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)").status == 202)
            return photo
        }
        #expect(gallery.with { $0.removals } == [])
        try await withPortal([gallery], limits: limits(.milliseconds(50))) { _, _ in
            try await eventually { gallery.with { $0.removals } == [photo.id] }
        }
    }

    @Test("a removal that the node cannot sign now is tried again")
    func retry() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], limits: limits(.milliseconds(50))) { _, client in
            let guest = TestGuest()
            let client = try await client.entering(gallery, as: guest)
            let photo = gallery.put([1], by: try guest.id(in: gallery))
            gallery.with { $0.unavailable = "the disk is full" }
            #expect(try await client.send("DELETE", gallery.path + "api/photos/\(photo.id)").status == 202)
            try await Task.sleep(for: .milliseconds(600))
            #expect(gallery.with { $0.removals } == [])
            gallery.with { $0.unavailable = nil }
            try await eventually { gallery.with { $0.removals } == [photo.id] }
        }
    }
}
