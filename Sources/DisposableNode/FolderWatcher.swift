// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation
internal import Glibc

/// Watches a folder and its subfolders for complete files. Hidden files and symbolic links are left out.
///
/// inotify(7) reports new files at once. A scan every few seconds finds the rest: existing files, changes that a
/// network file system or a full queue did not report, and a memory card that was inserted again.
///
/// Unchecked Sendable: the mutable state belongs to the queue.
public final class FolderWatcher: @unchecked Sendable {
    public struct Batch: Sendable {
        /// Complete files, each given once.
        public var files: [String] = []
        /// Folders and files that cannot be read, each reported once.
        public var problems: [SkippedFile] = []
    }

    /// The number of files at a time: small, so that stopping takes little time.
    public static let batchCountMax = 8
    private static let scanMilliseconds: UInt64 = 10_000
    private static let waitMilliseconds: UInt64 = 1_000
    private static let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MOVED_FROM | IN_DELETE)

    private let folder: String
    private let queue = DispatchQueue(label: "disposable.watch")
    /// Negative if the system provides none to this process: then the scans find everything.
    private let descriptor: Int32
    private var watch = FolderWatch()
    private var folders: [Int32: String] = [:]
    private var problems: [SkippedFile] = []
    private var toldProblems: Set<String> = []
    private var isMissing = false
    private var nextScan: UInt64 = 0
    /// The files seen by the current scan.
    private var scanned: Set<String> = []

    /// Throws `NodeError.unwatchable` if `path` is not a folder, or overlaps the node's own files.
    public init(folder path: String, node: DataFolder) throws {
        folder = URL(fileURLWithPath: path).standardizedFileURL.path
        guard Self.isFolder(folder) else { throw NodeError.unwatchable(path, reason: "it is not a folder") }
        let (watched, own) = (Self.resolved(folder), Self.resolved(node.path))
        // The node writes copies of the photos there, which would be watched as new photos.
        guard !own.hasPrefix(watched), !watched.hasPrefix(own) else {
            throw NodeError.unwatchable(path, reason: "it overlaps the node's own folder")
        }
        // A program that opens the file during the lease waits until it is released, and a signal would go to this
        // process.
        signal(SIGIO, SIG_IGN)
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// With a slash at the end, for the comparison of prefixes.
    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "/"
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Waits for files, at most a second.
    /// - Parameter isPaused: returns no files now, and keeps them.
    public func next(isPaused: Bool = false) async -> Batch {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.wait(isPaused: isPaused)) }
        }
    }

    /// Schedules a retry of files that could not be added now.
    public func retry(_ files: [String]) async {
        await withCheckedContinuation { continuation in
            queue.async {
                for file in files { self.watch.retry(file, at: Self.now) }
                continuation.resume()
            }
        }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }

    private func wait(isPaused: Bool) -> Batch {
        if Self.now < nextScan { waitForEvents(isPaused: isPaused) }
        readEvents()
        if Self.now >= nextScan { scan() }
        defer { problems = [] }
        let files = isPaused ? [] : watch.take(upTo: Self.batchCountMax, at: Self.now, Self.appearance)
        return Batch(files: files, problems: problems)
    }

    private func waitForEvents(isPaused: Bool) {
        let now = Self.now
        let due = isPaused ? nil : watch.nextDue
        let end = min(due ?? .max, nextScan, now + Self.waitMilliseconds)
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = Glibc.poll(&poll, 1, Int32(end > now ? end - now : 0))
    }

    private func readEvents() {
        guard descriptor >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            var offset = 0
            while offset < count {
                let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
                let start = offset + MemoryLayout<inotify_event>.size
                offset = start + Int(event.len)
                handle(event, name: String(validating: buffer[start..<offset].prefix { $0 != 0 }, as: UTF8.self))
            }
        }
    }

    private func handle(_ event: inotify_event, name: String?) {
        func has(_ flags: Int32...) -> Bool { flags.contains { event.mask & UInt32($0) != 0 } }
        // A scan finds the files of lost events.
        if has(IN_Q_OVERFLOW) { nextScan = 0 }
        if has(IN_IGNORED) { folders[event.wd] = nil }
        // The next scan reports a name that is not UTF-8.
        guard let folder = folders[event.wd], let name, !name.isEmpty, !name.hasPrefix(".") else { return }
        let path = folder + "/" + name
        if has(IN_MOVED_FROM, IN_DELETE) { return watch.forget(path) }
        note(path, isClosed: has(IN_CLOSE_WRITE, IN_MOVED_TO))
    }

    private func scan() {
        nextScan = Self.now + Self.scanMilliseconds
        scanned = []
        if Self.isFolder(folder) {
            isMissing = false
            scan(folder)
        } else if !isMissing {
            isMissing = true
            problems.append(
                SkippedFile(file: folder, reason: "the folder is gone; waiting until it returns", isFailure: true))
        }
        watch.keep(only: scanned)
        scanned = []
    }

    private func scan(_ folder: String) {
        // Before the listing, so that files created meanwhile are reported.
        let watched = inotify_add_watch(descriptor, folder, Self.events)
        if watched >= 0 { folders[watched] = folder }
        guard let stream = opendir(folder) else { return report(folder, "the folder cannot be read") }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(validating: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name else {
                report(folder, "it has a file whose name is not UTF-8")
                continue
            }
            if !name.hasPrefix(".") { note(folder + "/" + name, isClosed: false) }
        }
    }

    private func note(_ path: String, isClosed: Bool) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return watch.forget(path) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: scan(path)
        case S_IFREG:
            scanned.insert(path)
            watch.note(path, FolderWatch.Appearance(status), isClosed: isClosed, at: Self.now)
        default: break
        }
    }

    private func report(_ path: String, _ reason: String) {
        guard toldProblems.insert(path).inserted else { return }
        problems.append(SkippedFile(file: path, reason: reason, isFailure: true))
    }

    private static func appearance(_ path: String) -> FolderWatch.Appearance? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var appearance = FolderWatch.Appearance(status)
        appearance.isOpen = isOpenForWriting(path)
        return appearance
    }

    /// Whether no program has the file open for writing: the kernel grants a read lease only then (fcntl(2)). False
    /// where leases are unsupported, such as on network file systems.
    private static func isOpenForWriting(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        // F_SETLEASE, which Glibc's module lacks.
        guard fcntl(file, 1024, F_RDLCK) != 0 else {
            _ = fcntl(file, 1024, F_UNLCK)
            return false
        }
        return errno == EAGAIN
    }
}

extension FolderWatch.Appearance {
    fileprivate init(_ status: stat) {
        self.init(
            byteCount: Int64(status.st_size),
            modifiedAtNanoseconds: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
}
