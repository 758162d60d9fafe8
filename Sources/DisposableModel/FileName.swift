// SPDX-License-Identifier: Apache-2.0

/// File names for exports, made from text that people typed, safe on every common file system.
public enum FileName {
    /// Makes one part of a name.
    /// - Parameters:
    ///   - text: in Unicode's composed form (NFC), for file systems that compare bytes.
    ///   - byteCountMax: of UTF-8.
    ///   - fallback: used if nothing is left of `text`.
    public static func component(_ text: String, byteCountMax: Int, orElse fallback: String) -> String {
        var result = ""
        for character in text {
            let next = character.unicodeScalars.allSatisfy(isSafe) ? String(character) : "_"
            guard result.utf8.count + next.utf8.count <= byteCountMax else { break }
            result += next
        }
        // Leading dots hide files, trailing dots and spaces disappear on some systems.
        result = trimmed(result, of: ". ")
        let stem = trimmed(String(result.prefix { $0 != "." }), of: " ").uppercased()
        if reservedStems.contains(stem) { result = "_" + result.dropLast(result.utf8.count < byteCountMax ? 0 : 1) }
        return result.isEmpty ? fallback : result
    }

    private static func trimmed(_ text: String, of unwanted: String) -> String {
        let start = text.drop { unwanted.contains($0) }
        let end = start.lastIndex { !unwanted.contains($0) }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// The reserved names of Windows; a name is also reserved with any extension.
    private static let reservedStems: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        // Joiners hold emoji together and separate words; the others reverse directions or are invisible.
        case .format: return scalar == "\u{200C}" || scalar == "\u{200D}" || (0xE0020...0xE007F).contains(scalar.value)
        default: return !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
        }
    }
}

extension MediaType {
    /// The extension of file names, without the dot.
    public var pathExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        case .heic: "heic"
        case .avif: "avif"
        case .gif: "gif"
        case .tiff: "tif"
        case .mp4: "mp4"
        case .quicktime: "mov"
        case .webm: "webm"
        case .other: "bin"
        }
    }
}
