// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Synchronization

struct LeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave an event, and let this machine forget it.",
        discussion: """
            Announces that you leave, waits until another node knows it and has the photos from here, and then \
            destroys the event's data here: first its keys, then the folder. Exported photos stay.

            Your photos stay with the others unless you delete them: --delete-my-photos does that first, and all nodes \
            purge them an hour after they learn of it. Others still know your device, when you joined and left, and \
            that photos were deleted.

            After an interruption it continues at the next `disposable run`. It works whether or not the node is \
            running.
            """)

    @Flag(help: "Delete all of your photos first.")
    var deleteMyPhotos = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Option(help: "The seconds to wait until another node knows it, up to 3600.")
    var wait = 60

    @Flag(help: "After that time forget the event even if no other node knows it. Photos that are only here are lost.")
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
            console.result("left \(name): its data in this folder are destroyed")
        }
    }

    private func request(isConfirmed: Bool) -> LeaveRequest {
        LeaveRequest(
            deletesPhotos: deleteMyPhotos, isConfirmed: isConfirmed, waitSeconds: wait, forgetsUnheard: unheard)
    }

    private func confirm(_ preview: LeavePreview) throws {
        for line in preview.lines { Console.say(line) }
        try Console.confirm("Leave?", since: "leaving cannot be undone")
    }
}

extension LeavePreview {
    /// The effects to read before leaving.
    var lines: [String] {
        var lines = ["You are leaving \(name)."]
        if isLastNode {
            lines.append("It has no other node: all photos that are here will be lost.")
        } else if deletesPhotos {
            lines.append("Your \(Show.count(ownPhotoCount, "photo")) will be deleted on all nodes.")
        } else {
            lines.append("Your \(Show.count(ownPhotoCount, "photo")) will stay with the others.")
        }
        if guestPhotoCount > 0, !isLastNode {
            lines.append(
                "\(Show.count(guestPhotoCount, "photo")) of guests of this node will stay with the others.")
        }
        if hasEventKey {
            lines.append(
                "The event's key is on this machine. Unless it is on another one, or on paper (`disposable event backup`), "
                    + "nobody can appoint or dismiss organizers after this"
                    + (hasSealedPhotos
                        ? ", and only another organizer's machine can reveal the photos." : "."))
        }
        return lines
    }
}
