// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import DisposableConfinement
internal import DisposableImaging
internal import Glibc

/// The worker's loop: a request in, an answer out, until the node closes its end.
enum ImageWorker {
    static func run(as role: ImageWorkerPool.Role) -> Never {
        let isCleaning = role == .cleaning
        let layers = Confinement.begin(fileByteCountMax: isCleaning ? ImagingLimits.fileByteCountMax : 0)
        guard isCleaning || Vips.start() else { exit(3) }
        let confinement = Confinement.complete(after: layers)
        while let (header, descriptor) = receive(byteCount: 4) {
            let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
            guard count <= ImagingLimits.requestByteCountMax, let (message, _) = receive(byteCount: count) else {
                exit(4)
            }
            Confinement.renewTime(
                seconds: isCleaning ? ImagingLimits.cleaningCPUSecondsMax : ImagingLimits.requestCPUSecondsMax)
            let reply: WorkerReply
            do throws(ImagingError) {
                reply = try answer(to: WorkerRequest(encoded: message), descriptor, confinement, as: role)
            } catch .malformedMessage {
                exit(4)
            } catch {
                reply = .failed(error)
            }
            let bytes = reply.encoded
            let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
            guard write(length + bytes) else { exit(5) }
        }
        exit(0)
    }

    private static func answer(
        to request: WorkerRequest, _ descriptor: Int32?, _ confinement: [ConfinementLayer],
        as role: ImageWorkerPool.Role
    ) throws(ImagingError) -> WorkerReply {
        switch (request, role) {
        case (.render, .rendering):
            guard let descriptor else { throw .malformedMessage }
            return .rendered(try ImageRenderer.render(RegularFile(takingOver: descriptor)))
        case (.clean, .cleaning):
            guard let descriptor else { throw .malformedMessage }
            return .cleaned(try MetadataScrubber.scrub(RegularFile(takingOver: descriptor)))
        case (.demoPhoto(let photo), .rendering): return .photo(try DemoPainter.paint(photo))
        case (.confinement, _): return .confinement(confinement)
        case (.render, .cleaning), (.demoPhoto, .cleaning), (.clean, .rendering): throw .malformedMessage
        }
    }

    /// Receives this many bytes, and the descriptor that came with the first ones. Nil at the end of input.
    private static func receive(byteCount: Int) -> (bytes: [UInt8], descriptor: Int32?)? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var descriptor: Int32 = -1
        var count = 0
        while count < byteCount {
            let received = bytes.withUnsafeMutableBytes {
                clinux_receive(STDIN_FILENO, $0.baseAddress! + count, $0.count - count, &descriptor)
            }
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { return nil }
            count += received
        }
        return (bytes, descriptor < 0 ? nil : descriptor)
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
