// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Foundation

/// The image workers of a node: processes that decode images, so that no file can crash the node.
///
/// Each worker is `disposable-image-worker`, started when first needed and used for many requests. One that crashes or
/// hangs costs the request that it worked on; the next request gets a new one. A thread owns each worker, because the
/// kernel ties the worker's life to the thread that started it (`PR_SET_PDEATHSIG`), and threads of the concurrency
/// pool may end.
public final class ImageWorkerPool: Sendable {
    /// The task of a pool's workers. Workers that decode may not write to any file, and workers that may write do not
    /// decode, so a file that exploits a decoder changes no file.
    public enum Role: Sendable {
        /// Decodes pictures, and paints demo photos.
        case rendering
        /// Cleans files of metadata.
        case cleaning

        /// Command-line arguments that select the role.
        var arguments: [String] { self == .cleaning ? [Self.cleaningArgument] : [] }
        package static let cleaningArgument = "clean"
    }

    private let role: Role
    private let executable: String
    private let timeout: Duration
    private let queue: WorkerQueue

    /// - Parameters:
    ///   - executable: path of `disposable-image-worker`.
    ///   - count: the maximum number of workers.
    ///   - timeout: for one request, from when a worker takes it. Processor time bounds its work
    ///     (`ImagingLimits.requestCPUSecondsMax`); this kills one that hangs, and is long enough for a busy machine to
    ///     make every preview.
    ///   - waitingCountMax: the maximum of waiting requests; more are refused with `queueFull`.
    public init(
        role: Role = .rendering, executable: String = ImageWorkerPool.installedExecutable,
        count: Int = ImageWorkerPool.usualCount, timeout: Duration = .seconds(60), waitingCountMax: Int = 256
    ) {
        precondition(count > 0, "a pool of \(count) workers")
        self.role = role
        self.executable = executable
        self.timeout = timeout
        queue = WorkerQueue(threadCountMax: count, waitingCountMax: waitingCountMax)
    }

    deinit { queue.stop() }

    /// The usual number of workers: one for each core, at most eight. They have a lower priority than the node
    /// (`Confinement.begin`), so that no core idles and the node still answers.
    public static var usualCount: Int { min(max(1, ProcessInfo.processInfo.activeProcessorCount), 8) }

    /// The path of `disposable-image-worker` in the folder of the running executable.
    public static var installedExecutable: String {
        let running = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: running).deletingLastPathComponent().appending(path: "disposable-image-worker").path
    }

    /// Makes thumbnail and preview of the image at `path`; a video is recognized and not decoded.
    ///
    /// This process opens the file, without following a link, and passes it to the worker for reading. Throws
    /// `ImagingError`, and `CancellationError` if the task is cancelled while the request waits.
    public func render(path: String) async throws -> RenderedImage {
        try await render(WorkerFile(RegularFile(path: path, for: .reading)))
    }

    /// Does the same for a small picture in memory that somebody waits for: it goes before requests for files, and is
    /// never on the disk.
    public func render(bytes: [UInt8]) async throws -> RenderedImage {
        let file = clinux_memory_file()
        guard file >= 0 else { throw ImagingError.unreadable(code: errno) }
        defer { close(file) }
        guard bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw ImagingError.unreadable(code: errno)
        }
        return try await render(descriptor: file, isUrgent: true)
    }

    /// Does the same for an open file; the worker gets a copy for reading. `descriptor` stays the caller's.
    public func render(descriptor: Int32) async throws -> RenderedImage {
        try await render(descriptor: descriptor, isUrgent: false)
    }

    private func render(descriptor: Int32, isUrgent: Bool) async throws -> RenderedImage {
        // Opened again, because a duplicate of a writable descriptor is writable.
        let path = "/proc/self/fd/\(descriptor)"
        let copy = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard copy >= 0 else { throw ImagingError.unreadable(code: errno) }
        return try await render(WorkerFile(RegularFile(takingOver: copy)), isUrgent: isUrgent)
    }

    private func render(_ file: WorkerFile, isUrgent: Bool = false) async throws -> RenderedImage {
        guard case .rendered(let image) = try await reply(to: .render, about: file, isUrgent: isUrgent) else {
            throw ImagingError.malformedMessage
        }
        return image
    }

    /// Overwrites the identifying metadata in the file at `path` (`MetadataScrubber`). Throws the same errors as
    /// `render(path:)`; after an error the file may be overwritten in part.
    /// - Precondition: the pool's role is cleaning.
    public func clean(path: String) async throws -> ScrubReport {
        precondition(role == .cleaning, "a pool that renders cleans nothing")
        let file = WorkerFile(try RegularFile(path: path, for: .updating))
        guard case .cleaned(let report) = try await reply(to: .clean, about: file) else {
            throw ImagingError.malformedMessage
        }
        return report
    }

    /// Returns the bytes of a demo photo. Throws the same errors as `render(path:)`.
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

    /// Returns the confinement of a worker on this machine. Throws the same errors as `render(path:)`.
    public func confinement() async throws -> [ConfinementLayer] {
        guard case .confinement(let layers) = try await reply(to: .confinement) else {
            throw ImagingError.malformedMessage
        }
        return layers
    }

    /// Refuses waiting requests, lets running ones finish, then ends the workers. Returns when all have ended.
    public func stop() async {
        queue.stop()
        await withCheckedContinuation { queue.whenEnded($0) }
    }

    /// The running workers by process id, with whether each works on a request.
    package var isBusyByWorker: [Int32: Bool] { queue.isBusyByWorker }
    /// The requests that no worker has taken yet.
    package var waitingCount: Int { queue.waitingCount }

    private func reply(
        to request: WorkerRequest, about file: WorkerFile? = nil, isUrgent: Bool = false
    ) async throws -> WorkerReply {
        let id = queue.makeID()
        let reply = try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                let job = WorkerQueue.Job(
                    id: id, request: request, file: file, isUrgent: isUrgent, continuation: continuation)
                if queue.submit(job) { startThread() }
            }
        } onCancel: {
            queue.cancel(id)
        }
        if case .failed(let error) = reply { throw error }
        return reply
    }

    private func startThread() {
        let thread = Thread { [role, executable, timeout, queue] in
            var worker: WorkerProcess?
            func end() {
                if let id = worker?.id { queue.forget(worker: id) }
                worker = nil
            }
            func answer(_ job: WorkerQueue.Job) throws(ImagingError) -> WorkerReply {
                // A worker that ended while idle is not the request's fault.
                if worker?.isRunning == false { end() }
                let current: WorkerProcess
                if let worker { current = worker } else { current = try WorkerProcess(executable, role.arguments) }
                worker = current
                queue.note(worker: current.id, isBusy: true)
                defer { queue.note(worker: current.id, isBusy: false) }
                return try current.answer(to: job.request, about: job.file, within: timeout)
            }
            while let job = queue.next() {
                do throws(ImagingError) {
                    job.continuation.resume(returning: try answer(job))
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
