// SPDX-License-Identifier: Apache-2.0

/// The types of files that an event accepts, determined by their first bytes: names and types from senders are ignored.
public enum MediaFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, gif, heic, avif
    case mp4, quicktime, webm

    public enum Family: Sendable { case image, video }

    /// The number of bytes of a file that suffice for `init(sniffing:)`.
    public static let sniffedByteCount = 256

    public var family: Family {
        switch self {
        case .jpeg, .png, .webp, .gif, .heic, .avif: .image
        case .mp4, .quicktime, .webm: .video
        }
    }

    /// The registered media type, as in `Content-Type`.
    public var mimeType: String {
        switch self {
        case .jpeg, .png, .webp, .gif, .heic, .avif: "image/\(rawValue)"
        case .mp4, .quicktime, .webm: "video/\(rawValue)"
        }
    }

    /// Determines the type of the file that begins with `head`; nil if it is not accepted.
    ///
    /// TIFF is excluded on purpose: raw camera files are TIFF, and their metadata is spread through the image
    /// structure.
    public init?(sniffing head: [UInt8]) {
        if head.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if head.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
            guard Self.isWebM(head) else { return nil }
            self = .webm
        } else {
            guard let type = Self(sniffingBoxes: head) else { return nil }
            self = type
        }
    }

    /// Whether the EBML document type element (0x4282) is "webm".
    private static func isWebM(_ head: [UInt8]) -> Bool {
        let element: [UInt8] = [0x42, 0x82, 0x84] + "webm".utf8
        return head.indices.contains { head[$0...].starts(with: element) }
    }

    /// Determines the type of ISO base media (ISO 14496-12 §4.3): the `ftyp` box names a major brand and compatible
    /// ones.
    private init?(sniffingBoxes head: [UInt8]) {
        guard head.count >= 8 else { return nil }
        let kind = String(decoding: head[4..<8], as: UTF8.self)
        // QuickTime files older than `ftyp` begin with one of these.
        if ["moov", "mdat", "wide"].contains(kind) {
            self = .quicktime
            return
        }
        guard kind == "ftyp", head.count >= 16 else { return nil }
        let length = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        var brands = [String(decoding: head[8..<12], as: UTF8.self)]
        for start in stride(from: 16, to: min(length, head.count) - 3, by: 4) {
            brands.append(String(decoding: head[start..<(start + 4)], as: UTF8.self))
        }
        let major = brands[0]
        if major == "qt  " {
            self = .quicktime
        } else if ["avif", "avis"].contains(major) {
            self = .avif
        } else if Self.heicBrands.contains(major) {
            self = .heic
        } else if ["mif1", "msf1"].contains(major) {
            self = brands.contains("avif") ? .avif : .heic
        } else if Self.mp4Brands.contains(major) || major.hasPrefix("3gp") || major.hasPrefix("3g2") {
            self = .mp4
        } else {
            return nil
        }
    }

    private static let heicBrands: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
    private static let mp4Brands: Set = [
        "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "avc1", "M4V ", "M4VH",
        "M4VP", "MSNV", "mmp4", "dash", "XAVC", "hvc1",
    ]
}
