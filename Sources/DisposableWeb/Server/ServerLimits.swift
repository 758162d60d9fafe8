// SPDX-License-Identifier: Apache-2.0

/// Limits on what a client's connections may cost the server, whatever they ask for.
package struct ServerLimits: Sendable {
    // Connections.
    package var connectionCountMax = 2_048
    /// A thousand people may share one router with NAT.
    package var connectionCountByAddressMax = 1_536
    /// For this machine's own browsers, if the other places are taken.
    package var connectionCountFromHere = 128
    /// Bytes of answers that wait in this process because clients do not read them: for one address, and for all.
    package var unreadByteCountByAddress = 32 << 20
    package var unreadByteCount = 64 << 20
    /// The time without progress in a body or an answer after which a connection can be replaced by a new one.
    package var slowAfter = Duration.seconds(10)

    // By address.
    /// Requests, and TLS handshakes.
    package var requests = Rate(burst: 6_000, perSecond: 300)
    /// The limit of addresses with a bucket of their own.
    package var addressCountMax = 4_096
    /// The limit of link-local addresses of one interface that are counted separately.
    package var linkLocalAddressCountMax = 64

    // By request.
    package var headByteCountMax = 16 << 10
    /// The bytes of a body that are read after its answer, so that the browser gets the answer and not a reset.
    package var lingeringByteCountMax = 8 << 20

    // Time.
    /// Between two requests, and for the whole head of one.
    package var idleTimeout = Duration.seconds(60)
    /// The minimum number of bytes of a body in each such interval; otherwise the connection is closed.
    package var bodyWindow = Duration.seconds(60)
    package var bodyByteCountInWindowMin = 2 << 10
    /// The time for the client to read one part of an answer, at most 1 MiB; browsers let people pause a download.
    package var writeTimeout = Duration.seconds(300)

    package init() {}
}
