// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode

struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List everyone in the event, with photos and roles.",
        discussion: """
            People with a role come first. Commands about a person take the name, or the start of the key if several \
            people have the same name.
            """)

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = common.console
        try await ask(.event(event: event.event), common) { reply in
            guard case .event(let info) = reply else { return }
            for person in info.members.people {
                console.json("person", person)
                console.result(person.line)
            }
        }
    }
}

extension EventInfo.Person {
    fileprivate var line: String {
        let facts = [isMe ? "you" : nil, hasLeft ? "has left" : nil] + roles + [zone.map { "zone \($0)" }]
        let frames = frames.map { ", \(framesUsed) of \(Show.count(Int($0), "frame")) used" } ?? ""
        return "\(key.prefix(8))  \(name ?? "without a name")  \(Show.count(photoCount, "photo"))\(frames)"
            + facts.compactMap(\.self).map { ", \($0)" }.joined()
    }
}
