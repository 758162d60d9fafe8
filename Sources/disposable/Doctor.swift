// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableDiscovery
import DisposableImaging
import DisposableModel
import DisposableNode
import DisposableSystem
import Foundation
import Logging

/// The result of one check of the machine or the network.
struct Finding: Encodable, Sendable {
    enum State: String, Encodable {
        case good
        /// Information; nodes probably work.
        case note
        case wrong
    }

    var check: String
    var state: State
    var text: String
    /// The advice to the person.
    var hint: String?
}

/// Looks for problems that prevent nodes from finding and reaching each other, or from storing photos.
struct Doctor: Sendable {
    let folder: DataFolder
    let interface: String?
    let seconds: Int
    let logger: Logger

    /// Calls `found` for each finding as it arrives.
    func examine(found: @Sendable (Finding) -> Void) async {
        let statuses = await runningNode()
        findInterfaces().forEach(found)
        findAddresses().forEach(found)
        for finding in await findNetwork() { found(finding) }
        findPorts(statuses).forEach(found)
        let captive = await findCaptive()
        found(captive)
        found(await findFirewall(statuses, besides: captive.state == .note ? [] : ["80/tcp"]))
        findClock(statuses).forEach(found)
        found(findDisk())
        found(findDatabase())
        found(await findImageWorker())
        found(findPageScript())
        findCrashes().forEach(found)
        for problem in Set(statuses.flatMap(\.problems)).sorted() {
            found(Finding(check: "node", state: .wrong, text: "the running node reports: \(problem)"))
        }
    }

    /// Returns the status of the folder's node; empty if none runs.
    private func runningNode() async -> [EventStatus] {
        let (replies, sink) = AsyncStream.makeStream(of: EventStatus.self)
        try? await NodeClient.ask(.status, folder: folder, logger: logger) { reply in
            if case .status(let status) = reply { sink.yield(status) }
        }
        sink.finish()
        var statuses: [EventStatus] = []
        for await status in replies where status.network.listen != nil { statuses.append(status) }
        return statuses
    }

    // The network

    private func findInterfaces() -> [Finding] {
        guard let all = InterfaceAddress.all() else {
            return [
                Finding(check: "interfaces", state: .wrong, text: "the system does not list its network interfaces")
            ]
        }
        let addresses = all.filter {
            interface.map { [name = $0.name] in $0 == name } ?? !$0.isLoopback
        }
        guard !addresses.isEmpty else {
            return [
                Finding(
                    check: "interfaces", state: .wrong, text: "no network: no interface has an address",
                    hint: "plug in a cable, join a wireless network, or open one on this machine")
            ]
        }
        return Dictionary(grouping: addresses, by: \.name).sorted { $0.key < $1.key }.map { name, addresses in
            let list = addresses.map { String($0.host.prefix { $0 != "%" }) }.joined(separator: ", ")
            guard addresses.allSatisfy(\.isRunning) else {
                return Finding(
                    check: "interfaces", state: .note, text: "\(name) has \(list), but carries nothing",
                    hint: "is the cable in, is the wireless network joined?")
            }
            let isAlone = addresses.allSatisfy(\.isLinkLocal)
            return Finding(
                check: "interfaces", state: isAlone ? .note : .good,
                text: "\(name): \(list)"
                    + (isAlone ? "; link-local only, which is enough for nodes on the same network" : ""),
                hint: isAlone
                    ? "guests' phones need an IPv4 address: use a router, or share this machine's network" : nil)
        }
    }

    private func findNetwork() async -> [Finding] {
        let seen: Seen
        do { seen = try await listen() } catch {
            return [Finding(check: "mdns", state: .wrong, text: "\(error)", hint: "`ip address` lists the interfaces")]
        }
        var findings = [mode(seen)]
        guard seen.mode != .off else { return findings }
        findings.append(multicast(seen))
        findings.append(contentsOf: await reach(seen))
        return findings
    }

    private struct Seen {
        var mode = DiscoveryMode.off
        var reason: String?
        /// The interfaces on which this machine's own announcements were received.
        var ownInterfaces: Set<String> = []
        /// Addresses by the name of the node.
        var others: [String: Set<PeerAddress>] = [:]
    }

    private func listen() async throws -> Seen {
        let discovery = try Discovery(interface: interface, logger: logger)
        defer { discovery.stop() }
        let name = "disposable-doctor-" + String(UInt64.random(in: .min ... .max), radix: 36)
        // No node uses a record without a version.
        try discovery.advertise(Advertisement(instanceName: name, port: NodeConfiguration.standardPort, text: [:]))
        let here = Set((InterfaceAddress.all() ?? []).map(\.host))
        return await withTaskGroup(of: Seen?.self) { group in
            group.addTask {
                var seen = Seen()
                for await update in discovery.updates {
                    switch update {
                    case .mode(let mode, let reason): (seen.mode, seen.reason) = (mode, reason)
                    case .found(let sighting) where here.contains(sighting.host):
                        seen.ownInterfaces.insert(sighting.interfaceName)
                    case .found(let sighting) where sighting.text["v"] != nil:
                        seen.others[sighting.instanceName, default: []].insert(
                            PeerAddress(host: sighting.host, port: sighting.port))
                    case .found, .lost: break
                    }
                }
                return seen
            }
            group.addTask { [seconds] in
                try? await Task.sleep(for: .seconds(seconds))
                discovery.stop()
                return nil
            }
            var result = Seen()
            for await seen in group { if let seen { result = seen } }
            return result
        }
    }

