// SPDX-License-Identifier: Apache-2.0

/// The layers that confine the image worker to computing, in addition to limits of memory and time. The kernel
/// determines which are available.
public enum ConfinementLayer: UInt8, CaseIterable, Sendable {
    /// Namespaces of its own, without network (`unshare(2)`).
    case namespaces = 1
    /// No access to files (`landlock(7)`).
    case fileRules = 2
    /// A list of permitted system calls (`seccomp(2)`).
    case systemCallFilter = 3

    /// The name for operators.
    public var name: String {
        switch self {
        case .namespaces: "namespaces"
        case .fileRules: "Landlock"
        case .systemCallFilter: "seccomp"
        }
    }
}
