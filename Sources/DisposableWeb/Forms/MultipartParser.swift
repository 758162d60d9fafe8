// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An incremental parser of a `multipart/form-data` body (RFC 7578, RFC 2046 §5.1.1), in pieces of any length.
///
/// Feed it bytes, then take events until there is none. Bytes of a part are passed on as soon as they cannot be the
/// start of a boundary, so it keeps little more than one piece.
package struct MultipartParser: Sendable {
    package enum Event: Equatable, Sendable {
        case part(Head)
        /// Bytes of the latest part.
        case bytes([UInt8])
        case partEnd
        /// The last boundary; everything after it is ignored.
        case end
    }

    /// The head of a part.
    package struct Head: Equatable, Sendable {
        package var name: String
        /// As sent by the browser: for messages, never for a path. `nil` for a field that is not a file.
        package var fileName: String?

        package init(name: String, fileName: String?) {
            self.name = name
            self.fileName = fileName
        }
    }

    package enum Failure: Error, Equatable, Sendable {
        case noBoundary
        case headTooLong(limit: Int)
        case malformedHead
        case tooManyParts(limit: Int)
        /// The body ended before the last boundary.
        case truncated
    }

    package static let headByteCountMax = 8_192
    package static let partCountMax = 100

    private enum State {
        /// Before the first boundary: the content is ignored.
        case preamble
        /// After a boundary: the end, or a line break and a head.
        case boundary, head, body
        /// All bytes of a part are passed on.
        case bodyEnd
        case end
    }

    private static let lineBreak: [UInt8] = [0x0D, 0x0A]
    private static let dashes: [UInt8] = [0x2D, 0x2D]

    private let delimiter: [UInt8]
    /// Bytes not yet passed on. Starts with an inserted line break, since the first boundary needs none before it.
    private var pending = Self.lineBreak
    private var state = State.preamble
    private var partCount = 0

    /// - Parameter contentType: the header's value. Throws `.noBoundary` unless it is multipart/form-data with a
    ///   boundary.
    package init(contentType: String) throws(Failure) {
        let (value, parameters) = Self.parseHeader(contentType)
        guard value == "multipart/form-data", let boundary = parameters["boundary"],
            (1...70).contains(boundary.utf8.count)
        else { throw .noBoundary }
        delimiter = Self.lineBreak + Self.dashes + boundary.utf8
    }

    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        if state != .end { pending += bytes }
    }

    /// Throws `.truncated` unless the last boundary has arrived.
    package func checkComplete() throws(Failure) {
        guard state == .end else { throw .truncated }
    }

    /// Returns `nil` if more bytes are needed, and after the end.
    package mutating func next() throws(Failure) -> Event? {
        while true {
            switch state {
            case .preamble:
                guard parseBody().isWhole else { return nil }
                state = .boundary
            case .boundary:
                guard let isLast = try parseBoundaryEnd() else { return nil }
                state = isLast ? .end : .head
                if isLast { return .end }
            case .head:
                guard let head = try parseHead() else { return nil }
                partCount += 1
                guard partCount <= Self.partCountMax else { throw .tooManyParts(limit: Self.partCountMax) }
                state = .body
                return .part(head)
            case .body:
                let (bytes, isWhole) = parseBody()
                if isWhole { state = .bodyEnd }
                if !bytes.isEmpty { return .bytes(bytes) }
                if !isWhole { return nil }
            case .bodyEnd:
                state = .boundary
                return .partEnd
            case .end: return nil
            }
        }
    }

    /// Returns the bytes before the next delimiter, and consumes both; without a delimiter, the bytes that cannot be
    /// its start.
    private mutating func parseBody() -> (bytes: [UInt8], isWhole: Bool) {
        if let place = pending.firstIndex(of: delimiter) {
            let bytes = Array(pending[..<place])
            pending.removeFirst(place + delimiter.count)
            return (bytes, true)
        }
        let count = max(0, pending.count - (delimiter.count - 1))
        let bytes = Array(pending[..<count])
        pending.removeFirst(count)
        return (bytes, false)
    }

    /// Whether the boundary was the last; `nil` while that is unknown. Leaves the line break to the head.
    private mutating func parseBoundaryEnd() throws(Failure) -> Bool? {
        if pending.starts(with: Self.dashes) {
            pending = []
            return true
        }
        let padding = pending.prefix { $0 == 0x20 || $0 == 0x09 }.count
        let rest = pending.dropFirst(padding).prefix(2)
        guard Self.lineBreak.starts(with: rest) || padding == 0 && Self.dashes.starts(with: rest) else {
            throw .malformedHead
        }
        guard padding <= Self.headByteCountMax else { throw .headTooLong(limit: Self.headByteCountMax) }
        guard rest.count == 2 else { return nil }
        pending.removeFirst(padding)
        return false
    }

    private mutating func parseHead() throws(Failure) -> Head? {
        guard let end = pending.firstIndex(of: Self.lineBreak + Self.lineBreak) else {
            guard pending.count <= Self.headByteCountMax else { throw .headTooLong(limit: Self.headByteCountMax) }
            return nil
        }
        guard end <= Self.headByteCountMax else { throw .headTooLong(limit: Self.headByteCountMax) }
        let text = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 4)
        for line in text.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { continue }
            let (value, parameters) = Self.parseHeader(String(parts[1]))
            guard value == "form-data", let name = parameters["name"] else { break }
            return Head(name: name, fileName: parameters["filename"])
        }
        throw .malformedHead
    }

    /// Returns a value and its parameters, with names in lower case; of two with one name the first.
    private static func parseHeader(_ text: String) -> (value: String, parameters: [String: String]) {
        var rest = Substring(text)
        let value = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(value.count + 1)
        var parameters: [String: String] = [:]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            var content = ""
            if rest.first == "=" {
                rest = rest.dropFirst()
                content = rest.first == "\"" ? parseQuoted(&rest) : String(rest.prefix { $0 != ";" }).trimmed
            }
            rest = rest.drop { $0 != ";" }.dropFirst()
            let key = String(name).trimmed.lowercased()
            if parameters[key] == nil { parameters[key] = content }
        }
        return (String(value).trimmed.lowercased(), parameters)
    }

    /// Browsers write a quotation mark as `%22`, other programs as `\"`.
    private static func parseQuoted(_ rest: inout Substring) -> String {
        rest = rest.dropFirst()
        var content = ""
        while let character = rest.popFirst(), character != "\"" {
            let isEscape = character == "\\" && (rest.first == "\"" || rest.first == "\\")
            content.append(isEscape ? rest.removeFirst() : character)
        }
        return content
    }
}

extension [UInt8] {
    /// Returns the first index of `pattern`, which is not empty.
    fileprivate func firstIndex(of pattern: [UInt8]) -> Int? {
        withUnsafeBytes { bytes in
            var from = 0
            while from + pattern.count <= bytes.count {
                let start = bytes.baseAddress! + from
                guard let first = memchr(start, Int32(pattern[0]), bytes.count - from - pattern.count + 1) else {
                    return nil
                }
                if memcmp(first, pattern, pattern.count) == 0 { return UnsafeRawPointer(first) - bytes.baseAddress! }
                from = UnsafeRawPointer(first) - bytes.baseAddress! + 1
            }
            return nil
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
