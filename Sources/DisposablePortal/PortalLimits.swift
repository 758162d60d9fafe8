// SPDX-License-Identifier: Apache-2.0

/// Every number that bounds what guests' browsers, or programs that pretend to be some, may cost a node.
///
/// Generous to people: thirty guests may come from one address (a router that translates), each opening a gallery of
/// sixty pictures at once, or sending a hundred photos.
package struct PortalLimits: Sendable {
    /// So many at once, and so many a second from then on.
    package struct Rate: Equatable, Sendable {
        package let burst: Double
        package let perSecond: Double
        package init(burst: Double, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    // By address. What comes from this machine itself counts like everything else, but for connections.
    package var connectionCountMax = 2_048
    package var connectionCountByAddressMax = 512
    package var requests = Rate(burst: 6_000, perSecond: 300)
    package var sessions = Rate(burst: 120, perSecond: 1)
    package var wrongCodes = Rate(burst: 30, perSecond: 1.0 / 30)
    /// From all addresses together. At this rate one of 2^40 codes is found in eight days with a chance of one in a
    /// million.
    package var wrongCodesInAll = Rate(burst: 300, perSecond: 1)
    package var newGuests = Rate(burst: 60, perSecond: 0.1)
    /// Addresses that are told apart; those beyond share one bucket.
    package var addressCountMax = 4_096

    // By session.
    package var streamCountBySessionMax = 8
    package var newGuestCountBySessionMax = 8
    // By event.
    package var streamCountMax = 1_536
    package var sessionCountMax = 4_096
    package var pendingRemovalCountMax = 1_024
    /// What a stream that lost its connection may ask for again.
    package var updateLogCountMax = 1_024

    package var uploads = UploadLimits()
    package var archives = ZIPRoutes.Limits()

    // By request.
    package var headByteCountMax = 16 << 10
    package var jsonByteCountMax = 16 << 10
    package var photoPageCountMax = 200
    package var photoPageCount = 60
    /// Changes in one answer for those who cannot hold a stream.
    package var changesPageCount = 200
    /// What is still read of a body after its answer, so that the browser sees the answer and not a broken connection.
    package var lingeringByteCountMax = 8 << 20

    // Time.
    /// Between two requests, and for the whole head of one.
    package var idleTimeout = Duration.seconds(60)
    /// A body brings at least so many bytes in each such time, or the connection is closed.
    package var bodyWindow = Duration.seconds(60)
    package var bodyByteCountInWindowMin = 2 << 10
    /// For the reader to take one part of an answer, at most 1 MiB; browsers let people pause a download.
    package var writeTimeout = Duration.seconds(300)
    package var beatInterval = Duration.seconds(5)
    package var removalDelay = Duration.seconds(10)
    /// How long the port that people have been told of is tried before another is, or none.
    package var portPatience = Duration.seconds(10)
    /// Before addresses that could not be listened on are tried again.
    package var listenPause = Duration.seconds(30)

    package init() {}
}
