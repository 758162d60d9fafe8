// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct DeskDoorTests {
    @Test("beyond the limit the least recently used session ends")
    func sessions() {
        let door = DeskDoor()
        let texts = (0..<DeskDoor.sessionCountMax).map { _ in door.open() }
        #expect(door.session(texts[0]) != nil)  // used again, so the second is the oldest now
        let last = door.open()
        #expect(door.session(texts[0]) != nil)
        #expect(door.session(texts[1]) == nil)
        #expect(door.session(last) != nil)
    }

    @Test("an ended session and any other text are not sessions")
    func none() throws {
        let door = DeskDoor()
        let text = door.open()
        let id = try #require(door.session(text))
        door.end(id)
        #expect(door.session(text) == nil && !door.isOpen(id))
        let other = String(repeating: "A", count: text.count)
        #expect(door.session(other) == nil && door.session("") == nil && door.session("é") == nil)
    }
}

@Suite struct DeskTests {
    static let event = "1a2b3c4d"
    static let photo = String(repeating: "5a", count: 32)
    static let path = "/desk/api/e/\(event)/"

    @Test("the page is public, everything else needs a session")
    func closed() async throws {
        let desk = TestDesk()
        try await withDesk(desk) { client, _ in
            #expect(try await client.get("/desk").status == 200)
            #expect(try await client.get("/desk/desk.js").status == 200)
            for path in [
                "session", "events", "e/\(Self.event)/overview", "e/\(Self.event)/photos", "e/\(Self.event)/code.svg",
                "e/\(Self.event)/updates", "e/\(Self.event)/photos/\(Self.photo)/preview",
            ] {
                let reply = try await client.get("/desk/api/" + path)
                #expect(reply.status == 401 && reply.errorCode == "no-session", "\(path)")
            }
            #expect(try await client.post("/desk/api/events", ["name": "A"]).status == 401)
        }
        #expect(desk.questions.isEmpty && desk.acts.isEmpty && desk.files.isEmpty)
    }