    private func mode(_ seen: Seen) -> Finding {
        switch seen.mode {
        case .daemon: Finding(check: "mdns", state: .good, text: "mDNS through this machine's Avahi daemon")
        case .embedded:
            Finding(check: "mdns", state: .good, text: "mDNS by the node itself: no Avahi daemon answers here")
        case .off:
            Finding(
                check: "mdns", state: .wrong, text: "mDNS does not work: \(seen.reason ?? "no answer yet")",
                hint: "name other nodes with --peer HOST:PORT")
        }
    }

    private func multicast(_ seen: Seen) -> Finding {
        let nodes = Show.count(seen.others.count, "other node")
        guard !seen.ownInterfaces.isEmpty || !seen.others.isEmpty else {
            return Finding(
                check: "multicast", state: .wrong,
                text: "neither this machine's own announcement nor another node's is heard within \(seconds) s",
                hint: "a firewall may block UDP port 5353; name other nodes with --peer HOST:PORT")
        }
        let own = seen.ownInterfaces.sorted().joined(separator: ", ")
        return Finding(
            check: "multicast", state: seen.others.isEmpty ? .note : .good,
            text: "announcements are heard"
                + (own.isEmpty ? "" : " on \(own)")
                + (seen.others.isEmpty ? ", but of no other node within \(seconds) s" : ", from \(nodes)"),
            hint: seen.others.isEmpty
                ? "if there is one on this network, multicast does not reach it: name it with --peer HOST:PORT" : nil)
    }

    /// Dials the nodes that were heard. Nodes that are heard and cannot be reached indicate a network that isolates
    /// devices.
    private func reach(_ seen: Seen) async -> [Finding] {
        guard !seen.others.isEmpty else { return [] }
        let nodes = seen.others.sorted { $0.key < $1.key }.prefix(16)
        let silent = await withTaskGroup(of: (Set<PeerAddress>, Bool).self) { group in
            for (_, addresses) in nodes {
                group.addTask {
                    for address in addresses.sorted() where await Reachability.answers(at: address) {
                        return (addresses, true)
                    }
                    return (addresses, false)
                }
            }
            var silent: [Set<PeerAddress>] = []
            for await (addresses, hasAnswered) in group where !hasAnswered { silent.append(addresses) }
            return silent
        }
        guard !silent.isEmpty else {
            return [Finding(check: "reach", state: .good, text: "\(Show.count(nodes.count, "node")) heard and reached")]
        }
        let list = silent.flatMap(\.self).map(\.description).sorted().joined(separator: ", ")
        guard silent.count == nodes.count else {
            return [
                Finding(
                    check: "reach", state: .note, text: "heard but not reached: \(list)",
                    hint: "a node that has just left, or a firewall on that machine: run `disposable doctor` there")
            ]
        }
        return [
            Finding(
                check: "reach", state: .wrong,
                text: "nodes are heard, but none can be reached (\(list)): the network may isolate its devices",
                hint: """
                    guest networks and phones' hotspots do so ("client isolation"): use another network or a cable; or a \
                    firewall on the other machine is closed: run `disposable doctor` there
                    """)
        ]
    }

    // This machine

    private func findPorts(_ statuses: [EventStatus]) -> [Finding] {
        var findings: [Finding] = []
        if let listen = statuses.compactMap(\.network.listen).first {
            findings.append(Finding(check: "ports", state: .good, text: "the node of this folder listens on \(listen)"))
        } else {
            let port = NodeConfiguration.standardPort
            findings.append(
                canBind(port, SOCK_STREAM)
                    ? Finding(check: "ports", state: .good, text: "port \(port) is free for the node")
                    : Finding(
                        check: "ports", state: .note,
                        text: "port \(port) is in use; a node here takes the next free one",
                        hint: "`ss -ltnp` shows the program"))
        }
        if !canBind(5_353, SOCK_DGRAM) {
            findings.append(
                Finding(
                    check: "ports", state: .wrong,
                    text: "another program uses UDP port 5353, that of mDNS, exclusively",
                    hint: "`ss -lunp` shows which"))
        }
        return findings
    }

