// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
public import DisposableWire
internal import DequeModule
internal import OrderedCollections

/// The name of a piece of work for the shell, which identifies its result.
public struct Ticket: Hashable, Sendable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

/// A command of this node itself; the replica assigns its operations their places in the chain.
public enum Statement: Equatable, Sendable {
    /// A guest's sub-key joins, admitted by this device. No operation if it is a member already.
    case join(body: [UInt8])
    /// Bodies are bytes, salt first, as `OperationBody.encode` makes them.
    case name(body: [UInt8])
    /// A photo with its original and its author's caption, in the first free frame of the quota.
    case photo(body: [UInt8], originalBody: [UInt8], captionBody: [UInt8]? = nil)
    /// `salt`: 16 random bytes for the body.
    case say(Saying, salt: [UInt8])
    case remove(PhotoID)
    /// Agrees to the text of this hash, which must be the present one. No operation if the author already has.
    case consent(to: OperationID)
    /// The device leaves: its last operation except for deletions.
    case leave
    /// Claims free frames for photos of the author that lost theirs (`Album.reclaims`). No operation if none has.
    case reclaim
    /// A moderation action. `salt`: 16 random bytes for the body.
    case rule(Ruling, salt: [UInt8])
    /// Sets each of the fields to its value in the charter, whose other fields are ignored. One operation for each
    /// field, all of them or none.
    case edit([CharterField], Charter, salt: [UInt8])
    /// Opens all sealed photos with the reveal key's secret half, 32 bytes.
    case reveal(secret: Bytes32, salt: [UInt8])
    /// Opens one of the author's own sealed photos.
    case keyRelease(PhotoID, body: [UInt8])
    /// Gives the event a new secret, sealed to the members that have the current one.
    case rotate(EpochEntropy)
    /// Seals the current secret to a member that joined under another one.
    case admit(DeviceID, EpochEntropy)
}

/// An annotation of a photo, or an organizer's notice. Texts have 1 to 2,000 bytes.
public enum Saying: Equatable, Sendable {
    /// On a photo of the author's own.
    case caption(PhotoID, String)
    case comment(PhotoID, String)
    /// One of `Remarks.emoji`, put on or taken off.
    case reaction(PhotoID, Unicode.Scalar, isOn: Bool)
    case notice(String)
}

/// A moderation action by a device with a rank.
public enum Ruling: Equatable, Sendable {
    /// Cancels the revocations of that role that count; for the participant's role, those that removed the grantee.
    /// `revealKey`: for a new organizer of an event with sealed photos, their key sealed to its device.
    case grant(Role, to: Grantee, revealKey: [UInt8] = [])
    /// Leaves all known operations. Revoking the participant's role removes the grantee.
    /// - `withAdmitted`: with the participant's role, also removes the devices that only the grantee vouches for
    ///   (`Membership.devices(admittedOnlyBy:except:)`), each by a revocation of its own.
    /// - `everything`: with the participant's role, leaves no operation of the removed devices, and has their bodies
    ///   purged.
    case revoke(Role, of: Grantee, withAdmitted: Bool = false, everything: Bool = false)
    case hide(PhotoID)
    /// Cancels all known hides.
    case unhide(PhotoID)
    case erase(PhotoID)
    /// Extra frames, in addition to the charter's and to other extra frames.
    case frames(UInt64, to: AuthorID)
}

/// The reason why a command is refused.
public enum AuthoringError: Error, Equatable, Sendable {
    case notAdmitted
    /// This device, or the guest, was removed.
    case putOut
    /// The device, or the node that signs for it, has left.
    case hasLeft
    /// Many guests join at this node: the next new one is admitted after this time.
    case tooManyGuests(milliseconds: UInt64)
    case rollFull(limit: UInt64)
    case unknownPhoto(PhotoID)
    case notTheAuthor(PhotoID)
    case alreadyRemoved(PhotoID)
    /// The command requires this rank, and a higher one than that of its subject.
    case rankTooLow(needed: Rank)
    /// No change: it is so already.
    case nothingToDo
    /// The event is open, and guests rely on the present value of this field.
    case againstGuests(CharterField)
    /// The device has reached its edit limit.
    case tooManyEdits(limit: Int)
    /// The photos are not sealed to this key.
    case wrongRevealKey
    /// This device does not have the current secret itself.
    case secretUnknown
    /// The author has reached the limit of comments on one photo, or of notices.
    case tooManyRemarks(limit: Int)
    /// The present text is not the one that was agreed to.
    case otherConsentText
    /// The author has exceeded the rate limit.
    case tooFast(milliseconds: UInt64)
    case malformed(OperationError)
    /// This device may not know all of its own operations, and has not met a member since (`mustReconcile`).
    case notReconciled
    /// The store refused; the operation does not exist.
    case notStored
}