    @Test("a key is exchanged once, for a cookie that scripts and other origins cannot read")
    func exchange() async throws {
        try await withDesk(TestDesk()) { client, key in
            let key = try key()
            let reply = try await client.post("/desk/api/session", ["key": key])
            let cookie = try #require(reply["set-cookie"])
            #expect(try reply.object["here"] as? Bool == true)
            for part in ["HttpOnly", "SameSite=Strict", "Path=/desk/api"] { #expect(cookie.contains(part), "\(part)") }
            #expect(!cookie.contains(key))
            let again = try await client.post("/desk/api/session", ["key": key])
            #expect(again.status == 403 && again.errorCode == "wrong-key" && again["set-cookie"] == nil)
        }
    }

    @Test("wrong keys open nothing, and after any number of them the right one does")
    func guessing() async throws {
        try await withDesk(TestDesk()) { client, key in
            let wrong = ["key": String(repeating: "A", count: 43)]
            for _ in 0..<50 {
                let reply = try await client.post("/desk/api/session", wrong)
                #expect(reply.status == 403 && reply["set-cookie"] == nil)
            }
            let reply = try await client.post("/desk/api/session", ["key": try key()])
            #expect(reply.status == 200 && reply["set-cookie"] != nil)
        }
    }

    @Test("requests of other origins are refused without effect, also with the session's cookie")
    func foreign() async throws {
        let desk = TestDesk()
        try await withDesk(desk) { client, key in
            let client = try await client.sitting(with: try key())
            let foreign: [[String: String?]] = [
                ["Origin": "http://evil.example"], ["Origin": "http://127.0.0.1:1"], ["Origin": "null"],
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ]
            for headers in foreign {
                let reply = try await client.post(Self.path + "settings", ["name": "Evil"], headers: headers)
                #expect(reply.status == 403 && reply.errorCode == "foreign-origin", "\(headers)")
            }
            // A page at another port of this host sends our cookie, also with a GET.
            let look = try await client.get(Self.path + "overview", headers: ["Sec-Fetch-Site": "same-site"])
            #expect(look.status == 403)
            let host = try await client.get(Self.path + "overview", headers: ["Host": "evil.example"])
            #expect(host.errorCode == "wrong-host")
        }
        #expect(desk.acts.isEmpty && desk.questions.isEmpty)
    }

    @Test("all commands are allowed on the node's own machine")
    func here() async throws {
        let (desk, event) = (TestDesk(), try #require(DeskEvent(Self.event)))
        let photo = try #require(PhotoID(hex: Self.photo))
        try await withDesk(desk) { client, key in
            let client = try await client.sitting(with: try key())
            #expect(try await client.post("/desk/api/events", ["name": "A"]).status == 200)
            #expect(try await client.post(Self.path + "settings", ["frames": 36]).status == 200)
            #expect(try await client.post(Self.path + "reveal", ["isConfirmed": false]).status == 200)
            #expect(try await client.post(Self.path + "key", [:]).status == 200)
            let rulings: [[String: Any]] = [
                ["act": "frames", "member": "ab", "count": 5], ["act": "grant", "member": "ab", "role": "page"],
                ["act": "revoke", "member": "ab", "role": "page"],
                ["act": "revoke", "member": "ab", "role": "participant", "withAdmitted": true, "isConfirmed": true],
                ["act": "zone", "member": "ab", "zone": "Kitchen"],
            ]
            for ruling in rulings { #expect(try await client.post(Self.path + "people", ruling).status == 200) }
            #expect(try await client.post(Self.path + "notice", ["text": "Cake at ten"]).status == 200)
            #expect(try await client.get(Self.path + "messages").status == 200)
            #expect(try await client.send("DELETE", Self.path + "messages/\(Self.photo)").status == 200)
            #expect(try await client.send("DELETE", Self.path + "messages/none").errorCode == "unknown-message")
            let hidden = try await client.post(Self.path + "photos/\(Self.photo)", ["hidden": true])
            #expect(try hidden.object["isHidden"] as? Bool == true)
            #expect(try await client.send("DELETE", Self.path + "photos/\(Self.photo)").status == 200)
            #expect(try await client.get(Self.path + "photos/\(Self.photo)/copies").status == 200)
            #expect(try await client.get(Self.path + "invitation/node").status == 200)
            #expect(try await client.get(Self.path + "people/ab/removal").status == 200)
            #expect(try await client.post(Self.path + "poster", ["wifi": ""]).status == 200)
        }
        #expect(desk.questions.contains(.removal(event, member: "ab")) && desk.questions.contains(.messages(event)))
        let message = try #require(OperationID(hex: Self.photo))
        let forms = desk.acts.prefix(2)
        guard case (.create(let created), .edit(event, let edited)) = (forms[0], forms[1]) else {
            Issue.record("\(forms)")
            return
        }
        #expect(String(decoding: created.bytes, as: UTF8.self) == #"{"name":"A"}"#)
        #expect(String(decoding: edited.bytes, as: UTF8.self) == #"{"frames":36}"#)
        #expect(
            Array(desk.acts.dropFirst(2)) == [
                .reveal(event, isConfirmed: false), .backUpKey(event), .frames(event, member: "ab", count: 5),
                .grant(event, role: "page", member: "ab"),
                .revoke(event, role: "page", member: "ab", withAdmitted: false, isConfirmed: false),
                .revoke(event, role: "participant", member: "ab", withAdmitted: true, isConfirmed: true),
                .zone(event, member: "ab", name: "Kitchen"),
                .notice(event, text: "Cake at ten"), .eraseMessage(event, message), .hide(event, photo),
                .erase(event, photo),
            ])
    }

    @Test("another device can only view, hide and mark")
    func elsewhere() async throws {
        let (desk, event) = (TestDesk(), try #require(DeskEvent(Self.event)))
        let photo = try #require(PhotoID(hex: Self.photo))
        let comment = try #require(OperationID(hex: Self.photo))
        try await withDesk(desk, isFromHere: false) { client, key in
            let client = try await client.sitting(with: try key())
            #expect(try await client.get("/desk/api/session").object["here"] as? Bool == false)
            let (preview, comments) = ("photos/\(Self.photo)/preview", "photos/\(Self.photo)/comments")
            for path in ["overview", "settings", "people", "photos", "invitation", "code.png", preview, comments] {
                #expect(try await client.get(Self.path + path).status == 200, "\(path)")
            }
            #expect(try await client.post(Self.path + "photos/\(Self.photo)", ["hidden": true]).status == 200)
            #expect(try await client.post(Self.path + "photos/\(Self.photo)", ["hidden": false]).status == 200)
            #expect(try await client.post(Self.path + "photos/\(Self.photo)", ["favourite": true]).status == 200)
            for isApproved in [true, false] {
                let mark = ["approved": isApproved]
                #expect(try await client.post(Self.path + "photos/\(Self.photo)", mark).status == 200)
            }
            #expect(try await client.post(Self.path + "approve", ["photos": [Self.photo]]).status == 200)
            #expect(try await client.post(Self.path + "remarks/\(Self.photo)", ["hidden": true]).status == 200)
            let refused: [(String, [String: Any])] = [
                ("settings", ["frames": 36]), ("reveal", ["isConfirmed": true]),
                ("people", ["act": "frames", "member": "ab", "count": 5]),
                ("people", ["act": "grant", "member": "ab", "role": "organizer"]),
                ("people", ["act": "zone", "member": "ab", "zone": "Kitchen"]),
                ("people", ["act": "revoke", "member": "ab", "role": "participant"]), ("poster", [:]), ("card", [:]),
                ("key", [:]),
                ("notice", ["text": "Cake at ten"]),
            ]
            for (path, body) in refused {
                let reply = try await client.post(Self.path + path, body)
                #expect(reply.status == 403 && reply.errorCode == "not-here", "\(path) \(body)")
                #expect(reply.text.contains("on the machine that runs the event"))
            }
            #expect(try await client.post("/desk/api/events", ["name": "A"]).errorCode == "not-here")
            #expect(try await client.get(Self.path + "invitation/node").errorCode == "not-here")
            #expect(try await client.get(Self.path + "messages").errorCode == "not-here")
            #expect(try await client.send("DELETE", Self.path + "messages/\(Self.photo)").errorCode == "not-here")
            #expect(try await client.send("DELETE", Self.path + "photos/\(Self.photo)").errorCode == "not-here")
            #expect(try await client.get(Self.path + "photos/\(Self.photo)/copies").status == 200)
            #expect(try await client.get(Self.path + "people/ab/removal").errorCode == "not-here")
        }
        #expect(desk.questions.contains(.comments(event, photo)))
        #expect(
            desk.acts == [
                .hide(event, photo), .unhide(event, photo), .favourite(event, photo, isOn: true),
                .approve(event, [photo]), .unapprove(event, photo), .approve(event, [photo]),
                .hideRemark(event, comment, isHidden: true),
            ])
    }

    @Test("the stream of an event that was just made begins once its pages are served")
    func streamOfNewEvent() async throws {
        let (desk, held, gallery) = (TestDesk(), Held([]), try TestGallery())
        var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
        configuration.isFromHere = { _, _ in true }
        try await withPortal(configuration, desk: desk, { held.galleries }) { _, client in
            let client = try await client.sitting(with: desk.issueKey())
            let path = "/desk/api/e/\(gallery.event.short)/updates"
            #expect(try await client.get(path).status == 404)
            held.galleries = [gallery]
            var stream = try await client.events(path)
            #expect(stream.status == 200)
            #expect(try await stream.next()?.name == "hello")
            stream.close()
        }
    }

    @Test("an ended session is invalid at once, and its stream ends")
    func ending() async throws {
        let gallery = try TestGallery()
        try await withDesk(TestDesk(), gallery) { client, key in
            let client = try await client.sitting(with: try key())
            var stream = try await client.events("/desk/api/e/\(gallery.event.short)/updates")
            #expect(try await stream.next()?.name == "hello")
            #expect(try await client.send("DELETE", "/desk/api/session").status == 204)
            #expect(try await client.get("/desk/api/events").status == 401)
            #expect(try await stream.next() == nil)
        }
    }

    @Test("sessions end with the node: the next start knows none of them")
    func restart() async throws {
        let old = try await withDesk(TestDesk()) { client, key in try await client.sitting(with: try key()) }
        try await withDesk(TestDesk()) { client, _ in
            var client = client
            // With the name that this portal's cookies have.
            let session = old.headers["Cookie"]?.split(separator: "=").last ?? ""
            client.headers["Cookie"] = "disposable-desk-\(client.port)=\(session)"
            let reply = try await client.get("/desk/api/events")
            #expect(reply.errorCode == "no-session")
        }
    }

    @Test("new, hidden and withdrawn photos arrive on the stream, as the desk shows them")
    func stream() async throws {
        let (desk, gallery) = (TestDesk(), try TestGallery())
        try await withDesk(desk, gallery) { client, key in
            let client = try await client.sitting(with: try key())
            var stream = try await client.events("/desk/api/e/\(gallery.event.short)/updates")
            #expect(try await stream.next()?.name == "hello")
            let photo = gallery.put([0xFF, 0xD8, 0xFF, 1], by: try TestGuest().id(in: gallery))
            let new = try await stream.next()
            #expect(new?.name == "photo" && new?.data.contains(photo.id.description) == true)
            // Guests no longer see it; the desk still has it, hidden.
            _ = try await client.post("/desk/api/e/\(gallery.event.short)/photos/\(photo.id)", ["hidden": true])
            gallery.tell(.removed(photo.id))
            let hidden = try await stream.next()
            #expect(hidden?.name == "photo" && hidden?.data.contains(#""isHidden":true"#) == true)
            desk.forget(photo.id)
            gallery.tell(.removed(photo.id))
            #expect(try await stream.next()?.name == "removed")
            gallery.tell(.event)
            #expect(try await stream.next()?.name == "event")
            gallery.tell(.messages)
            #expect(try await stream.next()?.name == "messages")
            gallery.tell(.everything)
            #expect(try await stream.next()?.name == "reset")
            stream.close()
        }
    }

    @Test("refusals have the node's message, and each kind has its own status")
    func refusals() async throws {
        let desk = TestDesk()
        try await withDesk(desk) { client, key in
            let client = try await client.sitting(with: try key())
            let kinds: [(DeskError.Kind, Int)] = [
                (.malformed, 400), (.unacceptable, 422), (.refused, 409), (.notFound, 404), (.unavailable, 503),
            ]
            for (kind, status) in kinds {
                desk.refuse(
                    with: DeskError(
                        kind, "guests were promised their frames", hint: "give more", reason: "promised",
                        about: ["frames"]))
                let reply = try await client.post(Self.path + "settings", ["frames": 3])
                #expect(reply.status == status)
                #expect(reply.text.contains("guests were promised their frames") && reply.text.contains("give more"))
                // The page words the reason in its own language.
                #expect(reply.text.contains(#""reason":"promised""#) && reply.text.contains(#""about":["frames"]"#))
            }
        }
    }

    @Test("lists are paged, and an invalid number, photo or list is refused")
    func pages() async throws {
        let (desk, event) = (TestDesk(), try #require(DeskEvent(Self.event)))
        try await withDesk(desk) { client, key in
            let client = try await client.sitting(with: try key())
            for query in ["limit=0", "limit=101", "limit=x", "which=mine", "before=5a", "limit=", "by=5a"] {
                #expect(try await client.get(Self.path + "photos?" + query).status == 400, "\(query)")
            }
            for query in ["limit=101", "offset=-1", "offset=1e9"] {
                #expect(try await client.get(Self.path + "people?" + query).status == 400, "\(query)")
            }
            for path in ["e/1a2b/photos", "e/1A2B3C4D/photos", "e/..%2F..%2F/photos"] {
                #expect(try await client.get("/desk/api/" + path).status == 404, "\(path)")
            }
            let both = try await client.post(Self.path + "photos/\(Self.photo)", ["hidden": true, "favourite": true])
            #expect(both.status == 400)
            let long = ["details": String(repeating: "a", count: 20_000)]
            #expect(try await client.post(Self.path + "settings", long).status == 413)
            for form: [String: Any] in [["photos": [String]()], ["photos": ["5a"]], [:]] {
                #expect(try await client.post(Self.path + "approve", form).status == 400)
            }
            let later = "photos?which=hidden&by=\(Self.photo)&limit=100&before=\(Self.photo)"
            #expect(try await client.post(Self.path + "remarks/5a", ["hidden": true]).status == 404)
            #expect(try await client.get(Self.path + later).status == 200)
            #expect(try await client.get(Self.path + "photos").status == 200)
        }
        #expect(
            desk.questions == [
                .photos(
                    event, which: .hidden, by: AuthorID(hex: Self.photo), before: PhotoID(hex: Self.photo), limit: 100),
                .photos(event, which: .all, by: nil, before: nil, limit: 48),
            ])
        #expect(desk.acts.isEmpty)
    }

    @Test(
        "this machine is recognized by a loopback address, or by equal source and destination addresses",
        arguments: [
            ("127.0.0.1", "127.0.0.1", true), ("::1", "::1", true), ("::ffff:127.0.0.1", "::ffff:127.0.0.1", true),
            ("192.168.7.1", "192.168.7.1", true), ("192.168.7.2", "192.168.7.1", false),
            ("::ffff:192.168.7.2", "::ffff:192.168.7.1", false), ("fe80::2", "fe80::1", false), (nil, nil, false),
        ] as [(String?, String?, Bool)])
    func isFromHere(remote: String?, local: String?, isHere: Bool) {
        #expect(Portal.Configuration().isFromHere(remote, local) == isHere)
    }

    @Test("a portal without a desk serves none")
    func none() async throws {
        try await withPortal([try TestGallery()]) { _, client in
            let replies = [try await client.get("/desk"), try await client.get("/desk/api/events")]
            #expect(replies.map(\.status) == [404, 404])
        }
    }
}
