// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableDiscovery
import Foundation

/// A hotspot of this machine, for scripts.
private struct StartedHotspot: Encodable {
    let name: String
    let password: String
    let interface: String
    let address: String
}

struct HotspotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hotspot", abstract: "Make a Wi-Fi with this machine, if the venue has none.",
        discussion: """
            Needs NetworkManager and a wireless adapter that supports it; a laptop on the venue's Wi-Fi leaves that \
            network. Phones report that there is no Internet: "stay connected" is the right answer. This machine is \
            \(Hotspot.address) in it every time, so the poster can be printed days before:

              disposable invite --poster party.pdf --wifi NAME --wifi-password PASSWORD --address \(Hotspot.address)
              disposable hotspot --name NAME --password PASSWORD
              disposable hotspot --stop

            Until it is stopped it starts again automatically, after the lid was closed and after a restart of the \
            machine, before any other Wi-Fi that the machine knows.
            """)

    @Option(help: "The name of the network.")
    var name = "Disposable"

    @Option(help: "8 to 63 characters; a random one by default.")
    var password: String?

    @Option(help: ArgumentHelp("The wireless adapter, if there are several.", valueName: "name"))
    var interface: String?

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
        try await hotspot.start(on: adapter)
        console.json(
            "hotspot",
            StartedHotspot(
                name: hotspot.name, password: hotspot.password, interface: adapter.interface, address: Hotspot.address))
        if let code = QRCode(network.text) { console.result(code.terminalText) }
        console.result(
            """
            The Wi-Fi "\(hotspot.name)" is there, with the password \(hotspot.password)
            This machine is \(Hotspot.address) on it. It comes back by itself, after a sleep or a restart, until \
            `disposable hotspot --stop` ends it.
            """)
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
