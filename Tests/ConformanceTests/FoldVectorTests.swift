// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Testing

/// Runs `protocol/vectors/fold/*.json`, whose ends were worked out by hand, against the fold.
@Suite struct FoldVectorTests {
    struct Fields: Decodable {
        struct Operation: Decodable {
            let header: String
            let signature: String
            let body: String?
        }
        struct Photo: Decodable {
            let status: String
            let slot: UInt64?
        }
        struct Member: Decodable {
            let role: String
            let author: String
        }
        let eventKey: String
        let operations: [String: Operation]
        let orders: [[String]]
        let waiting: [String]
        let members: [String: Member]
        let charter: String?
        let photos: [String: Photo]
        let gallery: [String]
        let digest: String?
        /// Members that are shown no more.
        let gone: [String]?
        let captions: [String: String]?
        let comments: [String: [String]]?
        let notices: [String]?
        let reactions: [String: [String: [String]]]?
    }

    @Test("in every order the fold comes to what the vectors say", arguments: ConformanceTests.vectors("fold"))
    func fold(vector: ConformanceTests.Vector) throws {
        let fields = try vector.decode(Fields.self)
        let eventKey = VerifyingKey(try #require(Bytes32(hex: fields.eventKey)))
        var labels: [OperationID: String] = [:]
        let operations = try fields.operations.mapValues { operation in
            let header = try #require([UInt8](hex: operation.header))
            let signature = try #require(Signature([UInt8](hex: operation.signature) ?? []))
            return try UncheckedOperation(
                headerBytes: header, signature: signature, body: operation.body.flatMap { [UInt8](hex: $0) }
            ).verified(event: EventID(key: eventKey))
        }
        for (label, operation) in operations { labels[operation.id] = label }
        for order in fields.orders {
            var state = EventState(eventKey: eventKey)
            // What waits for its author is in no set.
            for label in order where !fields.waiting.contains(label) { state.apply(operations[label]!) }
            #expect(state.digest?.description == fields.digest)
            #expect(state.charterID.flatMap { labels[$0] } == fields.charter)
            let members = try fields.members.keys.map { try #require(DeviceID(hex: $0)) }.filter(state.membership.isMember)
            #expect(members.count == fields.members.count)
            #expect(
                Set(state.membership.devices.map(\.description)) == Set(fields.members.keys).subtracting(fields.gone ?? []))
            for device in members {
                let expected = try #require(fields.members[device.description])
                #expect(state.membership.author(of: device).description == expected.author)
                #expect(state.membership.rank(of: device).map { "\($0)" } == expected.role)
            }
            #expect(state.gallery.compactMap { labels[$0.id.operationID] } == fields.gallery)
            #expect(state.photos.count == fields.photos.count)
            for photo in state.photos {
                let expected = try #require(fields.photos[labels[photo.id.operationID]!])
                switch photo.status {
                case .frame(let slot): #expect(expected.status == "frame" && expected.slot == slot)
                default: #expect(expected.status == "\(photo.status)")
                }
            }
            expectRemarks(fields, in: state, labels)
        }
    }

    private func expectRemarks(_ fields: Fields, in state: EventState, _ labels: [OperationID: String]) {
        var captions: [String: String] = [:]
        var comments: [String: [String]] = [:]
        var reactions: [String: [String: [String]]] = [:]
        for photo in state.photos.map(\.id) {
            let label = labels[photo.operationID]!
            captions[label] = state.album.caption(of: photo).map { labels[$0.id]! }
            let said = state.album.comments(on: photo).map { labels[$0.id]! }
            if !said.isEmpty { comments[label] = said }
            for (emoji, authors) in state.album.reactions(to: photo) {
                reactions[label, default: [:]][String(emoji)] = authors.map(\.description).sorted()
            }
        }
        #expect(captions == fields.captions ?? [:])
        #expect(comments == fields.comments ?? [:])
        #expect(reactions == fields.reactions ?? [:])
        #expect(state.album.notices.map { labels[$0.id]! } == fields.notices ?? [])
    }
}
