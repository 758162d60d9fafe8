// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Whether this machine's loopback interface carries multicast, which some sandboxes forbid. Without it nothing here
/// can be tested without touching a real network.
enum Loopback {
    static let carriesMulticast: Bool = {
        let receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard receiver >= 0 else { return false }
        defer { close(receiver) }
        var local = sockaddr_in()
        local.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &local) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, length) == 0 && getsockname(receiver, $0, &length) == 0
            }
        }
        var group = ip_mreqn()
        group.imr_multiaddr.s_addr = inet_addr("239.255.80.27")
        group.imr_ifindex = Int32(if_nametoindex("lo"))
        let groupLength = socklen_t(MemoryLayout<ip_mreqn>.size)
        guard isBound, setsockopt(receiver, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &group, groupLength) == 0,
            setsockopt(receiver, Int32(IPPROTO_IP), IP_MULTICAST_IF, &group, groupLength) == 0
        else { return false }
        local.sin_addr = group.imr_multiaddr
        let sent = withUnsafePointer(to: &local) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(receiver, [1], 1, 0, $0, length) }
        }
        var poller = pollfd(fd: receiver, events: Int16(POLLIN), revents: 0)
        return sent == 1 && poll(&poller, 1, 5000) == 1
    }()
}
