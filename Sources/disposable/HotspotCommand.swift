// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableDiscovery
import DisposableSystem
import DisposableWeb
import Foundation

/// A hotspot of this machine, for scripts.
private struct StartedHotspot: Encodable {
    let name: String
    let password: String
    let interface: String
    let address: String
    /// Whether connectivity checks of phones lead to this machine.
    let leadsChecksHere: Bool
}

struct HotspotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hotspot", abstract: "Make a Wi-Fi with this machine, if the venue has none.",
        discussion: """
            Needs NetworkManager and a wireless adapter that supports it; a laptop on the venue's Wi-Fi leaves that \
            network. This machine is \(Hotspot.address) in it every time, so the poster can be printed days before:

              disposable invite --poster party.pdf --wifi NAME --wifi-password PASSWORD --address \(Hotspot.address)
              sudo disposable hotspot --name NAME --password PASSWORD
              disposable run --captive answer
              sudo disposable hotspot --stop

            Phones ask their makers' servers whether a Wi-Fi leads to the Internet. As an administrator, this \
            command leads these requests, and no others, to this machine, where the node answers them at port 80 if \
            it runs with --captive. If the network has Internet through a cable, choose --captive off.

            Until it is stopped it starts again automatically, after the lid was closed and after a restart of the \
            machine, before any other Wi-Fi that the machine knows.
            """)

    @Option(help: "The name of the network.")
    var name = "Disposable"

    @Option(help: "8 to 63 characters; a random one by default.")
    var password: String?

    @Option(help: ArgumentHelp("The wireless adapter, if there are several.", valueName: "name"))
    var interface: String?

    @Option(
        help: ArgumentHelp(
            "Lead connectivity checks of phones to this machine, for a node with the same option: answer or portal; or "
                + "off (default: answer).", valueName: "mode"))
    var captive: CaptiveMode?

    @Flag(help: "Also if the adapter has to leave a network.")
    var yes = false

    @Flag(help: "End the network, which otherwise starts again automatically.")
    var stop = false

    @Flag(help: "Print one JSON object a line; texts for people go to standard error.")
    var json = false

    private var console: Console { Console(isJSON: json) }

    func run() async throws {
        do {
            if stop { try await end() } else { try await start() }
        } catch let failure as Hotspot.Failure {
            throw Failure(failure)
        }
    }

    private func end() async throws {
        do throws(FileError) { try Hotspot.removeNames() } catch {
            throw Failure("\(error)", hint: "only an administrator may: sudo disposable hotspot --stop")
        }
        guard try await Hotspot.stop() else { throw Failure("there is no hotspot to end", exitCode: 3) }
        console.result("the hotspot has ended")
    }

    private func start() async throws {
        let hotspot = Hotspot(name: name, password: password ?? Self.madeUpPassword())
        let network = try WiFiNetwork(name: hotspot.name, password: hotspot.password, isHidden: false)
        let adapters = try await Hotspot.adapters().filter { interface == nil || $0.interface == interface }
        guard let adapter = adapters.first(where: { $0.connection == nil }) ?? adapters.first else {
            throw Hotspot.Failure.noAdapter
        }
        if let connection = adapter.connection, !yes {
            throw Failure(
                "\(adapter.interface) is connected to \"\(connection)\" and would leave it",
                hint: "add --yes, or name another adapter with --interface")
        }
        // Before the start: the name server of the network reads them once.
        let leadsChecksHere = try leadChecks()
        try await hotspot.start(on: adapter)
        console.json(
            "hotspot",
            StartedHotspot(
                name: hotspot.name, password: hotspot.password, interface: adapter.interface, address: Hotspot.address,
                leadsChecksHere: leadsChecksHere))
        if let code = QRCode(network.text) { console.result(code.terminalText) }
        console.result(
            """
            The Wi-Fi "\(hotspot.name)" is there, with the password \(hotspot.password)
            This machine is \(Hotspot.address) on it. It comes back by itself, after a sleep or a restart, until \
            `disposable hotspot --stop` ends it.
            """)
        console.result(
            leadsChecksHere
                ? "Phones get answers from a node here: `disposable run --captive \((captive ?? .answer).rawValue)`."
                : "Phones report that it has no Internet: \"stay connected\" is the right answer.")
    }

    /// Writes or removes the names of connectivity checks for the name server of the network. Returns whether they lead
    /// here.
    private func leadChecks() throws -> Bool {
        do throws(FileError) {
            guard captive != .off else {
                try Hotspot.removeNames()
                return false
            }
            try Hotspot.write(names: CaptiveNames.dnsmasqLines(address: Hotspot.address))
            return true
        } catch {
            guard captive == nil else {
                throw Failure("\(error)", hint: "only an administrator may: try it with sudo")
            }
            Console.say("disposable: warning: phones may leave this Wi-Fi: \(error)")
            Console.say("disposable: hint: start it with sudo, or with --captive off")
            return Hotspot.hasNames
        }
    }

    /// Returns three groups of four unambiguous characters: 59 bits.
    private static func madeUpPassword() -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        // There is at least one letter.
        return (0..<3).map { _ in String((0..<4).map { _ in letters.randomElement()! }) }.joined(separator: "-")
    }
}

extension Failure {
    fileprivate init(_ failure: Hotspot.Failure) {
        switch failure {
        case .noManager:
            self.init(
                "NetworkManager is missing or does not run",
                hint: "sudo apt install network-manager; or use a router without Internet")
        case .noAdapter:
            self.init(
                "there is no wireless adapter that NetworkManager can use",
                hint: "`nmcli device` lists the adapters; or use a router without Internet")
        case .refused:
            self.init(
                "NetworkManager did not make the network: not every adapter can, and it may need an administrator",
                hint: "try it with sudo, and with another adapter; `journalctl -u NetworkManager` shows the reason")
        }
    }
}
