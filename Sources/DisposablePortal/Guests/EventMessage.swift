// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb

extension MeMessage {
    /// The event, one JSON object without groups.
    struct Event: Encodable {
        struct Heading: Encodable {
            let id: String
            let name: String
            let organizer: String
            let words: [String]
        }
        struct Schedule: Encodable {
            let startsAt: UInt64
            let endsAt: UInt64
            let isOpened: Bool
            let isClosed: Bool
            /// Until when photos are accepted; null for photos of any time.
            let acceptsUntil: OrNull<UInt64>
            let retentionHours: UInt32
            let expiresAt: UInt64
        }
        /// The rules for guests.
        struct Rules: Encodable {
            let frames: OrNull<UInt64>
            /// Whether `frames` are for each day.
            let areFramesDaily: Bool
            /// In the organizers' order.
            let missions: [Mission]
            /// Whether guests can have photos of others veiled.
            let veils: Bool
            let options: Options
        }
        /// The things that there are to see now.
        struct Contents: Encodable {
            let sealed: OrNull<Sealed>
            let notice: OrNull<Notice>
            let highlightCount: Int
            let cover: OrNull<PictureMessage>
            let plan: OrNull<PictureMessage>

            /// For sessions that have to show the wall's code first.
            static var none: Self {
                Self(sealed: OrNull(nil), notice: OrNull(nil), highlightCount: 0, cover: OrNull(nil), plan: OrNull(nil))
            }
        }
        let heading: Heading
        let schedule: Schedule
        let rules: Rules
        let contents: Contents

        func encode(to encoder: any Encoder) throws {
            for group in [heading, schedule, rules, contents] as [any Encodable] { try group.encode(to: encoder) }
        }
    }
    /// The organizers' options for pages.
    struct Options: Encodable {
        let names: String
        let isCameraOnly: Bool
        let downloads: String
        let videoSecondsMax: OrNull<UInt32>
        let theme: String
        /// Whether guests have frames only with a ticket.
        let tickets: Bool
        /// Whether new guests need the code that the wall shows.
        let wallCode: Bool
        /// The number of photos that a guest may choose at once; null for any.
        let photosAtOnce: OrNull<UInt32>

        init(_ options: PageOptions) {
            (names, downloads, theme) = (options.nameRule.word, options.downloads.word, options.theme.word)
            (isCameraOnly, tickets, wallCode) = (options.isCameraOnly, options.needsTickets, options.needsWallCode)
            videoSecondsMax = OrNull(options.videos.secondsMax)
            photosAtOnce = OrNull(options.photosAtOnce == 0 ? nil : options.photosAtOnce)
        }
    }
}

extension MeMessage.Event.Schedule {
    init(_ charter: Charter) {
        (startsAt, endsAt) = (charter.schedule.startsAtMilliseconds, charter.endsAtMilliseconds)
        (isOpened, isClosed) = (charter.isOpened, charter.isClosed)
        acceptsUntil = OrNull(charter.acceptsUntilMilliseconds)
        retentionHours = charter.schedule.retentionHours
        expiresAt = charter.expiresAtMilliseconds
    }
}

extension MeMessage.Event.Rules {
    init(_ charter: Charter, veils: Bool, isOutside: Bool) {
        frames = OrNull(charter.frames == 0 ? nil : UInt64(charter.frames))
        areFramesDaily = charter.areFramesDaily
        missions = isOutside ? [] : charter.missions
        self.veils = veils
        options = MeMessage.Options(charter.options)
    }
}
