// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableStore
internal import Foundation

/// `fsck`: an inspection of everything in a data folder, and the repair of what can be repaired.
public enum FolderCheck {
    /// Lets the running node inspect, or inspects here if none runs. Replies like a node.
    ///
    /// Throws `NodeError.folderInUse` if a node takes long to start or stop, `.noEvents`, and errors of the disk.
    public static func run(
        _ folder: DataFolder, event: String?, onlyLooks: Bool, each: @Sendable (ControlReply) async -> Void
    ) async throws {
        for _ in 0..<NodeClient.attemptCount {
            let request = ControlRequest.check(event: event, onlyLooks: onlyLooks)
            if try await NodeClient.askRunningNode(request, folder: folder, each: each) { return }
            let all = try EventFolder.allWithOrWithoutKeys(in: folder.path)
            guard !all.isEmpty else { throw NodeError.noEvents(path: folder.path) }
            guard let lock = try FolderLock(folder) else {
                try await Task.sleep(for: .milliseconds(100))
                continue
            }
            defer { lock.release() }
            var wrongCount = 0
            for stored in try chosen(event, of: all) {
                wrongCount += try await check(stored, onlyLooks: onlyLooks, each)
            }
            return await each(.finished(exitCode: wrongCount > 0 ? 1 : 0))
        }
        throw NodeError.folderInUse(path: folder.path)
    }

    private static func chosen(_ text: String?, of all: [EventFolder]) throws -> [EventFolder] {
        guard let text else { return all }
        let matches = all.filter {
            $0.event.description.hasPrefix(text.lowercased()) || EventInspection.name(of: $0) == text
        }
        guard !matches.isEmpty else { throw NodeError.unknownEvent(text) }
        guard matches.count == 1 else { throw NodeError.severalEvents(matches.map(\.event.short)) }
        return matches
    }

    /// - Returns: the number of findings that remain.
    private static func check(
        _ folder: EventFolder, onlyLooks: Bool, _ each: @Sendable (ControlReply) async -> Void
    ) async throws -> Int {
        let name = EventInspection.name(of: folder)
        let report = try await withProgress(each) { progress in
            let inspection = try EventInspection(of: folder, isInUse: false, progress: progress)
            // Without its keys an event cannot be opened.
            guard !onlyLooks, !inspection.damages.contains(where: \.isMissingKey) else {
                return CheckReport(inspection, of: folder, outcome: .looked)
            }
            let repair = try EventRepair(of: folder, after: inspection, progress: progress)
            return CheckReport(inspection, of: folder, outcome: .repaired(repair))
        }
        for finding in report.findings { await each(.finding(finding)) }
        let summary = report.summary(name: name)
        await each(.checked(summary))
        return summary.remainsCount + (onlyLooks ? summary.foundCount : 0)
    }

    /// Runs blocking work, and replies with its progress meanwhile.
    static func withProgress<Result: Sendable>(
        _ each: @Sendable (ControlReply) async -> Void,
        _ work: @escaping @Sendable (_ progress: (UInt64, UInt64) -> Void) throws -> Result
    ) async throws -> Result {
        let (steps, sink) = AsyncStream.makeStream(of: (UInt64, UInt64).self, bufferingPolicy: .bufferingNewest(1))
        async let result = DispatchQueue.global().run {
            defer { sink.finish() }
            return try work { sink.yield(($0, $1)) }
        }
        for await (done, total) in steps { await each(.progress(done: Int(done >> 20), total: Int(total >> 20))) }
        return try await result
    }
}

/// The findings of an event in words, with their outcome.
struct CheckReport: Sendable {
    enum Outcome: Sendable {
        /// Nothing was changed.
        case looked
        case repaired(EventRepair)
        /// The running node repairs what it can.
        case handedToNode
    }

    private let inspection: EventInspection
    private(set) var findings: [CheckFinding] = []
    private let event: String

    init(_ inspection: EventInspection, of folder: EventFolder, outcome: Outcome) {
        self.inspection = inspection
        event = folder.event.description
        var isRebuildTold = false
        for damage in inspection.damages {
            var (kind, text, hint) = damage.words
            var state = damage.state(after: outcome)
            if state == .found { hint = damage.isMissingKey ? hint : "`disposable fsck` repairs it" }
            if kind == "database" || kind == "operation", case .repaired(let repair) = outcome,
                let done = repair.rebuilding
            {
                state = .repaired
                hint = nil
                if !isRebuildTold {
                    isRebuildTold = true
                    hint =
                        "rebuilt with \(done.operationCount) operations and \(done.completeCount) files"
                        + (done.setAsidePath.map { "; the corrupt one is \($0)" } ?? "")
                        + "; other nodes provide the rest once this one runs"
                }
            }
            findings.append(CheckFinding(event: event, kind: kind, state: state, text: text, hint: hint))
        }
    }