/// One event on this node: everything between the sockets, the disk and the screen, without I/O.
///
/// The shell calls `handle(_:at:)` with an input and then takes `nextOutput()` until it is `nil`; at `nextDeadline` it
/// passes `.deadlineReached`. Time and randomness are in the inputs, so that a whole swarm of replicas runs in one
/// process and replays from one seed.
///
/// Two data paths. *Operations* arrive from peers, are verified (`verify`, by the shell on all cores), stored
/// (`persist`), and only then enter the sets and the state and are passed on. Reconciliation finds the missed ones,
/// first in the authority set, then in the content set. *Blobs*: operations describe which exist, `have` messages
/// announce their holders, the `ChunkScheduler` requests chunks, verifies them and has them stored.
///
/// Trust. A connection exists only to a node that knows the event secret. A device belongs to the event when its join
/// counts; until then it is sent an admission and nothing else, and only joins and members' operations are accepted
/// from it.
public struct Replica {
    public enum Input: Sendable {
        /// An address worth dialling: seen by mDNS (`isPersistent` false), typed or from an invitation (true).
        /// `attempt`: the number of the keyring's secret with which its tag was made.
        case sighted(PeerAddress, isPersistent: Bool, attempt: Int = 0)
        /// The secret of another invitation to this event, 32 bytes, which is stored for the next start.
        case invited(SecretBytes)
        /// Addresses where members were met before this node started, latest first.
        case remembered([PeerAddress])
        case connected(ConnectionID, to: PeerAddress, Entropy)
        case dialFailed(PeerAddress)
        /// A peer has connected and sent a preface that matches this event.
        case accepted(ConnectionID, host: String, challenge: [UInt8], preface: [UInt8], Entropy)
        case received(ConnectionID, [UInt8])
        /// The network has taken this many bytes of earlier `send` outputs.
        case sent(ConnectionID, byteCount: Int)
        case disconnected(ConnectionID)
        /// Signed by this device, or by the sub-key of a guest of this node.
        case author(Statement, by: SigningKey?, Ticket)
        /// For each operation of the `verify` output the verified one, or `nil`.
        case verified(Ticket, [VerifiedOperation?])
        case persisted(Ticket)
        case persistFailed(Ticket)
        case loaded(Ticket, [VerifiedOperation])
        case chunkStored(BlobID, index: Int)
        case chunkStoringFailed(BlobID, index: Int)
        case chunkRead(Ticket, ReadResult)
        /// Some of the blob on disk turned out corrupt: only `left` is here. The rest is fetched again.
        case takenBack(BlobRoot, left: StoredBlob)
        /// Withdrawn subjects, with their bodies and blobs, were purged from the disk.
        case destroyed([OperationID], blobs: [BlobRoot])
        /// Pings members for their sets, to know when they have enough for this device to leave (`handover`).
        case handOver
        /// The addresses of this node's pages for browsers; none if it serves none to others.
        case servesPages([PeerAddress])
        /// The free disk space has changed its level.
        case roomChanged(DiskSpace)
        /// The limit in bytes for the originals of each sponsor tree that is not established, `nil` for no limit
        /// (`DiskReserve.originalsPerTree`).
        case originalsLimited(perTree: UInt64?)
        case deadlineReached
        /// The machine has slept or stood still, or its addresses have changed: connections may be dead, and failed
        /// addresses may work now.
        case interrupted
        /// Sends a close message to every peer.
        case stop
    }

    public enum Output: Sendable, Equatable {
        case dial(PeerAddress)
        case send(ConnectionID, [UInt8])
        /// Sends what is queued, then closes.
        case close(ConnectionID)
        /// Stops passing input of the connection for this time: its peer has exceeded its rate limit. Replaces an
        /// earlier pause.
        case pause(ConnectionID, milliseconds: UInt64)
        case verify([UncheckedOperation], Ticket)
        /// In one transaction; `durably` if it must survive a power cut before it is sent to anyone.
        case persist([VerifiedOperation], durably: Bool, Ticket)
        /// Operations with their bodies, from the store.
        case load([OperationID], Ticket)
        case storeChunk(ArrivedChunk)
        case read(BlobRead, Ticket)
        case authored(Ticket, [OperationID])
        case refused(Ticket, AuthoringError)
        /// Replaces the stored inventory of its device; `durably` with all that was stored before.
        case keep(HeardRegister, durably: Bool, Ticket)
        /// Removes the stored inventories of these devices.
        case forget(registers: [DeviceID])
        case changed(Change)
    }

