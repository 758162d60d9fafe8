// SPDX-License-Identifier: Apache-2.0

/// A request of the desk to the walls that follow this node (protocol/guest-api.md §6). No wall has to obey.
package enum WallAct: String, CaseIterable, Sendable {
    case next, back, pause, resume
    /// The code fills the screen.
    case code
    /// One photo, now.
    case show
}
