// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import Synchronization

struct DeskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desk", abstract: "Open the organizer's desk in a browser.",
        discussion: """
            Prints an address that opens the desk once, within ten minutes: of the running node, or else of one that runs \
            from here on, as `run` does it. On a desktop it also opens the browser. Where there is no event yet, the first page makes one; until then nothing is \
            served beyond this machine. On another device the desk looks, hides and marks photos, and no more.
            """)

    @Flag(help: "Print the address only; open no browser.")
    var print = false

    /// The link of the desktop's entry, which a page can contain. It has no effect of its own: a page of a stranger may
    /// open the desk, and nothing more.
    @Argument(help: .hidden)
    var link: String?

    @OptionGroup var options: RunOptions
    @OptionGroup var spare: SpareOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard link == nil || link == "disposable:desk" else {
            throw ValidationError("the only link that opens the desk is disposable:desk")
        }
        guard !options.noPortal else { throw ValidationError("the desk is one of the pages: remove --no-portal") }
        try spare.check(options)
    }

    func run() async throws {
        let configuration = try options.configuration
        let answer = Mutex<DeskAddresses??>(nil)
        let isRunning = try await NodeClient.askRunningNode(.desk, folder: common.folder) { reply in
            if case .desk(let addresses) = reply { answer.withLock { $0 = .some(addresses) } }
        }
        guard !isRunning else {
            guard let addresses = answer.withLock({ $0 ?? nil }) else {
                throw Failure(
                    "the running node serves no pages, so it has no desk", hint: "start it without --no-portal")
            }
            warnOfUnusedOptions()
            common.console.json("desk", addresses)
            if open(addresses) { return }
            common.console.result(addresses.url)
            for url in addresses.otherURLs { Console.say("on another device: \(url)") }
            return
        }
        let node = try await common.node(configuration)
        let companions = try await spare.companions(of: node, options, common)
        let pages = try await options.pages(of: node, common.logger, port: spare.port)
        var runner = NodeRunner(node: node, console: common.console, logger: common.logger, pages: pages)
        runner.companions = companions
        runner.tellDesk = { addresses in if !open(addresses) { addresses.say() } }
        try await runner.run()
    }

    /// Reports options that a person would rely on, and that a running node does not take from this command.
    private func warnOfUnusedOptions() {
        let unused = [
            spare.spareFor.map { _ in "--spare-for" }, options.program.offerProgram.map { _ in "--offer-program" },
        ].compactMap(\.self)
        guard !unused.isEmpty else { return }
        let list = unused.joined(separator: " and ")
        Console.say("disposable: warning: a node of this folder runs already, without \(list) of this command")
        Console.say("disposable: hint: stop it, and start it again with these options")
    }

    /// Opens the desk in the browser of the person at this display. Returns false where that cannot be done, or is not
    /// wanted: then the address is for the reader.
    private func open(_ addresses: DeskAddresses) -> Bool {
        guard !print, !common.json, DeskBrowser.isHere, DeskBrowser.open(addresses.url, from: common.folder) else {
            return false
        }
        Console.say("Your desk opens in the browser. `disposable desk --print` gives an address to open elsewhere.")
        return true
    }
}

extension DeskAddresses {
    /// Prints the desk's address on the host's terminal.
    func say() {
        Console.say("Your desk (link works once, 10 minutes):\n\n  \(url)\n")
        Console.say("`disposable desk` gives another address.")
    }
}
