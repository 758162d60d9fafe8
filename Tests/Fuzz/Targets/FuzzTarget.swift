// SPDX-License-Identifier: Apache-2.0

/// Every decoder of foreign bytes, by the name of its folder in Tests/Fuzz/corpus.
package enum FuzzTarget: String, CaseIterable, Sendable {
    // From peers, on the connection and inside it.
    case frame, preface, handshake, message, header, body, chunks, reconciliation
    // From hosts on the same network, or from texts and files of other people.
    case record, packet, multicast, invitation, operations, bundle, cards, tiles
    // From guests, their browsers and their cameras; and from the helper that has looked at their images.
    case words, form, request, tus, image, exif, worker, sealedPackage

    /// Gives `input` to the decoder. Throws `Broken` where something does not hold that must hold of all bytes; a trap
    /// or an endless loop is for the caller to notice.
    package func run(_ input: [UInt8]) throws(Broken) {
        switch self {
        case .frame: try PeerTargets.frame(input)
        case .preface: try PeerTargets.preface(input)
        case .handshake: try HandshakeTarget.run(input)
        case .message: try PeerTargets.message(input)
        case .header: try PeerTargets.header(input)
        case .body: try PeerTargets.body(input)
        case .chunks: try PeerTargets.chunks(input)
        case .reconciliation: try PeerTargets.reconciliation(input)
        case .record: try TextTargets.record(input)
        case .packet: try MulticastTargets.packet(input)
        case .multicast: try MulticastTargets.stack(input)
        case .invitation: try TextTargets.invitation(input)
        case .operations: try TextTargets.operations(input)
        case .bundle: try TextTargets.bundle(input)
        case .cards: try TextTargets.cards(input)
        case .tiles: try TileTargets.tiles(input)
        case .words: try PortalTargets.words(input)
        case .form: try PortalTargets.form(input)
        case .request: try PortalTargets.request(input)
        case .tus: try PortalTargets.tus(input)
        case .image: try ImageTargets.image(input)
        case .exif: try ImageTargets.exif(input)
        case .worker: try ImageTargets.worker(input)
        case .sealedPackage: try ImageTargets.sealedPackage(input)
        }
    }

    /// Bytes beyond which inputs show nothing new.
    package var inputByteCountMax: Int {
        switch self {
        case .header, .preface: 256
        case .words, .tus, .record, .invitation: 2_048
        case .frame, .handshake, .body, .exif, .worker, .form, .request, .chunks, .packet, .cards, .tiles: 4_096
        case .sealedPackage: 8_192
        case .message, .reconciliation, .operations, .bundle, .image, .multicast: 16_384
        }
    }

    /// The bytes that one allocation may take in addition to twice the input: the decoder's fixed memory, and its own
    /// caches.
    package var allocationByteCountMax: Int {
        switch self {
        // Protobuf makes a value of each of `fieldsPerMessageMax` fields, 88 bytes an operation, in arrays that double.
        case .message, .handshake: 256 << 10
        // The same, and one chunk.
        case .chunks: 512 << 10
        // Answers and the items that differ, of the sets in the target.
        case .reconciliation: 65_536
        // The cache, full, and arrays that double.
        case .packet, .multicast: 512 << 10
        // Pieces in which files are read, and where their metadata is.
        case .image: 327_680
        // JSON, decoded into values.
        case .cards, .sealedPackage: 256 << 10
        // An entry of 32 bytes for each four bytes.
        case .tiles: 65_536
        default: 16_384
        }
    }
}

/// A broken promise of a decoder.
package struct Broken: Error, CustomStringConvertible {
    package let description: String
}

func check(_ holds: Bool, _ description: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(description: description()) }
}
