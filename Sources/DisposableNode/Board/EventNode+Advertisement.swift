// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

extension EventNode {
    /// The event as this node announces it by mDNS.
    var advertised: AdvertisedEvent {
        AdvertisedEvent(
            event: event, credentials: replica.credentials,
            olderCredentials: Array(replica.shownCredentials.dropFirst()),
            charter: replica.state.charter)
    }
}
