// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// A broken promise of the system.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
    package let invariant: Invariant
    package let details: String
    package var description: String { "\(invariant.rawValue): \(details)" }
}

/// The promises that must hold whenever a swarm has converged, whatever happened before.
package enum Invariant: String, CaseIterable, Sendable {
    case equalSets = "connected honest nodes have equal sets"
    case equalStates = "equal sets show equal galleries"
    case orderFree = "the state does not depend on the order of operations"
    case genuineBlobs = "nothing marked complete fails its hash"
    case durable = "nothing acknowledged is lost"
    case genuineOperations = "no operation that is not genuine is kept"
    case noVoidOperation = "no void operation shows"
    case harmless = "a removal takes no photo from anybody but the one removed"
    case asRuled = "ranks and photos are what the rules say, taken one by one"
    case boundedQueues = "every queue is within its limit"
    case everythingArrives = "every wanted and available chunk is here"
}

extension Swarm {
    /// Checks every invariant among these nodes, all honest ones unless named. Throws the first `Violation`.
    package func check(_ some: [SimulatedNode]? = nil) throws(Violation) {
        for violation in violations(some).prefix(1) { throw violation }
    }

    /// Returns all broken promises.
    package func violations(_ some: [SimulatedNode]? = nil) -> [Violation] {
        let some = (some ?? honestNodes).filter { $0.replica != nil }
        var found: [Violation] = []
        func require(_ holds: Bool, _ invariant: Invariant, _ details: @autoclosure () -> String) {
            if !holds { found.append(Violation(invariant: invariant, details: details())) }
        }
        guard let first = some.first else { return found }
        for node in some {
            require(
                node.sets == first.sets && node.replica!.isAdmitted, .equalSets,
                "node \(node.index) has \(node.sets), node \(first.index) \(first.sets)")
            require(
                node.replica!.state.digest != nil && node.replica!.state.digest == first.replica!.state.digest,
                .equalStates, "node \(node.index) and node \(first.index) differ")
            node.noteLoad()
            for row in node.journal.largestLoad.rows {
                require(row.value <= row.limit, .boundedQueues, "\(row.name) of node \(node.index): \(row.value)")
            }
        }
        checkOrder(first, require)
        for node in some { checkHostages(node, require) }
        checkRules(some, require)
        checkDurability(require)
        for node in some {
            checkOperations(node, require)
            checkBlobs(node, some, require)
        }
        return found
    }

    private typealias Requirement = (Bool, Invariant, @autoclosure () -> String) -> Void

    /// Checks that the stored operations, folded in other orders, give what the node shows.
    private func checkOrder(_ node: SimulatedNode, _ require: Requirement) {
        guard let state = node.replica?.state else { return }
        var generator = SplitMix64(seed: trace)
        var operations = node.disk.operations
        for _ in 0..<3 {
            operations.shuffle(using: &generator)
            var other = EventState(eventKey: founding.eventKey.verifyingKey)
            for operation in operations { other.apply(operation) }
            require(other.digest == state.digest, .orderFree, "node \(node.index)")
            require(other.gallery == state.gallery, .orderFree, "gallery of node \(node.index)")
        }
    }

    /// Records the photos that the organizer's node shows of authors that depend on a member that is about to be
    /// removed.
    func noteHostages(of taker: SimulatedNode) {
        guard let state = nodes[0].replica?.state, let hostages = taker.dishonestPeer?.hostages else { return }
        for photo in state.gallery where hostages.contains(photo.author) { evidence.noteHostage(photo.id) }
    }

    private func checkHostages(_ node: SimulatedNode, _ require: Requirement) {
        guard !evidence.hostagePhotos.isEmpty, let state = node.replica?.state else { return }
        // Some may wait for approval, or a moderator has hidden them, as those of others.
        for photo in evidence.hostagePhotos {
            guard let status = state.photo(photo)?.status, status.slot != nil || status == .hidden else {
                require(false, .harmless, "node \(node.index) does not show \(photo.short)")
                continue
            }
        }
    }

    private func checkDurability(_ require: Requirement) {
        var held: [Int: Set<OperationID>] = [:]
        for (index, id) in evidence.acknowledged where nodes[index].isHonest {
            if let disk = nodes[index].memoryDisk {
                require(
                    archive.place(of: id).map(disk.holds) == true, .durable,
                    "node \(index) has lost its own \(id.short)")
            } else {
                if held[index] == nil { held[index] = Set(nodes[index].disk.operations.map(\.id)) }
                require(held[index]!.contains(id), .durable, "node \(index) has lost its own \(id.short)")
            }
        }
    }

