// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Gossip: which peers are sent new operations, and when") struct GossipTests {
    private let peers = (1...6).map { ConnectionID($0) }
    private var random = SplitMix64(seed: 4)

    @Test("operations of others go to a few peers at once and to the rest later, each peer once")
    func relay() throws {
        var (gossip, chain, random) = (Gossip(), TestChain(), random)
        let operation = try chain.sign()
        gossip.begin(operation.id, knownBy: [peers[0]])
        let (first, areAll) = gossip.firstPeers(of: [operation], among: peers, at: 1_000, using: &random)
        #expect(!areAll)
        #expect(first.count == Limits.relayPeersMax && !first.contains(peers[0]))
        var sent = first.flatMap { gossip.news(for: $0, among: [operation]) { _ in false }.map { _ in 1 } }
        #expect(sent.count == first.count)
        let dueAt = 1_000 + UInt64(Limits.relayMilliseconds)
        #expect(gossip.nextDeadline == dueAt)
        let early = gossip.takeDue(at: dueAt - 1)
        #expect(early == nil)
        // Meanwhile another peer has sent it.
        let other = try #require(peers.last { !first.contains($0) && $0 != peers[0] })
        gossip.heard(operation.id, from: other)
        let dueResult = gossip.takeDue(at: dueAt)
        let due = try #require(dueResult)
        #expect(due.map(\.id) == [operation.id])
        sent = peers.flatMap { gossip.news(for: $0, among: due) { _ in false }.map { _ in 1 } }
        #expect(sent.count == peers.count - first.count - 2)
        gossip.end(due)
        #expect(gossip.nextDeadline == nil)
        let afterwards = gossip.news(for: peers[1], among: [operation]) { _ in false }
        #expect(afterwards.isEmpty)
    }

    @Test("with few peers all are sent the operations at once")
    func fewPeers() throws {
        var (gossip, chain, random) = (Gossip(), TestChain(), random)
        let operation = try chain.sign()
        gossip.begin(operation.id, knownBy: [])
        let few = Array(peers.prefix(Limits.relayPeersMax))
        let (first, areAll) = gossip.firstPeers(of: [operation], among: few, at: 1_000, using: &random)
        #expect(areAll && first == few)
        #expect(gossip.nextDeadline == nil)
    }

    @Test("a peer that holds a photo's thumbnail is sent neither the photo nor what was signed with it")
    func holders() throws {
        var (gossip, chain) = (Gossip(), TestChain())
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        let photo = try chain.sign(.photo, content: .photo(manifest))
        let operations = [
            photo, try chain.sign(.claim, subject: photo.id), try chain.sign(.name, content: .name("Ben")),
        ]
        for operation in operations { gossip.begin(operation.id, knownBy: []) }
        let news = gossip.news(for: peers[0], among: operations) { $0.sequence == photo.header.sequence }
        #expect(news.map(\.id) == [operations[2].id])
    }
}
