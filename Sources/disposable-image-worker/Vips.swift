// SPDX-License-Identifier: Apache-2.0
internal import CVips
internal import DisposableImaging

/// The libvips library: started once, with only the accepted loaders.
enum Vips {
    /// Returns false if the library does not start.
    static func start() -> Bool {
        guard vips_init("disposable-image-worker") == 0 else { return false }
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        vips_block_untrusted_set(1)
        // The just-in-time compiler under libvips needs memory for code, which confinement forbids.
        vips_vector_set_enabled(0)
        // Only the loaders named here ever get untrusted bytes.
        vips_operation_block_set("VipsForeignLoad", 1)
        for loader in ["Jpeg", "Png", "Webp", "Nsgif", "Heif"] {
            vips_operation_block_set("VipsForeignLoad\(loader)", 0)
        }
        warmUp()
        return true
    }

    /// Makes the loaders, and the colour conversion, open their files once. Later they can open none.
    private static func warmUp() {
        let samples: [[UInt8]] = [
            [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8),
            [0, 0, 0, 24] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("mif1avif".utf8),
        ]
        for sample in samples {
            // Fails, because it contains no picture.
            sample.withUnsafeBytes {
                if let image = cvips_image_new_from_buffer($0.baseAddress, $0.count) { g_object_unref(image) }
            }
        }
        if let picture = try? VipsPicture(Array(repeating: 0, count: 16 * 16 * 3), width: 16, height: 16) {
            _ = try? picture.convertedToSRGB().jpeg(quality: 80, isStripped: true)
        }
        vips_error_clear()
    }

    /// Returns the library's error messages since the last call, in one line.
    static func takeError() -> String {
        guard let buffer = vips_error_buffer_copy() else { return "no reason given" }
        defer { g_free(buffer) }
        let lines = String(cString: buffer).split(separator: "\n")
        return lines.isEmpty ? "no reason given" : lines.joined(separator: "; ")
    }

    /// Whether one of the loaders recognizes these bytes.
    static func hasLoader(for source: borrowing VipsByteSource) -> Bool {
        vips_foreign_find_load_source(source.pointer) != nil
    }

    static func check(_ code: Int32) throws(ImagingError) {
        guard code == 0 else { throw .undecodable(takeError()) }
    }
}

/// An open file as a source of libvips, read at any offset or from start to end.
struct VipsByteSource: ~Copyable {
    fileprivate let pointer: UnsafeMutablePointer<VipsSource>

    init(_ file: borrowing RegularFile) throws(ImagingError) {
        guard let pointer = vips_source_new_from_descriptor(file.descriptor) else {
            throw .undecodable(Vips.takeError())
        }
        self.pointer = pointer
    }

    deinit { g_object_unref(pointer) }
}

/// An image of libvips: a pipeline that is executed when pixels are requested.
struct VipsPicture: ~Copyable {
    private let pointer: UnsafeMutablePointer<VipsImage>

    private init(_ make: (UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>) -> Int32) throws(ImagingError) {
        var pointer: UnsafeMutablePointer<VipsImage>?
        guard make(&pointer) == 0, let pointer else { throw .undecodable(Vips.takeError()) }
        self.pointer = pointer
    }

    deinit { g_object_unref(pointer) }

    /// Reads the header; pixels are decoded on request, once, from top to bottom.
    ///
    /// A tolerant picture yields the readable part of a corrupt image, others fail. `shrink` is for JPEG only, which
    /// can be decoded at a half, a quarter or an eighth of its size.
    init(_ source: borrowing VipsByteSource, shrink: Int = 1, isTolerant: Bool) throws(ImagingError) {
        let source = source.pointer
        let options = shrink == 1 ? "" : "[shrink=\(shrink)]"
        try self.init { out in
            out.pointee = cvips_image_new_from_source(
                source, options, isTolerant ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_ERROR)
            return out.pointee == nil ? -1 : 0
        }
    }

    /// Copies pixels of red, green and blue, row by row.
    init(_ pixels: [UInt8], width: Int, height: Int) throws(ImagingError) {
        let plain = try VipsPicture {
            $0.pointee = vips_image_new_from_memory_copy(
                pixels, pixels.count, Int32(width), Int32(height), 3, VIPS_FORMAT_UCHAR)
            return $0.pointee == nil ? -1 : 0
        }
        try self.init { cvips_copy(plain.pointer, $0, VIPS_INTERPRETATION_sRGB) }
    }

