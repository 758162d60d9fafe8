// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import Foundation

/// All photos of an album on A4 paper in the order in which they were taken, 35 a page, each with the number in its
/// file's name. Lengths are in millimetres.
struct ContactSheet {
    static let columns = 5
    static let rows = 7
    static let fileName = "contact-sheet.pdf"

    let manifest: AlbumManifest
    let folder: String

    /// Draws the pages in order; they refer to the album's thumbnails.
    func pages() -> [Poster.Sheet] {
        let countOfPage = Self.columns * Self.rows
        let photos = manifest.photosByTime
        let pageCount = (photos.count + countOfPage - 1) / countOfPage
        return (0..<pageCount).map { index in
            let start = index * countOfPage
            let tiles = photos[start..<min(start + countOfPage, photos.count)].enumerated().map { place, photo in
                tile(
                    photo, x: 10 + 38.5 * Double(place % Self.columns),
                    y: 22 + 38 * Double(place / Self.columns))
            }
            let title = FittedText(manifest.event.name, width: 160, sizeMax: 6, lineCountMax: 1)
            let number = FittedText("\(index + 1) / \(pageCount)", width: 20, sizeMax: 4, lineCountMax: 1)
            let head =
                SVG.line(title, x: 10, y: 9, style: "font-weight:bold")
                + SVG.line(number, x: 190, y: 11.2, style: "fill:#6b5a4e")
            return Poster.page(head + tiles.joined(), codes: [])
        }
    }

    private func tile(_ photo: AlbumManifest.Photo, x: Double, y: Double) -> String {
        var drawing = "<rect x=\"\(x)\" y=\"\(y)\" width=\"36.5\" height=\"30\" fill=\"#efe6da\"/>"
        if let name = photo.thumbnail, let picture = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")) {
            // Turned as its author has turned it, around the middle of its place.
            let (turn, middle) = (photo.turn ?? 0, (x: x + 18.25, y: y + 15))
            let (width, height) = turn % 180 == 0 ? (36.5, 30.0) : (30.0, 36.5)
            drawing += """
                <image x="\(middle.x - width / 2)" y="\(middle.y - height / 2)" width="\(width)" height="\(height)" \
                transform="rotate(\(turn) \(middle.x) \(middle.y))" preserveAspectRatio="xMidYMid meet" \
                href="data:image/jpeg;base64,\(picture.base64EncodedString())"/>
                """
        }
        let caption = FittedText("\(photo.number)  \(photo.authorName)", width: 36, sizeMax: 3, lineCountMax: 1)
        return drawing + SVG.line(caption, x: x, y: y + 30.4)
    }
}
