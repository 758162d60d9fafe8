// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import ServiceLifecycle
import Synchronization

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Add new photos and videos of a folder automatically.",
        discussion: """
            For a tethered camera or a memory card. Adds the files in the folder and its subfolders first, then each \
            new file once it is complete. A file that is already in the gallery is skipped, so the command can be \
            stopped and started at any time. Hidden files and symbolic links are skipped, too.

            Works whether or not the node is running; others see the photos once it runs. As with `add`, location, \
            serial numbers and maker notes are overwritten in the shared copy, and your file stays as it is.
            """)

    @Argument(help: "The folder.")
    var folder: String

    @OptionGroup var adding: AddingOptions
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        // From its start on Ctrl-C lets files in progress finish.
        var services = Services(logger: common.logger)
        services.serve("watch") { try await watch() }
        try await services.run()
    }

    private func watch() async throws {
        // Reports a folder without an event, or an unknown name, before anything is watched.
        try await ask(.event(event: event.event), common) { _ in }
        let watcher: FolderWatcher
        do { watcher = try FolderWatcher(folder: folder, node: common.folder) } catch let error as NodeError {
            throw Failure(error)
        }
        Console.say("watching \(folder); Ctrl-C stops")
        let tally = try await watch(watcher)
        Console.say(tally.text)
    }

    private func watch(_ watcher: FolderWatcher) async throws -> Tally {
        let tally = Tally()
        var pause = Pause()
        while !Task.isShuttingDownGracefully {
            let batch = await watcher.next(isPaused: pause.isOn)
            for problem in batch.problems { tally.show(problem, common.console) }
            guard !batch.files.isEmpty else { continue }
            let unanswered = Mutex(Set(batch.files))
            do {
                try await ask(adding.request(batch.files, event), common) { [console = common.console] reply in
                    guard let file = tally.show(reply, console) else { return }
                    _ = unanswered.withLock { $0.remove(file) }
                }
                pause.end()
            } catch is ExitCode {
                pause.end()  // each file that is no photo has been reported
            } catch {
                // A running node may end in the middle of its answer.
                pause.begin(error as? Failure ?? Failure("\(error)"), common.console)
            }
            await watcher.retry(Array(unanswered.withLock { $0 }))
        }
        return tally
    }
}

/// A pause while the node accepts no photos: a full quota, a full disk, a missing consent.
private struct Pause {
    private struct Waiting: Encodable {
        let reason: String
        let hint: String?
    }

    private var resumption: ContinuousClock.Instant?
    private var reported: String?

    var isOn: Bool { resumption.map { ContinuousClock.now < $0 } ?? false }

    mutating func begin(_ failure: Failure, _ console: Console) {
        resumption = .now + .seconds(10)
        guard reported != failure.message else { return }
        reported = failure.message
        console.json("waiting", Waiting(reason: failure.message, hint: failure.hint))
        Console.report(failure)
        Console.say("the files wait; each is tried again from time to time")
    }

    mutating func end() { (resumption, reported) = (nil, nil) }
}

/// The numbers of files by their outcome.
private final class Tally: Sendable {
    private struct Counts {
        var added = 0
        var known = 0
        var skipped = 0
    }
    private let counts = Mutex(Counts())

    /// Prints a reply and returns its file. A file that is already in the gallery is a line for scripts only: after a
    /// restart all of them are.
    func show(_ reply: ControlReply, _ console: Console) -> String? {
        switch reply {
        case .added(let photo):
            counts.withLock { $0.added += 1 }
            showAdded(photo, console)
            return photo.file
        case .skipped(let file):
            show(file, console)
            return file.file
        default: return nil
        }
    }

    func show(_ file: SkippedFile, _ console: Console) {
        counts.withLock { counts in
            if file.isFailure { counts.skipped += 1 } else { counts.known += 1 }
        }
        guard !file.isFailure else { return showSkipped(file, console) }
        console.json("skipped", file)
    }

    var text: String {
        counts.withLock {
            "\(Show.count($0.added, "photo")) added, \(Show.count($0.known, "file")) in the gallery already, "
                + "\(Show.count($0.skipped, "file")) skipped"
        }
    }
}
