// SPDX-License-Identifier: Apache-2.0

/// The present way in which ``Discovery`` reaches the network.
public enum DiscoveryMode: String, Sendable {
    /// Through the Avahi daemon of this machine, over D-Bus.
    case daemon
    /// With the node's own stack: without daemon, D-Bus or configuration.
    case embedded
    /// No way: there is no interface, or the system refuses. Tried again every few seconds.
    case off
}