    /// A read of part of a blob from the store, for a peer.
    public enum BlobRead: Sendable, Equatable {
        case list(BlobID)
        case chunk(BlobID, index: Int)

        public var blob: BlobID {
            switch self {
            case .list(let blob), .chunk(let blob, _): blob
            }
        }
    }

    public enum ReadResult: Sendable, Equatable {
        case list([Bytes32])
        case chunk([UInt8])
        case notHere
    }

    /// A change that may affect the screen.
    public enum Change: Sendable, Equatable {
        case album(AlbumChange)
        case peers
        /// The addresses at which others serve pages for guests.
        case pages
        /// This device's join counts on this node.
        case admitted
        case blobComplete(BlobID)
        /// Two processes use the device's key at once, or it has signed an operation that its own node does not know: a
        /// copy of its folder. It may be this device. Reported once each.
        case cloned(DeviceID)
        /// Photos of this guest of the node lost their frames to photos at another node: the shell, which has the
        /// guest's key, signs the command `reclaim` with it.
        case slotsLost(AuthorID)
        /// A member has sent all of its operations: `mustReconcile` is over.
        case reconciled
        /// The reveal is overdue by this time: reported each minute until it has happened.
        case revealDue(overdueMilliseconds: UInt64)
        /// The event has a new secret, and this device has it.
        case rotated
        /// An organizer has sealed a secret to this device that is not the epoch's.
        case falselySealed(OperationID)
        /// A member refuses this device because it was not given the event's current secret.
        case invitationReplaced
        case closed(DeviceID?, ProtocolCode)
        /// The listener does not answer this event's preface: another event, or another secret.
        case rejected(PeerAddress)
        /// The listener serves this event and refuses the connection, at present or for good.
        case refused(PeerAddress, ProtocolCode)
        /// A node of this event, at an address or a host, speaks another version of the protocol: there is no
        /// connection. Reported once for each version.
        case otherVersion(host: String, theirs: UInt32, ours: UInt32)
        /// A peer's wall clock is this many milliseconds ahead of ours (negative: behind).
        case clockDiffers(DeviceID, milliseconds: Int64)
    }

    /// The random bytes for one connection.
    public struct Entropy: Sendable {
        public let ephemeral: SecretBytes
        public let salt: [UInt8]
        /// - Parameters:
        ///   - ephemeral: 32 random bytes.
        ///   - salt: 16 random bytes.
        public init(ephemeral: SecretBytes, salt: [UInt8]) {
            self.ephemeral = ephemeral
            self.salt = salt
        }
    }

    /// The keys and random bytes of this replica.
    public struct Identity: Sendable {
        public let eventKey: VerifyingKey
        public let credentials: EventCredentials
        public let deviceKey: SigningKey
        /// The Noise static key of this process.
        public let staticKey: AgreementKey
        /// 16 random bytes of this process.
        public let instance: [UInt8]
        /// 16 random bytes for the body of this device's join.
        public let joinSalt: [UInt8]
        /// The seed of every choice of the engine that may be predictable.
        public let seed: UInt64

        public init(
            eventKey: VerifyingKey, secret: SecretBytes, deviceKey: SigningKey, staticKey: AgreementKey,
            instance: [UInt8], joinSalt: [UInt8], seed: UInt64
        ) {
            self.eventKey = eventKey
            credentials = EventCredentials(event: EventID(key: eventKey), secret: secret)
            self.deviceKey = deviceKey
            self.staticKey = staticKey
            self.instance = instance
            self.joinSalt = joinSalt
            self.seed = seed
        }
    }

    let identity: Identity
    let device: DeviceID
    public var listenPort: UInt16
    /// Set before the first input if the store has lost operations, some of which may be this device's own: until a
    /// member has sent all of its operations, the device signs nothing, since it would fork its chain.
    public var mustReconcile = false
    /// The classes of blobs that this node fetches without a request.
    public let keptClasses: Set<BlobClass>

