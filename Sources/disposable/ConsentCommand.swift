// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import Foundation
import Glibc
import Synchronization

struct ConsentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "Read what is asked of those who add photos, and agree to it.",
        discussion: """
            Where the organizers have written a text (`disposable host --consent-text`), nothing is added from this node before, \
            and not after they have changed it, until you agree again. Your agreement is a signed statement that all \
            nodes have; `disposable me export` shows yours. Without such a text, and of organizers, nothing is asked: the \
            command shows what guests of the page agree to.
            """)

    @Flag(help: "Agree without being asked.")
    var agree = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        let asked = try await consent(to: nil)
        guard !asked.isGiven else {
            console.json("consent", asked)
            Console.say(ConsentQuestion.text(asked))
            return console.result("you have agreed to this")
        }
        guard asked.isNeeded || agree else {
            console.json("consent", asked)
            Console.say(ConsentQuestion.text(asked))
            return console.result("guests of the page agree to this; nothing is asked of you")
        }
        let question = ConsentQuestion(info: asked, isAgreed: agree)
        guard try await question.isAnsweredYes() else { throw Failure("nothing was said", exitCode: 3) }
        console.json("consent", try await consent(to: asked.text))
        console.result("you have agreed")
    }

    private func consent(to text: String?) async throws -> ConsentInfo {
        let found = Mutex<ConsentInfo?>(nil)
        try await ask(.consent(event: event.event, text: text), common) { reply in
            if case .consent(let info) = reply { found.withLock { $0 = info } }
        }
        guard let info = found.withLock({ $0 }) else { throw Failure(NodeError.stopped) }
        return info
    }
}

/// Shows a text and asks whether somebody agrees to it.
struct ConsentQuestion {
    let info: ConsentInfo
    /// Whether the command line has said so already.
    let isAgreed: Bool

    static func text(_ info: ConsentInfo) -> String {
        let own = "What you agree to:\n\n  \(info.statement)\n"
        guard !info.organizersText.isEmpty else { return own }
        return own + "\n"
            + info.organizersText.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "  \($0)" }.joined(separator: "\n") + "\n"
    }

    /// Throws where there is nobody to ask.
    func isAnsweredYes() async throws -> Bool {
        Console.say(Self.text(info))
        guard !isAgreed else { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(
                "the organizers ask for consent, so somebody has to agree",
                hint: "add --agree, which agrees to the text above",
                exitCode: 2)
        }
        Console.say("Do you agree? Write yes:")
        return try await Self.line()?.lowercased() == "yes"
    }

    /// What somebody types, as long as this task is not cancelled: a node that stops waits for no answer.
    private static func line() async throws -> String? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&input, 1, 0) == 0 { try await Task.sleep(for: .milliseconds(100)) }
        return readLine()
    }
}

/// Asks for consent while a node runs, as soon as it has been let in and knows whether it is asked for.
struct ConsentOnEntering: Sendable {
    let node: Node
    let event: EventID
    let isAgreed: Bool
    let console: Console

    /// Throws where somebody has to agree and there is nobody to ask.
    func run() async throws {
        var known = await (try? node.event(event))?.consent()
        while known == nil {
            try await Task.sleep(for: .milliseconds(250))
            known = await (try? node.event(event))?.consent()
        }
        while let info = known, info.isNeeded {
            guard try await ConsentQuestion(info: info, isAgreed: isAgreed).isAnsweredYes() else {
                return Console.say("You can look, and add photos once you agree: `disposable consent`")
            }
            do { try await node.event(event).consent(to: info.text) } catch NodeError.otherConsentText {
                known = await (try? node.event(event))?.consent()
                continue
            }
            if let given = await (try? node.event(event))?.consent() { console.json("consent", given) }
            return Console.say("you have agreed")
        }
    }
}
