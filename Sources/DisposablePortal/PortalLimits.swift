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

    /// A rate of which quiet addresses have a share of their own (`SharedRate`).
    package struct SharedRate: Equatable, Sendable {
        package var byAddress: Rate
        /// Of all addresses together.
        package var common: Rate
        /// What an address may take of the reserve.
        package var quiet: Rate
        /// For quiet addresses, once the common rate is used up.
        package var reserve: Rate
        package init(byAddress: Rate, common: Rate, quiet: Rate, reserve: Rate) {
            (self.byAddress, self.common, self.quiet, self.reserve) = (byAddress, common, quiet, reserve)
        }
    }

    // Connections.
    package var connectionCountMax = 2_048
    /// A thousand guests may come through one router that translates.
    package var connectionCountByAddressMax = 1_536
    /// For this machine's own browsers, where the others' places are taken: the organizer's desk is one.
    package var connectionCountFromHere = 128
    /// Bytes of answers that wait in this process because clients do not read them: of one address, and of all.
    package var unreadByteCountByAddress = 32 << 20
    package var unreadByteCount = 64 << 20
    /// After so long without progress in a body or an answer a connection gives way to a new one.
    package var slowAfter = Duration.seconds(10)

    // Rates by address.
    package var requests = Rate(burst: 6_000, perSecond: 300)
    package var sessions = Rate(burst: 1_200, perSecond: 1)
    /// Codes have 40 bits. At both common rates together one of 2^40 codes is found within eight days with a chance of
    /// four in a million. A hundred addresses that guess without end leave more than half of the reserve to others.
    package var wrongCodes = SharedRate(
        byAddress: Rate(burst: 30, perSecond: 1.0 / 30), common: Rate(burst: 300, perSecond: 1),
        quiet: Rate(burst: 3, perSecond: 1.0 / 60), reserve: Rate(burst: 300, perSecond: 5))
    /// Guests that the event hears of for the first time. A thousand of them may arrive within half an hour, each with
    /// an address of its own or all with the same one.
    package var newGuests = SharedRate(
        byAddress: Rate(burst: 600, perSecond: 0.5), common: Rate(burst: 1_000, perSecond: 1),
        quiet: Rate(burst: 4, perSecond: 1.0 / 300), reserve: Rate(burst: 500, perSecond: 1))
    /// Addresses with a bucket of their own, for each rate.
    package var addressCountMax = 4_096
    /// Link-local addresses of one interface that count each for itself.
    package var linkLocalAddressCountMax = 64

    package var newGuestCountBySessionMax = 8
    /// Sessions of one guest; one more ends that guest's oldest.
    package var sessionCountByGuestMax = 16
    /// What a person has browsers for. Beyond it a guest's sessions make room for others.
    package var sessionCountByPersonMax = 3
    /// For so long a new session waits for a name and a consent before it makes room for others.
    package var newSessionMilliseconds: UInt64 = 120_000
    /// In an event.
    package var sessionCountMax = 4_096
    package var streams = FairPlaces.Limits(byOwner: 8, byAddress: 1_280, inAll: 1_536)
    package var pendingRemovalCountMax = 1_024
    package var pendingRemovalCountByGuestMax = 64
    /// What is stated for guests and not on disk yet: comments, names and the like. A node states a bounded number of
    /// operations a second, in the order of their requests, so each that waits delays all others.
    package var statementCountByGuest = 2
    package var statementCountByAddress = 16
    /// Comments and reactions of one guest. The engine has the same rate for everybody; a guest that comes for the first
    /// time begins with less, as anybody can be a new guest at any time.
    package var remarks = Rate(burst: 30, perSecond: 1)
    package var newGuestRemarkCount = 5.0
    /// What a stream that lost its connection may ask for again.
    package var updateLogCountMax = 1_024

    package var uploads = UploadLimits()
    package var archives = ZIPRoutes.Limits()

    // By request.
    package var headByteCountMax = 16 << 10
    package var jsonByteCountMax = 16 << 10
    package var photoPageCountMax = 200
    package var photoPageCount = 60
    /// People in an answer.
    package var photographerCountMax = 200
    /// Comments of one photo in an answer.
    package var commentPageCount = 50
    /// Comments under each photo of the page without scripts.
    package var newestCommentCount = 3
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
