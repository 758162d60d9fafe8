// SPDX-License-Identifier: Apache-2.0

/// Every limit of the protocol. The table in protocol/disposable-v1.md §14 has the same rows under the same names, and
/// a test compares the two.
public enum Limits {
    // Frames and messages
    /// The size of a Noise message on the wire, tag included (Noise §13).
    public static let frameByteCountMax = 65_535
    /// The bytes of one chunk fragment: a fifth of a full chunk's ciphertext.
    public static let dataByteCountMax = 52_432
    /// The fields of one protobuf message, counted before they are decoded: two bytes on the wire take a hundred in
    /// memory.
    public static let fieldsPerMessageMax = 1_280
    public static let authenticationClaimsByteCountMax = 1_024
    public static let closeReasonByteCountMax = 256
    /// The bytes that a peer may send before the connection is authenticated.
    public static let unauthenticatedByteCountMax = 8_192

    // Operations
    public static let operationBodyByteCountMax = 16_384
    /// The operations that a grant cancels, an unhide puts back, an edit follows.
    public static let namedOperationsMax = 256
    /// The heads that a revocation names, and that a list in it stands for.
    public static let headsMax = 500
    /// The size of a caption, a comment or a notice, in UTF-8.
    public static let textByteCountMax = 2_000
    /// The captions, reactions, comments and notices that a node signs for one author: long-term rate, and burst.
    public static let remarksPerSecond = 1
    public static let remarksBurstMax = 30
    public static let operationsPerMessageMax = 256
    /// The sum of an operations message's headers, signatures and bodies.
    public static let operationsByteCountMax = 61_440
    public static let wantedPerMessageMax = 1_024
    /// The devices that a node admits for each source in an hour; beyond, for all sources together: a burst, and one
    /// each so many milliseconds.
    public static let admissionsPerSourceMax = 4
    public static let nodeAdmissionsBurstMax = 512
    /// The burst while veils are on, at a node whose newcomers have a sponsor tree each.
    public static let treeAdmissionsBurstMax = 32
    public static let nodeAdmissionMilliseconds = 5_000
    /// The sources that are counted, and devices that are known to have been offered an admission.
    public static let admissionSourcesMax = 1_024
    /// The guests that a node admits: burst, and long-term rate.
    public static let guestAdmissionsBurstMax = 2_048
    public static let guestAdmissionsPerSecond = 2
    /// The devices to which one epoch operation seals the event secret.
    public static let sealedDevicesMax = 140
    /// The devices to which a node seals a new event secret: eight operations.
    public static let sealedRecipientsMax = 1_120
    /// The event secrets that a node uses, its current one included.
    public static let eventSecretsMax = 8
    /// The joins of one device in a proof of membership: one is usual, a device may have joined more than once.
    public static let joinsInProofMax = 4
    /// The operations of one peer that wait for the verification of their signatures or for the disk.
    public static let operationsInProgressMax = 4_096
    /// The operations that a member signs, and that are accepted from a peer with its own: long-term rate, and burst.
    public static let operationsPerSecond = 50
    public static let operationsBurstMax = 500
    /// The operations of one peer that are kept although their author is not (yet) a member.
    public static let orphansMax = 1_000
    /// The sum of their headers, signatures and bodies.
    public static let orphanByteCountMax = 1_048_576
    /// The units of operations (§6.13) that are accepted at any speed: of a tree that is not established while fewer
    /// than this are stored of it; of all such trees; of a small one, for which a share is reserved; of an established
    /// one.
    public static let plainTreeUnitsMax = 196_608
    public static let plainUnitsMax = 524_288
    public static let smallTreeUnitsMax = 16_384
    public static let establishedTreeUnitsMax = 524_288
    /// The units that are accepted of each tree that delivers, whatever is stored: long-term rate, and burst.
    public static let laneUnitsPerSecond = 10
    public static let laneUnitsBurstMax = 100
    /// The units of operations that wait for that and have no room to wait.
    public static let excessUnitsPerSecond = 2_048
    public static let excessUnitsBurstMax = 8_192
    /// The operations without room that are not requested again meanwhile, and for how long at most.
    public static let declinedOperationsMax = 262_144
    public static let declinedMilliseconds = 600_000
    /// The interval at which waiting operations are reconsidered.
    public static let waitingRoomMilliseconds = 1_000
    /// The photos beyond their quotas that a node fetches, of a sponsor tree that is not established and of one that
    /// is.
    public static let unshownPhotosPlainMax = 100
    public static let unshownPhotosEstablishedMax = 1_000
    /// The photos that a node fetches because of one frame of an author with several claims.
    public static let contestedFramePhotosMax = 4
    /// The originals of one photo that a node fetches.
    public static let originalsPerPhotoMax = 4
    /// The operations that wait to be sent to one peer, by id; beyond, only a new reconciliation helps.
    public static let outgoingOperationsMax = 1_048_576
    /// The peers to which operations of others are passed on at once; the rest follows after `relayMilliseconds`, if it
    /// does not have them by then.
    public static let relayPeersMax = 3
    public static let relayMilliseconds = 250
    /// The operations that wait for that; beyond, they are sent to all peers at once.
    public static let relayedOperationsMax = 4_096
    /// The messages that are kept of a peer whose join has not arrived yet.
    public static let deferredMessagesMax = 16

