// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode

/// The result, for scripts.
private struct Said: Encodable {
    let id: String
    let photo: String?
}

/// Lets the node sign an annotation, and prints the id with which it can be deleted.
func say(_ remark: ControlRemark, _ type: String, _ event: EventOptions, _ common: CommonOptions) async throws {
    let console = common.console
    try await ask(.say(event: event.event, remark: remark), common) { reply in
        guard case .said(let id, let photo) = reply else { return }
        console.json(type, Said(id: id, photo: photo))
        console.result("\(type) \(id.prefix(8))" + (photo.map { " on \($0.prefix(8))" } ?? ""))
    }
}

/// The photo of an annotation.
struct RemarkedPhotoOptions: ParsableArguments {
    @Argument(help: "The id of a photo, or its start.")
    var photo: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions
}

struct CaptionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caption", abstract: "Write a caption for one of your own photos.",
        discussion: "A later caption replaces an earlier one. `disposable remove` with its id deletes it.")

    @OptionGroup var target: RemarkedPhotoOptions

    @Argument(help: "The text, up to 2,000 bytes.")
    var text: String

    func run() async throws {
        try await say(.caption(photo: target.photo, text: text), "caption", target.event, target.common)
    }
}

struct CommentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment", abstract: "Write a comment on a photo.",
        discussion: """
            Up to \(Remarks.commentsPerPhotoMax) of each person are shown on a photo. `disposable remove` with a \
            comment's id deletes it; a moderator can hide it (`hide`), an organizer can erase it (`erase`).
            """)

    @OptionGroup var target: RemarkedPhotoOptions

    @Argument(help: "The text, up to 2,000 bytes.")
    var text: String

    func run() async throws {
        try await say(.comment(photo: target.photo, text: text), "comment", target.event, target.common)
    }
}

struct ReactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "react", abstract: "Add a reaction to a photo, or remove it.",
        discussion:
            "One of \(Remarks.emoji.map { String($0) }.joined(separator: " ")). Everybody sees the number of each.")

    @OptionGroup var target: RemarkedPhotoOptions

    @Argument(help: "The emoji.")
    var emoji: String

    @Flag(help: "Remove it.")
    var off = false

    func run() async throws {
        try await say(
            .reaction(photo: target.photo, emoji: emoji, isOn: !off), "reaction", target.event, target.common)
    }
}

struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Put a photo of your own on the event's plan, or take it off.",
        discussion: """
            Everybody who sees the photo sees where it is. `disposable event picture` says which photo is the plan. Nothing \
            is placed by itself.
            """)

    @OptionGroup var target: RemarkedPhotoOptions

    @Argument(help: ArgumentHelp("Percent of the plan's width, from the left.", valueName: "across"))
    var across: Double?

    @Argument(help: ArgumentHelp("Percent of the plan's height, from the top.", valueName: "down"))
    var down: Double?

    @Flag(help: "Take it off.")
    var off = false

    func validate() throws {
        if off, across == nil { return }
        guard !off, let across, let down, (0...100).contains(across), (0...100).contains(down) else {
            throw ValidationError("write two numbers from 0 to 100, such as 25 60, or --off")
        }
    }

    func run() async throws {
        func distance(_ percent: Double) -> UInt16 { UInt16((percent / 100 * Double(UInt16.max)).rounded()) }
        let place = across.flatMap { across in
            down.map { Spot(x: distance(across), y: distance($0)) }
        }
        try await say(.spot(photo: target.photo, place), "spot", target.event, target.common)
    }
}

struct TurnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "turn", abstract: "Turn a photo of your own when it is shown.",
        discussion: "Pages, the wall and albums show it turned for everybody. The file stays as it is. Videos are not turned.")

    @OptionGroup var target: RemarkedPhotoOptions

    @Argument(help: ArgumentHelp("Degrees clockwise: 0, 90, 180 or 270.", valueName: "degrees"))
    var degrees: Int

    func validate() throws {
        guard [0, 90, 180, 270].contains(degrees) else { throw ValidationError("write 0, 90, 180 or 270") }
    }

    func run() async throws {
        try await say(.turn(photo: target.photo, degrees: degrees), "turn", target.event, target.common)
    }
}

struct NoticeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notice", abstract: "Write a notice to everybody, as an organizer.",
        discussion:
            "It is shown above the guests' gallery until the next one, or until `disposable remove` deletes it.")

    @Argument(help: "The text, up to 2,000 bytes.")
    var text: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws { try await say(.notice(text: text), "notice", event, common) }
}

struct RenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Change your own name, on all nodes and under all your photos.",
        discussion: "Earlier names stay in the event's history until it ends, or until `disposable me erase`.")

    @Argument(help: "The new name, up to 40 characters.")
    var name: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Renamed: Encodable { let name: String }

    func run() async throws {
        let console = common.console
        try await ask(.rename(event: event.event, name: name), common) { reply in
            guard case .renamed(let name) = reply else { return }
            console.json("renamed", Renamed(name: name))
            console.result("you are \(name) now")
        }
    }
}
