// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import OrderedCollections

/// The withdrawn photos and annotations, and the bodies that are missing here.
///
/// A missing body is either *wanted*, and requested from every peer, or *suppressed* while its subject is withdrawn. It
/// changes from one to the other when its subject is withdrawn or restored.
package struct WithdrawnSubjects {
    package private(set) var subjects: Set<OperationID> = []
    /// Grows whenever the bodies to purge may have changed.
    package private(set) var revision = 0
    /// Operations that are here without their bodies.
    private var wanted: OrderedSet<OperationID> = []
    /// By withdrawn subject.
    private var suppressed: [OperationID: Set<OperationID>] = [:]

    package init() {}

    package func contains(_ subject: OperationID) -> Bool { subjects.contains(subject) }
    package func isWanted(_ id: OperationID) -> Bool { wanted.contains(id) }
    /// The subjects that have an entry here.
    package var allSubjects: Set<OperationID> { subjects.union(suppressed.keys) }

    /// Returns wanted bodies to request, at most `countMax`. Some may be lost everywhere, so it does not always begin
    /// with the first.
    package func wanted(_ countMax: Int, using random: inout SplitMix64) -> [OperationID] {
        guard !wanted.isEmpty else { return [] }
        let start = Int.random(in: 0..<wanted.count, using: &random)
        return (start..<start + min(wanted.count, countMax)).map { wanted[$0 % wanted.count] }
    }

    /// Returns the withdrawn subjects with bodies on this node.
    package func purgeable(bodies: (OperationID) -> [OperationID]) -> Set<OperationID> {
        subjects.filter { subject in
            let missing = suppressed[subject] ?? []
            return bodies(subject).contains { !missing.contains($0) }
        }
    }

    // Subjects

    /// - Parameter bodies: the operations with a body about the subject.
    /// Returns whether it was not withdrawn before.
    package mutating func withdraw(_ subject: OperationID, bodies: (OperationID) -> [OperationID]) -> Bool {
        guard subjects.insert(subject).inserted else { return false }
        revision += 1
        suppressed[subject, default: []].formUnion(bodies(subject).filter { wanted.remove($0) != nil })
        return true
    }

    /// Returns whether the subject was withdrawn. Of an unknown subject, only bodies are here.
    package mutating func restore(_ subject: OperationID) -> Bool {
        wanted.append(contentsOf: (suppressed.removeValue(forKey: subject) ?? []).sorted())
        guard subjects.remove(subject) != nil else { return false }
        revision += 1
        return true
    }

    /// Records that the subject's bodies were purged. Returns false if it was restored meanwhile: they are wanted
    /// again.
    package mutating func purged(_ subject: OperationID, bodies: [OperationID]) -> Bool {
        guard subjects.contains(subject) else {
            wanted.append(contentsOf: bodies)
            return false
        }
        suppressed[subject] = Set(bodies)
        return true
    }

    package mutating func changed() { revision += 1 }

    // Bodies

    /// Follows an operation that has entered.
    /// - Parameter subject: its withdrawn subject, if that is withdrawn.
    package mutating func follow(_ id: OperationID, hasBody: Bool, withdrawnSubject subject: OperationID?) {
        switch (subject, hasBody) {
        case (let subject?, false): suppressed[subject, default: []].insert(id)
        case (.some, true): revision += 1
        case (nil, false): wanted.append(id)
        case (nil, true): break
        }
    }

    /// Handles a body that has arrived after its operation and is stored. Returns whether it was wanted.
    package mutating func arrived(_ id: OperationID, withdrawnSubject subject: () -> OperationID?) -> Bool {
        if wanted.remove(id) != nil { return true }
        // Withdrawn between its arrival and its storage.
        if let subject = subject(), suppressed[subject]?.remove(id) != nil { revision += 1 }
        return false
    }
}
