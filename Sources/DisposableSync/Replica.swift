// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
public import DisposableWire
internal import DequeModule
internal import OrderedCollections

/// Names a piece of work that the engine has handed out, so that its result can be told from others'.
public struct Ticket: Hashable, Sendable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

/// What this node itself wants to say; the replica gives it its place in the chain.
public enum Statement: Equatable, Sendable {
    /// A guest's sub-key enters, admitted by this device. Nothing where it is in already.
    case join(body: [UInt8])
    /// Bodies are bytes, salt first, as `OperationBody.encode` makes them.
    case name(body: [UInt8])
    /// A photo with its original, and what its author says under it, in the first free slot of the roll.
    case photo(body: [UInt8], originalBody: [UInt8], captionBody: [UInt8]? = nil)
    /// `salt`: 16 random bytes for the body.
    case say(Saying, salt: [UInt8])
    case remove(PhotoID)
    /// Agrees to the text of this hash, which must be the one that counts now. Nothing where that is so already.
    case consent(to: OperationID)
    /// The device's person goes: the last thing that it says but for taking back.
    case leave
    /// Photos of the author that lost their slots to others go into free ones (`Album.reclaims`). Nothing where none
    /// has.
    case reclaim
    /// What only somebody with a rank may say. `salt`: 16 random bytes for the body.
    case rule(Ruling, salt: [UInt8])
    /// Each of the fields becomes what it is in the charter, of which nothing else is looked at. An operation a field,
    /// all of them or none.
    case edit([CharterField], Charter, salt: [UInt8])
    /// Opens all sealed photos with the reveal key's secret half, 32 bytes.
    case reveal(secret: Bytes32, salt: [UInt8])
    /// Opens one of the author's own sealed photos.
    case keyRelease(PhotoID, body: [UInt8])
    /// The event has a new secret, sealed to the members that have the current one.
    case rotate(EpochEntropy)
    /// The current secret is sealed to a member that came in under another one.
    case admit(DeviceID, EpochEntropy)
}

/// What somebody says about a photo, or an organizer to all. Texts have 1 to 2,000 bytes.
public enum Saying: Equatable, Sendable {
    /// Under a photo of one's own.
    case caption(PhotoID, String)
    case comment(PhotoID, String)
    /// One of `Remarks.emoji`, put on or taken off.
    case reaction(PhotoID, Unicode.Scalar, isOn: Bool)
    case notice(String)
}

/// An act of somebody with a rank.
public enum Ruling: Equatable, Sendable {
    /// Cancels the revocations of that role that count; of the participant's role, those that put the grantee out.
    /// `revealKey`: for a new organizer of an event with sealed photos, their key sealed to its device.
    case grant(Role, to: Grantee, revealKey: [UInt8] = [])
    /// Leaves everything that is here. Without the participant's role one is out.
    /// - `withAdmitted`: with the participant's role, of the devices that only the grantee vouches for, too
    ///   (`Membership.devices(admittedOnlyBy:except:)`), each by a revocation of its own.
    /// - `everything`: with the participant's role, leaves nothing of those that are removed, and has it destroyed.
    case revoke(Role, of: Grantee, withAdmitted: Bool = false, everything: Bool = false)
    case hide(PhotoID)
    /// Cancels all hides that are here.
    case unhide(PhotoID)
    case erase(PhotoID)
    /// So many frames more than the charter gives, and than others have given.
    case frames(UInt64, to: AuthorID)
}

/// Why a statement cannot be made.
public enum AuthoringError: Error, Equatable, Sendable {
    case notAdmitted
    /// Somebody with a role has put this device, or the guest, out.
    case putOut
    /// The device has said that it goes, or the node that speaks for it.
    case hasLeft
    /// Many guests come in at this node: the next that is new is let in after this time.
    case tooManyGuests(milliseconds: UInt64)
    case rollFull(limit: UInt64)
    case unknownPhoto(PhotoID)
    case notTheAuthor(PhotoID)
    case alreadyRemoved(PhotoID)
    /// It takes this rank, and a higher one than that of whom it is about.
    case rankTooLow(needed: Rank)
    /// It is so already.
    case nothingToDo
    /// The event is open, and guests rely on this field as it is.
    case againstGuests(CharterField)
    /// Of this device's edits no more are looked at.
    case tooManyEdits(limit: Int)
    /// It is not the key that the photos are sealed to.
    case wrongRevealKey
    /// This device does not have the current secret itself.
    case secretUnknown
    /// Of this author no more are shown: comments on one photo, or notices.
    case tooManyRemarks(limit: Int)
    /// The text is another one now than the one that was agreed to.
    case otherConsentText
    /// The author says more than one may in so short a time.
    case tooFast(milliseconds: UInt64)
    case malformed(OperationError)
    /// This device may not know all that it has said, and has not met a member since (`mustReconcile`).
    case notReconciled
    /// The store refused; the operation does not exist.
    case notStored
}

