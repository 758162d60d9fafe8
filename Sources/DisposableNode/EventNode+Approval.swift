// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

/// Approving photos before they are shown.
extension EventNode {
    /// Approves the named photos, or, if none is named, all that wait for it.
    func approve(_ texts: [String]) async throws -> ControlReply {
        let album = replica.state.album
        let named =
            texts.isEmpty
            ? replica.state.photos.filter(\.status.isPending).map(\.id) : try texts.map { try photo(named: $0).id }
        let photos = Set(named).filter { !album.isApproved($0) }.sorted()
        guard !photos.isEmpty else { throw NodeError.refused(.nothingToDo) }
        try await rule(.approve(photos))
        return .approved(photos: photos.map(\.description))
    }
}
