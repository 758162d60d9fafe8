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
        commandName: "consent", abstract: "Read the consent text for adding photos, and agree to it.",
        discussion: """
            If the organizers have written a text (`disposable host --consent-text`), this node cannot add photos \
            before you agree, and again after a change of the text. Your consent is a signed operation that all nodes \
            have; `disposable me export` includes it. Without such a text, and for organizers, no consent is needed: \
            the command shows the text for guests of the page.
            """)

    @Flag(help: "Agree without a question.")
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
            return console.result("guests of the page agree to this; you need no consent")
        }
        let question = ConsentQuestion(info: asked, isAgreed: agree)
        guard try await question.isAnsweredYes() else { throw Failure("no answer", exitCode: 3) }
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

/// Shows a text and asks a person to agree to it.
struct ConsentQuestion {
    let info: ConsentInfo
    /// Whether `--agree` was given.
    let isAgreed: Bool

    static func text(_ info: ConsentInfo) -> String {
        let own = "What you agree to:\n\n  \(info.statement)\n"
        guard !info.organizersText.isEmpty else { return own }
        return own + "\n"
            + info.organizersText.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "  \($0)" }.joined(separator: "\n") + "\n"
    }

    /// Throws if there is no terminal to ask at.
    func isAnsweredYes() async throws -> Bool {
        Console.say(Self.text(info))
        guard !isAgreed else { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(
                "the organizers require consent, and there is no terminal to ask at",
                hint: "add --agree to agree to the text above",
                exitCode: 2)
        }
        Console.say("Do you agree? Type yes:")
        return try await Self.line()?.lowercased() == "yes"
    }

    /// Returns a line typed by a person, unless this task is cancelled: a node that stops waits for no answer.
    private static func line() async throws -> String? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&input, 1, 0) == 0 { try await Task.sleep(for: .milliseconds(100)) }
        return readLine()
    }
}

/// Asks for consent while a node runs, as soon as it is admitted and knows whether consent is required.
struct ConsentOnEntering: Sendable {
    let node: Node
    let event: EventID
    let isAgreed: Bool
    let console: Console

    /// Throws if consent is required and there is no terminal to ask at.
    func run() async throws {
        var known = await (try? node.event(event))?.consent()
        while known == nil {
            try await Task.sleep(for: .milliseconds(250))
            known = await (try? node.event(event))?.consent()
        }
        while let info = known, info.isNeeded {
            guard try await ConsentQuestion(info: info, isAgreed: isAgreed).isAnsweredYes() else {
                return Console.say("You can view photos now, and add some once you agree: `disposable consent`")
            }
            do { try await node.event(event).consent(to: info.text) } catch NodeError.refused(.otherConsentText) {
                known = await (try? node.event(event))?.consent()
                continue
            }
            if let given = await (try? node.event(event))?.consent() { console.json("consent", given) }
            return Console.say("you have agreed")
        }
    }
}
