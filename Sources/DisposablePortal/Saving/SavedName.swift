// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
internal import Foundation

/// The names under which guests save photos.
package enum SavedName {
    /// `<frame or 0>-<author>-<number>.<extension>`: two names with different numbers differ on every file system, also
    /// on case-insensitive ones.
    package struct Entry: Sendable {
        private let frame: UInt64
        private let author: String
        private let mediaType: MediaType

        package init(_ photo: AlbumPhoto) {
            frame = photo.savedFrame
            author = component(photo.authorName, orElse: "guest")
            mediaType = photo.mediaType
        }

        package func text(number: Int) -> String { "\(frame)-\(author)-\(number).\(mediaType.pathExtension)" }
    }

    /// `<event>-<frame>-<author>.<extension>`, for a photo that is saved alone.
    package static func single(_ photo: AlbumPhoto, event: String) -> String {
        let parts = [
            component(event, orElse: "event"), "\(photo.savedFrame)", component(photo.authorName, orElse: "guest"),
        ]
        return parts.joined(separator: "-") + "." + photo.mediaType.pathExtension
    }

    /// Returns the value of `Content-Disposition` that saves under `name` (RFC 6266), with an ASCII name for old
    /// clients.
    package static func attachment(_ name: String) -> String {
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
        let encoded = name.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            return isUnreserved(scalar) ? String(Character(scalar)) : "%" + [byte].hex.uppercased()
        }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded.joined())"
    }

    /// Returns the safe characters of a typed text, for a part of a name.
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

extension AlbumPhoto {
    /// The number in a file's name, 0 for a photo without a frame.
    fileprivate var savedFrame: UInt64 {
        switch state {
        case .frame(let frame), .plan(let frame), .pending(let frame), .veiled(let frame): frame
        case .sealed, .waiting, .hidden: 0
        }
    }
}
