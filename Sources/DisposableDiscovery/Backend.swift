// SPDX-License-Identifier: Apache-2.0

/// One of the two ways onto the network: ``DaemonClient`` and ``EmbeddedStack``.
///
/// A backend browses from its start to `close()` and reports to the continuation it was made with, which it does not
/// finish.
protocol Backend: AnyObject, Sendable {
    /// Replaces what is published; `nil` withdraws it. The advertisement has been validated.
    func advertise(_ advertisement: Advertisement?) throws(DiscoveryError)

    /// Says goodbye, ends the thread and frees everything. Called exactly once, never from a callback.
    func close()
}
