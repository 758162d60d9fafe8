// SPDX-License-Identifier: Apache-2.0
internal import DisposableImaging
internal import Glibc

/// The helper's loop: a request in, an answer out, until the node closes its end.
enum ImageWorker {
    static func run() -> Never {
        WorkerConfinement.apply()
        guard Vips.start() else { exit(3) }
        while let header = read(byteCount: 4) {
            let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
            guard count <= ImagingLimits.pathByteCountMax + 64, let message = read(byteCount: count) else { exit(4) }
            WorkerConfinement.renewTime()
            let reply: [UInt8]
            do throws(ImagingError) {
                reply = try answer(to: WorkerRequest(encoded: message)).encoded
            } catch .malformedMessage {
                exit(4)
            } catch {
                reply = WorkerReply.failed(error).encoded
            }
            let length = (0..<4).map { UInt8(truncatingIfNeeded: reply.count >> (8 * $0)) }
            guard write(length + reply) else { exit(5) }
        }
        exit(0)
    }

    private static func answer(to request: WorkerRequest) throws(ImagingError) -> WorkerReply {
        switch request {
        case .render(let path): .rendered(try ImageRenderer.render(path: path))
        case .demoPhoto(let photo): .photo(try DemoPainter.paint(photo))
        }
    }

    /// Nil at the end of input.
    private static func read(byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var count = 0
        while count < byteCount {
            let received = bytes.withUnsafeMutableBytes {
                Glibc.read(STDIN_FILENO, $0.baseAddress! + count, $0.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { return nil }
            count += received
        }
        return bytes
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        var count = 0
        while count < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress! + count, $0.count - count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            count += written
        }
        return true
    }
}
