// SPDX-License-Identifier: Apache-2.0

/// Deliberate errors of the harness: each breaks a promise that a replica relies on or gives, and a checker must detect
/// each.
package enum Sabotage: Equatable, Sendable {
    /// Disks lose, in a power cut, data that were promised durable.
    case dropsSyncs
    /// Transactions are reported before they are stored.
    case acknowledgesEarly
    /// The last node never receives the deletion of a photo.
    case withholdsRemovals
    /// The last node never receives the removal of a member.
    case withholdsRulings
    /// The last node is told that a forged operation is genuine.
    case acceptsForgery
    /// The last node's disk records chunks as stored that it does not have.
    case losesChunks
    /// Every node is told that the operations of a removed member are the organizer's own.
    case replaysVoid
}
