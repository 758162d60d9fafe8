// SPDX-License-Identifier: Apache-2.0

/// The elements of WebM (RFC 9559 §5, by their ids) that are kept: those that define how to show picture and sound.
enum EBMLElement {
    static let header = 0x1a45_dfa3
    static let segment = 0x1853_8067
    static let cluster = 0x1f43_b675
    static let tracks = 0x1654_ae6b
    static let track = 0xae
    static let trackNumber = 0xd7
    static let trackType = 0x83
    static let codec = 0x86
    static let codecPrivate = 0x63a2
    static let simpleBlock = 0xa3
    static let block = 0xa1
    static let blockGroup = 0xa0
    /// "Void": content to skip.
    static let void = 0xec

    enum Content {
        /// A number or a float: at most eight bytes.
        case number
        /// Bytes for the decoder, or a name from a list of codecs.
        case bytes
        /// A text that is required, and may be empty.
        case emptiedText
        case elements([Int: Content])
    }

    static let headerContent: [Int: Content] = [
        0x4286: .number, 0x42f7: .number, 0x42f2: .number, 0x42f3: .number, 0x4282: .bytes, 0x4287: .number,
        0x4285: .number,
    ]

    /// The content of a segment. Tags, attachments and chapters are excluded.
    static let segmentContent: [Int: Content] = [
        // The locations of the other parts.
        0x114d_9b74: .elements([0x4dbb: .elements([0x53ab: .number, 0x53ac: .number])]),
        // Scale, duration and date; the names of the programs that wrote the file are required.
        0x1549_a966: .elements([
            0x2a_d7b1: .number, 0x4489: .number, 0x4461: .number, 0x4d80: .emptiedText, 0x5741: .emptiedText,
        ]),
        tracks: .elements([track: .elements(trackContent)]),
        cluster: .elements(clusterContent),
        // Cues: times and offsets.
        0x1c53_bb6b: .elements([
            0xbb: .elements([
                0xb3: .number,
                0xb7: .elements([
                    0xf7: .number, 0xf1: .number, 0xf0: .number, 0xb2: .number, 0x5378: .number, 0xea: .number,
                ]),
            ])
        ]),
    ]

    static let clusterContent: [Int: Content] = [
        0xe7: .number, 0xa7: .number, 0xab: .number, simpleBlock: .bytes,
        blockGroup: .elements(blockGroupContent),
    ]

    static let blockGroupContent: [Int: Content] = [
        block: .bytes, 0x9b: .number, 0xfb: .number, 0xfa: .number, 0x75a2: .number,
        // The alpha of a VP8 or VP9 picture.
        0x75a1: .elements([0xa6: .elements([0xa5: .bytes, 0xee: .number])]),
    ]

    static let trackContent: [Int: Content] = [
        trackNumber: .number, 0x73c5: .number, trackType: .number, 0xb9: .number, 0x88: .number, 0x55aa: .number,
        0x9c: .number, 0x6de7: .number, 0x6df8: .number, 0x23_e383: .number, 0x23_4e7a: .number, 0x23_314f: .number,
        0x55ee: .number, codec: .bytes, codecPrivate: .bytes, 0x56aa: .number, 0x56bb: .number,
        // Picture: size, crop, shape, alpha, colour, projection.
        0xe0: .elements([
            0x9a: .number, 0x9d: .number, 0x53b8: .number, 0x53c0: .number, 0xb0: .number, 0xba: .number,
            0x54aa: .number, 0x54bb: .number, 0x54cc: .number, 0x54dd: .number, 0x54b0: .number, 0x54ba: .number,
            0x54b2: .number, 0x54b3: .number, 0x2e_b524: .number, 0x23_83e3: .number,
            0x55b0: .elements(colorContent),
            0x7670: .elements([
                0x7671: .number, 0x7672: .bytes, 0x7673: .number, 0x7674: .number, 0x7675: .number,
            ]),
        ]),
        // Sound: rates, channels, depth.
        0xe1: .elements([0xb5: .number, 0x78b5: .number, 0x9f: .number, 0x6264: .number]),
        // The compression of blocks.
        0x6d80: .elements([
            0x6240: .elements([
                0x5031: .number, 0x5032: .number, 0x5033: .number,
                0x5034: .elements([0x4254: .number, 0x4255: .bytes]),
            ])
        ]),
    ]

    private static let colorContent: [Int: Content] = {
        var content: [Int: Content] = [:]
        for id in 0x55b1...0x55bd { content[id] = .number }
        content[0x55d0] = .elements(Dictionary(uniqueKeysWithValues: (0x55d1...0x55da).map { ($0, .number) }))
        return content
    }()
}
