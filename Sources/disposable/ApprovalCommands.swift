// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode

struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Show photos that wait for approval to everybody.",
        discussion: """
            `disposable gallery --pending` lists them, and `disposable event edit --approve all` makes photos of guests \
            wait; `decline` takes one out of the queue, and `unhide` puts it back. --undo withdraws an approval.
            """)

    @Argument(help: "The ids of photos, or their beginnings.")
    var photos: [String] = []

    @Flag(help: "All photos that wait.")
    var all = false

    @Flag(help: "Withdraw the approval: the photos wait again.")
    var undo = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Approved: Encodable { let photos: [String] }

    func validate() throws {
        guard all == photos.isEmpty else {
            throw ValidationError("name photos, or give --all for all that wait")
        }
        guard !(all && undo) else { throw ValidationError("--undo goes with the ids of photos") }
    }

    func run() async throws {
        let console = common.console
        if undo {
            for photo in photos {
                try await rule(
                    .unapprove(photo: photo), named: "unapprove", done: "withdrew the approval of", event, common)
            }
            return
        }
        try await ask(.rule(event: event.event, act: .approve(photos: photos)), common) { reply in
            guard case .approved(let photos) = reply else { return }
            console.json("approved", Approved(photos: photos))
            console.result("approved \(Show.count(photos.count, "photo"))")
        }
    }
}

struct DeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Take photos out of the queue for approval: hide them.",
        discussion: "The same as `hide`: only the author and moderators see them. `unhide` puts them back.")

    @OptionGroup var target: PhotoOptions

    func run() async throws {
        try await target.rule(named: "decline", done: "declined") { .hide(photo: $0) }
    }
}
