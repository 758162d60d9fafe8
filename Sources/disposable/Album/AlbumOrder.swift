// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import Foundation

extension AlbumManifest {
    /// Photos of one day, in the time zone of the machine that makes the page.
    struct Day {
        /// Milliseconds since 1970 UTC, of its first photo.
        let date: UInt64
        var photos: [Photo]
    }

    /// Returns the album with the photos of joined galleries, for a page that shows them as one.
    /// - Parameter others: albums in folders of this album's folder.
    func joined(with others: [JoinedAlbum]) -> AlbumManifest {
        var all = self
        for album in others {
            all.photos += album.manifest.photos.map { photo in
                var photo = photo
                photo.file = "\(album.folder)/\(photo.file)"
                photo.thumbnail = photo.thumbnail.map { "\(album.folder)/\($0)" }
                photo.preview = photo.preview.map { "\(album.folder)/\($0)" }
                photo.authorName += " · \(album.manifest.event.name)"
                (photo.mission, photo.zone) = (nil, nil)
                return photo
            }
        }
        return all
    }

    /// The path of the cover's picture; `nil` without one.
    var coverPicture: String? {
        photos.first { $0.id == event.cover }.flatMap { $0.preview ?? $0.thumbnail }
    }

    /// In the order in which the photos were taken; the gallery has the order in which they were added.
    var photosByTime: [Photo] {
        photos.sorted { ($0.date ?? 0, $0.file) < ($1.date ?? 0, $1.file) }
    }

    var days: [Day] {
        var days: [Day] = []
        for photo in photosByTime {
            let date = photo.date ?? 0
            if let last = days.last, AlbumTimes.day(last.date) == AlbumTimes.day(date) {
                days[days.count - 1].photos.append(photo)
            } else {
                days.append(Day(date: date, photos: [photo]))
            }
        }
        return days
    }
}

extension AlbumManifest.Photo {
    var time: String { takenAt ?? addedAt }
    /// Milliseconds since 1970 UTC.
    var date: UInt64? { AlbumTimes.milliseconds(time) }
    var fileName: String { file.split(separator: "/").last.map(String.init) ?? file }
    /// The number in the file's name.
    var number: Int { Int(fileName.prefix { $0 != "-" }) ?? 0 }
    var isVideo: Bool { mediaType.hasPrefix("video/") }
    var isShownByBrowsers: Bool {
        isVideo || ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"].contains(mediaType)
    }
}

enum AlbumTimes {
    static func milliseconds(_ text: String) -> UInt64? {
        let strategy = Date.ISO8601FormatStyle.iso8601.year().month().day().time(includingFractionalSeconds: true)
        return (try? Date(text, strategy: strategy)).flatMap {
            UInt64(exactly: ($0.timeIntervalSince1970 * 1_000).rounded())
        }
    }

    static func day(_ milliseconds: UInt64) -> Date {
        Calendar.current.startOfDay(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }
}