    private func checkOperations(_ node: SimulatedNode, _ require: Requirement) {
        guard let state = node.replica?.state else { return }
        if let disk = node.memoryDisk {
            require(disk.forgedIDs.isEmpty, .genuineOperations, "node \(node.index) keeps \(disk.forgedIDs)")
            for place in disk.places {
                require(
                    archive.isGenuine(place, event: founding.id), .genuineOperations,
                    "node \(node.index) keeps \(archive.operations[place].id.short)")
            }
        } else {
            for operation in node.disk.operations {
                require(
                    archive.verify(UncheckedOperation(operation), event: founding.id) != nil, .genuineOperations,
                    "node \(node.index) keeps \(operation.id.short)")
            }
        }
        let saidInVain = saidInVain
        for photo in state.gallery {
            require(
                !saidInVain.contains(photo.id.operationID), .noVoidOperation,
                "node \(node.index) shows \(photo.id.short), signed after its author knew of its removal")
            let isRemoved = state.album.isRemoved(photo.id, by: photo.author)
            require(
                state.membership.counts(photo.id.operationID, by: photo.device) && !isRemoved, .noVoidOperation,
                "node \(node.index) shows \(photo.id.short)")
            require(
                !state.album.wouldWait(photo.id, under: state.album.approvalRule), .noVoidOperation,
                "node \(node.index) shows \(photo.id.short), which waits for approval")
            guard case .frame(let slot) = photo.status,
                let limit = state.rollLimit(of: photo.author, at: state.album.photoTime(of: photo.id))
            else { continue }
            require(slot <= limit, .noVoidOperation, "node \(node.index) shows frame \(slot) of \(limit)")
        }
    }

    /// Operations that members signed after they knew of their removal, without a reinstatement.
    private var saidInVain: Set<OperationID> {
        Set(nodes.compactMap(\.dishonestPeer).flatMap(\.saidInVain))
    }

    /// The number of operations up to which the slow rules are used: they take quadratic time.
    private static let ruledOperationsMax = 1_500

    /// Compares what the nodes show with the slow rules applied to the operations as they were signed.
    private func checkRules(_ some: [SimulatedNode], _ require: Requirement) {
        guard let node = some.first, let state = node.replica?.state else { return }
        let operations = node.disk.operations.map { operation in
            archive.place(of: operation.id).map { archive.operations[$0] } ?? operation
        }
        guard operations.count <= Self.ruledOperationsMax else { return }
        let oracle = Oracle(operations, eventKey: founding.eventKey.verifyingKey)
        let (statuses, ranks, pages) = (oracle.statuses, oracle.ranks, oracle.pages)
        for node in some {
            for photo in node.replica?.state.gallery ?? [] where statuses[photo.id] != photo.status {
                require(
                    false, .noVoidOperation,
                    "node \(node.index) shows \(photo.id.short), which is \(statuses[photo.id].map { "\($0)" } ?? "void")"
                )
            }
        }
        let members = state.membership.devices
        require(
            members == ranks.keys.filter { !oracle.gone.contains($0) }.sorted(), .asRuled,
            "members of node \(node.index)")
        for device in members {
            require(state.membership.rank(of: device) == ranks[device], .asRuled, "rank of \(device)")
            require(state.membership.mayServePages(device) == pages.contains(device), .asRuled, "pages of \(device)")
        }
        require(state.epochs.chain == oracle.epochChain, .asRuled, "secrets of node \(node.index)")
        require(state.insiders == oracle.insiders(of: state.epochs.current), .asRuled, "who has the secret")
        for photo in state.photos {
            require(statuses[photo.id] == photo.status, .asRuled, "photo \(photo.id.short): \(photo.status)")
        }
        let (moments, verdicts) = (oracle.moments, oracle.momentsOfPhotos)
        for node in some {
            guard let state = node.replica?.state else { continue }
            let own = (state.moments?.all ?? []).map { ($0.day, $0.startsAtMilliseconds) }
            require(
                Dictionary(uniqueKeysWithValues: own) == moments, .asRuled, "moments of node \(node.index)")
            for photo in state.photos {
                require(state.moment(of: photo.id) == verdicts[photo.id], .asRuled, "moment of \(photo.id.short)")
            }
        }
        let pageSealings = oracle.pageSealingSettings
        for node in some {
            require(
                node.replica?.state.album.pageSealingSettings == pageSealings, .asRuled,
                "page sealing of node \(node.index)")
        }
        let twins = oracle.twins
        for node in some {
            require(node.replica?.state.twins.map(\.event) == twins, .asRuled, "twins of node \(node.index)")
        }
        let missions = oracle.missionsOfPhotos
        for node in some {
            guard let state = node.replica?.state else { continue }
            for photo in state.photos {
                require(
                    state.mission(of: photo.id)?.id == missions[photo.id], .asRuled, "mission of \(photo.id.short)")
            }
        }
        let vote = oracle.vote
        for node in some {
            guard let state = node.replica?.state else { continue }
            require(VoteOutcome(state) == vote, .asRuled, "the vote of node \(node.index)")
        }
        let tickets = oracle.tickets
        for node in some {
            guard let state = node.replica?.state else { continue }
            require(state.holdersOfTickets == tickets, .asRuled, "tickets of node \(node.index)")
        }
        require(state.photos.count == statuses.count, .asRuled, "\(state.photos.count) photos of \(statuses.count)")
    }