/// One event on this node: everything between the sockets, the disk and the screen, without touching any of them.
///
/// The shell calls `handle(_:at:)` with an input and then takes `nextOutput()` until it is `nil`; when `nextDeadline`
/// is reached it hands in `.deadlineReached`. Time and randomness are in the inputs, so that a whole swarm of replicas
/// runs in one process and replays from one seed.
///
/// Two streets. *Facts*: operations come in from peers, are checked (`verify`, by the shell on all cores), stored
/// (`persist`), and only then enter the sets and the state and are passed on. What was missed while apart is found by
/// reconciling first the authority set, then the content set. *Bytes*: operations tell which blobs exist, `have` tells
/// who holds them, the `ChunkScheduler` asks for chunks, checks them and has them stored.
///
/// Trust. A connection is only to somebody who knows the event secret. A device belongs to the event when its join
/// counts; until then it is sent an admission and is told nothing, and of what it sends only joins and what members
/// have said is taken.
public struct Replica {
    public enum Input: Sendable {
        /// An address worth dialling: seen by mDNS (`isPersistent` false), typed or from an invitation (true).
        /// `attempt`: which of the keyring's secrets its tag was made with.
        case sighted(PeerAddress, isPersistent: Bool, attempt: Int = 0)
        /// The secret of another invitation to this event, 32 bytes, which is kept for the next start.
        case invited(SecretBytes)
        /// Addresses where members were met before this node was started, the latest first.
        case remembered([PeerAddress])
        case connected(ConnectionID, to: PeerAddress, Entropy)
        case dialFailed(PeerAddress)
        /// A peer has connected and sent a preface that matches this event.
        case accepted(ConnectionID, host: String, challenge: [UInt8], preface: [UInt8], Entropy)
        case received(ConnectionID, [UInt8])
        /// So many bytes of earlier `send` outputs have gone to the network.
        case sent(ConnectionID, byteCount: Int)
        case disconnected(ConnectionID)
        /// By this device, or by the sub-key of a guest whom this node serves.
        case author(Statement, by: SigningKey?, Ticket)
        /// For each operation of the `verify` output the checked one, or `nil`.
        case verified(Ticket, [VerifiedOperation?])
        case persisted(Ticket)
        case persistFailed(Ticket)
        case loaded(Ticket, [VerifiedOperation])
        case chunkStored(BlobID, index: Int)
        case chunkStoringFailed(BlobID, index: Int)
        case chunkRead(Ticket, ReadResult)
        /// Some of the blob on disk turned out to be wrong: no more than `left` is here. The rest is fetched again.
        case takenBack(BlobRoot, left: StoredBlob)
        /// What was taken away, with its bodies and blobs, is gone from the disk for good.
        case destroyed([OperationID], blobs: [BlobRoot])
        /// Asks members what they have, to know when they have enough of it for this device to go (`handover`).
        case handOver
        /// Where browsers find the pages that this node serves to others; none where it serves none.
        case servesPages([PeerAddress])
        /// The disk has more or less room than before.
        case roomChanged(DiskSpace)
        /// Of each sponsor tree that is not established so many bytes of originals are kept, `nil` for any number
        /// (`DiskReserve.originalsPerTree`).
        case originalsLimited(perTree: UInt64?)
        case deadlineReached
        /// The machine has slept or stood still, or its addresses have changed: connections may be dead, and what
        /// failed before may work now.
        case interrupted
        /// Says goodbye to every peer.
        case stop
    }

    public enum Output: Sendable, Equatable {
        case dial(PeerAddress)
        case send(ConnectionID, [UInt8])
        /// Sends what is queued, then closes.
        case close(ConnectionID)
        /// Hands in no more of what comes on the connection for so long: its peer has said more than it may. Replaces
        /// an earlier pause.
        case pause(ConnectionID, milliseconds: UInt64)
        case verify([UncheckedOperation], Ticket)
        /// In one transaction; `durably` when it must survive a power cut before anybody hears of it.
        case persist([VerifiedOperation], durably: Bool, Ticket)
        /// Operations with their bodies, from the store.
        case load([OperationID], Ticket)
        case storeChunk(ArrivedChunk)
        case read(BlobRead, Ticket)
        case authored(Ticket, [OperationID])
        case refused(Ticket, AuthoringError)
        /// A register, to be kept in the place of its device's last one; `durably` with all that was stored before.
        case keep(HeardRegister, durably: Bool, Ticket)
        /// Registers of these devices are not kept any longer.
        case forget(registers: [DeviceID])
        case changed(Change)
    }