    /// Returns whether the port can be shared, like that of mDNS; a port with a TCP listener is taken nevertheless.
    private func canBind(_ port: UInt16, _ type: __socket_type) -> Bool {
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        if type == SOCK_DGRAM {
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
    }

    /// - Parameter more: ports besides those of every node.
    private func findFirewall(_ statuses: [EventStatus], besides more: [String]) async -> Finding {
        let node =
            statuses.compactMap(\.network.listen).first.flatMap { PeerAddress($0)?.port }
            ?? NodeConfiguration.standardPort
        // That of HTTPS, where the node has served it.
        let secure = folder.rememberedSecurePagePort.map { ["\($0)/tcp"] } ?? []
        let ports = ["\(node)/tcp", "8027/tcp"] + secure + more + ["5353/udp"]
        guard let firewall = await Firewall.active(ports: ports) else {
            let isRoot = geteuid() == 0
            return Finding(
                check: "firewall", state: isRoot ? .good : .note,
                text: isRoot
                    ? "no firewall blocks connections" : "no firewall found, but only root can see rules",
                hint: isRoot ? nil : "`sudo disposable doctor` checks them as well")
        }
        guard let blocked = firewall.blocked else {
            return Finding(
                check: "firewall", state: .note,
                text: "\(firewall.kind.rawValue) is active; only root can see its rules",
                hint: "if others cannot reach this machine: \(firewall.commands.joined(separator: " && "))")
        }
        guard !blocked.isEmpty else {
            return Finding(
                check: "firewall", state: .good, text: "\(firewall.kind.rawValue) lets nodes and guests through")
        }
        return Finding(
            check: "firewall", state: .wrong,
            text: "\(firewall.kind.rawValue) blocks \(blocked.joined(separator: ", "))",
            hint: firewall.commands.joined(separator: " && "))
    }

    private func findClock(_ statuses: [EventStatus]) -> [Finding] {
        // This program is from 2026.
        guard Date().timeIntervalSince1970 > 1_767_225_600 else {
            return [
                Finding(
                    check: "clock", state: .wrong,
                    text: "the clock says \(Date().formatted(.iso8601)), which is before this program was made",
                    hint: "set it: sudo date -s \"2026-12-31 20:00\"")
            ]
        }
        let wrong = Set(
            statuses.flatMap(\.network.peers).compactMap { peer -> String? in
                guard let difference = peer.clockDifferenceMilliseconds, abs(difference) > 120_000 else { return nil }
                let name = peer.name ?? String(peer.device.prefix(8))
                return
                    "the clock of \(name) is \(abs(difference) / 1_000) s \(difference > 0 ? "ahead of" : "behind") this one's"
            })
        guard wrong.isEmpty else {
            return wrong.sorted().map {
                Finding(
                    check: "clock", state: .wrong, text: $0,
                    hint: "photos without a camera time are out of order: set the wrong clock")
            }
        }
        let count = Set(statuses.flatMap(\.network.peers).map(\.device)).count
        return [
            Finding(
                check: "clock", state: .good,
                text: "the clock says \(Date().formatted(.iso8601))"
                    + (count > 0 ? ", and \(Show.count(count, "connected node")) agree within two minutes" : ""))
        ]
    }

    private func findDisk() -> Finding {
        var path = folder.path
        while !FileManager.default.fileExists(atPath: path), path != "/" {
            path = (path as NSString).deletingLastPathComponent
        }
        let volume: Volume
        do throws(FileError) { volume = try Disk.volume(of: path) } catch {
            return Finding(check: "disk", state: .wrong, text: "\(path) cannot be examined: \(error.reason)")
        }
        let free = volume.freeByteCount
        let reserve = DiskReserve.byteCount(ofVolumeHolding: volume.byteCount)
        guard free > reserve else {
            return Finding(
                check: "disk", state: .wrong,
                text:
                    "\(Show.bytes(free)) are free for \(folder.path), less than the \(Show.bytes(reserve)) to keep free",
                hint: "free some space, or choose another folder with --data")
        }
        guard access(path, W_OK) == 0 else {
            return Finding(
                check: "disk", state: .wrong, text: "\(path) cannot be written to",
                hint: "choose another folder with --data")
        }
        return Finding(
            check: "disk", state: .good,
            text: "\(Show.bytes(free)) are free, some \(Show.count(Int((free - reserve) / 4_000_000), "photo")) of 4 MB"
        )
    }

    private func findImageWorker() async -> Finding {
        let pool = ImageWorkerPool(count: 1)
        do {
            _ = try await pool.jpeg(of: DemoPhoto(seed: 1, width: 64, height: 64, capturedAtMilliseconds: 0))
            let layers = try await pool.confinement()
            await pool.stop()
            return Self.findConfinement(layers)
        } catch {
            await pool.stop()
            return Finding(
                check: "image worker", state: .wrong, text: "no previews: \(error)",
                hint: "disposable-image-worker must be beside disposable, and needs libvips: apt install libvips42")
        }
    }

    /// Checks the image worker: without a filter of system calls, a compromised one could use the network and other
    /// processes.
    private static func findConfinement(_ layers: [ConfinementLayer]) -> Finding {
        let names = layers.map(\.name).joined(separator: ", ")
        let missing = ConfinementLayer.allCases.filter { !layers.contains($0) }.map(\.name).joined(separator: ", ")
        guard !missing.isEmpty else {
            return Finding(
                check: "image worker", state: .good, text: "previews can be made; the worker is confined by \(names)")
        }
        return Finding(
            check: "image worker", state: layers.contains(.systemCallFilter) ? .good : .note,
            text: "previews can be made; the worker is confined by \(names.isEmpty ? "limits only" : names),"
                + " not by \(missing)",
            hint: "this kernel lacks \(missing), or a container forbids it")
    }
}
