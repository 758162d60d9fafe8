// SPDX-License-Identifier: Apache-2.0

/// Every limit of the protocol, once. The table in protocol/disposable-v1.md §14 has the same rows under the same
/// names, and a test compares the two.
public enum Limits {
    // Frames and messages
    /// A Noise message on the wire, tag included (Noise §13).
    public static let frameByteCountMax = 65_535
    /// Bytes of one chunk fragment: a fifth of a full chunk's ciphertext.
    public static let dataByteCountMax = 52_432
    /// Fields of one protobuf message, counted before they are decoded: two bytes on the wire take a hundred in memory.
    public static let fieldsPerMessageMax = 1_280
    public static let authenticationClaimsByteCountMax = 1_024
    public static let closeReasonByteCountMax = 256
    /// Bytes a stranger may send before the connection is authenticated.
    public static let unauthenticatedByteCountMax = 8_192

    // Operations
    public static let operationBodyByteCountMax = 16_384
    /// Operations that a grant cancels, an unhide puts back, an edit follows.
    public static let namedOperationsMax = 256
    /// Heads that a revocation names, and that a list which it names stands for.
    public static let headsMax = 500
    /// Of a caption, a comment or a notice, in UTF-8.
    public static let textByteCountMax = 2_000
    /// Captions, reactions, comments and notices that a node states for one author, in the long run, and at once.
    public static let remarksPerSecond = 1
    public static let remarksBurstMax = 30
    public static let operationsPerMessageMax = 256
    /// Sum of an operations message's headers, signatures and bodies.
    public static let operationsByteCountMax = 61_440
    public static let wantedPerMessageMax = 1_024
    /// Devices that a node lets in for each source of an hour; beyond, for all together: at once, and one each so many
    /// milliseconds.
    public static let admissionsPerSourceMax = 4
    public static let nodeAdmissionsBurstMax = 512
    public static let nodeAdmissionMilliseconds = 5_000
    /// Sources that are counted, and devices that are known to have been made an admission.
    public static let admissionSourcesMax = 1_024
    /// Guests that a node lets in: at once, and in the long run.
    public static let guestAdmissionsBurstMax = 2_048
    public static let guestAdmissionsPerSecond = 2
    /// Devices to which one epoch operation seals the event secret.
    public static let sealedDevicesMax = 140
    /// Devices to which a node seals a new event secret: eight operations.
    public static let sealedRecipientsMax = 1_120
    /// Event secrets that a node goes by, its current one included.
    public static let eventSecretsMax = 8
    /// Joins of one device in a proof of membership: one is usual, a device may have come in more than once.
    public static let joinsInProofMax = 4
    /// Operations of one peer waiting for their signatures to be checked or for the disk.
    public static let operationsInProgressMax = 4_096
    /// Operations that a member states, and that are taken of one that brings its own: in the long run, and at once.
    public static let operationsPerSecond = 50
    public static let operationsBurstMax = 500
    /// Operations of one peer kept although their author is not (yet) a member.
    public static let orphansMax = 1_000
    /// Sum of their headers, signatures and bodies.
    public static let orphanByteCountMax = 1_048_576
    /// Units of operations (§6.13) that are taken at any speed: of a tree that is not established while fewer than this
    /// are here of it; of all such trees; of one that is small, for which a share is kept; of an established one.
    public static let plainTreeUnitsMax = 196_608
    public static let plainUnitsMax = 524_288
    public static let smallTreeUnitsMax = 16_384
    public static let establishedTreeUnitsMax = 524_288
    /// Units that are taken of each tree that delivers, whatever is here: in the long run, and at once.
    public static let laneUnitsPerSecond = 10
    public static let laneUnitsBurstMax = 100
    /// Units of operations that wait for that and have no room to wait.
    public static let excessUnitsPerSecond = 2_048
    public static let excessUnitsBurstMax = 8_192
    /// Operations for which there was no room and that are not asked for again meanwhile, and for how long at most.
    public static let declinedOperationsMax = 262_144
    public static let declinedMilliseconds = 600_000
    /// How often it is looked at which of those that wait may go on.
    public static let waitingRoomMilliseconds = 1_000
    /// Photos beyond their rolls that a node fetches, of a sponsor tree that is not established and of one that is.
    public static let unshownPhotosPlainMax = 100
    public static let unshownPhotosEstablishedMax = 1_000
    /// Photos that a node fetches because of one frame of an author to which several claims were made.
    public static let contestedFramePhotosMax = 4
    /// Originals of one photo that a node fetches.
    public static let originalsPerPhotoMax = 4
    /// Operations waiting to be sent to one peer, by name; beyond, only reconciling again helps.
    public static let outgoingOperationsMax = 1_048_576
    /// Peers to which operations of others are passed on at once; the rest follows after `relayMilliseconds`, where it
    /// does not have them by then.
    public static let relayPeersMax = 3
    public static let relayMilliseconds = 250
    /// Operations that wait for that; beyond, all peers are told at once.
    public static let relayedOperationsMax = 4_096
    /// Messages kept of a peer whose join has not come yet.
    public static let deferredMessagesMax = 16

    // Reconciliation
    public static let reconciliationMessageByteCountMax = 32_768
    public static let reconciliationRoundsMax = 4_096
    /// A session without progress for this long is given up.
    public static let reconciliationIdleMillisecondsMax = 10_000
    /// Messages of one peer that make work: Reconcile, Want, Ping, Admission, Addresses, Register, Pages and optional
    /// ones, in the long run, and at once.
    public static let steeringPerSecond = 64
    public static let steeringBurstMax = 512
    /// Between two sessions with one peer.
    public static let reconciliationPauseMilliseconds = 5_000
    /// For how long operations that are being checked or stored put off a session.
    public static let reconciliationDelayMillisecondsMax = 30_000

