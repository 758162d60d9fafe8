// SPDX-License-Identifier: Apache-2.0
internal import DisposableSystem
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// A file that an organizer sends to the desk. It is kept for as long as the command about it takes.
struct DeskUpload: Sendable {
    let events: EventTable
    let byteCountMax: UInt64
    /// An instruction for a person with a longer file.
    let hint: String

    func receiving(
        _ request: Request, for event: DeskEvent, _ use: (_ path: String) async throws -> Response
    ) async throws -> Response {
        guard let uploads = events[event.text]?.uploads else { throw PortalError.unknownEvent }
        let path = uploads.folder.temporaryPath()
        do {
            var byteCount: UInt64 = 0
            for try await buffer in request.body {
                let (bytes, offset) = (Array(buffer: buffer), byteCount)
                byteCount += UInt64(bytes.count)
                guard byteCount <= byteCountMax else {
                    throw PortalError(
                        .contentTooLarge, "too-long", "the file has more than \(byteCountMax) bytes", hint: hint)
                }
                try await uploads.onDisk(needing: 0) {
                    let file = try DiskFile(path, offset == 0 ? .creating : .updating)
                    try file.write(bytes, at: offset)
                }
            }
            guard byteCount > 0 else { throw PortalError.malformed("the body is the bytes of a file") }
            let answer = try await use(path)
            await uploads.folder.eraseTemporary(path)
            return answer
        } catch {
            await uploads.folder.eraseTemporary(path)
            throw error
        }
    }
}
