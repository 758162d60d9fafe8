// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposablePortal

/// Veils at the desk that only devices ask for which were let in lately.
extension NodeDesk {
    func lift(admittedSince since: UInt64, isConfirmed: Bool, in event: DeskEvent) async throws -> LiftInfo {
        try await ask(.rule(event: event.text, act: .liftAdmitted(since: since, isConfirmed: isConfirmed))) {
            if case .lifting(let info) = $0 { info } else { nil }
        }
    }
}
