// SPDX-License-Identifier: Apache-2.0
internal import CAvahi

/// One of the two ways onto the network, ``DaemonClient`` and ``EmbeddedStack``: what differs between them. Everything
/// is called with the lock of the session's thread held, by the ``BackendSession`` that `context` is.
protocol Backend: AnyObject {
    /// Connects, without looking for anything and without publishing.
    func open(_ api: UnsafePointer<AvahiPoll>, _ context: UnsafeMutableRawPointer) throws(DiscoveryError)

    /// Frees everything and says goodbye. Called once, after the thread has ended, also when `open` has failed.
    func close()

    var state: BackendState { get }

    /// Browses for the service type until `close`.
    func browse(_ context: UnsafeMutableRawPointer) throws(DiscoveryError)
    /// False once it browses an interface that is not the one meant any more.
    var browsesScope: Bool { get }
    func newResolver(
        of key: SightingTable.Key, domain: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer?
    func freeResolver(_ resolver: OpaquePointer)

    /// Publishes, after `unpublish` or for the first time. False when this machine has that name already.
    func publish(
        _ advertisement: Advertisement, as name: String, _ context: UnsafeMutableRawPointer
    ) throws(DiscoveryError) -> Bool
    func updateText(_ advertisement: Advertisement, as name: String) throws(DiscoveryError)
    func unpublish()

    /// Returns when whoever does the work has answered something, or nothing is published. May take half a minute.
    func awaitAnswer()

    /// Avahi's text for what went wrong last.
    var errorMessage: String { get }
}

/// What a backend is able to do.
enum BackendState: Equatable, Sendable {
    /// Nothing yet: a daemon is to come, or is choosing its host name.
    case waiting
    case running
    /// Nothing, ever again.
    case failed(String)
}