    // Blobs
    public static let chunksPerBlobMax = 1_024
    public static let chunksPerRequestMax = 64
    public static let holdingRunNumbersMax = 4_096
    public static let holdingsPerMessageMax = 64
    public static let partialsPerMessageMax = 256
    /// Blobs gained within this time are told in one message.
    public static let announcementMilliseconds = 100
    /// Chunks and lists of one peer that wait to be served; the asking side keeps to it, too.
    public static let requestsPerPeerMax = 256
    /// Ciphertext asked of all peers and not yet on disk.
    public static let inFlightByteCountMax = 67_108_864
    /// Bytes handed to one connection and not yet taken by the network; more waits.
    public static let outboundByteCountMax = 1_048_576
    /// As before, but whatever it is: a peer that makes work and does not read is let go.
    public static let unsentByteCountMax = 16_777_216
    /// Ranges of one peer's holdings that are kept.
    public static let holdingRangesPerPeerMax = 524_288
    /// Wrong chunks after which a peer is left alone.
    public static let badChunksMax = 3
    /// For how long.
    public static let shunMilliseconds = 600_000

    // Registers
    /// Of a register's claims: 130,000 photos.
    public static let registerByteCountMax = 49_152
    /// Devices that a register names, twice those whose originals it has and whose photos are destroyed.
    public static let registerPlacesMax = 512
    /// Between two registers of one device, in an event of up to `meshNodesMax` nodes; in a larger one as much longer.
    public static let registerMilliseconds = 5_000
    /// Taken of one device at once; one a second in the long run.
    public static let registersBurstMax = 8
    /// Registers of other devices that a node keeps, and the sum of their bytes.
    public static let registersMax = 512
    public static let registersByteCountMax = 16_777_216

    // Connections
    public static let peersMax = 96
    /// Nodes of an event that are all connected to each other. In a larger event each looks for `viewPeersMin` peers
    /// and lets go of those beyond `viewPeersMax`, one at a time.
    public static let meshNodesMax = 32
    public static let viewPeersMin = 8
    public static let viewPeersMax = 10
    /// How often one more than `viewPeersMax` is let go, and how old its connection is at least.
    public static let viewTrimMilliseconds = 10_000
    /// How often a node of a large event dials one that it is not connected to, whatever it has: the event may be in
    /// parts, each of which looks complete.
    public static let viewExploreMilliseconds = 60_000
    /// Of those, how many may be to devices that were no members when they came: the others are for members.
    public static let newcomersMax = 64
    /// Accepted connections that have shown the event's preface and have not proved who they are.
    public static let handshakesMax = 32
    /// Of these, those of one host where a member was met that come before those of other hosts.
    public static let knownHandshakesMax = 4
    /// Link-local addresses of one link that are counted each by itself; more are counted as one.
    public static let linkLocalSourcesMax = 8
    /// Addresses dialled at one time of which nothing is known but that they were seen.
    public static let dialsMax = 32
    public static let unauthenticatedConnectionsMax = 32
    /// The same for addresses where a member has been met, which need not share with strangers.
    public static let unauthenticatedKnownConnectionsMax = 16
    public static let unauthenticatedConnectionsPerAddressMax = 4
    /// Connections taken from one address, in the long run and at once.
    public static let acceptsPerSecondPerAddress = 20
    public static let acceptsPerAddressBurstMax = 64
    /// Addresses whose connections are counted at one time; more are turned away.
    public static let acceptAddressesMax = 1_024
    public static let handshakeMillisecondsMax = 5_000
    /// On a connection under an old secret, for whoever knows the current one to say what else it knows.
    public static let renewalMilliseconds = 500
    /// There, for whom this node takes for an outsider to show that it is none. Less than `handshakeMillisecondsMax`,
    /// after which the other side gives up without having been told why.
    public static let strangerMilliseconds = 2_000
    /// How long somebody stays away who came when there was no place left, or the node was stopping.
    public static let refusedConnectionRetryMilliseconds = 10_000
    public static let pingMilliseconds = 15_000
    /// For an answer on a connection that is in doubt: the machine has slept, moved, or met the same peer anew.
    public static let probeMillisecondsMax = 2_000
    /// A peer's wall clock further from ours than this is worth a warning.
    public static let clockDifferenceMillisecondsMax = 120_000
    /// Silence after which a connection is given up, and with requests outstanding.
    public static let silenceMillisecondsMax = 45_000
    public static let silenceWhileWaitingMillisecondsMax = 10_000
    public static let redialMillisecondsMin = 500
    public static let redialMillisecondsMax = 60_000
    /// Addresses kept for dialling.
    public static let addressesMax = 512
    /// Of those, the ones kept from start to start because a member has been met there.
    public static let rememberedAddressesMax = 64
    /// Addresses that peers tell: in one message, and before each has had time for another ping.
    public static let addressesPerMessageMax = 32
    public static let toldAddressesMax = 64
    /// Addresses at which one node serves pages to guests, in one message.
    public static let pageAddressesMax = 4
    /// Other nodes that serve pages, remembered and told to guests.
    public static let pageServersMax = 8

    // Invitations
    /// Characters of a nodes' invitation in its text form, white space not counted.
    public static let invitationCharacterCountMax = 2_048
}
