// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Foundation
import Synchronization

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Add photos and videos as they come into a folder.",
        discussion: """
            For a tethered camera or a memory card. What is in the folder and its subfolders is added first, then each file \
            once it is complete. A file that is in the gallery already is left out, so the command can be stopped and \
            started at any time. Hidden files and symbolic links are left out.

            Works whether or not the node is running; others see the photos once it runs. As with `add`, location, serial \
            numbers and maker notes are overwritten in the shared copy, and your file stays as it is.
            """)

    @Argument(help: "The folder.")
    var folder: String

    @OptionGroup var adding: AddingOptions
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        // From here on Ctrl-C lets files under way become photos.
        let interruptions = Signals.interruptions
        // Tells a folder without an event, or a name that is none, before anything is watched.
        try await ask(.event(event: event.event), common) { _ in }
        let watcher: FolderWatcher
        do { watcher = try FolderWatcher(folder: folder, node: common.folder) } catch let error as NodeError {
            throw Failure(error)
        }
        let stopping = Task {
            for await _ in interruptions {
                return Console.say("\ndisposable: stopping; press Ctrl-C again to stop at once")
            }
        }
        defer { stopping.cancel() }
        Console.say("watching \(folder); Ctrl-C stops")
        let tally = try await watch(watcher)
        Console.say(tally.text)
    }

    private func watch(_ watcher: FolderWatcher) async throws -> Tally {
        let tally = Tally()
        var pause = Pause()
        while !Signals.isInterrupted {
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
                pause.end()  // each file that is no photo has been told
            } catch {
                // A running node may also end in the middle of its answer.
                pause.begin(error as? Failure ?? Failure("\(error)"), common.console)
            }
            await watcher.retry(Array(unanswered.withLock { $0 }))
        }
        return tally
    }
}

/// While the node takes no photos: a full roll, a full disk, consent that is not given.
private struct Pause {
    private struct Waiting: Encodable {
        let reason: String
        let hint: String?
    }

    private var resumption: ContinuousClock.Instant?
    private var told: String?

    var isOn: Bool { resumption.map { ContinuousClock.now < $0 } ?? false }

    mutating func begin(_ failure: Failure, _ console: Console) {
        resumption = .now + .seconds(10)
        guard told != failure.message else { return }
        told = failure.message
        console.json("waiting", Waiting(reason: failure.message, hint: failure.hint))
        Console.report(failure)
        Console.say("the files wait; each is tried again every now and then")
    }

    mutating func end() { (resumption, told) = (nil, nil) }
}

/// What became of the files, counted.
private final class Tally: Sendable {
    private struct Counts {
        var added = 0
        var known = 0
        var skipped = 0
    }
    private let counts = Mutex(Counts())

    /// The file that the reply is about. One that is in the gallery already is a line for scripts only: after a restart
    /// they all are.
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
