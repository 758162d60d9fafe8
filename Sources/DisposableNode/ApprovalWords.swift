// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

extension ApprovalRule {
    /// The rule's word in options, forms and answers.
    public var word: String { "\(self)" }

    /// Returns `nil` for a word that is no rule.
    public init?(word: String) {
        guard let rule = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = rule
    }
}
