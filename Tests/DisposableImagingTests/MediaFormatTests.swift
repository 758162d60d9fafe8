// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Testing

@Suite struct MediaFormatTests {
    static func box(_ major: String, _ compatible: [String] = []) -> [UInt8] {
        [0, 0, 0, UInt8(16 + 4 * compatible.count)] + "ftyp\(major)".utf8 + [0, 0, 0, 0] + compatible.joined().utf8
    }

    static let heads: [([UInt8], MediaFormat?)] = [
        ([0xff, 0xd8, 0xff, 0xe1], .jpeg),
        ([0x89] + "PNG\r\n\u{1a}\n".utf8, .png),
        (Array("GIF89a".utf8), .gif),
        (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webp),
        (Array("RIFF\0\0\0\0WAVEfmt ".utf8), nil),
        (box("heic", ["mif1"]), .heic),
        (box("mif1", ["heic"]), .heic),
        (box("mif1", ["miaf", "avif"]), .avif),
        (box("avif"), .avif),
        (box("isom", ["avc1"]), .mp4),
        (box("3gp4"), .mp4),
        (box("qt  "), .quicktime),
        (box("crx "), nil),
        ([0, 0, 0, 8] + "wide".utf8 + [0, 0, 0, 0] + "mdat".utf8, .quicktime),
        ([0x1a, 0x45, 0xdf, 0xa3, 0x93, 0x42, 0x82, 0x84] + "webm".utf8, .webm),
        ([0x1a, 0x45, 0xdf, 0xa3, 0x93, 0x42, 0x82, 0x88] + "matroska".utf8, nil),
        ([0x49, 0x49, 0x2a, 0], nil),
        (Array("<svg xmlns=".utf8), nil),
        (Array("%PDF-1.7".utf8), nil),
        (Array("hello, I am a photo".utf8), nil),
        ([], nil),
    ]

    @Test("the first bytes decide, whatever a file is called", arguments: heads)
    func sniffs(head: [UInt8], type: MediaFormat?) {
        #expect(MediaFormat(sniffing: head) == type)
    }

    @Test("a head cut anywhere is the same type or none", arguments: heads)
    func survivesTruncation(head: [UInt8], type: MediaFormat?) {
        for count in 0...head.count {
            guard let found = MediaFormat(sniffing: Array(head.prefix(count))) else { continue }
            // A brand list cut short may hide the more exact brand.
            #expect(found == type || (type == .avif && found == .heic))
        }
    }

    @Test("every type has a name for web pages")
    func names() {
        #expect(MediaFormat.quicktime.mimeType == "video/quicktime")
        #expect(MediaFormat.jpeg.mimeType == "image/jpeg")
        #expect(MediaFormat.allCases.filter { $0.family == .video } == [.mp4, .quicktime, .webm])
    }
}
