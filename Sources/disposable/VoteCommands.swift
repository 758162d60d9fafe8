// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Synchronization

struct VoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vote", abstract: "Vote for the photo of the night.",
        discussion: """
            An organizer opens the vote and closes it. Until then votes are sealed: no page and no command shows how \
            it stands. The secret that opens them is on the organizers' nodes, so a changed program of an organizer could \
            read votes earlier. After the closing every node has the same result.
            """,
        subcommands: [Open.self, Cast.self, Close.self, Result.self])

    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a vote (organizers).",
            discussion: "Everybody has one vote, also those who have not joined yet. One vote is open at a time.")

        @OptionGroup var event: EventOptions
        @OptionGroup var common: CommonOptions

        func run() async throws { try await show(.open, event, common) }
    }

    struct Cast: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Vote for a photo of somebody else.",
            discussion: """
                Until the vote is closed you can vote again: your last vote counts. Members cannot tell what you have \
                voted before that. After the closing all nodes can tell it; pages show numbers only.
                """)

        @Argument(help: ArgumentHelp("The photo's id, or the start of it.", valueName: "photo"))
        var photo: String?

        @Flag(help: "Vote for no photo.")
        var none = false

        @OptionGroup var event: EventOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard (photo != nil) != none else { throw ValidationError("name a photo, or use --none") }
        }

        func run() async throws { try await show(.cast(photo: photo), event, common) }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close the vote and show the result (organizers).",
            discussion: "It cannot be opened again. Votes that were cast before and are still on their way count, too.")

        @OptionGroup var event: EventOptions
        @OptionGroup var common: CommonOptions

        func run() async throws { try await show(.close, event, common) }
    }

    struct Result: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the result, or that the vote is open.",
            discussion: """
                Deleted, hidden and veiled photos cannot win, and a vote for a photo of one's own does not count. The \
                result may change when a vote arrives that was cast before the closing.
                """)

        @OptionGroup var event: EventOptions
        @OptionGroup var common: CommonOptions

        func run() async throws { try await show(.result, event, common) }
    }
}

private func show(_ act: VoteAct, _ event: EventOptions, _ common: CommonOptions) async throws {
    let console = common.console
    var hasNone = false
    for vote in try await votes(act, event, common) {
        guard let vote else {
            hasNone = true
            continue
        }
        console.json("vote", vote)
        console.result(sentence(vote))
        for place in vote.places {
            console.result("\(Show.count(place.votes, "vote"))  \(place.photo.prefix(8))  \(place.author)")
        }
    }
    guard !hasNone else {
        Console.say("there has been no vote at this event")
        throw ExitCode(3)
    }
}

private func votes(_ act: VoteAct, _ event: EventOptions, _ common: CommonOptions) async throws -> [VoteInfo?] {
    let found = Mutex<[VoteInfo?]>([])
    try await ask(.vote(event: event.event, act: act), common) { reply in
        if case .vote(let vote) = reply { found.withLock { $0.append(vote) } }
    }
    return found.withLock(\.self)
}

private func sentence(_ vote: VoteInfo) -> String {
    let voters = vote.voterCount == 1 ? "1 person has voted" : "\(vote.voterCount) people have voted"
    guard let closedAt = vote.closedAt else {
        let mine = vote.hasVoted ? "; your vote is sealed" : ""
        return "the vote is open since \(Show.time(iso8601: vote.openedAt)): \(voters)\(mine)"
    }
    let closed = "the vote was closed at \(Show.time(iso8601: closedAt)): \(voters)"
    switch vote.winnerCount {
    case 0: return closed + ", and no photo that is shown has a vote"
    case 1: return closed
    default: return closed + "; \(vote.winnerCount) photos have the most votes"
    }
}
