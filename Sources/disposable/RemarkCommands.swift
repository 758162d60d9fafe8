// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode

/// What was said, for scripts.
private struct Said: Encodable {
    let id: String
    let photo: String?
}

/// Has the node say it, and tells by which id it is taken back.
private func say(_ remark: ControlRemark, _ type: String, _ event: EventOptions, _ common: CommonOptions) async throws {
    let console = common.console
    try await ask(.say(event: event.event, remark: remark), common) { reply in
        guard case .said(let id, let photo) = reply else { return }
        console.json(type, Said(id: id, photo: photo))
        console.result("\(type) \(id.prefix(8))" + (photo.map { " on \($0.prefix(8))" } ?? ""))
    }
}

/// Which photo a remark is about.
struct RemarkedPhotoOptions: ParsableArguments {
    @Argument(help: "The id of a photo, or its beginning.")
    var photo: String

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions
}

struct CaptionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caption", abstract: "Say something under one of your own photos.",
        discussion: "A later caption takes the place of an earlier one. `disposable remove` with its id takes it away.")

    @OptionGroup var target: RemarkedPhotoOptions

    @Argument(help: "The text, up to 2,000 bytes.")
    var text: String

    func run() async throws {
        try await say(.caption(photo: target.photo, text: text), "caption", target.event, target.common)
    }
}

struct CommentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment", abstract: "Say something about a photo.",
        discussion: """
            Up to \(Remarks.commentsPerPhotoMax) of each person are shown on a photo. `disposable remove` with a comment's id takes it \
            back; a moderator hides it (`hide`), an organizer destroys it (`erase`).
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
        commandName: "react", abstract: "Put an emoji on a photo, or take it off again.",
        discussion:
            "One of \(Remarks.emoji.map { String($0) }.joined(separator: " ")). All see how many have put it there.")

    @OptionGroup var target: RemarkedPhotoOptions

    @Argument(help: "The emoji.")
    var emoji: String

    @Flag(help: "Take it off.")
    var off = false

    func run() async throws {
        try await say(
            .reaction(photo: target.photo, emoji: emoji, isOn: !off), "reaction", target.event, target.common)
    }
}

struct NoticeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notice", abstract: "Say something to everybody, as an organizer.",
        discussion:
            "It stands above the guests' gallery until the next one, or until `disposable remove` takes it away.")

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
