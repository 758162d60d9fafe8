// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableMDNS
internal import DisposableSystem
internal import DisposableValues
internal import Logging

/// The node's own mDNS, ``MDNSStack``, on this machine's interfaces: only sockets and a timer.
///
/// Several stacks, and a daemon, can share one machine because they publish different records: the host name is random,
/// and there are no records from address to name.
///
/// Unchecked Sendable: everything belongs to the queue with which it was created.
final class EmbeddedStack: @unchecked Sendable {
    private let scope: InterfaceScope
    private let queue: DispatchQueue
    private let continuation: AsyncStream<DiscoveryUpdate>.Continuation
    private let logger: Logger
    private let timer: any DispatchSourceTimer
    private var timerDeadline: UInt64?

    private var stack: MDNSStack
    private var sockets: [Bool: MulticastSocket] = [:]
    private var interfaceNames: [UInt32: String] = [:]
    private var links: Set<LinkID> = []
    /// Links on which the last packet could not be sent, with the error.
    private var failures: [LinkID: Int32] = [:]
    private var socketProblem: String?
    private var isClosed = false

    /// The reason why nothing can be found at present; `nil` if something can.
    private(set) var problem: String?
    private let problemChanged: (String?) -> Void
    private var isJudged = false

    /// - Parameter problemChanged: called when ``problem`` has changed, for the first time within ``refresh()``.
    init(
        scope: InterfaceScope, queue: DispatchQueue, continuation: AsyncStream<DiscoveryUpdate>.Continuation,
        logger: Logger, problemChanged: @escaping (String?) -> Void
    ) {
        self.scope = scope
        self.queue = queue
        self.continuation = continuation
        self.logger = logger
        self.problemChanged = problemChanged
        stack = MDNSStack(serviceType: serviceType, random: SystemRandomNumberGenerator())
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in
            self?.timerDeadline = nil
            self?.work()
        }
        timer.activate()
    }

    /// Withdraws the service, with a goodbye.
    func close() {
        guard !isClosed else { return }
        stack.publish(nil, renewing: false, at: Uptime.milliseconds)
        work()
        isClosed = true
        timer.cancel()
        sockets.values.forEach { $0.close() }
        sockets = [:]
    }

    func advertise(_ advertisement: Advertisement?, renewing: Bool) {
        let service = advertisement.map {
            PublishedService(instanceName: $0.instanceName, port: $0.port, text: $0.text)
        }
        stack.publish(service, renewing: renewing, at: Uptime.milliseconds)
        work()
    }

    /// Updates the interfaces: uses new ones, and drops removed ones. Failures are tried again.
    func refresh() {
        guard !isClosed else { return }
        // A failed query is not a change: keep the known interfaces.
        guard let addresses = try? scope.addresses else { return judge() }
        openSockets()
        let usable = Dictionary(grouping: addresses.filter(\.carriesMulticast), by: \.index)
        var descriptions: [LinkDescription] = []
        for (isIPv6, socket) in sockets {
            let indices = usable.filter { $0.value.contains { $0.isIPv6 == isIPv6 } }.keys
            socket.join(Set(indices))
            for index in indices where socket.hasJoined(index) {
                let networks = usable[index, default: []].compactMap(\.network)
                descriptions.append(
                    LinkDescription(id: LinkID(interfaceIndex: index, isIPv6: isIPv6), networks: networks))
            }
        }
        for (index, addresses) in usable { interfaceNames[index] = addresses.first?.name }
        stack.setLinks(descriptions, at: Uptime.milliseconds)
        links = Set(descriptions.map(\.id))
        failures = failures.filter { links.contains($0.key) }
        work()
        interfaceNames = interfaceNames.filter { usable[$0.key] != nil }
        judge()
    }

    private func openSockets() {
        socketProblem = nil
        for isIPv6 in [false, true] where sockets[isIPv6] == nil {
            do throws(DiscoveryError) {
                sockets[isIPv6] = try MulticastSocket(
                    isIPv6: isIPv6, queue: queue,
                    received: { [weak self] in self?.stack.receive($1, on: $0, at: Uptime.milliseconds) },
                    rested: { [weak self] in self?.work() })
            } catch {
                socketProblem = "\(error)"
            }
        }
    }

    /// Executes the outputs of the stack, and schedules the call at its next deadline.
    private func work() {
        guard !isClosed else { return }
        let now = Uptime.milliseconds
        stack.advance(to: now)
        for output in stack.takeOutputs() { perform(output, at: now) }
        guard let deadline = stack.nextDeadline else { return }
        guard deadline != timerDeadline else { return }
        timerDeadline = deadline
        let pause = deadline > now ? min(deadline - now, 3_600_000) : 0
        timer.schedule(deadline: .now() + .milliseconds(Int(pause)), leeway: .milliseconds(5))
    }

    private func perform(_ output: MDNSStack.Output, at now: UInt64) {
        switch output {
        case .send(let bytes, let link, let endpoint):
            let code = sockets[link.isIPv6]?.send(bytes, interface: link.interfaceIndex, to: endpoint) ?? 0
            // A failed unicast reply to another host is no evidence about the link.
            if endpoint == nil { noteSent(on: link, code, at: now) }
        case .found(let service, let link):
            guard let name = interfaceNames[link.interfaceIndex] else { return }
            continuation.yield(.found(Sighting(service, interfaceName: name)))
        case .lost(let instanceName, let index):
            guard let name = interfaceNames[index] else { return }
            continuation.yield(.lost(instanceName: instanceName, interfaceName: name))
        case .renamed(let name):
            logger.debug("instance name is taken", metadata: ["next": "\(name)"])
        }
    }

    /// Records a result of sending: a new address is not ready at once, and some links carry no multicast; the stack
    /// tries again.
    private func noteSent(on link: LinkID, _ code: Int32, at now: UInt64) {
        if code != 0 { stack.sendFailed(on: link, at: now) }
        guard failures[link] ?? 0 != code else { return }
        failures[link] = code == 0 ? nil : code
        if code != 0 {
            let name = interfaceNames[link.interfaceIndex] ?? "-"
            logger.debug(
                "mDNS packet not sent", metadata: ["interface": "\(name)", "reason": "\(systemMessage(code))"])
        }
        judge()
    }

    private func judge() {
        let reason: String? =
            if sockets.isEmpty {
                socketProblem
            } else if links.isEmpty {
                scope.name.map { "\($0) has no address" } ?? "no network interface has an address"
            } else if links.allSatisfy({ failures[$0] != nil }), let code = failures.values.first {
                "cannot send packets: \(systemMessage(code))"
            } else {
                nil
            }
        guard !isJudged || reason != problem else { return }
        isJudged = true
        problem = reason
        problemChanged(reason)
    }
}

extension InterfaceAddress {
    fileprivate var network: LinkDescription.Network? {
        IPAddress(bytes).map { LinkDescription.Network(address: $0, prefixLength: prefixLength) }
    }
}

extension Sighting {
    fileprivate init(_ service: SeenService, interfaceName: String) {
        self.init(
            instanceName: service.instanceName,
            host: numericHost(service.address, interfaceName: interfaceName), port: service.port, text: service.text,
            interfaceName: interfaceName)
    }
}

/// Returns the numeric form of an address found on an interface, with the interface if it is link-local IPv6.
func numericHost(_ address: IPAddress, interfaceName: String) -> String {
    address.isIPv6 && address.isLinkLocal ? "\(address)%\(interfaceName)" : "\(address)"
}
