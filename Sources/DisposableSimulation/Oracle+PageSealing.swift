// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rule of page sealing once more.
extension Oracle {
    /// The settings that count, smallest id first.
    package var pageSealingSettings: [OperationID] {
        operations.filter {
            $0.kind == .pageSealing && rank(ofAct: $0) >= .organizer && isWithdrawn($0) == nil
        }.map(\.id).sorted()
    }
}