    func summary(name: String?) -> CheckSummary {
        func count(_ state: CheckFinding.State) -> Int { findings.count { $0.state == state } }
        return CheckSummary(
            event: event, name: name, operationCount: inspection.operationCount, blobCount: inspection.blobCount,
            byteCount: inspection.byteCount, foundCount: count(.found), repairedCount: count(.repaired),
            incompleteCount: count(.incomplete), remainsCount: count(.remains))
    }
}

extension Damage {
    var isMissingKey: Bool { if case .key = self { true } else { false } }

    /// The kind of a finding, its description, and a hint if this program does nothing about it.
    fileprivate var words: (kind: String, text: String, hint: String?) {
        switch self {
        case .key(let error):
            return (
                "key", "\(error)",
                "restore it from a backup; without one, set the folder aside and join the event again by its invitation"
            )
        case .openKey(let path): return ("key", "the key \(path) can be read by others on this machine", nil)
        case .database(let reason): return ("database", "the database is corrupt: \(reason)", nil)
        case .operation(let position, let reason):
            return ("operation", "the operation at position \(position) is corrupt: \(reason)", nil)
        case .gap(let set, let sequence):
            return (
                "chain", "operation \(sequence) of this node in its \(set) is missing",
                "other nodes have it; until it has met one, this node signs nothing"
            )
        case .fork(let set, let sequence):
            return (
                "chain", "this node's key has signed two operations \(sequence) in its \(set)",
                "a copy of this folder has been in use; no photo is lost, but let one of the two join again"
            )
        case .blob(let root, let wrongCount, let chunkCount, let isFileMissing):
            let what =
                isFileMissing
                ? "is missing"
                : wrongCount == 0 ? "has a wrong list of its parts" : "is wrong in \(wrongCount) of \(chunkCount) parts"
            return (
                "blob", "the file \(root.short) \(what)",
                "it is fetched from other nodes: `disposable run` here and there"
            )
        case .stray(let path): return ("file", "\(path) is left over from interrupted work", nil)
        case .unknownFile(let path): return ("file", "\(path) is not a file of this program", "it was not changed")
        case .setAside(let path, let byteCount):
            return (
                "file", "\(path) is a corrupt database that was set aside (\(byteCount >> 10) KiB)",
                "remove it when all photos are here again"
            )
        }
    }

    fileprivate func state(after outcome: CheckReport.Outcome) -> CheckFinding.State {
        switch self {
        case .unknownFile, .setAside, .fork: return .note
        case .key: return .remains
        default: break
        }
        switch outcome {
        case .looked: return .found
        case .repaired(let repair):
            switch self {
            case .gap: return .incomplete
            case .blob(let root, _, _, _): return repair.incomplete.contains(root) ? .incomplete : .repaired
            default: return .repaired
            }
        case .handedToNode:
            switch self {
            case .gap, .blob: return .incomplete
            default: return .repaired
            }
        }
    }
}

extension Node {
    /// Inspects events while they are in use, and repairs the findings.
    func check(
        _ events: [EventNode], onlyLooks: Bool, _ reply: @Sendable (ControlReply) async -> Void
    ) async throws {
        var wrongCount = 0
        for event in events {
            let store = event.store
            let inspection = try await FolderCheck.withProgress(reply) { progress in
                try EventInspection(of: store.folder, isInUse: true, progress: progress)
            }
            if !onlyLooks {
                try inspection.closeKeys()
                for case .blob(let root, _, _, _) in inspection.damages { await event.takeBack(root) }
                if let reason = inspection.reasonToRebuild { await rebuild(event.event, because: reason) }
            }
            let report = CheckReport(inspection, of: store.folder, outcome: onlyLooks ? .looked : .handedToNode)
            for finding in report.findings { await reply(.finding(finding)) }
            let summary = report.summary(name: event.summary.current.name)
            await reply(.checked(summary))
            wrongCount += summary.remainsCount + summary.foundCount
        }
        await reply(.finished(exitCode: wrongCount > 0 ? 1 : 0))
    }
}