    /// Creates noise around zero; a repeated tile, as noise is slow to make.
    init(noiseWithWidth width: Int, height: Int, sigma: Double, seed: Int32) throws(ImagingError) {
        let side = min(256, max(width, height))
        let tile = try VipsPicture { cvips_gaussnoise($0, Int32(side), Int32(side), 0, sigma, seed) }.inMemory()
        let tiles = try VipsPicture {
            cvips_replicate(tile.pointer, $0, Int32(width / side + 1), Int32(height / side + 1))
        }
        try self.init { cvips_crop(tiles.pointer, $0, 0, 0, Int32(width), Int32(height)) }
    }

    var width: Int { Int(vips_image_get_width(pointer)) }
    var height: Int { Int(vips_image_get_height(pointer)) }
    /// EXIF's eight orientations; 5 to 8 exchange width and height.
    var orientation: Int { Int(vips_image_get_orientation(pointer)) }
    var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }

    /// The EXIF block of the file, from the TIFF header on.
    var exif: [UInt8]? {
        var bytes: UnsafeRawPointer?
        var count = 0
        guard vips_image_get_typeof(pointer, "exif-data") != 0,
            vips_image_get_blob(pointer, "exif-data", &bytes, &count) == 0, let bytes
        else { return nil }
        let block = UnsafeRawBufferPointer(start: bytes, count: count)
        return Array(block.starts(with: "Exif\0\0".utf8) ? block.dropFirst(6) : block[...])
    }

    /// Executes the pipeline.
    func inMemory() throws(ImagingError) -> VipsPicture {
        try VipsPicture {
            $0.pointee = vips_image_copy_memory(pointer)
            return $0.pointee == nil ? -1 : 0
        }
    }

    /// Returns the same on white, in 8 bits a sample of sRGB or gray.
    func flattened() throws(ImagingError) -> VipsPicture {
        let isGray = vips_image_get_interpretation(pointer) == VIPS_INTERPRETATION_B_W
        let space = isGray ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB
        let colored = try VipsPicture { cvips_colourspace(pointer, $0, space) }
        let opaque = try VipsPicture {
            colored.hasAlpha ? cvips_flatten(colored.pointer, $0, 255) : cvips_copy(colored.pointer, $0, space)
        }
        return try VipsPicture { cvips_cast(opaque.pointer, $0, VIPS_FORMAT_UCHAR) }
    }

    /// Returns the picture upright, with neither side longer than `side`.
    func shrunk(toSide side: Int) throws(ImagingError) -> VipsPicture {
        try VipsPicture { cvips_thumbnail_image(pointer, $0, Int32(side)) }
    }

    /// Returns a thumbnail of an upright picture, with neither side longer than `side`. Means of blocks take a third of
    /// the time of `shrunk`, and their difference cannot be seen at that size.
    func thumbnail(side: Int) throws(ImagingError) -> VipsPicture {
        let scale = min(1, Double(side) / Double(max(width, height)))
        return try VipsPicture { cvips_resize_by_blocks(pointer, $0, scale) }
    }

    /// Returns the same with colours by the profile in the file, if it has one: otherwise that conversion costs time
    /// without effect.
    func shrunkInProfile(toSide side: Int) throws(ImagingError) -> VipsPicture {
        guard vips_image_get_typeof(pointer, "icc-profile-data") != 0 else { return try shrunk(toSide: side) }
        return try VipsPicture { cvips_thumbnail_image_srgb(pointer, $0, Int32(side)) }
    }

    /// Converts with the colour management library, also without a profile in the file.
    func convertedToSRGB() throws(ImagingError) -> VipsPicture {
        try VipsPicture { cvips_icc_transform_srgb(pointer, $0) }.inMemory()
    }

    func adding(_ other: borrowing VipsPicture) throws(ImagingError) -> VipsPicture {
        let other = other.pointer
        let sum = try VipsPicture { cvips_add(pointer, other, $0) }
        return try VipsPicture { cvips_cast(sum.pointer, $0, VIPS_FORMAT_UCHAR) }
    }

    /// - Parameter quality: 1 to 100.
    func jpeg(quality: Int, isStripped: Bool) throws(ImagingError) -> [UInt8] {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        try Vips.check(cvips_jpegsave_buffer(pointer, &bytes, &count, Int32(quality), isStripped ? 1 : 0))
        defer { g_free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    func setText(_ name: String, _ value: String) { vips_image_set_string(pointer, name, value) }
}
