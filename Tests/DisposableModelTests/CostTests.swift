// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// The charge for operations that make a node read others again (protocol/disposable-v1.md §6.13).
@Suite struct CostTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let ben = signingKey(2)

    @Test("a claim costs the more, the more of its photo there are, and a join the more, the more its device has stated")
    func claims() throws {
        var story = Story(event)
        try story.found(host: host, guests: [ben], frames: 60)
        let photo = try story.photo(ben, slot: 1)
        let join = try #require(story.operations.first { $0.kind == .join && $0.header.device == ben.device }).header
        let claim = try story.say(.claim, by: ben, about: photo, argument: 2).header
        let before = try story.outcome().album
        for slot in UInt64(3)...18 { try story.say(.claim, by: ben, about: photo, argument: slot) }
        let album = try story.outcome().album
        var others = claim
        others.subject = .none
        for kind in [OperationKind.claim, .original, .keyRelease, .caption] {
            var header = claim
            header.kind = kind.rawValue
            header.flags = kind.set == .authority ? .authority : []
            header.bodyByteCount = kind.hasBody ? 1 : 0
            #expect(album.consequenceCount(of: header) == before.consequenceCount(of: header) + 2)
        }
        #expect(album.consequenceCount(of: others) == before.consequenceCount(of: others))
        #expect(album.consequenceCount(of: join) == before.consequenceCount(of: join) + 2)
    }

    @Test("a missing operation that would prove what a removal leaves has devices and what is left examined again")
    func proofs() throws {
        var story = Story(event)
        try story.found(host: host, guests: [ben], frames: 60)
        for slot in UInt64(1)...4 { try story.photo(ben, slot: slot) }
        try story.removeMember(ben, by: host)
        let content = story.operations.filter { $0.header.device == ben.device && $0.header.set == .content }
        let missing = content[content.count - 3].id
        let membership = event.fold(story.operations.filter { $0.id != missing }).membership
        // Two devices that have joined, and Ben's join and last two operations.
        #expect(membership.examinedCount(with: missing) == 5)
        for operation in content where operation.id != missing {
            #expect(membership.examinedCount(with: operation.id) == 0)
        }
        let whole = try story.outcome().membership
        #expect(content.allSatisfy { whole.examinedCount(with: $0.id) == 0 })
    }
}