    /// Checks that blobs of photos that are not withdrawn are here, unless no honest node has them.
    private func checkBlobs(_ node: SimulatedNode, _ others: [SimulatedNode], _ require: Requirement) {
        guard let replica = node.replica else { return }
        if let disk = node.memoryDisk {
            require(disk.foreignChunkCount == 0, .genuineBlobs, "node \(node.index) has stored wrong chunks")
        }
        for reference in wantedBlobs(of: node) {
            let isMarked = replica.isComplete(reference.id)
            if isMarked {
                require(
                    isKnownDamage(reference, on: node) || holds(reference, on: node), .genuineBlobs,
                    "\(reference.id.short) on node \(node.index)")
            } else {
                require(
                    !isAvailable(reference, to: node, from: others), .everythingArrives,
                    "node \(node.index) lacks \(reference.id.short)")
            }
        }
    }

    private func isKnownDamage(_ reference: BlobReference, on node: SimulatedNode) -> Bool {
        guard let place = archive.place(of: reference.id) else { return false }
        return evidence.isDamaged(place, on: node.index)
    }

    /// Whether the blob is complete on the node's disk, and matches its root.
    package func holds(_ reference: BlobReference, on node: SimulatedNode) -> Bool {
        if let disk = node.memoryDisk {
            // Blobs in the archive were hashed when they were made, and the disk stores no others.
            return archive.place(of: reference.id).map(disk.isWhole) == true
        }
        guard case .list(let hashes) = node.disk.read(.list(reference.id)),
            BlobSealing.root(byteCount: reference.byteCount, chunkHashes: hashes) == reference.id.root
        else { return false }
        return hashes.indices.allSatisfy { index in
            guard case .chunk(let bytes) = node.disk.read(.chunk(reference.id, index: index)) else { return false }
            return BlobSealing.hash(ofChunk: bytes.span) == hashes[index]
        }
    }

    /// Returns the blobs of photos that are shown or hidden and that no authorized device has ever withdrawn, of the
    /// classes that the node keeps. Of photos beyond their quotas each node fetches as many as it chooses. A removal
    /// may turn out void, as a guest's by a portal that was cut off: some nodes have applied it.
    package func wantedBlobs(of node: SimulatedNode) -> [BlobReference] {
        guard let state = node.replica?.state else { return [] }
        let operations = node.disk.operations
        let cheats = Set(nodes.filter { !$0.isHonest }.map(\.device))
        let withdrawn = operations.filter { operation in
            operation.kind == .remove && !cheats.contains(operation.header.device)
                || operation.kind == .erase && operation.header.device == nodes[0].device
        }.map { PhotoID($0.header.subject) }
        let isWithdrawn = Set(withdrawn).contains
        let stands = Set(state.photos.filter { $0.status != .waiting }.map(\.id)).contains
        return operations.flatMap { operation -> [BlobReference] in
            let author = state.membership.author(of: operation.header.device)
            let photo = operation.kind == .photo ? PhotoID(operation.id) : PhotoID(operation.header.subject)
            guard !isWithdrawn(photo), stands(photo), state.album.withdrawal(of: photo.operationID) != .discarded else {
                return []
            }
            switch operation.content {
            case .photo(let manifest):
                return (node.keptClasses.contains(.thumbnail) ? [manifest.thumbnail] : []).compactMap(\.self)
                    + (node.keptClasses.contains(.preview) ? [manifest.preview] : []).compactMap(\.self)
            case .original(let manifest):
                let isAuthors = state.album.author(of: photo) == author
                return node.keptClasses.contains(.original) && isAuthors ? [manifest.original] : []
            default: return []
            }
        }
    }

    /// Whether the node lacks a blob that one of the others has.
    func lacksSomethingAvailable(_ node: SimulatedNode, among others: [SimulatedNode]) -> Bool {
        wantedBlobs(of: node).contains { reference in
            node.replica?.isComplete(reference.id) == false && isAvailable(reference, to: node, from: others)
        }
    }

    /// Whether another node can serve the blob. Blobs on a disk from before a crash that lost their operations are
    /// unknown to their node until its next start.
    private func isAvailable(_ reference: BlobReference, to node: SimulatedNode, from others: [SimulatedNode]) -> Bool {
        others.contains { other in
            guard other.index != node.index, holds(reference, on: other) else { return false }
            return !other.storage.hasLostPower || other.replica?.isComplete(reference.id) == true
        }
    }

    /// Flips a bit of a blob on the node's disk, which the next read detects.
    package func flipBit(_ node: SimulatedNode) {
        guard let place = node.memoryDisk?.flipBit(&random) else { return }
        evidence.noteDamage(place, on: node.index)
    }
}
