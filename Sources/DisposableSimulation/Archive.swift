// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableSync
package import DisposableWire

/// All operations and blobs of one run, stored once: two hundred disks hold indexes into it instead of copies.
///
/// It also remembers which signatures were verified, so that a run verifies each once, not once for each replica.
package final class Archive {
    package private(set) var operations: [VerifiedOperation] = []
    private var operationPlaces: [OperationID: Int] = [:]
    private var isVerified: [Bool] = []
    package private(set) var blobs: [SealedBlob] = []
    private var blobPlaces: [BlobID: Int] = [:]

    package init() {}

    package func place(of id: OperationID) -> Int? { operationPlaces[id] }
    package func place(of id: BlobID) -> Int? { blobPlaces[id] }

    /// Returns the operation's index; a body that arrives late is added.
    func file(_ operation: VerifiedOperation) -> Int {
        if let place = operationPlaces[operation.id] {
            if operations[place].body == nil, operation.body != nil { operations[place] = operation }
            return place
        }
        operationPlaces[operation.id] = operations.count
        operations.append(operation)
        isVerified.append(false)
        return operations.count - 1
    }

    @discardableResult package func file(_ blob: SealedBlob) -> Int {
        if let place = blobPlaces[blob.reference.id] { return place }
        blobPlaces[blob.reference.id] = blobs.count
        blobs.append(blob)
        return blobs.count - 1
    }

    /// Does the same as `UncheckedOperation.verified(event:)`, with the cost of each signature once a run.
    package func verify(_ operation: UncheckedOperation, event: EventID) -> VerifiedOperation? {
        if let place = operationPlaces[operation.id], isVerified[place] {
            let known = operations[place]
            if known.signature == operation.signature {
                // An id is the hash of the header, and the header contains the hash of the body.
                return known.body != nil && operation.body != nil ? known : operation.verifiedBefore
            }
        }
        guard let verified = try? operation.verified(event: event) else { return nil }
        let place = file(verified)
        if operations[place].signature == verified.signature { isVerified[place] = true }
        return verified
    }

    /// Whether the operation at `place` is genuine.
    func isGenuine(_ place: Int, event: EventID) -> Bool {
        isVerified[place] || verify(UncheckedOperation(operations[place]), event: event) != nil
    }
}
