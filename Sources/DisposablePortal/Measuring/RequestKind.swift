// SPDX-License-Identifier: Apache-2.0

/// A kind of request whose durations are counted separately.
package enum RequestKind: Int, CaseIterable, Sendable {
    /// A page or a file of one, a form, an archive, or an unknown path.
    case page
    /// A call of the guests' API or of the desk's.
    case api
    case thumbnail
    case preview
    case original
    /// A call of an upload: for a part of a file, the time includes that of its arrival.
    case upload

    /// Returns the kind of a request's path. Looks at the bytes and allocates nothing, since it runs for every request.
    /// - Parameter path: as sent, with the query.
    package init(path: String) {
        self = .page
        var rest = path.utf8.prefix { $0 != UInt8(ascii: "?") }
        while let segment = Self.segment(of: &rest) {
            if segment.elementsEqual("uploads".utf8) {
                self = .upload
                return
            }
            if segment.elementsEqual("api".utf8) {
                self = .api
            } else if segment.elementsEqual("thumbnail".utf8) {
                self = .thumbnail
            } else if segment.elementsEqual("preview".utf8) {
                self = .preview
            } else if segment.elementsEqual("original".utf8) {
                self = .original
            }
        }
    }

    /// Removes the next segment with its slashes, and returns it; `nil` at the end.
    private static func segment(of rest: inout Substring.UTF8View) -> Substring.UTF8View? {
        rest = rest.drop { $0 == UInt8(ascii: "/") }
        guard !rest.isEmpty else { return nil }
        let segment = rest.prefix { $0 != UInt8(ascii: "/") }
        rest = rest[segment.endIndex...]
        return segment
    }

    /// The value of a label.
    var label: String {
        switch self {
        case .page: "page"
        case .api: "api"
        case .thumbnail: "thumbnail"
        case .preview: "preview"
        case .original: "original"
        case .upload: "upload"
        }
    }
}
