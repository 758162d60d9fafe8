// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization

/// The output of a running node, written by its own thread: a reader that blocks, such as a pager or a terminal after
/// Ctrl-S, must stop neither the node nor its exit. Lines wait in a bounded queue; those beyond the limit are counted,
/// and the count is written when there is room again.
final class Outlet: Sendable {
    static let waitingByteCountMax = 1 << 20

    private struct State {
        var waiting: [(bytes: [UInt8], descriptor: Int32)] = []
        var waitingByteCount = 0
        var isWriting = false
        var omittedCount = 0
    }
    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                bell.wait()
                guard let (bytes, descriptor) = takeFirst() else { continue }
                Self.write(bytes[...], to: descriptor)
                state.withLock { $0.isWriting = false }
            }
        }
    }

    func put(_ bytes: [UInt8], to descriptor: Int32) {
        let isTaken = state.withLock { state in
            guard state.waitingByteCount + bytes.count <= Self.waitingByteCountMax else {
                state.omittedCount += 1
                return false
            }
            state.waiting.append((bytes, descriptor))
            state.waitingByteCount += bytes.count
            return true
        }
        if isTaken { bell.signal() }
    }

    private func takeFirst() -> (bytes: [UInt8], descriptor: Int32)? {
        let (first, omittedCount) = state.withLock { state in
            guard !state.waiting.isEmpty else { return (nil as (bytes: [UInt8], descriptor: Int32)?, 0) }
            let first = state.waiting.removeFirst()
            state.waitingByteCount -= first.bytes.count
            state.isWriting = true
            defer { state.omittedCount = 0 }
            return (first, state.omittedCount)
        }
        if omittedCount > 0 {
            let note = "disposable: note: \(omittedCount) lines were left out, because nobody read them\n"
            Self.write(Array(note.utf8)[...], to: STDERR_FILENO)
        }
        return first
    }

    /// Waits until everything is written, two seconds at most: a reader that still blocks then is given up.
    func drain() async {
        for _ in 0..<200 {
            if state.withLock({ $0.waiting.isEmpty && !$0.isWriting }) { return }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Writes all bytes, however long it takes.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        var bytes = bytes
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
