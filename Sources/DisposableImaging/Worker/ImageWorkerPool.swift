// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The node's way to look at images: helper processes that do the decoding, so that no file can take the node down.
///
/// Each helper is `disposable-image-worker`, started when first needed and used for many requests. One that crashes or
/// hangs costs the request it worked on; the next request gets a new one. A thread owns each helper, because the kernel
/// ties the helper's life to the thread that started it (`PR_SET_PDEATHSIG`), and threads of the concurrency pool go.
public final class ImageWorkerPool: Sendable {
    private let executable: String
    private let timeout: Duration
    private let queue: WorkerQueue

    /// - Parameters:
    ///   - executable: path of `disposable-image-worker`.
    ///   - count: helpers at most.
    ///   - timeout: for one request, from when a helper takes it. Processor time bounds its work
    ///     (`ImagingLimits.requestCPUSecondsMax`); this ends one that hangs, and no photo goes without a preview because
    ///     the machine has other things to do.
    ///   - waitingCountMax: requests that may wait; more are refused with `queueFull`.
    public init(
        executable: String = ImageWorkerPool.installedExecutable,
        count: Int = ImageWorkerPool.usualCount, timeout: Duration = .seconds(60), waitingCountMax: Int = 256
    ) {
        precondition(count > 0, "a pool of \(count) workers")
        self.executable = executable
        self.timeout = timeout
        queue = WorkerQueue(threadCountMax: count, waitingCountMax: waitingCountMax)
    }

    deinit { queue.stop() }

    /// One core is left for the node.
    public static var usualCount: Int { max(1, ProcessInfo.processInfo.activeProcessorCount - 1) }

    /// `disposable-image-worker` in the folder of the running executable.
    public static var installedExecutable: String {
        let running = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: running).deletingLastPathComponent().appending(path: "disposable-image-worker").path
    }

    /// Makes thumbnail and preview of the image at `path`; a video is recognized and not decoded.
    ///
    /// The file is not followed through a link, and must not be replaced meanwhile. Throws `ImagingError`, and
    /// `CancellationError` when the task is cancelled while the request waits.
    public func render(path: String) async throws -> RenderedImage {
        guard path.utf8.count <= ImagingLimits.pathByteCountMax else {
            throw ImagingError.unreadable(code: ENAMETOOLONG)
        }
        guard case .rendered(let image) = try await reply(to: .render(path: path)) else {
            throw ImagingError.malformedMessage
        }
        return image
    }

    /// The bytes of a demo photo. Throws as `render(path:)` does.
    /// - Precondition: both sides are within `DemoPhoto.sideRange`.
    public func jpeg(of photo: DemoPhoto) async throws -> [UInt8] {
        precondition(
            DemoPhoto.sideRange.contains(photo.width) && DemoPhoto.sideRange.contains(photo.height),
            "a demo photo of \(photo.width) x \(photo.height)")
        guard case .photo(let bytes) = try await reply(to: .demoPhoto(photo)) else {
            throw ImagingError.malformedMessage
        }
        return bytes
    }

    /// Refuses what waits, lets what runs come to its end, then ends the helpers. Returns when all are gone.
    public func stop() async {
        queue.stop()
        await withCheckedContinuation { queue.whenEnded($0) }
    }

    /// The helpers that run now, by process id, and whether each works on a request.
    package var isBusyByWorker: [Int32: Bool] { queue.isBusyByWorker }

    private func reply(to request: WorkerRequest) async throws -> WorkerReply {
        let id = queue.makeID()
        let reply = try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                let job = WorkerQueue.Job(id: id, request: request, continuation: continuation)
                if queue.submit(job) { startThread() }
            }
        } onCancel: {
            queue.cancel(id)
        }
        if case .failed(let error) = reply { throw error }
        return reply
    }

    private func startThread() {
        let thread = Thread { [executable, timeout, queue] in
            var worker: WorkerProcess?
            func end() {
                if let id = worker?.id { queue.forget(worker: id) }
                worker = nil
            }
            func answer(_ request: WorkerRequest) throws(ImagingError) -> WorkerReply {
                // One that ended while idle is nobody's fault.
                if worker?.isRunning == false { end() }
                let current: WorkerProcess
                if let worker { current = worker } else { current = try WorkerProcess(executable: executable) }
                worker = current
                queue.note(worker: current.id, isBusy: true)
                defer { queue.note(worker: current.id, isBusy: false) }
                return try current.answer(to: request, within: timeout)
            }
            while let job = queue.next() {
                do throws(ImagingError) {
                    job.continuation.resume(returning: try answer(job.request))
                } catch {
                    end()
                    job.continuation.resume(throwing: error)
                }
            }
            end()
            queue.threadEnded()
        }
        thread.name = "image-worker"
        thread.start()
    }
}
