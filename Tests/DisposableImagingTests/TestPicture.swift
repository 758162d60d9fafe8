// SPDX-License-Identifier: Apache-2.0
import CVips
import DisposableImaging

struct Size: Equatable {
    var width: Int
    var height: Int
}

extension Renditions {
    var size: Size { Size(width: width, height: height) }
}

/// Pixels as libvips sees them in the test process: the samples of the tests, and the proof that nothing changed.
struct TestPicture: Equatable {
    var width: Int
    var height: Int
    var bandCount: Int
    var samples: [UInt8]

    private static let isReady = vips_init("tests") == 0

    struct Failed: Error { var message: String }

    private static func open(_ path: String) throws -> UnsafeMutablePointer<VipsImage> {
        precondition(isReady, "libvips starts")
        guard let image = cvips_image_new_from_file(path) else { throw failure() }
        return image
    }

    private static func failure() -> Failed { Failed(message: String(cString: vips_error_buffer())) }

    /// Decodes all of the file at `path`.
    init(path: String) throws {
        let image = try Self.open(path)
        defer { g_object_unref(image) }
        var count = 0
        guard let memory = vips_image_write_to_memory(image, &count) else { throw Self.failure() }
        defer { g_free(memory) }
        width = Int(vips_image_get_width(image))
        height = Int(vips_image_get_height(image))
        bandCount = Int(vips_image_get_bands(image))
        samples = Array(UnsafeRawBufferPointer(start: memory, count: count))
    }

    var size: Size { Size(width: width, height: height) }

    /// The pixel at a place, as so many samples of 8 bits.
    func pixel(x: Int, y: Int) -> [UInt8] {
        let start = (y * width + x) * bandCount
        return Array(samples[start..<(start + bandCount)])
    }

    /// Writes the image at `source` again, in the format and with the options that `destination` ends in.
    static func convert(_ source: String, to destination: String) throws {
        let image = try open(source)
        defer { g_object_unref(image) }
        guard cvips_image_write_to_file(image, destination) == 0 else { throw failure() }
    }

    /// The same in another colour space.
    static func convert(_ source: String, to destination: String, _ space: VipsInterpretation) throws {
        try transform(source, to: destination) { cvips_colourspace($0, $1, space) }
    }

    /// Writes the image at `source` with the colours of another profile, and that profile in it.
    static func convert(_ source: String, to destination: String, profile: String) throws {
        try transform(source, to: destination) { cvips_icc_transform($0, $1, profile) }
    }

    /// Writes the image at `source` with every pixel repeated so many times in both directions.
    static func enlarge(_ source: String, by factor: Int, to destination: String) throws {
        try transform(source, to: destination) { cvips_replicate($0, $1, Int32(factor), Int32(factor)) }
    }

    private static func transform(
        _ source: String, to destination: String,
        _ operation: (UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>) -> Int32
    ) throws {
        let image = try open(source)
        defer { g_object_unref(image) }
        var result: UnsafeMutablePointer<VipsImage>?
        guard operation(image, &result) == 0, let result else { throw failure() }
        defer { g_object_unref(result) }
        guard cvips_image_write_to_file(result, destination) == 0 else { throw failure() }
    }
}
