// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import DisposableSystem
import DisposableWeb

/// The check of connectivity checks: whether the name server of this network leads those of phones to this machine, and
/// whether it answers them.
extension Doctor {
    func findCaptive() async -> Finding {
        let own = (InterfaceAddress.all() ?? []).filter { !$0.isIPv6 && !$0.isLoopback }.map(\.host)
        for server in VenueNetwork.nameServers(own: own) {
            // One name first: the others are asked only where they can lead here.
            guard let address = await leads(ConnectivityProbe.hosts[0], by: server, to: own) else { continue }
            var missing: [String] = []
            for host in ConnectivityProbe.hosts where await leads(host, by: server, to: [address]) == nil {
                missing.append(host)
            }
            guard missing.isEmpty else {
                return Finding(
                    check: "captive", state: .wrong,
                    text: "the name server \(server) leads only some connectivity checks of phones to this machine, "
                        + "not \(missing.joined(separator: ", "))",
                    hint: "`disposable captive \(address)` prints all lines that it needs")
            }
            return await findAnswer(at: address)
        }
        return Finding(
            check: "captive", state: .note, text: "connectivity checks of phones do not lead to this machine",
            hint: """
                only if this Wi-Fi has no Internet: phones may leave it; `disposable hotspot` and `disposable captive` \
                change that
                """)
    }

    /// Returns the address among `own` to which a name server leads a name; `nil` if it leads elsewhere.
    private func leads(_ name: String, by server: String, to own: [String]) async -> String? {
        guard case .addresses(let found) = await VenueNetwork.ask(server, for: name) else { return nil }
        return found.first(where: own.contains)
    }

    private func findAnswer(at address: String) async -> Finding {
        let answer = await VenueNetwork.get("/hotspot-detect.html", host: "captive.apple.com", at: address)
        let text = answer.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let expected = ConnectivityProbe.probes(of: "captive.apple.com").first
        if case .page(let page) = expected?.answer, text.hasPrefix("HTTP/1.1 200 "), text.hasSuffix("\r\n\r\n" + page) {
            return Finding(
                check: "captive", state: .good,
                text: "connectivity checks of phones lead to this machine at \(address), which answers them")
        }
        if text.hasPrefix("HTTP/1.1 302 ") {
            return Finding(
                check: "captive", state: .good,
                text: "connectivity checks of phones lead to this machine at \(address), and open their sign-in window")
        }
        return Finding(
            check: "captive", state: .wrong,
            text: "connectivity checks of phones lead to this machine at \(address), and it does not answer them",
            hint: "run the node with --captive answer; or end that with `disposable hotspot --stop`, or in the router")
    }
}
