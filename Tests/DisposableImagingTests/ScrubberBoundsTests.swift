// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

/// Files made to end the process, or to keep it busy.
@Suite("Files made against the scrubber") struct ScrubberBoundsTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func number(_ value: Int, _ count: Int, isLittleEndian: Bool = false) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xff) }
        return isLittleEndian ? bytes : bytes.reversed()
    }

    private func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        let payload = parts.flatMap(\.self)
        return number(payload.count + 8, 4) + Array(type.utf8) + payload
    }

    @Test("an EXIF value of eight bytes at the place of the four in its entry is cleaned like any other")
    func valueAtItsOwnEntry() throws {
        func little(_ value: Int, _ count: Int) -> [UInt8] { number(value, count, isLittleEndian: true) }
        let entry = little(0x829a, 2) + little(5, 2) + little(1, 4) + little(8 + 2 + 8, 4)
        let tiff =
            Array("II*\0".utf8) + little(8, 4) + little(1, 2) + entry + little(0, 4) + [UInt8](repeating: 0, count: 16)
        let segment = Array("Exif\0\0".utf8) + tiff
        let path = try folder.write(
            [0xff, 0xd8, 0xff, 0xe1] + number(segment.count + 2, 2) + segment + [0xff, 0xd9], to: "a")
        #expect(try MetadataScrubber.scrub(fileAt: path).mediaType == .jpeg)
    }

    @Test("a run of more and larger samples than the file has bytes is malformed")
    func hugeRun() throws {
        let handler = box("hdlr", number(0, 8), Array("vide".utf8), number(0, 12))
        let header = box("tkhd", number(0, 12), number(1, 4), [UInt8](repeating: 0, count: 68))
        let track = box("trak", header, box("mdia", handler))
        let movie = box("moov", box("mvhd", [UInt8](repeating: 0, count: 100)), track)
        let fragment = box("tfhd", number(0x10, 4), number(1, 4), number(0xffff_ffff, 4))
        let run = box("trun", number(0, 4), number(0xffff_ffff, 4))
        let file =
            box("ftyp", Array("isom".utf8), number(0, 4), Array("isomiso5".utf8)) + movie
            + box("moof", box("mfhd", number(0, 8)), box("traf", fragment, run)) + box("mdat", number(1, 64))
        let path = try folder.write(file, to: "b")
        #expect(try MetadataScrubber.scrub(fileAt: path).isUnparsable)
    }

    @Test("a small file that has us look for the end of a scan again and again is given up")
    func manyScans() throws {
        // Each pattern is a byte between segments and a marker without contents: for each, blocks of 64 KiB are read.
        let pattern = (0..<9_000).flatMap { _ in [UInt8]([0x00, 0xff, 0x01]) }
        let image = [0xff, 0xd8, 0xff, 0x01] + pattern + [UInt8](repeating: 0, count: 200_000)
        let path = try folder.write(image, to: "c")
        #expect(try MetadataScrubber.scrub(fileAt: path).isUnparsable)
    }
}
