// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Dispatch
internal import DisposableMDNS
internal import DisposableValues
internal import Glibc

/// A UDP socket on port 5353 that shares it with other mDNS programs of this machine, for one version of IP.
///
/// Unchecked Sendable: everything belongs to the queue with which it was created.
final class MulticastSocket: @unchecked Sendable {
    static let port: UInt16 = 5353
    /// 224.0.0.251 and ff02::fb.
    static let group4: [UInt8] = [224, 0, 0, 251]
    static let group6: [UInt8] = [0xFF, 0x02] + [UInt8](repeating: 0, count: 13) + [0xFB]

    private let isIPv6: Bool
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    private var joined: Set<UInt32> = []
    /// Packets read in the present second; their limit bounds the cost of a flood.
    private var readCount = 0
    private var second: UInt64 = 0
    private var isSuspended = false
    private var isClosed = false

    private static let readCountMax = 2_000
    private static let batchCountMax = 64

    /// - Parameter received: called for each packet; then `rested` once for the whole batch.
    init(
        isIPv6: Bool, queue: DispatchQueue, received: @escaping (LinkID, Datagram) -> Void, rested: @escaping () -> Void
    ) throws(DiscoveryError) {
        self.isIPv6 = isIPv6
        self.queue = queue
        descriptor = try Self.open(isIPv6: isIPv6)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in
            self?.read(received)
            rested()
        }
        source.setCancelHandler { [descriptor] in _ = Glibc.close(descriptor) }
        source.activate()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        source.cancel()
        if isSuspended { source.resume() }
    }

    private static func open(isIPv6: Bool) throws(DiscoveryError) -> Int32 {
        let family = isIPv6 ? AF_INET6 : AF_INET
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw .socket(operation: "socket", message: systemMessage(errno)) }
        func set(_ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
            var value = value
            return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
        }
        let (ip, ip6) = (Int32(IPPROTO_IP), Int32(IPPROTO_IPV6))
        // The last option of each list only exists on some systems: only groups that this socket has joined.
        let isReady =
            set(SOL_SOCKET, SO_REUSEADDR, 1) && set(SOL_SOCKET, SO_REUSEPORT, 1)
            && (isIPv6
                ? set(ip6, IPV6_V6ONLY, 1) && set(ip6, IPV6_MULTICAST_HOPS, 255) && set(ip6, IPV6_UNICAST_HOPS, 255)
                    && set(ip6, IPV6_MULTICAST_LOOP, 1)
                : set(ip, IP_MULTICAST_TTL, 255) && set(ip, IP_TTL, 255) && set(ip, IP_MULTICAST_LOOP, 1))
            && clinux_udp_tell_interface(descriptor, isIPv6 ? 1 : 0) == 0
        if isIPv6 { _ = set(ip6, IPV6_MULTICAST_ALL, 0) } else { _ = set(ip, IP_MULTICAST_ALL, 0) }
        guard isReady, bind(descriptor, isIPv6: isIPv6) == 0 else {
            let message = systemMessage(errno)
            _ = Glibc.close(descriptor)
            throw .socket(operation: "bind to UDP port \(port)", message: message)
        }
        return descriptor
    }

    private static func bind(_ descriptor: Int32, isIPv6: Bool) -> Int32 {
        func bind(_ address: some Any) -> Int32 {
            withUnsafeBytes(of: address) { bytes in
                bytes.baseAddress.map {
                    Glibc.bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
                } ?? -1
            }
        }
        guard isIPv6 else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            return bind(address)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        return bind(address)
    }

    // Groups

    /// Joins the group on these interfaces, and leaves it on all others.
    func join(_ interfaces: Set<UInt32>) {
        for index in joined.subtracting(interfaces) { _ = setMembership(index, isMember: false) }
        joined = joined.intersection(interfaces).union(
            interfaces.subtracting(joined).filter { setMembership($0, isMember: true) })
    }

    func hasJoined(_ interface: UInt32) -> Bool { joined.contains(interface) }

    /// Changes the membership. A removed interface cannot be left, and needs not: the system has dropped it.
    private func setMembership(_ index: UInt32, isMember: Bool) -> Bool {
        let status: Int32
        if isIPv6 {
            var request = ipv6_mreq()
            withUnsafeMutableBytes(of: &request.ipv6mr_multiaddr) { $0.copyBytes(from: Self.group6) }
            request.ipv6mr_interface = index
            status = setsockopt(
                descriptor, Int32(IPPROTO_IPV6), isMember ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP, &request,
                socklen_t(MemoryLayout<ipv6_mreq>.size))
        } else {
            var request = ip_mreqn()
            withUnsafeMutableBytes(of: &request.imr_multiaddr) { $0.copyBytes(from: Self.group4) }
            request.imr_ifindex = Int32(index)
            status = setsockopt(
                descriptor, Int32(IPPROTO_IP), isMember ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, &request,
                socklen_t(MemoryLayout<ip_mreqn>.size))
        }
        return status == 0 || isMember && errno == EADDRINUSE
    }

    // Packets

    /// - Returns: the error number, 0 for none. A packet that the system has no room for is lost, as on the air.
    func send(_ bytes: [UInt8], interface: UInt32, to endpoint: Endpoint?) -> Int32 {
        var peer = clinux_udp_peer()
        peer.interface = interface
        peer.is_ipv6 = isIPv6 ? 1 : 0
        peer.port = endpoint?.port ?? Self.port
        let address = endpoint?.address.bytes ?? (isIPv6 ? Self.group6 : Self.group4)
        withUnsafeMutableBytes(of: &peer.address) { $0.copyBytes(from: address) }
        guard clinux_udp_send(descriptor, bytes, bytes.count, &peer) < 0 else { return 0 }
        return [EAGAIN, ENOBUFS, EINTR].contains(errno) ? 0 : errno
    }

    private func read(_ received: (LinkID, Datagram) -> Void) {
        let now = Uptime.milliseconds
        if now / 1_000 != second { (second, readCount) = (now / 1_000, 0) }
        var buffer = [UInt8](repeating: 0, count: MDNSLimits.packetByteCountMax)
        for _ in 0..<Self.batchCountMax {
            guard readCount < Self.readCountMax else { return rest(until: (second + 1) * 1_000, at: now) }
            var peer = clinux_udp_peer()
            let count = clinux_udp_receive(descriptor, &buffer, buffer.count, &peer)
            guard count >= 0 else { return }
            readCount += 1
            let address = withUnsafeBytes(of: peer.address) { IPAddress($0.prefix(isIPv6 ? 16 : 4)) }
            guard peer.is_cut == 0, let address else { continue }
            received(
                LinkID(interfaceIndex: peer.interface, isIPv6: isIPv6),
                Datagram(
                    bytes: Array(buffer.prefix(count)), source: Endpoint(address: address, port: peer.port),
                    isToGroup: peer.is_to_group != 0))
        }
    }

    /// Stops reading for a while. The system's buffer holds packets meanwhile; those beyond are lost.
    private func rest(until moment: UInt64, at now: UInt64) {
        isSuspended = true
        source.suspend()
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(moment - now))) { [weak self] in
            guard let self, isSuspended, !isClosed else { return }
            isSuspended = false
            source.resume()
        }
    }
}

func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

/// The clock of mDNS.
enum Uptime {
    /// Milliseconds since the machine's start, including sleep: records expire meanwhile.
    static var milliseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
    }
}
