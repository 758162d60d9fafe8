// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode

struct EventSharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares", abstract: "Show which organizers reveal the photos together.",
        discussion: """
            An event created with `host --shares` has shares of the key that opens its photos. The creator's machine \
            gives one to each new organizer, and then has only its own. `disposable event reveal` publishes the share \
            of a machine; with enough of them the photos are shown everywhere.
            """)

    @Flag(
        help: "Destroy the shares that no organizer has been given: then no machine can open the photos alone.")
    var finish = false

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.shares(event: event.event, finish ? .finish : .show), common) { reply in
            guard case .shares(let shares) = reply else { return }
            console.json("shares", shares)
            console.result(shares.text)
        }
    }
}

extension ShareInfo {
    /// The result of publishing a share.
    var outcome: String {
        isRevealed
            ? "revealed \(photoCount) photos"
            : "your share is published; the photos are shown after \(Show.count(missingCount, "more share"))"
    }

    var text: String {
        var lines = [
            isRevealed
                ? "The photos are revealed."
                : "The photos are shown once \(threshold) of \(count) shares are published; \(missingCount) missing."
        ]
        lines += holders.map { holder in
            "  \(holder.name)\(holder.isMe ? " (this machine)" : ""): \(holder.isReleased ? "published" : "kept")"
        }
        if undealtCount > 0 {
            lines.append(
                "  \(Show.count(undealtCount, "share")) for further organizers, still on this machine: "
                    + "`disposable role grant organizer NAME` gives one, --finish destroys them.")
        }
        return lines.joined(separator: "\n")
    }
}

extension CharterText {
    /// "2" for two of three, or "2of4".
    static func shares(_ text: String) throws -> ShareRule {
        let numbers = text.split(separator: "of", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count <= 2, !numbers.contains(nil), let threshold = numbers[0],
            let rule = ShareRule(threshold: threshold, count: numbers.count == 2 ? numbers[1] : nil)
        else {
            throw ValidationError(
                "write 2 to \(ShareTerms.countMax - 1), or 2of4, with at most \(ShareTerms.countMax) shares")
        }
        return rule
    }
}
