// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues
package import Logging
package import NIOCore

/// The context of a request for every handler.
/// - Parameter Scope: what the middlewares of the program find out about a request.
package struct RequestContext<Scope: Sendable>: Sendable {
    /// Set by the router.
    package var parameters = PathParameters()
    package let logger: Logger
    /// The connection: closed from here if it stalls.
    package let channel: any Channel
    /// The connection as the gate counts it; `nil` for one that is closed already.
    package let connection: OpenConnection?
    package var scope: Scope

    init(channel: any Channel, connection: OpenConnection?, scope: Scope, logger: Logger) {
        self.channel = channel
        self.connection = connection
        self.scope = scope
        self.logger = logger
    }

    package var remoteAddress: SocketAddress? { channel.remoteAddress }
    package var localPort: Int { channel.localAddress?.port ?? 0 }
    /// Whether the request came over HTTPS.
    package var isSecure: Bool { connection?.isSecure == true }
    /// The origin of the page that the request comes from, if it is one of this address.
    package func origin(of host: String) -> String { "\(isSecure ? "https" : "http")://\(host)" }
    /// The address at which this connection arrived, as browsers write it for IPv4: `10.0.0.7:8027`; `nil` for IPv6.
    package var localAuthority: String? {
        guard let address = IPAddress(channel.localAddress?.ipAddress ?? "")?.unmapped, !address.isIPv6 else {
            return nil
        }
        return "\(address):\(localPort)"
    }
    /// The address under which the request counts.
    package var addressKey: String { connection?.address ?? AddressKey(remoteAddress).text }
}