    /// What a part of the store holds of a blob, to be sent to a peer.
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

    /// What the screen may want to show anew.
    public enum Change: Sendable, Equatable {
        case album(AlbumChange)
        case peers
        /// Where others serve pages for guests.
        case pages
        /// This device's join counts on this node.
        case admitted
        case blobComplete(BlobID)
        /// The device's key is in use by two processes at once, or has signed what its own node does not know: a copy
        /// of its folder. It may be this device. Told once each.
        case cloned(DeviceID)
        /// Photos of this guest of the node's lost their slots, as it took others at another node meanwhile: the shell,
        /// which has the guest's key here, makes the statement `reclaim` with it.
        case slotsLost(AuthorID)
        /// A member has told all that it has: `mustReconcile` is over.
        case reconciled
        /// Sealed photos are to be opened, and were so long ago: told each minute until they are.
        case revealDue(overdueMilliseconds: UInt64)
        /// The event has another secret than before, and this device has it.
        case rotated
        /// An organizer has sealed a secret to this device that is not the epoch's.
        case falselySealed(OperationID)
        /// A member there says that this device has not been given the event's current secret.
        case invitationReplaced
        case closed(DeviceID?, ProtocolCode)
        /// What listens there does not answer this event's preface: another event, or another secret.
        case rejected(PeerAddress)
        /// What listens there serves this event and will not have the connection, at present or at all.
        case refused(PeerAddress, ProtocolCode)
        /// A node of this event, at an address or a host, speaks another version of the protocol: there is no
        /// connection. Told once a version.
        case otherVersion(host: String, theirs: UInt32, ours: UInt32)
        /// A peer says its wall clock is so many milliseconds ahead of ours (negative: behind).
        case clockDiffers(DeviceID, milliseconds: Int64)
    }

    /// What is drawn at random for one connection.
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

    /// Who this replica is.
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
        /// Seeds every choice of the engine that need not be unpredictable.
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
    /// Set before the first input where the store has lost operations, of which some may be this device's own: until a
    /// member has told all that it has, it says nothing, or it would say two things in one place of its chain.
    public var mustReconcile = false
    /// The classes of blobs that this node fetches without being asked.
    public let keptClasses: Set<BlobClass>

    public internal(set) var state: EventState
    var items: [OperationSet: ItemSet] = [.authority: ItemSet(), .content: ItemSet()]
    /// The ends of the chains that are signed here: this device's, and those of the sub-keys it let in for guests.
    var chains: [DeviceID: [OperationSet: Chain]] = [:]
    var clock = HybridClock()
    /// Everybody's first join as an operation, to show a peer how this device came in.
    var joins: [DeviceID: Join] = [:]
    /// Statements wait here while an earlier one is on its way to the disk: a chain has one end.
    var statements = StatementQueue()
    var authoring: [Ticket: [VerifiedOperation]] = [:]
    /// Of the statement in `authoring`, what is on disk, and what is stored after it.
    var authored: [OperationID] = []
    var unwritten: ArraySlice<VerifiedOperation> = []
    var authorAllowance = Allowance(perSecond: Limits.operationsPerSecond, burst: Limits.operationsBurstMax, at: 0)
    /// What those who speak here may remark.
    var remarkAllowances: [AuthorID: Allowance] = [:]
    /// What members that have left may say of their own when they come again.
    var operationAllowances: [DeviceID: Allowance] = [:]