    // Reconciliation
    public static let reconciliationMessageByteCountMax = 32_768
    public static let reconciliationRoundsMax = 4_096
    /// A session without progress for this long is abandoned.
    public static let reconciliationIdleMillisecondsMax = 10_000
    /// The messages of one peer that cause work: Reconcile, Want, Ping, Admission, Addresses, Register, Pages and
    /// optional ones; long-term rate, and burst.
    public static let steeringPerSecond = 64
    public static let steeringBurstMax = 512
    /// The pause between two sessions with one peer.
    public static let reconciliationPauseMilliseconds = 5_000
    /// The longest delay of a session by operations that are being verified or stored.
    public static let reconciliationDelayMillisecondsMax = 30_000

    // Blobs
    public static let chunksPerBlobMax = 1_024
    public static let chunksPerRequestMax = 64
    public static let holdingRunNumbersMax = 4_096
    public static let holdingsPerMessageMax = 64
    public static let partialsPerMessageMax = 256
    /// Blobs gained within this time are announced in one message.
    public static let announcementMilliseconds = 100
    /// The chunks and lists of one peer that wait to be served; the requesting side keeps to it, too.
    public static let requestsPerPeerMax = 256
    /// The ciphertext that is requested from all peers and not yet on disk.
    public static let inFlightByteCountMax = 67_108_864
    /// The bytes given to one connection and not yet taken by the network; more waits.
    public static let outboundByteCountMax = 1_048_576
    /// As before, but for all data: a peer that causes work and does not read is disconnected.
    public static let unsentByteCountMax = 16_777_216
    /// The ranges of one peer's holdings that are kept.
    public static let holdingRangesPerPeerMax = 524_288
    /// The wrong chunks after which a peer is banned.
    public static let badChunksMax = 3
    /// The duration of the ban.
    public static let shunMilliseconds = 600_000

    // Inventories
    /// The size of an inventory's claims: 130,000 photos.
    public static let registerByteCountMax = 49_152
    /// The devices that an inventory names, twice those whose originals it has and whose photos are purged.
    public static let registerPlacesMax = 512
    /// The pause between two inventories of one device, in an event of up to `meshNodesMax` nodes; in a larger one as
    /// much longer.
    public static let registerMilliseconds = 5_000
    /// The burst that is accepted of one device; one a second in the long run.
    public static let registersBurstMax = 8
    /// The inventories of other devices that a node keeps, and the sum of their bytes.
    public static let registersMax = 512
    public static let registersByteCountMax = 16_777_216

