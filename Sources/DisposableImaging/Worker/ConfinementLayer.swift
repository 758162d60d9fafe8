// SPDX-License-Identifier: Apache-2.0

/// What keeps the image worker from anything but computing, besides limits of memory and time. The kernel decides which
/// of these there are.
public enum ConfinementLayer: UInt8, CaseIterable, Sendable {
    /// Namespaces of its own, without network (`unshare(2)`).
    case namespaces = 1
    /// No access to files (`landlock(7)`).
    case fileRules = 2
    /// A list of system calls that it may use (`seccomp(2)`).
    case systemCallFilter = 3

    /// As an operator knows it.
    public var name: String {
        switch self {
        case .namespaces: "namespaces"
        case .fileRules: "Landlock"
        case .systemCallFilter: "seccomp"
        }
    }
}
