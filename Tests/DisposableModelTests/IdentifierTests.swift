// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

@Suite struct PeerAddressTests {
    @Test(
        "host and port are read and written back",
        arguments: [
            ("10.0.0.7:8028", "10.0.0.7", 8_028), ("[fe80::1%eth0]:8028", "fe80::1%eth0", 8_028), ("[::1]:1", "::1", 1),
            ("192.168.1.255:65535", "192.168.1.255", 65_535),
        ] as [(String, String, UInt16)])
    func accepted(text: String, host: String, port: UInt16) {
        #expect(PeerAddress(text) == PeerAddress(host: host, port: port))
        #expect(PeerAddress(host: host, port: port).description == text)
    }

    @Test(
        "what is no address with a port is refused",
        arguments: [
            "", ":", "10.0.0.7", "10.0.0.7:", ":8028", "[]:8028", "10.0.0.7:0", "10.0.0.7:65536", "10.0.0.7:-1",
            "10.0.0.7:+80", "10.0.0.7: 80", "10.0.0.7:80 ", "10.0.0.7:8o", "fe80::1:80", "[::1]", "[::1:80", "::1]:80",
            "[[::1]]:80", "10.0.0.7:٨٠",
        ])
    func refused(_ text: String) { #expect(PeerAddress(text) == nil) }
}

@Suite struct DomainTests {
    @Test("no domain is a prefix of another, and each ends with its only zero byte")
    func domains() {
        let domains = [
            Domain.event, Domain.operationID, Domain.operationSignature, Domain.body, Domain.admission,
            Domain.authentication, Domain.blobRoot, Domain.galleryDigest, Domain.album, Domain.invitationChecksum,
            Domain.message,
        ]
        for (index, domain) in domains.enumerated() {
            #expect(domain.firstIndex(of: 0) == domain.count - 1)
            for (other, longer) in domains.enumerated() where other != index { #expect(!longer.starts(with: domain)) }
        }
        let contexts = [
            Domain.Key.noise, Domain.Key.preface, Domain.Key.advertisement, Domain.Key.portal, Domain.Key.blob,
            Domain.Key.storedBody, Domain.Key.epochSealing, Domain.Key.messageSealing,
        ]
        #expect(Set(contexts).count == contexts.count)
        #expect(contexts.allSatisfy { !$0.utf8.contains(0) })
    }
}

@Suite struct OperationKindTests {
    @Test("a body that the fold reads exists, and none of them holds a person's words or pictures")
    func table() {
        for kind in OperationKind.allCases {
            if kind.foldReadsBody { #expect(kind.hasBody) }
            // They came when only higher numbers were free.
            let isAuthority =
                kind.rawValue < 64
                || [
                    .veiling, .veil, .lift, .tickets, .ticketUse, .ticketRuling, .share, .shareRelease, .pageSealing,
                    .twinning,
                ].contains(kind)
            #expect(kind.set == (isAuthority ? .authority : .content))
        }
        #expect(Set(OperationKind.allCases.filter(\.foldReadsBody)).isDisjoint(with: [.name, .photo, .original]))
    }
}

@Suite struct RollTests {
    private let event = TestEvent()
    private let anna = signingKey(2)

    @Test("free slots are the first unused ones, not beyond the roll, as many as asked for")
    func freeSlots() throws {
        var state = event.fold([try event.charter(), try event.join(anna, sponsor: event.eventKey)])
        #expect(state.album.freeSlots(of: anna.author, count: 2, limit: 27) == [1, 2])
        for (sequence, slot) in [(0, 2), (2, 4), (4, 90)] as [(UInt32, UInt64)] {
            let photo = try event.photo(anna, sequence)
            state.apply(photo)
            state.apply(try event.claim(anna, sequence + 1, photo: photo, slot: slot))
        }
        #expect(state.album.freeSlots(of: anna.author, count: 3, limit: 27) == [1, 3, 5])
        #expect(state.album.freeSlots(of: anna.author, count: 9, limit: 5) == [1, 3, 5])
        #expect(state.album.freeSlots(of: anna.author, count: 2, limit: nil) == [1, 3])
        #expect(state.album.freeSlots(of: anna.author, count: 1, limit: 0).isEmpty)
        #expect(state.album.freeSlots(of: anna.author, count: 0, limit: nil).isEmpty)
    }
}
