// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Synchronization

struct LeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave an event, and have this machine forget it.",
        discussion: """
            Says that you go, waits until another node has heard it and has the photos that came in here, and then destroys \
            what is here of the event: first its keys, then the folder. What you took home with `export` stays.

            Your photos stay with the others unless you take them back: --delete-my-photos does it first, and all nodes \
            destroy them an hour after they hear of it. Which device you had, when you came and went, and what was taken \
            back stays known to the others.

            Interrupted, it goes on at the next `disposable run`. It works whether or not the node is running.
            """)

    @Flag(help: "Take all of your photos back first.")
    var deleteMyPhotos = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Option(help: "How many seconds another node may take to hear of it, up to 3600.")
    var wait = 60

    @Flag(help: "After that time forget the event although nobody has heard. What is only here is lost.")
    var unheard = false

    @OptionGroup(title: "Where no node runs on the folder") var network: NetworkOptions
    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (0...3_600).contains(wait) else { throw ValidationError("--wait is 0 to 3600 seconds, not \(wait)") }
    }

    private struct Left: Encodable {
        let event: String
        let name: String
        let deletedPhotos: Bool
    }

    func run() async throws {
        let console = common.console
        if !yes {
            let preview = Mutex<LeavePreview?>(nil)
            try await ask(.leave(event: event.event, request(isConfirmed: false)), common) { reply in
                if case .leaving(let found) = reply { preview.withLock { $0 = found } }
            }
            guard let preview = preview.withLock({ $0 }) else { return }
            try confirm(preview)
        }
        try await ask(
            .leave(event: event.event, request(isConfirmed: true)), common, running: network.configuration,
            progress: "photos that others have:"
        ) { reply in
            guard case .left(let id, let name) = reply else { return }
            console.json("left", Left(event: id, name: name, deletedPhotos: deleteMyPhotos))
            console.result("left \(name): nothing of it is in this folder any more")
        }
    }

    private func request(isConfirmed: Bool) -> LeaveRequest {
        LeaveRequest(
            deletesPhotos: deleteMyPhotos, isConfirmed: isConfirmed, waitSeconds: wait, forgetsUnheard: unheard)
    }

    private func confirm(_ preview: LeavePreview) throws {
        for line in preview.lines { Console.say(line) }
        try Console.confirm("Leave?", since: "leaving is not undone")
    }
}

extension LeavePreview {
    /// What somebody should know before they go.
    var lines: [String] {
        var lines = ["You are leaving \(name)."]
        if isLastNode {
            lines.append("No other node is in it: all photos that are here are lost.")
        } else if deletesPhotos {
            lines.append("Your \(Show.count(ownPhotoCount, "photo")) will be taken back, on all nodes.")
        } else {
            lines.append("Your \(Show.count(ownPhotoCount, "photo")) will stay with the others.")
        }
        if guestPhotoCount > 0, !isLastNode {
            lines.append(
                "\(Show.count(guestPhotoCount, "photo")) of guests who came in here will stay with the others.")
        }
        if hasEventKey {
            lines.append(
                "The event's key is on this machine. Unless it is on another one, or on paper (`disposable event backup`), "
                    + "nobody can make organizers any more after this, or take that away from them"
                    + (hasSealedPhotos
                        ? ", and the photos are shown only if another organizer's machine does it." : "."))
        }
        return lines
    }
}
