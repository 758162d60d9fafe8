// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposablePortal
internal import DisposableValues
internal import DisposableWeb

/// The input of guests, and the requests of their browsers.
enum PortalTargets {
    /// Return words, the code of the poster, and the token behind a guests' link.
    static func words(_ input: [UInt8]) throws(Broken) {
        let text = String(decoding: input, as: UTF8.self)
        if let indexes = WordList.indexes(of: text), let seed = GuestSeed(wordIndexes: indexes) {
            try check(seed.wordIndexes == indexes, "other words bring back the same guest")
        }
        let code = PortalCode.canonical(text)
        if code.utf8.count == GuestLink.codeCharacterCount, code.utf8.allSatisfy({ $0 < 0x80 }) {
            try check(PortalCode.canonical(code) == code, "a code that is not as the node has it")
        }
        if let token = Base64URL.bytes(text, count: GuestLink.tokenByteCount) {
            try check(Base64URL.text(token) == text, "a token is written in two ways")
        }
    }

    /// The first byte is the length of the pieces in which the form arrives, which must make no difference; the first
    /// line is its `Content-Type`.
    static func form(_ input: [UInt8]) throws(Broken) {
        guard let pieceByteCount = input.first.map({ Int($0) + 1 }) else { return }
        let lines = input.dropFirst().split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let contentType = String(decoding: lines[0], as: UTF8.self)
        let body = lines.count > 1 ? Array(lines[1]) : []
        let whole = events(contentType, [body])
        let pieces = events(contentType, body.pieces(of: pieceByteCount))
        try check(whole.failure == pieces.failure, "\(whole.failure as Any), in pieces \(pieces.failure as Any)")
        try check(whole.events == pieces.events, "other events in pieces")
    }

    /// The events, the bytes of a part in one piece.
    private static func events(
        _ contentType: String, _ pieces: some Sequence<[UInt8]>
    ) -> (events: [MultipartParser.Event], failure: MultipartParser.Failure?) {
        var events: [MultipartParser.Event] = []
        do throws(MultipartParser.Failure) {
            var parser = try MultipartParser(contentType: contentType)
            for piece in pieces {
                parser.feed(piece)
                while let event = try parser.next() {
                    if case .bytes(let more) = event, case .bytes(let bytes) = events.last {
                        events[events.count - 1] = .bytes(bytes + more)
                    } else {
                        events.append(event)
                    }
                }
            }
            try parser.checkComplete()
        } catch {
            return (events, error)
        }
        return (events, nil)
    }

    /// A request in three lines: its path, its `Cookie` field, and its body, which is a short form.
    static func request(_ input: [UInt8]) throws(Broken) {
        let lines = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        try path(String(decoding: lines[0], as: UTF8.self))
        if lines.count > 1 { try cookies(String(decoding: lines[1], as: UTF8.self)) }
        if lines.count > 2 { try fields(Array(lines[2])) }
    }

    private static func path(_ text: String) throws(Broken) {
        let segments = RouterPath.segments(of: text)
        try check(segments.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0x2F) }, "a segment that is none")
        var tree = RouteTree<RouterPath>()
        for path: RouterPath in ["a", ":x", "a/:x", ":x/b", ":x/:y", "a/b/c", ":x/b/:y", "a/:x/:y"] {
            tree.update(path) { $0 = path }
        }
        guard let (path, parameters) = tree.match(segments) else {
            return try check(segments.isEmpty || segments.count > 2, "a route is not found")
        }
        var rest = parameters[...]
        let matched = path.segments.map { segment -> Substring in
            switch segment {
            case .literal(let text): text[...]
            case .parameter: rest.popFirst() ?? ""
            }
        }
        try check(matched == segments && rest.isEmpty, "a route that does not match")
    }

    private static func cookies(_ field: String) throws(Broken) {
        let cookies = Cookies([field])
        for pair in field.split(separator: ";") {
            let name = pair.prefix { $0 != "=" }.drop { $0 == " " || $0 == "\t" }
            guard let cookie = cookies[String(name)] else { continue }
            try check(cookie.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a cookie that cannot be sent")
            try check(Cookies([cookie.text])[cookie.name] == cookie, "a cookie that is read as another")
        }
    }

    private static func fields(_ body: [UInt8]) throws(Broken) {
        guard let form = try? FormFields(body) else { return }
        try check(form.values.count <= FormFields.countMax, "\(form.values.count) fields")
        func encoded(_ text: String) -> String { text.utf8.map { "%" + [$0].hex }.joined() }
        let text = form.values.map { encoded($0) + "=" + encoded($1) }.joined(separator: "&")
        try check((try? FormFields(Array(text.utf8))) == form, "a form that is read as another")
    }

    /// The headers of an upload: metadata, and the name in its address.
    static func tus(_ input: [UInt8]) throws(Broken) {
        let text = String(decoding: input, as: UTF8.self)
        let limit = 1_024
        if TusMetadata.isWellFormed(text, byteCountMax: limit) {
            try check(text.utf8.count <= limit, "\(text.utf8.count) bytes of metadata")
        }
        if let id = UploadID(hex: text) { try check(id.description == text.lowercased(), "an upload has two names") }
    }
}