    // Connections
    public static let peersMax = 96
    /// The nodes of an event that are all connected to each other. In a larger event each looks for `viewPeersMin`
    /// peers and closes those beyond `viewPeersMax`, one at a time.
    public static let meshNodesMax = 32
    public static let viewPeersMin = 8
    public static let viewPeersMax = 10
    /// The interval at which one more than `viewPeersMax` is closed, and the minimum age of its connection.
    public static let viewTrimMilliseconds = 10_000
    /// The interval at which a node of a large event dials one that it is not connected to, whatever it has: the event
    /// may be partitioned into parts, each of which looks complete.
    public static let viewExploreMilliseconds = 60_000
    /// The interval at which a node whose peers leave no place to dial, and are of fewer than `viewPeersMin` sources,
    /// dials others: one machine may have any number of devices.
    public static let viewElsewhereMilliseconds = 1_000
    /// The number of these that may be to devices that were no members when they connected: the others are for members.
    public static let newcomersMax = 64
    /// The accepted connections that have sent the event's preface and have not proved their identity.
    public static let handshakesMax = 32
    /// The number of these from one host where a member was met that have priority over those of other hosts.
    public static let knownHandshakesMax = 4
    /// The link-local addresses of one link that are counted separately; more are counted as one.
    public static let linkLocalSourcesMax = 8
    /// The simultaneous dials to addresses that are known only from sightings.
    public static let dialsMax = 32
    public static let unauthenticatedConnectionsMax = 32
    /// The same for addresses where a member was met, which need not share with unknown ones.
    public static let unauthenticatedKnownConnectionsMax = 16
    public static let unauthenticatedConnectionsPerAddressMax = 4
    /// The connections accepted from one address: long-term rate, and burst.
    public static let acceptsPerSecondPerAddress = 20
    public static let acceptsPerAddressBurstMax = 64
    /// The addresses whose connections are counted at one time; more are refused.
    public static let acceptAddressesMax = 1_024
    public static let handshakeMillisecondsMax = 5_000
    /// On a connection under an old secret, the time for a node that knows the current one to send its other news.
    public static let renewalMilliseconds = 500
    /// There, the time for a node that this one takes for an outsider to prove that it is none. Less than
    /// `handshakeMillisecondsMax`, after which the other side gives up without knowing the reason.
    public static let strangerMilliseconds = 2_000
    /// The pause of a peer that connected when there was no place left, or the node was stopping.
    public static let refusedConnectionRetryMilliseconds = 10_000
    public static let pingMilliseconds = 15_000
    /// The time for an answer on a connection that is in doubt: the machine has slept, moved, or met the same peer
    /// again.
    public static let probeMillisecondsMax = 2_000
    /// A peer's wall clock that differs more from ours causes a warning.
    public static let clockDifferenceMillisecondsMax = 120_000
    /// Silence after which a connection is closed, and with requests outstanding.
    public static let silenceMillisecondsMax = 45_000
    public static let silenceWhileWaitingMillisecondsMax = 10_000
    public static let redialMillisecondsMin = 500
    public static let redialMillisecondsMax = 60_000
    /// The same for an address where a member was met.
    public static let redialMemberMillisecondsMax = 15_000
    /// The addresses that are kept for dialling.
    public static let addressesMax = 512
    /// The number of these that are stored because a member was met there.
    public static let rememberedAddressesMax = 64
    /// The addresses that peers send: in one message, and before each has had time for another ping.
    public static let addressesPerMessageMax = 32
    public static let toldAddressesMax = 64
    /// The addresses at which one node serves pages to guests, in one message.
    public static let pageAddressesMax = 4
    /// The other nodes that serve pages that are remembered and shown to guests.
    public static let pageServersMax = 8

    // Invitations
    /// The characters of a nodes' invitation in its text form, without white space.
    public static let invitationCharacterCountMax = 2_048
}
