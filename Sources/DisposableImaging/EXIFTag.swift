// SPDX-License-Identifier: Apache-2.0

/// The relevant tags of EXIF 2.32, by their treatment when a photo is shared.
enum EXIFTag {
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    static let interoperabilityDirectory: UInt16 = 0xa005
    static let dateTimeOriginal: UInt16 = 0x9003
    static let dateTimeDigitized: UInt16 = 0x9004
    static let thumbnailOffset: UInt16 = 0x0201
    static let thumbnailByteCount: UInt16 = 0x0202

    /// The tags that are kept: how to show the image, when it was taken, and with which kind of camera, lens and
    /// settings. All other tags are removed, so that unknown serial numbers of future makers are removed, too.
    static let kept: Set<UInt16> = [
        // Size, layout, orientation, resolution, colour.
        0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0112, 0x0115, 0x011a, 0x011b, 0x011c, 0x0128, 0x012d, 0x013e, 0x013f,
        0x0211, 0x0213, 0x0214, 0x9000, 0x9101, 0xa000, 0xa001, 0xa002, 0xa003, 0xa20e, 0xa20f, 0xa210, 0xa500,
        // Time.
        0x0132, dateTimeOriginal, dateTimeDigitized, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292,
        // Make and model of camera and lens.
        0x010f, 0x0110, 0xa432, 0xa433, 0xa434,
        // Exposure.
        0x829a, 0x829d, 0x8822, 0x8827, 0x8830, 0x8831, 0x8832, 0x9102, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206,
        0x9207, 0x9208, 0x9209, 0x920a, 0x9214, 0xa217, 0xa300, 0xa301, 0xa401, 0xa402, 0xa403, 0xa404, 0xa405, 0xa406,
        0xa407, 0xa408, 0xa409, 0xa40a, 0xa40c, 0xa460,
    ]

    /// The tags that are kept of the interoperability directory: index and version, which distinguish Adobe RGB from
    /// sRGB.
    static let keptForInteroperability: Set<UInt16> = [0x0001, 0x0002]

    /// The tags that are kept of the index of a file of several pictures: version, number of pictures, and their
    /// locations.
    static let keptForMultiPicture: Set<UInt16> = [0xb000, 0xb001, 0xb002]

    /// Tags whose values are texts: times, and make and model of camera and lens.
    private static let times: Set<UInt16> = [
        0x0132, dateTimeOriginal, dateTimeDigitized, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292,
    ]
    private static let names: Set<UInt16> = [0x010f, 0x0110, 0xa433, 0xa434]
    private static let nameByteCountMax = 64
    /// Most numbers have one to four values. Transfer function (3 x 256) and multi-picture entries (16 bytes each)
    /// differ.
    private static let longTags: [UInt16: Int] = [0x012d: 1_536, 0xb002: 1_024]
    private static let numberByteCountMax = 48

    /// Whether a kept tag has a value of its type. Otherwise any text could pass for the exposure time.
    static func allows(_ entry: TIFFBlock.Entry, _ value: ArraySlice<UInt8>) -> Bool {
        if times.contains(entry.tag) {
            return entry.isASCII && value.count <= 20
                && value.allSatisfy { $0 == 0 || (0x20...0x3a).contains($0) }
        }
        if names.contains(entry.tag) { return entry.isASCII && value.count <= nameByteCountMax }
        if entry.isASCII { return entry.tag == 0x0001 && value.count <= 4 }
        if entry.isOpaque, longTags[entry.tag] == nil { return value.count <= 4 }
        return value.count <= longTags[entry.tag] ?? numberByteCountMax
    }

    /// Returns the category in which the removal of a tag is reported.
    static func category(of tag: UInt16) -> ScrubReport.Category {
        switch tag {
        case gpsDirectory: .location
        case 0x927c: .makerNote
        // Body, lens and camera serial numbers, image id.
        case 0xa431, 0xa435, 0xc62f, 0xa420: .serialNumber
        // Artist, copyright, camera owner, Windows' author, photographer.
        case 0x013b, 0x8298, 0xa430, 0x9c9d, 0xa437: .owner
        case 0x02bc: .xmp
        case 0x83bb, 0x8649: .iptc
        // Description, user comment, Windows' title, comment, keywords, subject.
        case 0x010e, 0x9286, 0x9c9b, 0x9c9c, 0x9c9e, 0x9c9f, 0xa436: .text
        case thumbnailOffset, thumbnailByteCount: .embeddedThumbnail
        default: .other
        }
    }
}
