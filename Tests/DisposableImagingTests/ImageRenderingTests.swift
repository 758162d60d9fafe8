// SPDX-License-Identifier: Apache-2.0
import CVips
import DisposableImaging
import Foundation
import Testing

/// The worker's results for files, good and bad, through the pool like the node's.
@Suite struct ImageRenderingTests {
    let folder: TestFolder
    let pool = ImageWorkerPool(count: 1, timeout: .patience)

    init() throws { folder = try TestFolder() }

    private func photo(
        _ name: String = "photo.jpg", seed: UInt64 = 7, width: Int = 640, height: Int = 480
    ) async throws -> String {
        try folder.write(try await pool.jpeg(of: DemoPhoto(seed: seed, width: width, height: height)), to: name)
    }

    private func thumbnail(of image: RenderedImage) throws -> TestPicture {
        let renditions = try #require(image.renditions)
        return try TestPicture(path: try folder.write(renditions.thumbnail, to: "thumbnail-\(UUID()).jpg"))
    }

    private func preview(of image: RenderedImage) throws -> TestPicture {
        let renditions = try #require(image.renditions)
        return try TestPicture(path: try folder.write(renditions.preview, to: "preview-\(UUID()).jpg"))
    }

    @Test("a 12-megapixel photo gives a thumbnail and a preview within their limits, and its time")
    func large() async throws {
        let original = try await pool.jpeg(of: DemoPhoto(seed: 42, capturedAtMilliseconds: 1_755_345_600_000))
        #expect((2_000_000...5_000_000).contains(original.count))
        let image = try await pool.render(path: try folder.write(original, to: "large.jpg"))
        #expect(image.mediaType == .jpeg)
        #expect(image.warnings == [])
        #expect(image.capturedAt == CaptureTime(milliseconds: 1_755_345_600_000, hasTimeZone: true))
        let renditions = try #require(image.renditions)
        #expect(renditions.size == Size(width: 4_000, height: 3_000))
        #expect(renditions.thumbnail.count <= 24 << 10)
        #expect(renditions.preview.count <= 512 << 10)
        let (thumbnail, preview) = (try thumbnail(of: image), try preview(of: image))
        #expect(thumbnail.size == Size(width: 320, height: 240))
        #expect(preview.size == Size(width: 1_600, height: 1_200))
        #expect(thumbnail.bandCount == 3 && preview.bandCount == 3)
        // Nothing but the image: no EXIF, no profile.
        for bytes in [renditions.thumbnail, renditions.preview] {
            #expect(Data(bytes).range(of: Data("Exif".utf8)) == nil)
            #expect(Data(bytes).range(of: Data("ICC_PROFILE".utf8)) == nil)
        }
    }

    @Test("the same demo photo is the same bytes; another seed is another photo")
    func demoPhotos() async throws {
        let first = try await pool.jpeg(of: DemoPhoto(seed: 1, width: 200, height: 100))
        #expect(try await pool.jpeg(of: DemoPhoto(seed: 1, width: 200, height: 100)) == first)
        #expect(try await pool.jpeg(of: DemoPhoto(seed: 2, width: 200, height: 100)) != first)
    }