    public internal(set) var state: EventState
    var items: [OperationSet: ItemSet] = [.authority: ItemSet(), .content: ItemSet()]
    /// The ends of the chains that are signed here: this device's, and those of the sub-keys that it admitted for
    /// guests.
    var chains: [DeviceID: [OperationSet: Chain]] = [:]
    var clock = HybridClock()
    /// The first join of each device as an operation, to prove to a peer how this device joined.
    var joins: [DeviceID: Join] = [:]
    /// Commands that wait while an earlier one is being stored: a chain has one end.
    var statements = StatementQueue()
    var authoring: [Ticket: [VerifiedOperation]] = [:]
    /// The ids of the stored operations of the command in `authoring`, and the operations that are stored after them.
    var authored: [OperationID] = []
    var unwritten: ArraySlice<VerifiedOperation> = []
    var authorAllowance = Allowance(perSecond: Limits.operationsPerSecond, burst: Limits.operationsBurstMax, at: 0)
    /// The rate limits of annotations for the authors that sign here.
    var remarkAllowances: [AuthorID: Allowance] = [:]
    /// The operation allowances of members that have disconnected, for their return.
    var operationAllowances: [DeviceID: Allowance] = [:]

    /// Operations of known kinds that arrived without their bodies; requested again from every peer.
    var missingBodies: OrderedSet<OperationID> = []
    /// The withdrawn photos and annotations.
    var withdrawn: Set<OperationID> = []
    /// By withdrawn subject, the operations with missing bodies that are not requested.
    var withheld: [OperationID: Set<OperationID>] = [:]
    /// The newest inventory of each device, including this node's own; at most `registersMax` of others.
    var registers: [DeviceID: HeardRegister] = [:]
    var registerDueAt: UInt64?
    var registeredAt: UInt64?
    /// The rate limit for new inventories of each other device.
    var registerAllowances: [DeviceID: Allowance] = [:]
    /// Signed and being stored.
    var registering: (ticket: Ticket, register: Register)?
    /// Processes that have signed with this device's key and were answered; whether such an answer is due.
    var disputedInstances: Set<[UInt8]> = []
    var isRegisterDisputed = false
    /// Grows whenever `destructible` may have changed.
    public internal(set) var withdrawalCount = 0
    /// Operations that are being verified or stored, and all peers that have sent them, to which they need not be sent.
    var inProgress: [OperationID: [ConnectionID]] = [:]
    /// Operations of others that were sent to some peers and are sent to the rest a little later, if needed.
    var relays: Deque<Relay> = []
    /// The peers that have sent the operations of the relays, or were sent them.
    var told: [OperationID: [ConnectionID]] = [:]
    /// The budget reservations for these operations.
    var reservations: [OperationID: SponsorTrees.Reservation] = [:]
    /// Operations without a budget or room, and until when they are not requested.
    var declined: Set<OperationID> = []
    var declinedUntil: UInt64 = 0
    /// The number of times that the waiting rooms were handled.
    var roomsTurn = 0
    let budgets: UnitBudgets
    public internal(set) var diskSpace = DiskSpace.plenty
    var trees = SponsorTrees()
    /// For trees with few stored operations, once there are many of the others.
    var smallTreeRefill = Allowance(
        perSecond: Limits.operationsPerSecond, burst: Limits.operationsInProgressMax, at: 0)
    /// By the root of the tree that delivers.
    var lanes: [DeviceID: Allowance] = [:]
    var admissionPace = AdmissionPace()
    /// The next time at which to handle operations that wait for a budget.
    var roomsDueAt: UInt64?
    var verifying: [Ticket: (ids: [OperationID], source: ConnectionID?)] = [:]
    var persisting: [Ticket: (operations: [VerifiedOperation], source: ConnectionID?)] = [:]
    /// Operations that were verified while earlier ones of the same connection are being stored. They are stored
    /// together, so that operations that arrive one to a message are not derived one by one. Bounded like operations in
    /// progress (`Limits.operationsInProgressMax`).
    var checked: [ConnectionID: Deque<VerifiedOperation>] = [:]

