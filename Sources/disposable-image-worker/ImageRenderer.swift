// SPDX-License-Identifier: Apache-2.0
internal import DisposableImaging

/// Makes the small versions of one file.
enum ImageRenderer {
    static func render(_ file: borrowing RegularFile) throws(ImagingError) -> RenderedImage {
        guard let type = MediaFormat(sniffing: try file.bytes(in: 0..<MediaFormat.sniffedByteCount)) else {
            throw .notAccepted
        }
        guard type.family == .image else { return RenderedImage(mediaType: type) }
        let source = try VipsByteSource(file)
        guard Vips.hasLoader(for: source) else {
            guard type == .heic || type == .avif else { throw .undecodable(Vips.takeError()) }
            _ = Vips.takeError()
            return RenderedImage(mediaType: type, warnings: [.noDecoder])
        }
        let header = try VipsPicture(source, isTolerant: true)
        let (width, height) = (header.width, header.height)
        guard width * height <= ImagingLimits.pixelCountMax else {
            throw .tooManyPixels(width: width, height: height, limit: ImagingLimits.pixelCountMax)
        }
        var image = RenderedImage(mediaType: type)
        image.capturedAt = header.exif.flatMap { TIFFBlock($0) }.flatMap { CaptureTime(exif: $0) }
        let shrink = type == .jpeg ? Self.shrink(longSide: max(width, height)) : 1
        let preview: VipsPicture
        do throws(ImagingError) {
            preview = try decode(source, shrink: shrink, isTolerant: false)
        } catch {
            preview = try decode(source, shrink: shrink, isTolerant: true)
            _ = Vips.takeError()
            image.warnings.append(.damaged)
        }
        let isTurned = (5...8).contains(header.orientation)
        image.renditions = Renditions(
            width: isTurned ? height : width, height: isTurned ? width : height,
            thumbnail: try fit(
                preview.thumbnail(side: Renditions.thumbnailSide).inMemory(), Renditions.thumbnailByteCountMax),
            preview: try fit(preview, Renditions.previewByteCountMax))
        return image
    }

    /// Returns the factor by which a JPEG may be reduced on decoding without becoming smaller than the preview.
    private static func shrink(longSide: Int) -> Int {
        [8, 4, 2].first { longSide / $0 >= Renditions.previewSide } ?? 1
    }

    private static func decode(
        _ source: borrowing VipsByteSource, shrink: Int, isTolerant: Bool
    ) throws(ImagingError) -> VipsPicture {
        let picture = try VipsPicture(source, shrink: shrink, isTolerant: isTolerant)
        return try picture.shrunkInProfile(toSide: Renditions.previewSide).flattened().inMemory()
    }

    /// Returns the JPEG of best quality that has at most `byteCountMax` bytes; if none has, that of a smaller picture.
    private static func fit(_ picture: borrowing VipsPicture, _ byteCountMax: Int) throws(ImagingError) -> [UInt8] {
        // With the least part of the size at quality 80 that a picture has at this one: an attempt that cannot fit
        // costs as much as one that does.
        var byteCount = 0
        for (quality, leastPart) in [(80, 0.0), (70, 0.74), (60, 0.58), (50, 0.48), (40, 0.39)] {
            guard Double(byteCount) * leastPart <= Double(byteCountMax) else { continue }
            let bytes = try picture.jpeg(quality: quality, isStripped: true)
            if bytes.count <= byteCountMax { return bytes }
            if quality == 80 { byteCount = bytes.count }
        }
        let side = max(picture.width, picture.height) * 3 / 4
        guard side > 0 else { throw .unshrinkable(byteCountMax: byteCountMax) }
        return try fit(picture.shrunk(toSide: side).inMemory(), byteCountMax)
    }
}
