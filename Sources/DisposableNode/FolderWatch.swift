// SPDX-License-Identifier: Apache-2.0
/// Decides which files of a watched folder are complete, and returns each of them once. It does no I/O and reads no
/// clock. It keeps a path and two numbers for each file of the folder, and no contents.
package struct FolderWatch: Sendable {
    /// Identifies one state of a file.
    package struct Appearance: Equatable, Sendable {
        package var byteCount: Int64
        package var modifiedAtNanoseconds: Int64
        /// Whether a program has the file open for writing.
        package var isOpen: Bool

        package init(byteCount: Int64, modifiedAtNanoseconds: Int64, isOpen: Bool = false) {
            self.byteCount = byteCount
            self.modifiedAtNanoseconds = modifiedAtNanoseconds
            self.isOpen = isOpen
        }
    }

    /// The time for which a file must stay the same after its writer has closed it: some programs open it a second time
    /// for metadata.
    package static let closedMilliseconds: UInt64 = 500
    /// The same for a file without a close event: its writer may continue.
    package static let foundMilliseconds: UInt64 = 3_000
    /// The limit of files; more wait for the next scan.
    package static let waitingCountMax = 10_000

    private struct Waiting {
        var appearance: Appearance
        var due: UInt64
        var isRetry = false
    }
    private var waiting: [String: Waiting] = [:]
    private var handled: [String: Appearance] = [:]

    package init() {}

    /// The time when the next file may be complete; `nil` while none waits.
    package var nextDue: UInt64? { waiting.values.lazy.map(\.due).min() }

    /// Records that a file was seen. A repeated call changes nothing.
    /// - Parameter isClosed: whether its writer has just closed it or moved it here.
    package mutating func note(_ path: String, _ appearance: Appearance, isClosed: Bool, at now: UInt64) {
        guard handled[path] != appearance else { return }
        // A program closes an empty file to reserve the name.
        let due = now + (isClosed && appearance.byteCount > 0 ? Self.closedMilliseconds : Self.foundMilliseconds)
        if let known = waiting[path], known.appearance == appearance {
            if !known.isRetry { waiting[path]?.due = min(known.due, due) }
        } else if waiting.count < Self.waitingCountMax || waiting[path] != nil {
            waiting[path] = Waiting(appearance: appearance, due: due)
        }
    }

    package mutating func forget(_ path: String) {
        waiting[path] = nil
        handled[path] = nil
    }

    /// Forgets all files but these.
    package mutating func keep(only paths: Set<String>) {
        waiting = waiting.filter { paths.contains($0.key) }
        handled = handled.filter { paths.contains($0.key) }
    }

    /// Returns the complete files, in the order of their names, at most `count`. A file that is retried is returned
    /// alone and after all others, so that it does not block them.
    /// - Parameter look: returns the present state of a file; `nil` if it does not exist.
    package mutating func take(
        upTo count: Int, at now: UInt64, _ look: (String) -> Appearance?
    ) -> [String] {
        let due = waiting.filter { $0.value.due <= now }
        let fresh = due.filter { !$0.value.isRetry }.keys.sorted()
        guard fresh.isEmpty else { return take(fresh, upTo: count, at: now, look) }
        let next = due.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        return take(next.map { [$0.key] } ?? [], upTo: count, at: now, look)
    }

    private mutating func take(
        _ paths: [String], upTo count: Int, at now: UInt64, _ look: (String) -> Appearance?
    ) -> [String] {
        var ready: [String] = []
        for path in paths {
            guard ready.count < count else { break }
            guard let appearance = look(path) else {
                forget(path)
                continue
            }
            guard !appearance.isOpen, appearance == waiting[path]?.appearance else {
                waiting[path] = Waiting(appearance: appearance, due: now + Self.foundMilliseconds)
                continue
            }
            waiting[path] = nil
            handled[path] = appearance
            ready.append(path)
        }
        return ready
    }

    /// Schedules a retry of a file that could not be added now.
    package mutating func retry(_ path: String, at time: UInt64) {
        guard let appearance = handled.removeValue(forKey: path) else { return }
        waiting[path] = Waiting(appearance: appearance, due: time, isRetry: true)
    }
}
