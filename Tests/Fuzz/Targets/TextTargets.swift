// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableMDNS
internal import DisposableModel
internal import DisposableWire

/// Texts that people pass on, and the text that nodes announce.
enum TextTargets {
    /// The data of a TXT record.
    static func record(_ input: [UInt8]) throws(Broken) {
        guard let pairs = TextRecord.pairs(of: input) else { return }
        try check(pairs.count <= TextRecord.entryCountMax, "\(pairs.count) pairs")
        let byteCount = pairs.reduce(0) { $0 + $1.value.count }
        try check(byteCount <= input.count, "\(byteCount) bytes of values in \(input.count)")
    }

    /// With an even first byte the rest is the text; with an odd one what the text spells, and the checksum is right.
    /// Both as an invitation, and as an agreement that galleries are joined.
    static func invitation(_ input: [UInt8]) throws(Broken) {
        guard let first = input.first else { return }
        let rest = Array(input.dropFirst())
        var text = String(decoding: rest, as: UTF8.self)
        if first & 1 == 1 {
            let checksum = BLAKE2b.hash(Domain.invitationChecksum, rest).bytes.prefix(4)
            text = "DISPOSABLE1:" + Base32.encode(rest + checksum)
        }
        try agreement(text.replacing("DISPOSABLE1:", with: "DISPOSABLETWIN1:"))
        guard let read = try? Invitation(text: text) else { return }
        let again = try? Invitation(text: read.text)
        try check(
            again?.eventKey == read.eventKey && again?.name == read.name && again?.addresses == read.addresses,
            "does not read as itself again")
    }

    private static func agreement(_ text: String) throws(Broken) {
        guard let read = try? TwinOffer(text: text) else { return }
        let again = try? TwinOffer(text: read.text)
        try check(
            again?.agreement == read.agreement && again?.other == read.other && again?.invitation == read.invitation,
            "the agreement does not read as itself again")
    }

    /// An album's operations.bin.
    static func operations(_ input: [UInt8]) throws(Broken) {
        var rest = input[...]
        while let operation = (try? OperationFile.next(&rest)) ?? nil {
            guard let record = try? OperationFile.record(of: operation.verifiedBefore, keepsBody: true) else {
                throw Broken(description: "cannot be written again")
            }
            var again = record[...]
            try check((try? OperationFile.next(&again)) == operation, "does not read as itself again")
        }
    }

    /// A bundle's header, and one of its records: the type, then the content.
    static func bundle(_ input: [UInt8]) throws(Broken) {
        if let header = try? EventBundle.Header(input) {
            try check(header.bytes == input, "the header does not read as itself again")
        }
        _ = BundleRecord.contentByteCount(input[...])
        guard let kind = input.first, let record = BundleRecord(kind: kind, input.dropFirst()) else { return }
        let bytes = record.bytes
        let content = bytes.dropFirst(BundleRecord.headByteCount)
        try check(BundleRecord.contentByteCount(bytes[...]) == content.count, "the length is another")
        try check(BundleRecord(kind: kind, content)?.bytes == bytes, "the record does not read as itself again")
    }

    /// With an even first byte the rest is the list of cards that a node passes on; with an odd one the text of one
    /// card, and the signature is right.
    static func cards(_ input: [UInt8]) throws(Broken) {
        guard let first = input.first else { return }
        let rest = Array(input.dropFirst())
        if first & 1 == 0 {
            guard let list = CardList(rest) else { return }
            let again = CardList(list.bytes)
            try check(again?.entries == list.entries && again?.here == list.here, "the list does not read as itself again")
            return
        }
        let text = String(decoding: rest, as: UTF8.self)
        let bytes = Domain.eventCard + EventID(key: cardKey.verifyingKey).bytes + Array(text.utf8)
        guard
            let read = try? SignedCard(
                eventKey: cardKey.verifyingKey, text: text, signature: cardKey.signature(for: bytes))
        else { return }
        try check(read.card.isWellFormed, "a card that is not well-formed")
        let again = SignedCard(read.card, by: cardKey)
        let reread = try? SignedCard(eventKey: again.eventKey, text: again.text, signature: again.signature)
        try check(reread?.card == read.card, "the card does not read as itself again")
    }

    private static let cardKey: SigningKey = {
        var seed = [UInt8](repeating: 1, count: SigningKey.seedByteCount)
        return SigningKey(seed: SecretBytes(consuming: &seed))
    }()
}
