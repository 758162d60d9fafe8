// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSync
import DisposableWire
import Testing

/// The large honest event of the specification (protocol/disposable-v1.md §14.1).
private enum LargeEvent {
    static let guests = 1_000
    static let nodes = 100
    static let days = 30
    static let guestPhotos = 27_000
    static let guestReactions = 200_000
    static let rotations = 10 * days
    static let removals = 10 * days
    /// The number of photos of a node's person.
    static let photosOfPerson = 300
    static let remarksOfPerson = 500
    static let photos = guestPhotos + nodes * photosOfPerson

    // Operations
    /// Photo, claim, original and caption.
    static let operationsOfPhoto = 4
    /// Join, consent and name.
    static let operationsOfGuest = 3
    /// The same and a leave.
    static let operationsOfPerson = operationsOfGuest + 1
    static let guestOperations = guestPhotos * operationsOfPhoto + guestReactions + guests * operationsOfGuest
    static let nodeOperations = photosOfPerson * operationsOfPhoto + remarksOfPerson + operationsOfPerson
    static let operations = guestOperations + nodes * nodeOperations + rotations + removals

    // Units (§6.13)
    static let joinUnits = 8
    /// Returns the units of operations with bodies of at most a kilobyte; a join has more.
    static func units(operations: Int, joins: Int) -> Int { operations - joins + joins * joinUnits }
    static func units(bodyByteCount: Int) -> Int { 1 + max(0, bodyByteCount - 1) / 1_024 }
    static let nodeUnits = units(operations: nodeOperations, joins: 1)
    static let guestUnits = units(operations: guestOperations, joins: guests)
    static let pageTreeUnits = guestUnits + nodeUnits

    // Removals
    /// A sub-key's join and the end of what it has stated; the other nodes' joins; the page node's own ends.
    static let headsOfPageNode = 2 * guests + (nodes - 1) + 2
}

@Suite("No limit is reached by the large event") struct LargeEventTests {
    private let salt = [UInt8](repeating: 0, count: OperationBody.saltByteCount)

    /// Ids, or keys, of which only the number matters.
    private func ids(_ count: Int) throws -> [OperationID] {
        let id = try #require(OperationID([UInt8](repeating: 7, count: 32)))
        return Array(repeating: id, count: count)
    }

    @Test("the arithmetic of the specification")
    func arithmetic() {
        #expect(LargeEvent.nodeUnits == 1_711)
        #expect(LargeEvent.guestUnits == 318_000)
        #expect(LargeEvent.pageTreeUnits == 319_711)
        #expect(LargeEvent.nodes * LargeEvent.nodeUnits == 171_100)
        #expect(LargeEvent.guestOperations == 311_000)
        #expect(LargeEvent.headsOfPageNode == 2_101)
    }

    @Test("a node accepts all of it at any speed, whichever member admitted the nodes")
    func units() {
        let nodes = LargeEvent.nodes * LargeEvent.nodeUnits
        let poolForLarge = Limits.plainUnitsMax - Limits.plainUnitsMax / 8
        #expect(LargeEvent.nodeUnits < Limits.smallTreeUnitsMax, "a node by itself has a share that is kept for it")
        #expect(nodes < Limits.plainTreeUnitsMax, "all nodes under one sponsor that is not established")
        #expect(2 * nodes < poolForLarge, "twice as many nodes, each a tree of its own")
        #expect(LargeEvent.pageTreeUnits < Limits.establishedTreeUnitsMax)
        #expect(nodes < Limits.plainUnitsMax / 2, "all nodes are members no more")
    }

    @Test("a node goes by the limits of the protocol, unless it is told otherwise")
    func budgets() {
        let budgets = UnitBudgets()
        #expect(budgets.plainTree == Limits.plainTreeUnitsMax)
        #expect(budgets.plain == Limits.plainUnitsMax)
        #expect(budgets.smallTree == Limits.smallTreeUnitsMax)
        #expect(budgets.establishedTree == Limits.establishedTreeUnitsMax)
    }

