// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode

struct VeilCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "veil", abstract: "Ask that a photo of somebody else is not shown.",
        discussion: """
            "Not me, please." The photo is shown to nobody but its author and moderators until a moderator decides: `hide` \
            takes it out of the gallery, `lift` shows it again, for good. It works where organizers have switched it on: \
            `disposable event edit --veils on`.
            """)

    @OptionGroup var target: RemarkedPhotoOptions

    @Flag(help: "Take it back.")
    var off = false

    func run() async throws {
        try await say(.veil(photo: target.photo, isOn: !off), "veil", target.event, target.common)
    }
}

struct LiftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lift", abstract: "Show a photo that a guest asked not to show (moderators).",
        discussion: """
            `disposable gallery --veiled` lists these photos. After a lift nobody can have the photo veiled again; `hide` \
            takes it out of the gallery instead. --undo takes a lift back: the photo is veiled again.
            """)

    @OptionGroup var target: PhotoOptions

    @Flag(help: "Take the lift back.")
    var undo = false

    func run() async throws {
        try await target.rule(named: undo ? "unlift" : "lift", done: undo ? "veiled again" : "lifted the veil from") {
            undo ? .unlift(photo: $0) : .lift(photo: $0)
        }
    }
}