    var peers: OrderedDictionary<ConnectionID, Peer> = [:]
    var loading: [Ticket: ConnectionID] = [:]
    var reading: [Ticket: ConnectionID] = [:]
    var addresses: AddressBook
    /// The event's secrets.
    public internal(set) var keyring: Keyring
    /// The revision of the epochs from which the keyring was last derived.
    var followedRevision: Int?
    /// Members met under the current secret.
    var renewed: Set<DeviceID> = []
    /// The addresses of this node's pages for browsers; none if it serves none to others.
    public internal(set) var ownPages: [PeerAddress] = []
    /// The same of others, as they have announced; the latest announcement is last.
    var heardPages: OrderedDictionary<DeviceID, [PeerAddress]> = [:]
    /// Devices whose keys were found in use twice.
    var cloned: Set<DeviceID> = []
    /// Other versions of the protocol that nodes of the event speak; at most 16 are reported.
    var versionsMet: Set<UInt32> = []
    /// Authors whose photos may have lost their frames since the last check; `nil` for all whose keys are here.
    var mayHaveLostSlots: Set<AuthorID>?
    /// Devices banned for sending wrong chunks, until the given time.
    var shunned: [DeviceID: UInt64] = [:]
    var blobs = BlobCatalogue()
    /// Originals that wait for their photo, or for it to have their author, by photo and by the device that described
    /// them. Not limited by arrival, since the result would depend on the order; they are in the sets in any case.
    var waitingOriginals: [PhotoID: [DeviceID: [VerifiedOperation]]] = [:]
    /// The photos for which a device's originals wait.
    var photosAwaited: [DeviceID: Set<PhotoID>] = [:]
    var interests = BlobInterest()
    /// See `Input.originalsLimited`. Set before the store is restored, so that not more is wanted than the disk has
    /// room for.
    public var originalsPerTree: UInt64?
    /// When to announce newly gained blobs to peers; several are announced together.
    var announceDueAt: UInt64?
    var announcedAt: UInt64?
    var dialDueAt: UInt64?
    /// The earliest deadline of a peer. The true one may be later: a peer's messages extend it.
    var peersDueAt: UInt64 = .max
    /// In a large event: when to trim the peers, and when to explore another one.
    var trimDueAt: UInt64?
    var exploreDueAt: UInt64?
    /// When to check next whether the reveal is due, since when it has been overdue, and when to report that again.
    var revealDueAt: UInt64?
    var revealOverdueSince: UInt64?
    var revealNoticeAt: UInt64 = 0
    var scheduler: ChunkScheduler
    var random: SplitMix64
    var outputs: Deque<Output> = []
    var lastTicket: UInt64 = 1 << 32
    var now = Instant(milliseconds: 0, wallClockMilliseconds: 0)
    /// Milliseconds of the monotonic clock at which `.deadlineReached` is due at the latest.
    public private(set) var nextDeadline: UInt64?
    /// When deadlines were last handled.
    var keptTimeAt: UInt64 = 0
    /// Bytes over all connections, including closed ones: received, and taken by the network.
    public internal(set) var receivedByteCount: UInt64 = 0
    public internal(set) var sentByteCount: UInt64 = 0
    /// During a restore: the operations without a body, and those that describe blobs.
    private var restoredHeaders: [VerifiedOperation] = []
    private var restoredDescriptions: [VerifiedOperation] = []
    var isStopping = false
    var wasAdmitted = false

    /// - Parameter budgets: the units of operations that are accepted at any speed.
    public init(
        identity: Identity, listenPort: UInt16, keptClasses: Set<BlobClass>, budgets: UnitBudgets = UnitBudgets()
    ) {
        self.identity = identity
        self.budgets = budgets
        self.listenPort = listenPort
        self.keptClasses = keptClasses
        device = DeviceID(identity.deviceKey.verifyingKey)
        keyring = Keyring(invited: identity.credentials)
        state = EventState(eventKey: identity.eventKey)
        random = SplitMix64(seed: identity.seed)
        scheduler = ChunkScheduler(random: SplitMix64(seed: identity.seed ^ 0x5EED))
        addresses = AddressBook(random: SplitMix64(seed: identity.seed ^ 0xADD2))
    }

    /// Restores the contents of the store, before the first input: operations in any order, with the bodies that
    /// describe blobs.
    /// - Parameter blob: returns the stored part of a blob.
    public mutating func restore(_ operations: [VerifiedOperation], blob: (BlobID) -> StoredBlob) {
        restore(part: operations)
        finishRestoring(blob: blob)
    }