    /// Operations of known kinds that came without their bodies; asked for again from every peer.
    var missingBodies: OrderedSet<OperationID> = []
    /// The photos and remarks that are taken away.
    var withdrawn: Set<OperationID> = []
    /// By what is taken away, the operations whose bodies are not here and are not asked for.
    var withheld: [OperationID: Set<OperationID>] = [:]
    /// The newest register of each device, this node's own among them; of others at most `registersMax`.
    var registers: [DeviceID: HeardRegister] = [:]
    var registerDueAt: UInt64?
    var registeredAt: UInt64?
    /// How many new ones each other device may still have said.
    var registerAllowances: [DeviceID: Allowance] = [:]
    /// Signed and on its way to the disk.
    var registering: (ticket: Ticket, register: Register)?
    /// Processes that have signed with this device's key and were answered; whether such an answer is due.
    var disputedInstances: Set<[UInt8]> = []
    var isRegisterDisputed = false
    /// Grows whenever `destructible` may have changed.
    public internal(set) var withdrawalCount = 0
    /// Operations being checked or stored, and everybody who has sent them meanwhile: they need not be told.
    var inProgress: [OperationID: [ConnectionID]] = [:]
    /// Operations of others that some peers have been told and the rest is told a little later, where it must be.
    var relays: Deque<Relay> = []
    /// Who has sent the operations of the relays, or has been sent them.
    var told: [OperationID: [ConnectionID]] = [:]
    /// What was counted of them when they came.
    var reservations: [OperationID: SponsorTrees.Reservation] = [:]
    /// Operations for which there was neither a budget nor room, and until when none of them is asked for.
    var declined: Set<OperationID> = []
    var declinedUntil: UInt64 = 0
    /// How often waiting rooms were looked at.
    var roomsTurn = 0
    let budgets: UnitBudgets
    public internal(set) var diskSpace = DiskSpace.plenty
    var trees = SponsorTrees()
    /// For trees of which little is here, once there is much of the others.
    var smallTreeRefill = Allowance(
        perSecond: Limits.operationsPerSecond, burst: Limits.operationsInProgressMax, at: 0)
    /// By the root of the tree that delivers.
    var lanes: [DeviceID: Allowance] = [:]
    var admissionPace = AdmissionPace()
    /// When operations that wait for a budget are looked at next.
    var roomsDueAt: UInt64?
    var verifying: [Ticket: (ids: [OperationID], source: ConnectionID?)] = [:]
    var persisting: [Ticket: (operations: [VerifiedOperation], source: ConnectionID?)] = [:]
    /// Operations that have been checked while earlier ones of the same connection are on their way to the disk. They
    /// are stored together, so that what comes one operation a message is not derived from one by one. What is in
    /// progress is bounded (`Limits.operationsInProgressMax`), and so is this.
    var checked: [ConnectionID: Deque<VerifiedOperation>] = [:]

    var peers: OrderedDictionary<ConnectionID, Peer> = [:]
    var loading: [Ticket: ConnectionID] = [:]
    var reading: [Ticket: ConnectionID] = [:]
    var addresses: AddressBook
    /// The event's secrets.
    public internal(set) var keyring: Keyring
    /// When it was looked at last what they are.
    var followedRevision: Int?
    /// Members met under the current secret.
    var renewed: Set<DeviceID> = []
    /// Where browsers find the pages that this node serves to others.
    public internal(set) var ownPages: [PeerAddress] = []
    /// The same of others, as they have said; who said it last is last.
    var heardPages: OrderedDictionary<DeviceID, [PeerAddress]> = [:]
    /// Devices whose keys have been found in use twice.
    var cloned: Set<DeviceID> = []
    /// Other versions of the protocol that somebody who knows the event speaks; at most 16 are told of.
    var versionsMet: Set<UInt32> = []
    /// Whose photos may have lost their slots since that was looked at last; `nil` for all whose keys are here.
    var mayHaveLostSlots: Set<AuthorID>?
    /// Devices that have sent wrong chunks, and until when nothing is had to do with them.
    var shunned: [DeviceID: UInt64] = [:]
    var blobs = BlobCatalogue()
    /// Originals that wait for their photo, or to be of its author, by photo and by the device that described them. No
    /// limit by arrival, or what is here would depend on the order; they take their place in the sets anyway.
    var waitingOriginals: [PhotoID: [DeviceID: [VerifiedOperation]]] = [:]
    /// The photos for which a device's originals wait.
    var photosAwaited: [DeviceID: Set<PhotoID>] = [:]
    var interests = BlobInterest()
    /// See `Input.originalsLimited`. Set before what the store has is restored, or more is wanted than the disk has room
    /// for.
    public var originalsPerTree: UInt64?
    /// When peers hear of blobs gained since the last time; several are told at once.
    var announceDueAt: UInt64?
    var announcedAt: UInt64?
    var dialDueAt: UInt64?
    /// When a peer's time is up at the earliest. It may be later: what a peer says gives it more.
    var peersDueAt: UInt64 = .max
    /// In a large event: when peers are counted next, and when somebody else is looked for.
    var trimDueAt: UInt64?
    var exploreDueAt: UInt64?
    /// When it is looked at next whether sealed photos are to be opened, since when they are, and when that is told
    /// again.
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
    /// When deadlines were last kept.
    var keptTimeAt: UInt64 = 0
    /// Of all connections, those that have ended included: what came, and what the network has taken.
    public internal(set) var receivedByteCount: UInt64 = 0
    public internal(set) var sentByteCount: UInt64 = 0
    /// While this node is being restored: what is here without its body, and what describes blobs.
    private var restoredHeaders: [VerifiedOperation] = []
    private var restoredDescriptions: [VerifiedOperation] = []
    var isStopping = false
    var wasAdmitted = false

