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
    static func invitation(_ input: [UInt8]) throws(Broken) {
        guard let first = input.first else { return }
        let rest = Array(input.dropFirst())
        var text = String(decoding: rest, as: UTF8.self)
        if first & 1 == 1 {
            let checksum = BLAKE2b.hash(Domain.invitationChecksum, rest).bytes.prefix(4)
            text = "DISPOSABLE1:" + Base32.encode(rest + checksum)
        }
        guard let read = try? Invitation(text: text) else { return }
        let again = try? Invitation(text: read.text)
        try check(
            again?.eventKey == read.eventKey && again?.name == read.name && again?.addresses == read.addresses,
            "does not read as itself again")
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
}
