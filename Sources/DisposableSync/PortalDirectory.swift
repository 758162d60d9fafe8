// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableValues
internal import DisposableWire
internal import OrderedCollections

/// The addresses of the event's portals: this node's own, and those that other nodes have announced. At most
/// `Limits.pageServersMax` devices are kept; devices that are no portals are dropped first.
package struct PortalDirectory {
    /// None if this node serves its pages to nobody else.
    package private(set) var own: [PeerAddress] = []
    /// The latest announcement is last.
    private var announced: OrderedDictionary<DeviceID, [PeerAddress]> = [:]

    package init() {}

    package mutating func serve(_ addresses: [PeerAddress]) { own = Array(addresses.prefix(Limits.pageAddressesMax)) }

    /// Returns this node's addresses that a peer at the host can use.
    package func announcement(to host: String) -> [PeerAddress] {
        own.filter { !IPAddress.isLoopback($0.host) || IPAddress.isLoopback(host) }
    }

    /// Records the announcement of a device. Addresses outside of networks like this one are dropped: browsers would be
    /// sent there. Returns whether the device's addresses have changed.
    package mutating func receive(
        _ addresses: [PeerAddress], of device: DeviceID, from host: String, isPortal: (DeviceID) -> Bool
    ) -> Bool {
        let usable = addresses.filter { address in
            guard IPAddress(address.host)?.isIPv6 == false else { return false }
            return address.host == host || IPAddress.isLocal(address.host)
                || (IPAddress.isLoopback(host) && IPAddress.isLoopback(address.host))
        }
        let likeliest = usable.filter { $0.host == host } + usable.filter { $0.host != host }
        guard announced[device] ?? [] != likeliest else { return false }
        announced[device] = nil
        if !likeliest.isEmpty { announced[device] = likeliest }
        if announced.count > Limits.pageServersMax {
            announced.remove(at: announced.keys.firstIndex { !isPortal($0) } ?? 0)
        }
        return true
    }

    /// Returns the addresses of the devices that are portals, the latest announcement first.
    package func portals(where isPortal: (DeviceID) -> Bool) -> [(device: DeviceID, addresses: [PeerAddress])] {
        announced.elements.reversed().filter { isPortal($0.key) }.map { ($0.key, $0.value) }
    }
}
