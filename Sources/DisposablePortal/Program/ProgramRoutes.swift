// SPDX-License-Identifier: Apache-2.0
internal import DisposableSystem
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// The program for guests' computers, where the node offers it (protocol/guest-api.md §21).
///
/// Guests see it only once they have joined the event: nobody should install the program of a stranger's machine.
struct ProgramRoutes: Sendable {
    private static let partByteCount: UInt64 = 64 << 10

    private let program: OfferedProgram?
    private let places: DownloadPlaces
    private let pace: Pace

    /// - Parameter program: `nil` for a node that offers none.
    init(_ program: OfferedProgram?, limits: ProgramLimits) {
        self.program = program
        places = AnswerPlaces(limits.places, slowAfter: limits.slowAfter)
        pace = Pace(bytesPerSecond: limits.bytesPerSecond)
    }

    var isOffered: Bool { program != nil }

    /// - Parameter group: at an event's path.
    func add(to group: RouterGroup) {
        group.get("api/program", use: describe)
        group.get("program", use: page)
        group.get("program/file", use: download)
    }

    private struct ProgramMessage: Encodable {
        struct Program: Encodable {
            let name: String
            let byteCount: UInt64
            let sha256: String
            let version: String

            init(_ program: OfferedProgram) {
                (name, byteCount) = (program.name, program.byteCount)
                (sha256, version) = (program.sha256, program.version)
            }
        }
        let program: OrNull<Program>
    }

    @Sendable private func describe(_ request: Request, _ context: PortalContext) async throws -> Response {
        _ = try context.requireGuest()
        return try .json(ProgramMessage(program: OrNull(program.map(ProgramMessage.Program.init))))
    }

    @Sendable private func page(_ request: Request, _ context: PortalContext) async throws -> Response {
        _ = try context.requireGuest()
        let (program, _) = try await opened()
        // The page with scripts passes the language that its guest has chosen.
        let texts = request.uri.queryParameters["lang"].flatMap { Language(tag: $0) }.map(SimpleTexts.of)
        return .page(
            SimplePages.program(
                program, path: try context.requireEvent().path, texts ?? request.simpleTexts))
    }

    @Sendable private func download(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, _) = try context.requireGuest()
        guard isOffered else { throw PortalError.notFound }
        let place = try places.place(for: session.owner, context)
        let (program, file) = try await opened()
        let tag = "\"\(program.sha256)\""
        var headers: HTTPFields = [
            .eTag: tag, .acceptRanges: "bytes", .contentSecurityPolicy: PhotoAnswer.policy,
            .contentType: "application/octet-stream", .contentDisposition: SavedName.attachment(program.name),
        ]
        if EntityTag.matches(request.headers[.ifNoneMatch], tag) {
            return Response(status: .notModified, headers: headers)
        }
        let range: Range<UInt64>
        switch ByteRange(request, tag: tag, byteCount: program.byteCount) {
        case .whole: range = 0..<program.byteCount
        case .part(let part):
            range = part
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(program.byteCount)"
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(program.byteCount)"
            headers[.contentDisposition] = nil
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        let pace = pace
        return Response(
            status: headers[.contentRange] == nil ? .ok : .partialContent, headers: headers,
            body: ResponseBody(contentLength: Int(range.count)) { writer in
                var start = range.lowerBound
                while start < range.upperBound {
                    let part = start..<min(start + Self.partByteCount, range.upperBound)
                    try await pace.wait(forByteCount: Int(part.count))
                    let bytes = try await offTheLoops { try program.read(part, of: file) }
                    try await writer.write(ByteBuffer(bytes: bytes))
                    start = part.upperBound
                }
                try await writer.finish(nil)
                withExtendedLifetime(place) {}
            })
    }

    /// Throws `not-found` if the node offers none, and `program-changed` if the file is not the one that was hashed.
    private func opened() async throws -> (OfferedProgram, DiskFile) {
        guard let program else { throw PortalError.notFound }
        do { return (program, try await offTheLoops { try program.open() }) } catch is OfferedProgram.Failure {
            throw PortalError(
                .serviceUnavailable, "program-changed", "the offered file has changed since this photo box started",
                hint: "Ask its owner to start it again.", retryAfter: 60)
        }
    }

    /// The turns of all downloads.
    private final class Pace: Sendable {
        private let shared: Mutex<SharedPace>
        init(bytesPerSecond: Int) { shared = Mutex(SharedPace(bytesPerSecond: bytesPerSecond)) }

        func wait(forByteCount byteCount: Int) async throws {
            let start = shared.withLock { $0.turn(byteCount: byteCount, at: .now) }
            try await Task.sleep(until: start, clock: .continuous)
        }
    }
}