    /// Restores part of the store, if the whole is too large for memory. Call `finishRestoring` afterwards, which
    /// derives ranks and void operations once for all parts.
    public mutating func restore(part operations: [VerifiedOperation]) {
        for operation in operations {
            guard items[operation.header.set]!.insert(item(operation.header, operation.id)) else { continue }
            state.take(operation)
            followChain(operation)
            if operation.kind?.isErasable != false, operation.body == nil {
                restoredHeaders.append(operation)
            } else if operation.kind == .photo || operation.kind == .original {
                // The bytes are not needed, their description is.
                restoredDescriptions.append(
                    VerifiedOperation(
                        id: operation.id, header: operation.header, signature: operation.signature, body: nil,
                        content: operation.content))
            }
        }
    }

    /// - Parameter blob: returns the stored part of a blob.
    /// - Parameter blob: what the store has of a blob.
    public mutating func finishRestoring(blob: (BlobID) -> StoredBlob) {
        state.resolve()
        trees.standingChanged()
        interests.standingChanged()
        followWithdrawals(ofRestored: restoredHeaders)
        for operation in restoredDescriptions { note(blobsOf: operation, stored: blob) }
        decideRestored()
        (restoredHeaders, restoredDescriptions) = ([], [])
        wasAdmitted = isAdmitted
        followEpochs()
        outputs.removeAll { if case .changed(.rotated) = $0 { true } else { false } }
        _ = blobs.takeAnnouncements()
        announceDueAt = nil
    }

    /// The stored part of a blob when a node starts.
    public enum StoredBlob: Sendable {
        case absent
        case partial(ChunkBitmap, hashes: [Bytes32])
        case complete
    }

    /// Handles one input. Every output that it causes is then waiting at `nextOutput()`.
    public mutating func handle(_ input: Input, at instant: Instant) {
        now = instant
        switch input {
        case .sighted(let address, let isPersistent, let attempt):
            addresses.add(address, isPersistent: isPersistent, attempt: attempt, at: now)
        case .invited(let secret): take(invited: secret)
        case .remembered(let addresses): self.addresses.remember(addresses, at: now)
        case .connected(let connection, let address, let entropy): connected(connection, to: address, entropy)
        case .dialFailed(let address): addresses.failed(address, at: now)
        case .accepted(let connection, let host, let challenge, let preface, let entropy):
            accepted(connection, from: host, challenge: challenge, preface: preface, entropy)
        case .received(let connection, let bytes): received(bytes, from: connection)
        case .sent(let connection, let byteCount): sent(byteCount, to: connection)
        case .disconnected(let connection): remove(connection, code: nil)
        case .author(let statement, let key, let ticket): statements.append(statement, by: key, ticket)
        case .verified(let ticket, let operations): verified(ticket, operations)
        case .persisted(let ticket): persisted(ticket)
        case .persistFailed(let ticket): persistFailed(ticket)
        case .loaded(let ticket, let operations): loaded(ticket, operations)
        case .chunkStored(let blob, let index): chunkStored(blob, index: index)
        case .chunkStoringFailed(let blob, let index):
            scheduler.storingFailed(index, of: blob, at: now.milliseconds)
        case .chunkRead(let ticket, let result): chunkRead(ticket, result)
        case .takenBack(let root, let left): takenBack(root, left: left)
        case .destroyed(let subjects, let roots): destroyed(subjects, roots)
        case .handOver: askWhatIsThere()
        case .servesPages(let addresses):
            ownPages = Array(addresses.prefix(Limits.pageAddressesMax))
            tellPages()
        case .roomChanged(let space): spaceChanged(to: space)
        case .originalsLimited(let byteCount): limitOriginals(to: byteCount)
        case .deadlineReached: keepTime()
        case .interrupted: interrupted()
        case .stop: stop()
        }
        settle()
        nextDeadline = deadline
    }

    /// Returns the next output, `nil` if there is none until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// Continues work after any input: commands to sign, peers to dial, chunks to request.
    private mutating func settle() {
        guard !isStopping else { return }
        followEpochs()
        claimLostSlots()
        authorNext()
        joinIfOffered()
        dialDue()
        reviewIfDue()
        for output in scheduler.poll(at: now.milliseconds) { perform(output) }
    }

