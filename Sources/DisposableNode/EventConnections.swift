// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import NIOCore

/// The connections of an event, and the addresses of its members.
struct EventConnections {
    struct Connection {
        let channel: any Channel
        /// The address of this machine that the connection uses.
        let localHost: String
        /// The replica asked for a pause of reading.
        var pauseMilliseconds: UInt64?
        /// Bytes that no promise reports yet. The last piece is held back, so that its promise reports those before.
        var untoldByteCount = 0
        var last: ByteBuffer?
        var isClosing = false
    }

    var connections: [ConnectionID: Connection] = [:]
    /// Connections with bytes to flush.
    var unflushed: Set<ConnectionID> = []
    /// Typed addresses, or those of the invitation.
    let invited: [PeerAddress]
    /// The stored addresses where members were met.
    var remembered: [PeerAddress]
    /// Bundles that are being read, each in the place of a peer.
    var bundles: [ConnectionID: Carrier] = [:]
    private var lastConnection: UInt64 = 0

    init(invited: [PeerAddress], remembered: [PeerAddress]) {
        self.invited = invited
        self.remembered = remembered
    }

    mutating func add(_ channel: any Channel) -> ConnectionID {
        lastConnection += 1
        let id = ConnectionID(lastConnection)
        connections[id] = Connection(channel: channel, localHost: PeerSockets.numericHost(channel.localAddress))
        return id
    }

    mutating func addBundle(_ carrier: Carrier) -> ConnectionID {
        lastConnection += 1
        let id = ConnectionID(lastConnection)
        bundles[id] = carrier
        return id
    }
}
