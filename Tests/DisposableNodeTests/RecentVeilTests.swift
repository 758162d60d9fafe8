// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// Nodes in this process, on loopback: one asks for photos of the host, as soon as it is in.
@Suite(.timeLimit(.minutes(60))) struct RecentVeilTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func lift(_ node: Node, since: UInt64, isConfirmed: Bool) async throws -> LiftInfo {
        let act = ControlAct.liftAdmitted(since: since, isConfirmed: isConfirmed)
        let replies = await ask(node, .rule(event: nil, act: act))
        guard case .lifting(let info)? = replies.first else { throw NodeError.control("\(replies)") }
        return info
    }

    @Test("the host is told how many photos a new node alone asks for, and has all of them shown again")
    func lifted() async throws {
        let nodes = try ["host", "ben"].map { try folder.node($0, .loopback) }
        let (host, ben) = (nodes[0], nodes[1])
        let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000)
        let event = try await host.host(charter, veils: true, organizerName: "Anna")
        let invitation = try Invitation(text: try await host.event(event).invitation.invitation)
        let paths = [try await folder.picture(1), try await folder.picture(2)]
        let since = UInt64(Date().timeIntervalSince1970 * 1_000)
        _ = try await ben.join(invitation, name: "Ben")
        try await running(nodes) {
            let added = await ask(host, .add(event: nil, paths: paths, keepsMetadata: false, caption: nil))
            let ids = added.compactMap { if case .added(let photo) = $0 { photo.id } else { nil } }
            try #require(ids.count == 2)
            try await dial(host, from: ben, for: event)
            try await wait("Ben has the photos") { try await ben.event(event).status.photos.photoCount == 2 }
            for id in ids {
                let asked = await ask(ben, .say(event: nil, remark: .veil(photo: id, isOn: true)))
                #expect(asked.last == .finished(exitCode: 0), "\(asked)")
            }
            try await wait("the host knows of it") { try await host.event(event).status.photos.veiledCount == 2 }

            let later = UInt64(Date().timeIntervalSince1970 * 1_000) + 3_600_000
            let none = try await lift(host, since: later, isConfirmed: false)
            #expect(none == LiftInfo(photoCount: 0, deviceCount: 0, photos: []))
            let told = try await lift(host, since: since, isConfirmed: false)
            #expect(told == LiftInfo(photoCount: 2, deviceCount: 1, photos: []))
            let refused = await ask(ben, .rule(event: nil, act: .liftAdmitted(since: since, isConfirmed: true)))
            guard case .failed? = refused.last else {
                Issue.record("a participant has lifted veils")
                return
            }
            let done = try await lift(host, since: since, isConfirmed: true)
            #expect((done.photoCount, done.deviceCount) == (2, 1) && Set(done.photos) == Set(ids))
            try await wait("all see the photos") {
                let counts = [
                    try await host.event(event).status.photos.photoCount,
                    try await ben.event(event).status.photos.photoCount,
                ]
                return counts == [2, 2]
            }
        }
    }
}
