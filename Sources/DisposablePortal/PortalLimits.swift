// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableWeb

/// All limits on what guests' browsers, or programs that imitate them, may cost a node.
///
/// Generous to people: thirty guests may share one address (a router with NAT), each loading a gallery of sixty
/// pictures at once, or sending a hundred photos.
package struct PortalLimits: Sendable {
    /// For all connections, whatever they ask for.
    package var server = ServerLimits()
    package var rates = Rates()
    package var sessions = Sessions()
    package var handovers = HandoverLimits()
    package var updates = Updates()
    package var answers = Answers()
    package var bodies = Bodies()
    package var listening = Listening()
    package var uploads = UploadLimits()
    package var archives = ZIPLimits()
    package var program = ProgramLimits()

    package init() {}

    /// The rates by address and by guest, and the commands in progress (`Gate`).
    package struct Rates: Sendable {
        /// New sessions of an address.
        package var sessions = Rate(burst: 1_200, perSecond: 1)
        /// Codes have 40 bits. At the sum of both common rates, eight days of guesses find one of an event's three
        /// codes, two of them the wall's, with a probability of 1e-5. A hundred addresses that guess all the time leave
        /// more than half of the reserve to others.
        package var wrongCodes = SharedRate.Limits(
            byAddress: Rate(burst: 30, perSecond: 1.0 / 30), common: Rate(burst: 300, perSecond: 1),
            quiet: Rate(burst: 3, perSecond: 1.0 / 60), reserve: Rate(burst: 300, perSecond: 5))
        /// New guests of the event. A thousand of them may arrive within half an hour, each with its own address or all
        /// with the same one.
        package var newGuests = SharedRate.Limits(
            byAddress: Rate(burst: 600, perSecond: 0.5), common: Rate(burst: 1_000, perSecond: 1),
            quiet: Rate(burst: 4, perSecond: 1.0 / 300), reserve: Rate(burst: 500, perSecond: 1))
        /// The limit of addresses with a bucket of their own, for each rate.
        package var addressCountMax = 4_096
        /// Pending commands of guests that are not durable yet: comments, names and the like. A node signs operations
        /// in the order of the requests and at a limited rate, so each pending command delays all others.
        package var statementCountByGuest = 2
        package var statementCountByAddress = 16
        /// Comments and reactions of one guest. The engine has the same rate for everybody; a new guest starts with
        /// less, since anybody can be a new guest at any time.
        package var remarks = Rate(burst: 30, perSecond: 1)
        package var newGuestRemarkCount = 5.0
        /// Requests of one guest for everything about the guest: each makes the node read every operation of the event.
        package var records = Rate(burst: 3, perSecond: 1.0 / 60)
        /// Archives of one guest, or of a session without one: each makes the node look its photos up.
        package var archives = Rate(burst: 20, perSecond: 0.1)
        /// Archives of one address: every guest behind it saves some at the end of the event.
        package var addressArchives = Rate(burst: 300, perSecond: 1)
        /// Requests of one guest for its gifts and the people who can receive some.
        package var giftLists = Rate(burst: 30, perSecond: 0.5)
        /// One-time codes of one guest.
        package var handovers = Rate(burst: 5, perSecond: 1.0 / 60)
        /// Tiles of the map for one address: each is read from the disk. A screen shows some twenty.
        package var tiles = Rate(burst: 3_000, perSecond: 100)
        /// Previews of one guest: each is decoded here and told to every open page.
        package var earlyPreviews = Rate(burst: 64, perSecond: 1)
    }

    /// The sessions of an event.
    package struct Sessions: Sendable {
        package var countMax = 4_096
        /// The limit of sessions of one guest; beyond it that guest's oldest ends.
        package var countByGuestMax = 16
        /// The number of browsers of one person. Beyond it a guest's sessions can be replaced by others.
        package var countByPersonMax = 3
        /// The time for which a new session waits for a name and a consent before it can be replaced by others.
        package var newMilliseconds: UInt64 = 120_000
        package var newGuestCountMax = 8
    }

    /// The open streams of an event, and the changes that they tell.
    package struct Updates: Sendable {
        package var streams = FairPlaces<Bytes32>.Limits(byOwner: 8, byAddress: 1_280, inAll: 1_536)
        /// The changes that a reconnected stream can request again.
        package var logCountMax = 1_024
        /// The limit of changes in one answer to a polling client.
        package var pageCount = 200
        /// The interval at which the portal looks whether a moment begins or ends.
        package var momentInterval = Duration.seconds(1)
        package var beatInterval = Duration.seconds(5)
        /// The rates at which pages are told that the event's data, or everything, may have changed. A thousand pages
        /// that load everything again send some five thousand requests.
        package var eventChanges = Rate(burst: 20, perSecond: 0.2)
        package var reloads = Rate(burst: 20, perSecond: 1.0 / 15)
        /// The rate at which the desk asks walls to do something.
        package var wallActs = Rate(burst: 60, perSecond: 2)
    }

    /// The counts of things in one answer.
    package struct Answers: Sendable {
        /// Photos: the limit, and without a wish of the client.
        package var photoCountMax = 200
        package var photoCount = 60
        package var photographerCountMax = 200
        /// Quarters of an hour: three weeks of them.
        package var quarterCountMax = 2_016
        /// Photos on a part of the plan.
        package var pinCountMax = 500
        /// Comments of one photo.
        package var commentCountMax = 50
        /// The limit of comments under each photo of the plain page.
        package var newestCommentCountMax = 3
    }

    /// The bytes of requests.
    package struct Bodies: Sendable {
        package var jsonByteCountMax = 16 << 10
        /// The bytes of a preview whose original is on its way; a page sends 60 to 100 KB.
        package var earlyPreviewByteCountMax = 256 << 10
        /// The bytes of an image that an organizer adds as the event's cover or plan.
        package var pictureByteCountMax: UInt64 = 64 << 20
        /// The bytes of a file with the tiles of a map, which an organizer adds at the desk.
        package var mapByteCountMax: UInt64 = 2 << 30
    }

    /// The ports of the pages.
    package struct Listening: Sendable {
        /// The time for which the published port is tried before another one, or none.
        package var patience = Duration.seconds(10)
        /// The pause before failed addresses are tried again.
        package var pause = Duration.seconds(30)
    }
}
