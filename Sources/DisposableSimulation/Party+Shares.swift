// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Shares of the reveal key's secret half: given out by the organizer, and published by several at once, some of them
/// false.
extension Party {
    func plan(sharesOf member: Int, _ other: Int, _ fault: Fault) {
        for recipient in [0, member, other] {
            plan(at: UInt64.random(in: fault.begins...fault.ends, using: &swarm.random), by: 0) { party, node in
                guard node.replica != nil else { return false }
                let index = UInt8.random(in: 1...3, using: &party.swarm.random)
                let body = OperationBody.encode(
                    .share(box: party.swarm.random.bytes(BlobReference.sealedKeyByteCount)),
                    salt: party.swarm.random.bytes(16))
                party.log?("\(party.time) n0 gives share \(index) to n\(recipient)")
                party.swarm.say(.deal(index: index, to: party.swarm.nodes[recipient].device, body: body), by: node)
                return true
            }
        }
        for publisher in [member, other, member] {
            plan(at: UInt64.random(in: fault.begins...fault.ends, using: &swarm.random), by: publisher) { party, node in
                let shares = party.swarm.founding.shares
                guard node.replica != nil, let share = shares.randomElement(using: &party.swarm.random) else {
                    return false
                }
                // A false one is refused here; the operations of members that do not obey are in other tests.
                let isTrue = !party.swarm.random.oneIn(3)
                let published = isTrue ? share : RevealShare(index: share.index, value: .zero)
                party.log?("\(party.time) n\(publisher) publishes \(isTrue ? "share" : "a false share") \(share.index)")
                party.swarm.say(.releaseShares([published], salt: party.swarm.random.bytes(16)), by: node)
                return true
            }
        }
    }
}
