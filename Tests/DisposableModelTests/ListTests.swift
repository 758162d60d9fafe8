// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// A revocation that leaves more chains than it can name names lists of them (protocol/disposable-v1.md §9.2, R-9).
@Suite("Heads in lists") struct ListTests {
    private let host = signingKey(1)
    private let ben = signingKey(2)
    private let cleo = signingKey(3)

    /// Ben's photo, and a revocation that leaves it by way of `heads`.
    private func story(
        heads: (_ end: OperationID, _ story: inout Story) throws -> [OperationID]
    ) throws -> (Story, VerifiedOperation) {
        var story = Story(TestEvent())
        try story.found(host: host, guests: [ben, cleo], frames: 3)
        let photo = try story.photo(ben, slot: 1)
        let ends =
            story.operations.filter { $0.header.device == ben.device }.suffix(1).map(\.id)
            + story.operations.filter { $0.header.device == ben.device && $0.kind == .join }.map(\.id)
        let list = try story.say(.list, by: host, content: .list(ends))
        try story.say(
            .revokeDevice, by: host, OperationID(ben.device.bytes32),
            content: .revocation(heads: try heads(list.id, &story)))
        return (story, photo)
    }

    @Test("a list among the heads stands for the operations that it names, whichever device signed it")
    func list() throws {
        var (story, photo) = try story { list, _ in [list] }
        #expect(try story.outcome().status(photo) == .frame(1))
        // Without the list nothing is proven to be left.
        let list = try #require(story.operations.first { $0.kind == .list })
        let without = story.event.fold(story.operations.filter { $0.id != list.id })
        #expect(without.status(photo) == nil)
        var late = without
        late.apply(list)
        #expect(late == (try story.outcome()))
        // A list of the removed device's own.
        (story, photo) = try self.story { list, story in
            let named = story.operations.first { $0.id == list }
            guard case .list(let ids)? = named?.content else { return [] }
            return [try story.say(.list, by: ben, content: .list(ids)).id]
        }
        #expect(try story.outcome().status(photo) == .frame(1))
    }

    @Test("a list named in a list stands for nothing, in circles neither")
    func nested() throws {
        let (story, photo) = try story { list, story in
            [try story.say(.list, by: host, content: .list([list])).id]
        }
        #expect(try story.outcome().status(photo) == nil)
    }

    @Test("a list itself is not left by standing for others")
    func listItself() throws {
        var (story, _) = try story { list, _ in [list] }
        let late = try story.say(.list, by: ben, content: .list([OperationID(story.event.event.bytes32)]))
        try story.say(.grant, by: ben, OperationID(cleo.device.bytes32), argument: 2, content: .grant(cancels: []))
        let state = try story.outcome()
        #expect(!state.membership.counts(late.id, by: ben.device))
    }

    @Test("forks of a removed node's chain, and sub-keys without photos, come after what proves guests' photos")
    func worth() throws {
        let event = TestEvent()
        var story = Story(event)
        try story.found(host: host, guests: [ben], frames: 3)
        try story.grant(.page, to: ben, by: host)
        let guests = (0..<5).map { signingKey(100 + UInt64($0)) }
        for (number, device) in guests.enumerated() {
            try story.join(device, sponsor: ben, for: signingKey(200 + UInt64(number)))
            try story.photo(device, slot: 1)
        }
        for number in 0..<40 { try story.join(signingKey(300 + UInt64(number)), sponsor: ben, for: signingKey(400)) }
        let forks = try (0..<60).map { try event.name(ben, 0, "fork \($0)") }
        let state = event.fold(story.operations + forks)
        #expect(state.gallery.count == 5)
        let heads = state.membership.heads(leaving: ben.device.bytes32)
        #expect(heads.count == 5 * 2 + 40 + 60 + 1)
        var after = state
        after.apply(
            try event.operation(
                .revokeDevice, by: host, sequence: 2, subject: OperationID(ben.device.bytes32),
                content: .revocation(heads: Array(heads.prefix(1 + 5 * 2)))))
        #expect(after.membership.isRevoked(ben.device))
        #expect(after.gallery.count == 5)
    }
}