    /// - Parameter budgets: how many units of operations are taken at any speed.
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

    /// What the store already has, before the first input: operations in any order, with the bodies that describe
    /// blobs.
    /// - Parameter blob: what the store has of a blob.
    public mutating func restore(_ operations: [VerifiedOperation], blob: (BlobID) -> StoredBlob) {
        restore(part: operations)
        finishRestoring(blob: blob)
    }

    /// Some of what the store has, where that is too much to be in memory at once. `finishRestoring` follows, and
    /// derives what all parts say together: ranks, and what is void, are derived once a start.
    public mutating func restore(part operations: [VerifiedOperation]) {
        for operation in operations {
            guard items[operation.header.set]!.insert(item(operation.header, operation.id)) else { continue }
            state.take(operation)
            followChain(operation)
            if operation.kind?.isErasable != false, operation.body == nil {
                restoredHeaders.append(operation)
            } else if operation.kind == .photo || operation.kind == .original {
                // The bytes are of no use, what they describe is.
                restoredDescriptions.append(
                    VerifiedOperation(
                        id: operation.id, header: operation.header, signature: operation.signature, body: nil,
                        content: operation.content))
            }
        }
    }

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

    /// What the store has of a blob when a node starts.
    public enum StoredBlob: Sendable {
        case absent
        case partial(ChunkBitmap, hashes: [Bytes32])
        case complete
    }

    /// Takes one input. Every output it causes is then waiting at `nextOutput()`.
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

    /// The next thing to do, `nil` when there is nothing until the next input.
    public mutating func nextOutput() -> Output? { outputs.popFirst() }

    /// What follows from any input: statements to make, peers to dial, chunks to ask for.
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

    /// When `.deadlineReached` is due at the latest, with things as they are.
    private var deadline: UInt64? {
        guard !isStopping else { return nil }
        // Not again at once: what is due and cannot be done now must not keep the shell spinning. But counted from when
        // deadlines were last kept, or a node that gets something every few milliseconds would never keep them.
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

    // What the shell may look at

    /// Whether this device's join counts.
    public var isAdmitted: Bool { state.membership.isMember(device) }

    /// Whether this device was in and has been put out.
    public var isPutOut: Bool { state.membership.isRevoked(device) }

    /// Throws `putOut` or `notAdmitted` unless what `device` says counts.
    public func checkStanding(of device: DeviceID) throws(AuthoringError) {
        guard state.membership.rank(of: device) == nil else { return }
        throw state.membership.isRevoked(device) ? .putOut : .notAdmitted
    }

    public var deviceID: DeviceID { device }
    /// Whose words this device's operations are.
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

    /// Blobs that are wanted and not here. Not those that are set aside (`isSetAside`).
    public var missingBlobCount: Int { scheduler.wantedCount }
    public func isComplete(_ blob: BlobID) -> Bool { blobs.isComplete(blob) }
    /// Whether a photo that is not taken away has the blob.
    public func isDescribed(_ blob: BlobID) -> Bool { blobs[blob] != nil }
    /// The photos that the blob belongs to.
    public func photos(with blob: BlobID) -> [PhotoID] { blobs.photos(with: blob) }
    public func isComplete(_ blobClass: BlobClass, of photo: PhotoID) -> Bool {
        let author = state.album.author(of: photo)
        return blobs.isComplete(blobClass, of: photo) { state.membership.author(of: $0) == author }
    }
}

/// What new operations change in the album.
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

/// A join by its operation, and who let the device in.
struct Join: Equatable, Sendable {
    let id: OperationID
    let sponsor: DeviceID
    /// Whether it carries a guest's delegation.
    let isSubKey: Bool
    /// How many devices had come in here before.
    let place: Int
}

/// A live peer as people may see it.
public struct PeerStatus: Equatable, Sendable {
    public let device: DeviceID
    public let address: String
    public let isAdmitted: Bool
    /// Whether both sets have been reconciled on this connection.
    public let isSynchronized: Bool
    /// How far its wall clock was ahead of this node's when it connected (negative: behind).
    public let clockDifferenceMilliseconds: Int64?
    public let roundTripMilliseconds: UInt64?
    public let receivedByteCount: UInt64
    public let sentByteCount: UInt64
}
