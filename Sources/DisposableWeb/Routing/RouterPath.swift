// SPDX-License-Identifier: Apache-2.0

/// The path of a route: literal segments, and parameters that match any one segment.
///
///     let path: RouterPath = "e/:event/photos/:id"
///
/// Slashes at the ends and empty segments are ignored, here and in the paths of requests. Segments are compared as
/// sent: percent-encoding is not decoded, so `%2F` never separates, and `..` is a segment like any other.
package struct RouterPath: Equatable, Sendable, ExpressibleByStringInterpolation {
    package enum Segment: Equatable, Sendable {
        case literal(String)
        /// Written as `:name`.
        case parameter(String)
    }

    package let segments: [Segment]

    package init(_ text: String) {
        segments = Self.segments(of: text).map { text in
            text.hasPrefix(":") ? .parameter(String(text.dropFirst())) : .literal(String(text))
        }
    }

    package init(stringLiteral text: String) { self.init(text) }

    private init(segments: [Segment]) { self.segments = segments }

    package static func + (path: RouterPath, rest: RouterPath) -> RouterPath {
        RouterPath(segments: path.segments + rest.segments)
    }

    var parameterNames: [String] {
        segments.compactMap { segment in
            if case .parameter(let name) = segment { name } else { nil }
        }
    }

    /// Returns the segments of a request's path.
    package static func segments(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }
}
