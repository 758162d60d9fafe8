// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues
internal import DisposableWire

/// The origin of a connection for the purpose of limits: an IPv4 address, or the /64 network of an IPv6 address, since
/// a machine may give itself any address in its own network.
///
/// All link-local addresses of a link are in one network. There a source is one address, and `merged` counts a link
/// with very many of them as one.
package struct PeerSource: Hashable, Sendable {
    private let bytes: [UInt8]
    /// The interface of a link-local address, `nil` for other addresses.
    private let link: String?

    /// - Parameter host: a numeric address, with a zone such as `%eth0` if it is link-local. All hosts without a
    ///   numeric address are one source.
    package init(_ host: String) {
        let parts = host.split(separator: "%", maxSplits: 1)
        let bytes = parts.first.flatMap { IPAddress(String($0))?.bytes } ?? []
        guard bytes.count == 16 else {
            (self.bytes, link) = (bytes, nil)
            return
        }
        let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        self.bytes = isLinkLocal ? bytes : Array(bytes.prefix(8))
        link = isLinkLocal ? parts.dropFirst().first.map(String.init) ?? "" : nil
    }

    /// Returns this source as an addition to others: its link, if they already include the maximum of addresses of that
    /// link.
    package func merged(beside others: some Collection<PeerSource>) -> PeerSource {
        guard let link, others.count(where: { $0.link == link && $0 != self }) >= Limits.linkLocalSourcesMax else {
            return self
        }
        return PeerSource(link: link)
    }

    private init(link: String) { (bytes, self.link) = ([], link) }

    /// Returns the sources of these hosts, in their order. If more than `linkLocalSourcesMax` are addresses of one
    /// link, that link is their source: a machine on it may give itself any number of them.
    package static func merged(_ hosts: [String]) -> [PeerSource] {
        let sources = hosts.map { PeerSource($0) }
        let addressCounts = Set(sources).reduce(into: [String: Int]()) { counts, source in
            if let link = source.link { counts[link, default: 0] += 1 }
        }
        return sources.map { source in
            guard let link = source.link, addressCounts[link, default: 0] > Limits.linkLocalSourcesMax else {
                return source
            }
            return PeerSource(link: link)
        }
    }

    /// Returns the place of each host among those of its source, from 0: the order in which sources take turns.
    package static func turns(_ hosts: [String]) -> [Int] {
        var counts: [PeerSource: Int] = [:]
        return merged(hosts).map { source in
            defer { counts[source, default: 0] += 1 }
            return counts[source, default: 0]
        }
    }
}
