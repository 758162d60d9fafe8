// SPDX-License-Identifier: Apache-2.0

/// The type of the content after the bound of a range (negentropy V1, "Range").
enum RangeMode: UInt64, Sendable {
    /// Nothing: the sender is done with this range.
    case skip = 0
    /// The fingerprint of the sender's items in this range.
    case fingerprint = 1
    /// The number, then the ids, of the sender's items in this range.
    case idList = 2
}
