// SPDX-License-Identifier: Apache-2.0
import DisposableSimulation
import DisposableSync
import Testing

@Suite("FrameDecoder") struct FrameDecoderTests {
    @Test("frames come out whole, however the bytes are cut, and the missing bytes are counted", arguments: UInt64(0)..<40)
    func cuts(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let frames = (0..<12).map { _ in random.bytes(Int.random(in: 0...900, using: &random)) }
        var stream: [UInt8] = []
        for frame in frames { stream += [UInt8(frame.count >> 8), UInt8(frame.count & 255)] + frame }
        var decoder = FrameDecoder()
        var found: [[UInt8]] = []
        var sent = 0
        while sent < stream.count {
            let count = min(Int.random(in: 1...1_400, using: &random), stream.count - sent)
            decoder.append(Array(stream[sent..<sent + count]))
            sent += count
            while let frame = decoder.nextFrame() { found.append(Array(frame)) }
            let missing = decoder.missingByteCount
            #expect(missing >= 1)
            // As many bytes complete a frame, or tell its length if even that is not known.
            var probe = decoder
            if decoder.bufferedByteCount >= 2 {
                probe.append(Array(stream[sent..<sent + missing - 1]))
                #expect(probe.nextFrame() == nil)
                probe.append([stream[sent + missing - 1]])
                #expect(probe.nextFrame() != nil)
            } else {
                #expect(missing == 1)
            }
        }
        #expect(found == frames)
        #expect(decoder.bufferedByteCount == 0)
    }

    @Test("a preface and the frames behind it may share a read")
    func units() {
        var decoder = FrameDecoder()
        decoder.append([1, 2, 3])
        #expect(decoder.next(byteCount: 4) == nil)
        decoder.append([4, 0])
        #expect(decoder.next(byteCount: 4).map(Array.init) == [1, 2, 3, 4])
        decoder.append([2])
        decoder.append([5])
        #expect(decoder.missingByteCount == 1)
        decoder.append([6, 0])
        #expect(decoder.nextFrame().map(Array.init) == [5, 6])
        #expect(decoder.bufferedByteCount == 1)
    }
}
