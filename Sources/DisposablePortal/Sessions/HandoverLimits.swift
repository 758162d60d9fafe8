// SPDX-License-Identifier: Apache-2.0

/// The limits on one-time codes of guests (protocol/guest-api.md §22); each guest has at most one.
package struct HandoverLimits: Sendable {
    /// The limit of all events together. Beyond it one ends, of the address with the most of them: the oldest of a
    /// guest that has not joined its event, if there is one, and otherwise the oldest. With so many, ten minutes of
    /// guesses at the sum of both rates of wrong codes find one with a probability of 1e-6.
    package var countMax = 256
    package var duration = Duration.seconds(600)
    /// The time in which the first phone answers once the code is used.
    package var answerDuration = Duration.seconds(120)
    /// The characters of what the first phone seals for the other: base64url.
    package var boxCharacterCountMax = 12 << 10
}