    @Test("what the guests do at one page node fits into a tenth of the time at the rate of a node")
    func rate() {
        let seconds = LargeEvent.guestOperations / Limits.operationsPerSecond
        #expect(10 * seconds < LargeEvent.days * 86_400)
        // Each guest adds a photo in the same minute.
        let waiting = LargeEvent.guests * LargeEvent.operationsOfPhoto - Limits.operationsBurstMax
        #expect(waiting / Limits.operationsPerSecond < 120)
        // A guest may put its share of the reactions within an hour.
        #expect(LargeEvent.guestReactions / LargeEvent.guests < 3_600 * Limits.remarksPerSecond)
    }

    @Test("everything can wait to be sent to one peer, and be told as held")
    func queues() {
        #expect(LargeEvent.operations < Limits.outgoingOperationsMax)
        // A range for the thumbnail, the preview and the original of each photo.
        #expect(3 * LargeEvent.photos < Limits.holdingRangesPerPeerMax)
    }

    @Test("all nodes and all guests come in at one node, and once more when they have lost what they had")
    func admissions() {
        #expect(2 * LargeEvent.nodes < Limits.nodeAdmissionsBurstMax)
        #expect(2 * LargeEvent.guests < Limits.guestAdmissionsBurstMax)
        // While veils are on, all nodes behind one address: within ten minutes.
        let withVeils = Limits.admissionsPerSourceMax + Limits.treeAdmissionsBurstMax
        #expect(LargeEvent.nodes < withVeils + 600_000 / Limits.nodeAdmissionMilliseconds)
        #expect(2 * LargeEvent.nodes < Limits.admissionSourcesMax, "hosts, and devices whose admission may be repeated")
    }

    @Test("every node keeps the register of every other, as large as it may be")
    func registers() {
        #expect(LargeEvent.nodes < Limits.registersMax)
        #expect(LargeEvent.nodes * Limits.registerByteCountMax < Limits.registersByteCountMax)
    }

    /// It does not name the devices of all guests (§14.1): it is a hint.
    @Test("a register names the devices of all nodes")
    func registerPlaces() {
        #expect(LargeEvent.nodes < Limits.registerPlacesMax)
    }

    @Test("a rotation takes one operation, of at most as many units as a full one")
    func rotation() {
        #expect(LargeEvent.nodes <= Limits.sealedDevicesMax)
        #expect(LargeEvent.nodes <= Limits.sealedRecipientsMax)
        // Commitment, devices of 32 bytes and boxes of 80, each with a tag and a length.
        let bodyByteCount = OperationBody.saltByteCount + 34 + (3 + LargeEvent.nodes * 32) + (3 + LargeEvent.nodes * 80)
        #expect(bodyByteCount <= Limits.operationBodyByteCountMax)
        let units = LargeEvent.rotations * LargeEvent.units(bodyByteCount: bodyByteCount)
        #expect(units == 3_300)
        #expect(LargeEvent.nodeUnits + units + LargeEvent.removals < Limits.establishedTreeUnitsMax)
    }

    @Test("a removal of the page node names all that it leaves, by lists that fit")
    func removal() throws {
        let heads = LargeEvent.headsOfPageNode
        #expect(heads < Limits.headsMax * Limits.headsMax)
        let lists = (heads + Limits.headsMax - 1) / Limits.headsMax
        #expect(lists <= Limits.headsMax)
        let last = heads - (lists - 1) * Limits.headsMax
        let list = OperationBody.encode(.list(try ids(Limits.headsMax)), salt: salt)
        let lastList = OperationBody.encode(.list(try ids(last)), salt: salt)
        let revocation = OperationBody.encode(.revocation(heads: try ids(lists)), salt: salt)
        #expect(list.count <= Limits.operationBodyByteCountMax)
        #expect(lists + 1 < Limits.operationsBurstMax)
        let units =
            (lists - 1) * LargeEvent.units(bodyByteCount: list.count)
            + LargeEvent.units(bodyByteCount: lastList.count) + LargeEvent.units(bodyByteCount: revocation.count)
        #expect(units == 69)
    }

    @Test("each node finds connections: those that it looks for, those that come, and those that come back at once")
    func connections() {
        #expect(LargeEvent.nodes > Limits.meshNodesMax, "the event is one of views")
        #expect(Limits.viewPeersMax < Limits.peersMax)
        #expect(Limits.newcomersMax < Limits.peersMax)
        // Several addresses for each node.
        #expect(4 * LargeEvent.nodes < Limits.addressesMax)
    }
}
