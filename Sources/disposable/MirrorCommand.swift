// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import ServiceLifecycle
import Synchronization

struct MirrorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror", abstract: "Keep a folder, for example on a USB disk, equal to the gallery.",
        discussion: """
            Writes each original as a plain file as soon as it has arrived, and deletes the file when the photo is \
            deleted. Every file is compared with the photo's SHA-256. If the disk is unplugged or full, the command \
            waits; once it is back, all files are read again, and the mirror continues. Photos that are still sealed \
            are not written.

            Names are <date>-<time>-<author>-<photo>, in UTC, and do not change. The folder must be new or empty. \
            Works whether or not the node is running.
            """)

    @Argument(help: "The folder; created if it is missing.")
    var folder: String

    @Flag(help: "End as soon as everything that is here is written.")
    var once = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Waiting: Encodable {
        let reason: String
        let hint: String?
    }

    private struct Removed: Encodable {
        let file: String
    }

    /// Whether the node has accepted the folder as a mirror.
    private final class Begin: Sendable {
        let hasCome = Mutex(false)
    }

    func run() async throws {
        // From its start on Ctrl-C lets files in progress finish.
        var services = Services(logger: common.logger)
        services.serve("mirror") { try await mirror() }
        try await services.run()
    }

    private func mirror() async throws {
        let path = URL(fileURLWithPath: folder).path
        var (state, shown, reported): (MirrorState?, MirrorState?, String?) = (nil, nil, nil)
        let begin = Begin()
        do { state = try await work(path, creates: true, rereads: true, begin) } catch let failure as Failure {
            // Problems at the start are the person's to solve; those of a mirror that exists are waited for.
            guard begin.hasCome.withLock({ $0 }) else { throw failure }
        }
        Console.say("mirroring to \(path); Ctrl-C stops")
        while !Task.isShuttingDownGracefully {
            if let state, state.remainingCount == 0 {
                if state != shown { show(state, path) }
                shown = state
                if once { break }
            }
            if state.map({ $0.remainingCount == 0 }) ?? true { await pause() }
            do {
                state = try await work(path, creates: false, rereads: state == nil, begin)
                if reported != nil { Console.say("the mirror is there again") }
                reported = nil
            } catch let failure as Failure {
                (state, shown) = (nil, nil)
                guard reported != failure.message else { continue }
                reported = failure.message
                common.console.json("waiting", Waiting(reason: failure.message, hint: failure.hint))
                Console.report(failure)
            }
        }
    }

    /// Does a part of the work.
    private func work(_ path: String, creates: Bool, rereads: Bool, _ begin: Begin) async throws -> MirrorState? {
        let state = Mutex<MirrorState?>(nil)
        try await ask(
            .mirror(event: event.event, folder: path, creates: creates, rereads: rereads), common
        ) { [console = common.console] reply in
            switch reply {
            case .exported(let file):
                begin.hasCome.withLock { $0 = true }
                console.json("exported", file)
            case .mirrorRemoved(let file): console.json("removed", Removed(file: file))
            case .mirrored(let reached):
                begin.hasCome.withLock { $0 = true }
                state.withLock { $0 = reached }
            default: break
            }
        }
        return state.withLock { $0 }
    }

    private func show(_ state: MirrorState, _ path: String) {
        common.console.json("mirrored", state)
        let awaited = state.awaitedCount > 0 ? "; \(Show.count(state.awaitedCount, "original")) not here yet" : ""
        common.console.result("\(Show.count(state.fileCount, "photo")) in \(path)\(awaited)")
    }

    /// Waits two seconds, or until Ctrl-C.
    private func pause() async {
        for _ in 0..<20 where !Task.isShuttingDownGracefully { try? await Task.sleep(for: .milliseconds(100)) }
    }
}
