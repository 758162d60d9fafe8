// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// Shares of the reveal key's secret half (protocol/disposable-v1.md §9.25).
extension Replica {
    /// Returns the operation with a share for an organizer's device: one for each share, and one for each device.
    func deal(
        of index: UInt8, to recipient: DeviceID, body: [UInt8], by device: DeviceID
    ) throws(Refusal) -> Draft {
        guard let terms = state.shareTerms, (1...terms.count).contains(Int(index)) else { throw .nothingToDo }
        guard (state.membership.rank(of: device) ?? .participant) >= .organizer else {
            throw .rankTooLow(needed: .organizer)
        }
        guard !state.sharesDealt(by: device).contains(where: { $0.index == index || $0.device == recipient }) else {
            throw .nothingToDo
        }
        return Draft(kind: .share, subject: OperationID(recipient.bytes32), argument: UInt64(index), body: body)
    }

    /// Returns the operations that publish these shares, without those that have been published.
    func releases(of shares: [RevealShare], salt: [UInt8]) throws(Refusal) -> [Draft] {
        guard let terms = state.shareTerms else { throw .nothingToDo }
        guard shares.allSatisfy({ terms.includes($0, of: state.event) }) else { throw .noRevealKey }
        return shares.filter { !state.isReleased($0.index) }.map { share in
            Draft(
                kind: .shareRelease, argument: UInt64(share.index),
                body: OperationBody.encode(.shareRelease(share.value), salt: salt))
        }
    }
}
