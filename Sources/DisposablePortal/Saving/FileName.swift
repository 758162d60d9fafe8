// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
internal import Foundation

/// Names of files that guests take home, made here from what people typed, safe on every common file system.
package enum FileName {
    /// One part of a name, at most `byteCountMax` bytes of UTF-8.
    /// - Parameter fallback: where nothing is left of `text`.
    package static func component(_ text: String, byteCountMax: Int, orElse fallback: String) -> String {
        var result = ""
        for character in text.precomposedStringWithCanonicalMapping {
            let next = character.unicodeScalars.allSatisfy(isSafe) ? String(character) : "_"
            guard result.utf8.count + next.utf8.count <= byteCountMax else { break }
            result += next
        }
        // Leading dots hide files, trailing dots and spaces disappear on some systems.
        result = result.trimmingCharacters(in: CharacterSet(charactersIn: ". "))
        let stem = result.prefix { $0 != "." }.trimmingCharacters(in: .whitespaces).uppercased()
        if reservedStems.contains(stem) { result = "_" + result.dropLast(result.utf8.count < byteCountMax ? 0 : 1) }
        return result.isEmpty ? fallback : result
    }

    /// `<frame or 0>-<author>-<number>.<extension>`: no two with different numbers are the same on any file system,
    /// whatever it makes of letters.
    package struct Entry: Sendable {
        private let frame: UInt64
        private let author: String
        private let mediaType: MediaType

        package init(_ photo: PortalPhoto) {
            frame = if case .frame(let frame) = photo.state { frame } else { 0 }
            author = component(photo.authorName ?? "", byteCountMax: 80, orElse: "guest")
            mediaType = photo.mediaType
        }

        package func text(number: Int) -> String { "\(frame)-\(author)-\(number).\(pathExtension(of: mediaType))" }
    }

    /// `<event>-<frame>-<author>.<extension>`, for a photo that is saved alone.
    package static func single(_ photo: PortalPhoto, event: String) -> String {
        let frame = if case .frame(let frame) = photo.state { frame } else { UInt64(0) }
        let parts = [
            component(event, byteCountMax: 80, orElse: "event"), "\(frame)",
            component(photo.authorName ?? "", byteCountMax: 80, orElse: "guest"),
        ]
        return parts.joined(separator: "-") + "." + pathExtension(of: photo.mediaType)
    }

    package static func pathExtension(of mediaType: MediaType) -> String {
        switch mediaType {
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

    /// The value of `Content-Disposition` that saves under `name` (RFC 6266), with a plainer name for old readers.
    package static func attachment(_ name: String) -> String {
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
        let encoded = name.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            return isUnreserved(scalar) ? String(Character(scalar)) : "%" + [byte].hex.uppercased()
        }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded.joined())"
    }

    /// Of Windows; a name is one of them with any extension, too.
    private static let reservedStems: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        // Joiners hold emoji together and words apart; the others turn directions around or cannot be seen.
        case .format: return scalar == "\u{200C}" || scalar == "\u{200D}" || (0xE0020...0xE007F).contains(scalar.value)
        default: return !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && !"\"\\%".unicodeScalars.contains(scalar)
    }

    private static func isUnreserved(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar)
            || "-._~".unicodeScalars.contains(scalar)
    }
}
