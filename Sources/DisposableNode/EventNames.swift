// SPDX-License-Identifier: Apache-2.0

/// The names of an event before, and besides, those that operations state.
struct EventNames {
    /// From the invitation, until the charter is here.
    let invited: String?
    /// The name that this node's person gave.
    var own: String?
}
