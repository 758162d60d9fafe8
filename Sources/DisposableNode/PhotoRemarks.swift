// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// The annotations of a photo.
struct PhotoRemarks: Sendable {
    let caption: RemarkInfo?
    /// The number of authors of each emoji.
    let reactions: [String: Int]
    let commentCount: Int
    /// Empty if only their number was requested.
    let comments: [RemarkInfo]

    static let none = PhotoRemarks()

    private init() { (caption, reactions, commentCount, comments) = (nil, [:], 0, []) }

    /// - Parameter includesComments: false for a list of photos, which would otherwise take long for many comments.
    init(about photo: PhotoID, in album: Album, includesComments: Bool) {
        caption = album.caption(of: photo).flatMap { RemarkInfo($0, in: album) }
        reactions = Dictionary(
            uniqueKeysWithValues: album.reactions(to: photo).map { (String($0.key), $0.value.count) })
        let said = album.comments(on: photo)
        commentCount = said.count { $0.text != nil }
        comments = includesComments ? said.compactMap { RemarkInfo($0, in: album) } : []
    }
}

extension RemarkInfo {
    /// Returns `nil` if its text is missing.
    init?(_ remark: Remarks.Remark, in album: Album) {
        guard let text = remark.text else { return nil }
        let author = album.membership.author(of: remark.device)
        self.init(
            id: remark.id.description, author: album.shownName(of: author) ?? author.short,
            saidAt: Timestamps.iso8601(remark.timestamp.milliseconds), text: text)
    }
}
