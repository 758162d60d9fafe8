// SPDX-License-Identifier: Apache-2.0

/// An EXIF block as a phone writes it, full of things to hide. Each of those contains `secret`.
struct TestEXIF {
    static let secret = "SECRET"
    var isLittleEndian: Bool
    var orientation = 6
    /// Eight bytes that say where the thumbnail is, instead of four.
    var thumbnailPlace: [UInt8]?

    private struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        var value: [UInt8]
    }

    var block: [UInt8] {
        let kept = [
            ascii(0x010f, "Maker"), ascii(0x0110, "Model 5"), short(0x0112, orientation),
            ascii(0x0132, "2025:08:16 15:00:00"),
        ]
        let exif = [
            ascii(0x9003, "2025:08:16 14:03:22"), ascii(0x9011, "+02:00"), opaque(0x927c, "maker note"),
            opaque(0x9286, "user comment"), ascii(0x9291, "25"), short(0xa001, 1), short(0xa002, 64),
            ascii(0xa420, "image id \(Self.secret)"), ascii(0xa430, "owner \(Self.secret)"),
            ascii(0xa431, "body \(Self.secret)"), ascii(0xa435, "lens \(Self.secret)"),
        ]
        let gps = [ascii(1, "N"), rationals(2, [48, 51, 30]), ascii(3, "E"), opaque(0x1b, "GPS method")]
        let thumbnail = Array("\u{0}\u{0}thumbnail \(Self.secret)".utf8)

        // Header, main directory with its values, then the others; three pointers to be filled in.
        let mainCount = kept.count + 3
        let mainOffset = 8
        let mainEnd = mainOffset + 2 + 12 * mainCount + 4
        let artist = ascii(0x013b, "artist \(Self.secret)")
        let valueCount = (kept + [artist]).map { $0.value.count > 4 ? $0.value.count : 0 }.reduce(0, +)
        let exifOffset = mainEnd + valueCount
        let exifBytes = directory(exif, at: exifOffset, next: 0)
        let gpsOffset = exifOffset + exifBytes.count
        let gpsBytes = directory(gps, at: gpsOffset, next: 0)
        let secondOffset = gpsOffset + gpsBytes.count
        let secondLength = 2 + 12 * 2 + 4
        let second = directory(
            [
                thumbnailPlace.map { Entry(tag: 0x0201, type: 12, count: 1, value: $0) }
                    ?? long(0x0201, secondOffset + secondLength), long(0x0202, thumbnail.count),
            ], at: secondOffset, next: 0)
        let main = (kept + [artist, long(0x8769, exifOffset), long(0x8825, gpsOffset)]).sorted { $0.tag < $1.tag }
        let header: [UInt8] = (isLittleEndian ? [0x49, 0x49] : [0x4d, 0x4d]) + number(42, 2) + number(mainOffset, 4)
        return header + directory(main, at: mainOffset, next: secondOffset) + exifBytes + gpsBytes + second + thumbnail
            + Array("orphan \(Self.secret)".utf8)
    }

    /// As a segment of a JPEG file.
    var segment: [UInt8] { Self.segment(0xe1, Array("Exif\0\0".utf8) + block) }

    static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xff, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xff)] + payload
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittleEndian ? bytes : bytes.reversed()
    }

    private func ascii(_ tag: Int, _ text: String) -> Entry {
        Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
    }

    private func opaque(_ tag: Int, _ text: String) -> Entry {
        let bytes = Array("\(text) \(Self.secret)".utf8)
        return Entry(tag: tag, type: 7, count: bytes.count, value: bytes)
    }

    private func short(_ tag: Int, _ value: Int) -> Entry {
        Entry(tag: tag, type: 3, count: 1, value: number(value, 2))
    }
    private func long(_ tag: Int, _ value: Int) -> Entry { Entry(tag: tag, type: 4, count: 1, value: number(value, 4)) }

    private func rationals(_ tag: Int, _ values: [Int]) -> Entry {
        Entry(tag: tag, type: 5, count: values.count, value: values.flatMap { number($0, 4) + number(1, 4) })
    }

    private func directory(_ entries: [Entry], at offset: Int, next: Int) -> [UInt8] {
        var table = number(entries.count, 2)
        var values: [UInt8] = []
        let valuesOffset = offset + 2 + 12 * entries.count + 4
        for entry in entries {
            table += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            if entry.value.count <= 4 {
                table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                table += number(valuesOffset + values.count, 4)
                values += entry.value
            }
        }
        return table + number(next, 4) + values
    }
}
