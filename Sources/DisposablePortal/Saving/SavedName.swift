// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Foundation

/// The names under which guests save photos.
package enum SavedName {
    /// `<frame or 0>-<author>-<number>.<extension>`: no two with different numbers are the same on any file system,
    /// whatever it makes of letters.
    package struct Entry: Sendable {
        private let frame: UInt64
        private let author: String
        private let mediaType: MediaType

        package init(_ photo: PortalPhoto) {
            frame = if case .frame(let frame) = photo.state { frame } else { 0 }
            author = component(photo.authorName, orElse: "guest")
            mediaType = photo.mediaType
        }

        package func text(number: Int) -> String { "\(frame)-\(author)-\(number).\(mediaType.pathExtension)" }
    }

    /// `<event>-<frame>-<author>.<extension>`, for a photo that is saved alone.
    package static func single(_ photo: PortalPhoto, event: String) -> String {
        let frame = if case .frame(let frame) = photo.state { frame } else { UInt64(0) }
        let parts = [component(event, orElse: "event"), "\(frame)", component(photo.authorName, orElse: "guest")]
        return parts.joined(separator: "-") + "." + photo.mediaType.pathExtension
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

    /// A safe part of a name, of what somebody typed.
    static func component(_ text: String?, orElse fallback: String) -> String {
        let composed = (text ?? "").precomposedStringWithCanonicalMapping
        return FileName.component(composed, byteCountMax: 80, orElse: fallback)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && !"\"\\%".unicodeScalars.contains(scalar)
    }

    private static func isUnreserved(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar)
            || "-._~".unicodeScalars.contains(scalar)
    }
}