    @Test("pure noise, the worst there is for JPEG, still fits")
    func noise() async throws {
        var random = SplitMix64(state: 1)
        let rows = (0..<1_700).map { _ in
            (0..<640).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }.prefix(5_100)
        }
        let png = TestPNG.file(header: TestPNG.header(width: 1_700, height: 1_700), rows: rows.map(Array.init))
        let image = try await pool.render(path: try folder.write(png, to: "noise.png"))
        #expect(try #require(image.renditions).thumbnail.count <= 24 << 10)
        #expect(try #require(image.renditions).preview.count <= 512 << 10)
    }

    @Test("each of the eight orientations is turned upright", arguments: 1...8)
    func orientation(value: Int) async throws {
        // Red in the stored top left corner, black elsewhere; where the corner shows depends on the orientation.
        let red: [UInt8] = [255, 0, 0]
        let rows = (0..<60).map { y in (0..<100).flatMap { x in x < 30 && y < 20 ? red : [0, 0, 0] } }
        let png = try folder.write(
            TestPNG.file(header: TestPNG.header(width: 100, height: 60), rows: rows), to: "a.png")
        let plain = folder.file("plain.jpg")
        try TestPicture.convert(png, to: plain + "[Q=95,strip]")
        var exif = TestEXIF(isLittleEndian: value % 2 == 0)
        exif.orientation = value
        let bytes = try TestFolder.bytes(at: plain)
        let path = try folder.write(Array(bytes[..<2]) + exif.segment + Array(bytes[2...]), to: "turned.jpg")
        let image = try await pool.render(path: path)
        let renditions = try #require(image.renditions)
        #expect(renditions.size == (value > 4 ? Size(width: 60, height: 100) : Size(width: 100, height: 60)))
        let preview = try preview(of: image)
        #expect(preview.size == renditions.size)
        let isRight = [2, 3, 6, 7].contains(value)
        let isBottom = [3, 4, 7, 8].contains(value)
        let corner = preview.pixel(x: isRight ? preview.width - 6 : 5, y: isBottom ? preview.height - 6 : 5)
        let opposite = preview.pixel(x: isRight ? 5 : preview.width - 6, y: isBottom ? 5 : preview.height - 6)
        #expect(corner[0] > 200 && corner[1] < 60)
        #expect(opposite[0] < 60)
        #expect(image.capturedAt == CaptureTime(milliseconds: 1_755_345_802_250, hasTimeZone: true))
    }

    @Test("what is transparent becomes white")
    func alpha() async throws {
        let rows = [[UInt8]](repeating: [UInt8](repeating: 0, count: 4 * 40), count: 40)
        let png = TestPNG.file(header: TestPNG.header(width: 40, height: 40, colorType: 6), rows: rows)
        let image = try await pool.render(path: try folder.write(png, to: "clear.png"))
        #expect(try thumbnail(of: image).pixel(x: 20, y: 20) == [255, 255, 255])
    }

    @Test("16 bits a sample, in gray")
    func deep() async throws {
        let rows = [[UInt8]](repeating: [UInt8](repeating: 0x80, count: 2 * 40), count: 40)
        let png = TestPNG.file(header: TestPNG.header(width: 40, height: 40, bitDepth: 16, colorType: 0), rows: rows)
        let image = try await pool.render(path: try folder.write(png, to: "deep.png"))
        let pixel = try thumbnail(of: image).pixel(x: 20, y: 20)
        #expect(pixel.allSatisfy { (120...136).contains($0) })
    }

    @Test("colours in a phone's wide gamut come out as they look, not as they are stored")
    func wideGamut() async throws {
        let color: [UInt8] = [220, 60, 40]
        let rows = [[UInt8]](repeating: Array(repeatElement(color, count: 40).joined()), count: 40)
        let png = try folder.write(TestPNG.file(header: TestPNG.header(width: 40, height: 40), rows: rows), to: "c.png")
        try TestPicture.convert(png, to: folder.file("p3.png"), profile: "p3")
        let stored = try TestPicture(path: folder.file("p3.png")).pixel(x: 20, y: 20)
        #expect(zip(stored, color).contains { abs(Int($0) - Int($1)) > 10 })
        let shown = try preview(of: try await pool.render(path: folder.file("p3.png"))).pixel(x: 20, y: 20)
        #expect(zip(shown, color).allSatisfy { abs(Int($0) - Int($1)) <= 6 }, "\(shown)")
    }

    @Test("CMYK becomes sRGB")
    func printColors() async throws {
        let rows = [[UInt8]](repeating: [UInt8](repeating: 255, count: 3 * 40), count: 40)
        let png = try folder.write(TestPNG.file(header: TestPNG.header(width: 40, height: 40), rows: rows), to: "w.png")
        try TestPicture.convert(png, to: folder.file("print.jpg"), VIPS_INTERPRETATION_CMYK)
        #expect(try TestPicture(path: folder.file("print.jpg")).bandCount == 4)
        let picture = try thumbnail(of: try await pool.render(path: folder.file("print.jpg")))
        #expect(picture.bandCount == 3)
        #expect(picture.pixel(x: 20, y: 20).allSatisfy { $0 > 240 })
    }

    @Test("other formats are decoded, too", arguments: [("png", MediaFormat.png), ("webp", .webp), ("gif", .gif)])
    func formats(suffix: String, type: MediaFormat) async throws {
        let path = folder.file("other.\(suffix)")
        try TestPicture.convert(try await photo(), to: path)
        let image = try await pool.render(path: path)
        #expect(image.mediaType == type)
        #expect(try #require(image.renditions).width == 640)
        #expect(image.warnings == [])
    }

    @Test("HEIC and AVIF are decoded where the library can", arguments: [("heic", MediaFormat.heic), ("avif", .avif)])
    func heif(suffix: String, type: MediaFormat) async throws {
        let path = folder.file("phone.\(suffix)")
        try TestPicture.convert(try await photo(), to: path)
        let image = try await pool.render(path: path)
        #expect(image.mediaType == type)
        if image.warnings == [.noDecoder] {
            #expect(image.renditions == nil)
        } else {
            #expect(try #require(image.renditions).width == 640)
            #expect(image.capturedAt != nil)
        }
    }

    @Test("a video is accepted and not decoded")
    func video() async throws {
        let path = try folder.write(MediaFormatTests.box("isom", ["avc1"]) + [1, 2, 3], to: "clip.mp4")
        #expect(try await pool.render(path: path) == RenderedImage(mediaType: .mp4))
    }

    @Test("a truncated photo shows what there is, with a warning, or is refused as undecodable")
    func truncated() async throws {
        let bytes = try await pool.jpeg(of: DemoPhoto(seed: 9, width: 800, height: 600))
        var renderedCount = 0
        for count in Array(stride(from: 0, to: 800, by: 61)) + Array(stride(from: 1_000, to: bytes.count, by: 7_001)) {
            let path = try folder.write(Array(bytes.prefix(count)), to: "cut.jpg")
            do {
                let image = try await pool.render(path: path)
                #expect(image.warnings == [.damaged], "cut at \(count)")
                #expect(try #require(image.renditions).width == 800)
                renderedCount += 1
            } catch ImagingError.undecodable, ImagingError.notAccepted {
                #expect(count < 1_000, "cut at \(count)")
            }
        }
        #expect(renderedCount > 3)
    }

    @Test("a file of nothing, and a text called a photo, are not accepted")
    func notAccepted() async throws {
        for content in ["", "I am not a photo", "<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.4"] {
            let path = try folder.write(Array(content.utf8), to: "text.jpg")
            await #expect(throws: ImagingError.notAccepted) { try await pool.render(path: path) }
        }
    }

    @Test("a small file that claims 2.5 gigapixels is refused from its header")
    func claimedSize() async throws {
        let png = TestPNG.file(header: TestPNG.header(width: 50_000, height: 50_000), rows: [[0, 0, 0]])
        let path = try folder.write(png, to: "huge.png")
        await #expect(throws: ImagingError.tooManyPixels(width: 50_000, height: 50_000, limit: 120_000_000)) {
            try await pool.render(path: path)
        }
    }

    @Test("a compressed bomb just under the pixel limit is decoded within the memory limit")
    func bomb() async throws {
        // A black square of 10,900 x 10,900 pixels, which compresses to next to nothing; interlaced, so that all of it
        // is in memory at once.
        let small = TestPNG.file(header: TestPNG.header(width: 1, height: 1, colorType: 0), rows: [[0]])
        let source = try folder.write(small, to: "dot.png")
        let path = folder.file("bomb.png")
        try TestPicture.enlarge(source, by: 10_900, to: path + "[interlace,compression=1]")
        #expect(try TestFolder.bytes(at: path).count < 2_000_000)
        let image = try await pool.render(path: path)
        #expect(try #require(image.renditions).width == 10_900)
    }

    @Test("what cannot be opened, or is no file, is an error of its own; a link is not followed")
    func unreadable() async throws {
        await #expect(throws: ImagingError.unreadable(code: ENOENT)) {
            try await pool.render(path: folder.file("nothing.jpg"))
        }
        await #expect(throws: ImagingError.notARegularFile) { try await pool.render(path: folder.path) }
        #expect(mkfifo(folder.file("pipe.jpg"), 0o600) == 0)
        await #expect(throws: ImagingError.notARegularFile) { try await pool.render(path: folder.file("pipe.jpg")) }
        let target = try await photo()
        #expect(symlink(target, folder.file("link.jpg")) == 0)
        await #expect(throws: ImagingError.unreadable(code: ELOOP)) {
            try await pool.render(path: folder.file("link.jpg"))
        }
    }

    @Test("200 mutated photos cost at most themselves: the next good one is rendered")
    func fuzz() async throws {
        var random = SplitMix64(state: 2)
        let photo = try await photo(width: 160, height: 120)
        try TestPicture.convert(photo, to: folder.file("photo.png"))
        try TestPicture.convert(photo, to: folder.file("photo.webp"))
        let samples = try ["jpg", "png", "webp"].map { try TestFolder.bytes(at: folder.file("photo.\($0)")) }
        for index in 0..<200 {
            let path = try folder.write(random.mutated(samples[index % 3]), to: "mutated")
            do {
                _ = try await pool.render(path: path)
            } catch let error as ImagingError {
                switch error {
                case .undecodable, .notAccepted, .tooManyPixels: break
                default: Issue.record("mutation \(index): \(error)")
                }
            }
        }
        #expect(try await pool.render(path: photo).renditions != nil)
    }
}
