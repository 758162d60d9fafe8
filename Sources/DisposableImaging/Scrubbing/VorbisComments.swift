// SPDX-License-Identifier: Apache-2.0

/// The setup of a Vorbis sound track: three packets, the second of which is a list of comments.
enum VorbisComments {
    private static let byteCountMax = 1 << 20

    /// Fills the texts with spaces; their lengths stay. Throws `malformed` for packets that cannot be separated.
    static func blank(in setup: Range<Int>, of region: inout FileRegion) throws(ScrubFailure) {
        guard setup.count <= byteCountMax else { throw .malformed }
        let bytes = try region.bytes(setup)
        // Xiph lacing: the number of packets less one, then the length of each but the last in bytes that add up.
        guard bytes.first == 2 else { throw .malformed }
        var index = 1
        func length() throws(ScrubFailure) -> Int {
            var sum = 0
            while index < bytes.count {
                sum += Int(bytes[index])
                index += 1
                if bytes[index - 1] < 255 { return sum }
            }
            throw .malformed
        }
        let (first, second) = (try length(), try length())
        let start = index + first
        guard start + second <= bytes.count, bytes[min(start, bytes.count)...].starts(with: [3] + Array("vorbis".utf8))
        else { throw .malformed }
        let end = start + second
        var offset = start + 7
        func number() throws(ScrubFailure) -> Int {
            guard offset + 4 <= end else { throw .malformed }
            defer { offset += 4 }
            return bytes[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func blankText() throws(ScrubFailure) {
            let count = try number()
            guard count <= end - offset else { throw .malformed }
            let text = (setup.lowerBound + offset)..<(setup.lowerBound + offset + count)
            try region.fill(text, with: UInt8(ascii: " "), as: .text)
            offset += count
        }
        try blankText()
        for _ in 0..<(try number()) { try blankText() }
        // A framing bit ends the packet.
        guard offset < end else { return }
        try region.fill((setup.lowerBound + offset + 1)..<(setup.lowerBound + end), as: .text)
    }
}