    /// When `.deadlineReached` is due at the latest, in the present state.
    private var deadline: UInt64? {
        guard !isStopping else { return nil }
        // Not again at once: due work that is blocked must not keep the shell spinning. But counted from when deadlines
        // were last handled, or a node with input every few milliseconds would never handle them.
        var next = min(
            dialDueAt ?? .max, scheduler.nextDeadline(after: now.milliseconds) ?? .max, announceDueAt ?? .max)
        next = min(next, authorDueAt ?? .max, trimDueAt ?? .max, exploreDueAt ?? .max, revealDueAt ?? .max)
        next = min(next, relays.first?.dueAt ?? .max, peersDueAt, registerDueAt ?? .max, roomsDueAt ?? .max)
        next = min(next, interests.reviewDueAt ?? .max)
        return next == .max ? nil : max(next, keptTimeAt + 10)
    }

    mutating func newTicket() -> Ticket {
        lastTicket += 1
        return Ticket(lastTicket)
    }

    // Queries of the shell

    /// Whether this device's join counts.
    public var isAdmitted: Bool { state.membership.isMember(device) }

    /// Whether this device was a member and has been removed.
    public var isPutOut: Bool { state.membership.isRevoked(device) }

    /// Throws `putOut` or `notAdmitted` unless operations of `device` count.
    public func checkStanding(of device: DeviceID) throws(AuthoringError) {
        guard state.membership.rank(of: device) == nil else { return }
        throw state.membership.isRevoked(device) ? .putOut : .notAdmitted
    }

    public var deviceID: DeviceID { device }
    /// The author of this device's operations.
    public var authorID: AuthorID { state.membership.author(of: device) }
    /// Whether the device's operations are signed on this node: its own, and those of the guests that it serves.
    public func signs(for device: DeviceID) -> Bool { device == self.device || chains[device] != nil }
    public var credentials: EventCredentials { keyring.current }

    public func summary(of set: OperationSet) -> SetSummary {
        SetSummary(count: UInt64(items[set]!.count), fingerprint: items[set]!.fingerprint.bytes)
    }

    /// Live peers, in the order of their devices.
    public var livePeers: [PeerStatus] {
        peers.values.compactMap { peer in
            guard let device = peer.device else { return nil }
            return PeerStatus(
                device: device, address: peer.address?.description ?? peer.host, isAdmitted: trusts(peer),
                isSynchronized: peer.isSynchronized, clockDifferenceMilliseconds: peer.clockDifference,
                roundTripMilliseconds: peer.roundTripMilliseconds,
                receivedByteCount: peer.receivedByteCount, sentByteCount: peer.sentByteCount)
        }.sorted { $0.device < $1.device }
    }

    /// The number of blobs that are wanted and missing, without those that are set aside (`isSetAside`).
    public var missingBlobCount: Int { scheduler.wantedCount }
    public func isComplete(_ blob: BlobID) -> Bool { blobs.isComplete(blob) }
    /// Whether a photo that is not withdrawn has the blob.
    public func isDescribed(_ blob: BlobID) -> Bool { blobs[blob] != nil }
    /// Returns the photos that the blob belongs to.
    public func photos(with blob: BlobID) -> [PhotoID] { blobs.photos(with: blob) }
    public func isComplete(_ blobClass: BlobClass, of photo: PhotoID) -> Bool {
        let author = state.album.author(of: photo)
        return blobs.isComplete(blobClass, of: photo) { state.membership.author(of: $0) == author }
    }
}

/// The effect of new operations on the album.
public enum AlbumChange: Equatable, Sendable {
    /// These photos, and nothing else that is shown.
    case photos([PhotoID])
    /// The event's parameters, or more than can be listed.
    case everything
}

/// The end of a device's chain in one set.
struct Chain: Equatable, Sendable {
    /// The sequence number of the next operation.
    var nextSequence: UInt32 = 0
    var latest = OperationID.none
    var timestamp = HybridTimestamp(packed: 0)
}

/// A join by its operation, and its sponsor.
struct Join: Equatable, Sendable {
    let id: OperationID
    let sponsor: DeviceID
    /// Whether it carries a guest's delegation.
    let isSubKey: Bool
    /// The number of devices that had joined here before.
    let place: Int
}

/// A live peer for display.
public struct PeerStatus: Equatable, Sendable {
    public let device: DeviceID
    public let address: String
    public let isAdmitted: Bool
    /// Whether both sets have been reconciled on this connection.
    public let isSynchronized: Bool
    /// The difference of its wall clock to this node's when it connected; positive if ahead.
    public let clockDifferenceMilliseconds: Int64?
    public let roundTripMilliseconds: UInt64?
    public let receivedByteCount: UInt64
    public let sentByteCount: UInt64
}
