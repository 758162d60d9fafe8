// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// The rule of page sealing once more.
extension Oracle {
    /// The settings that count, smallest id first.
    package var pageSealingSettings: [OperationID] {
        operations.filter { setting in
            setting.kind == .pageSealing && rank(ofAct: setting) >= .organizer
                && !operations.contains {
                    $0.kind == .erase && $0.header.subject == setting.id && rank(ofAct: $0) >= .organizer
                }
        }.map(\.id).sorted()
    }
}
