// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Testing

@Suite struct WorkerMessageTests {
    static let replies: [WorkerReply] = [
        .rendered(RenderedImage(mediaType: .webm)),
        .rendered(
            RenderedImage(
                mediaType: .jpeg, capturedAt: CaptureTime(milliseconds: -5, hasTimeZone: true),
                renditions: Renditions(width: 30, height: 20, thumbnail: [1, 2], preview: [3]),
                warnings: [.damaged, .noDecoder])),
        .cleaned(ScrubReport()), .cleaned(report), .photo([9, 8, 7]), .confinement([.fileRules, .systemCallFilter]),
        .failed(.unreadable(code: 13)), .failed(.notARegularFile), .failed(.tooLarge(byteCount: 7, limit: 5)),
        .failed(.notAccepted), .failed(.tooManyPixels(width: 50_000, height: 50_000, limit: 120_000_000)),
        .failed(.undecodable("no end of image")), .failed(.unshrinkable(byteCountMax: 4)),
    ]
    private static let report = {
        var report = ScrubReport()
        report.mediaType = .webm
        report.isUnparsable = true
        report.durationMilliseconds = 60_000
        report.changedByteCounts = [.location: 4_096, .other: 268_435_456]
        return report
    }()
    static let requests: [WorkerRequest] = [
        .render, .confinement, .clean, .demoPhoto(DemoPhoto(seed: .max, width: 16, height: 8_192)),
    ]

    @Test("requests survive the way to the helper", arguments: requests)
    func requestRoundTrip(request: WorkerRequest) throws {
        #expect(try WorkerRequest(encoded: request.encoded) == request)
    }

    @Test("answers survive the way back", arguments: replies)
    func replyRoundTrip(reply: WorkerReply) throws {
        #expect(try WorkerReply(encoded: reply.encoded) == reply)
    }

    @Test("an answer that is cut, or too long, is malformed", arguments: replies)
    func truncation(reply: WorkerReply) {
        for count in 0..<reply.encoded.count {
            #expect(throws: ImagingError.malformedMessage) {
                try WorkerReply(encoded: Array(reply.encoded.prefix(count)))
            }
        }
        #expect(throws: ImagingError.malformedMessage) { try WorkerReply(encoded: reply.encoded + [0]) }
    }

    @Test("renditions above their limits are malformed in every reply")
    func oversized() {
        let thumbnail = [UInt8](repeating: 0, count: Renditions.thumbnailByteCountMax + 1)
        let image = RenderedImage(
            mediaType: .jpeg, renditions: Renditions(width: 1, height: 1, thumbnail: thumbnail, preview: []))
        #expect(throws: ImagingError.malformedMessage) { try WorkerReply(encoded: WorkerReply.rendered(image).encoded) }
    }
}
