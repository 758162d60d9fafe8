// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode

/// The settings of an event, for `host` and `event edit`.
struct CharterOptions: ParsableArguments {
    @OptionGroup var presentation: PresentationOptions
    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var photos: GuestPhotoOptions
    @OptionGroup var pages: GuestPageOptions
    @OptionGroup var organizer: OrganizerOptions

    /// The given options only.
    var given: EventParameters {
        var parameters = EventParameters()
        parameters.presentation = presentation.given
        parameters.schedule = schedule.given
        parameters.photos = photos.given
        parameters.pages = pages.given
        parameters.organizer = organizer.given
        return parameters
    }
}

/// The event as lists and pages describe it.
struct PresentationOptions: ParsableArguments {
    @Option(help: "A description of the event, up to 2,000 characters.")
    var details: String?

    @Option(help: "The place.")
    var place: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The position on the map of the board, in degrees with a decimal point: 47.243,6.022, or none. It is rounded "
                + "to about 100 m.", valueName: "lat,lon"), transform: CharterText.position)
    var position: EventParameters.Position?

    @Option(
        help: ArgumentHelp(
            "The kind of event, for lists: \(CharterText.categories), or none.", valueName: "kind"),
        transform: CharterText.category)
    var category: String?

    @Option(
        help: ArgumentHelp(
            "The entry price, for information: 12.50EUR, free, or none for no statement.", valueName: "price"),
        transform: CharterText.price)
    var price: EventParameters.Price?

    @Option(
        help: ArgumentHelp(
            "A link as website=https://..., facebook=, instagram=, tiktok=, youtube=, x= or other=; may be given up to 8 "
                + "times. `none` removes them.", valueName: "kind=url"), transform: CharterText.link)
    var link: [EventParameters.Link] = []

    @Flag(help: "Whether everybody on the network sees the event's name (a new event: listed).")
    var listing: Listing?

    enum Listing: String, EnumerableFlag {
        case listed, unlisted
    }

    var given: EventParameters.Presentation {
        var given = EventParameters.Presentation()
        given.details = details
        given.place = place
        given.position = position
        given.category = category
        given.price = price
        if !link.isEmpty { given.links = link.filter { !$0.address.isEmpty } }
        given.isListed = listing.map { $0 == .listed }
        return given
    }
}

/// The times of the event.
struct ScheduleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When it starts: now, 2026-12-24T18:00, \"2026-12-24 18:00\", \"tomorrow 18:00\", by this machine's clock (a "
                + "draft without it: when it is opened).",
            valueName: "time"), transform: CharterText.time)
    var starts: UInt64?

    @Option(
        help: ArgumentHelp("How long it lasts, from 1h to 30d (a new event: 8d).", valueName: "hours"),
        transform: CharterText.hours)
    var duration: UInt32?

    @Option(
        help: ArgumentHelp(
            "How long after the end photos are accepted: none, 30m, 2h, 1d, up to 30d, or any, also for photos before the "
                + "start (a new event: none).", valueName: "time"), transform: CharterText.late)
    var late: CharterText.Late?

    @Option(
        help: ArgumentHelp(
            "The hours in which a moment of five minutes begins each day, at a surprise minute: 10:00-22:00, or none; "
                + "10:00-22:00+02:00 for the clocks of another zone (a new event: none).", valueName: "hours"),
        transform: CharterText.moments)
    var moments: EventParameters.Moments?

    @Option(
        help: ArgumentHelp(
            "How long after the end the photos are kept, from 1h to 30d (a new event: 8d).", valueName: "hours"),
        transform: CharterText.hours)
    var retention: UInt32?

    var given: EventParameters.Schedule {
        var given = EventParameters.Schedule()
        given.startsAt = starts
        given.durationHours = duration
        given.retentionHours = retention
        late?.apply(to: &given)
        given.moments = moments
        return given
    }
}

/// The guests' photos: how many, which, and when others see them.
struct GuestPhotoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Photos a guest may take: 1 to 1000, or unlimited; 24/day adds 24 each day (a new event: 27).",
            valueName: "count"),
        transform: CharterText.roll)
    var frames: CharterText.Roll?

    @Option(
        help: ArgumentHelp(
            "When photos are shown to others: now, at-end, at=TIME, by-host, or never (a new event: now).",
            valueName: "when"),
        transform: CharterText.reveal)
    var reveal: RevealRule?

    @Option(
        help: ArgumentHelp(
            "Photos of guests that wait until a moderator approves them: all, first (a guest's photos until one of them "
                + "is approved), or none (a new event: none).", valueName: "which"),
        transform: CharterText.approval)
    var approve: ApprovalRule?

    @Option(
        help: ArgumentHelp(
            "Whether a guest can have a photo of somebody else veiled until a moderator decides: on or off (a new event: "
                + "off). Nodes that do not know this rule then show the event to nobody.", valueName: "which"))
    var veils: Switch?

    @Option(
        help: ArgumentHelp(
            "Whether guests have frames only with a ticket: on or off (a new event: off). It cannot be switched on once the "
                + "event is open.", valueName: "which"))
    var tickets: Switch?

    @Option(
        help: ArgumentHelp(
            "Whether guests' phones seal photos that are shown later, so that no node can look before: on or off (a new "
                + "event: off). Needs --reveal. Nodes that do not know this rule then show the event to nobody.",
            valueName: "which"))
    var pageSealing: Switch?

    enum Switch: String, ExpressibleByArgument {
        case on, off

        var isOn: Bool { self == .on }
    }

    @Option(
        help: ArgumentHelp(
            "A photo to ask guests for, such as \"the first dance\"; may be given up to \(Mission.countMax) times, in "
                + "their order. Those given replace all of before; photos that answer one with the same text stay. `none` "
                + "removes them.", valueName: "text"), transform: CharterText.mission)
    var mission: [String] = []

    var given: EventParameters.Photos {
        var given = EventParameters.Photos()
        given.frames = frames?.count
        given.areFramesDaily = frames?.isDaily
        if let reveal { (given.reveal, given.revealAt) = reveal.words }
        given.approve = approve?.word
        given.veils = veils?.isOn
        given.pageSealing = pageSealing?.isOn
        given.tickets = tickets?.isOn
        if !mission.isEmpty { given.missions = mission.filter { !$0.isEmpty }.map { .init(text: $0) } }
        return given
    }
}

/// The options of the guests' pages.
struct GuestPageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A guest's name: optional, required, or never asked for (a new event: optional).", valueName: "which"),
        transform: CharterText.names)
    var names: NameRule?

    @Option(
        help: ArgumentHelp(
            "What guests' pages offer for photos: camera alone, or any, also photos of before (a new event: any).",
            valueName: "which"), transform: CharterText.source)
    var source: CharterText.Source?

    @Option(
        help: ArgumentHelp(
            "Who saves originals from the pages: everyone, own (guests their own), or organizers (a new event: everyone).",
            valueName: "who"), transform: CharterText.downloads)
    var downloads: DownloadRule?

    @Option(
        help: ArgumentHelp(
            "Videos of guests: on, off, or up to a length as 60s (a new event: on).", valueName: "which"),
        transform: CharterText.videos)
    var videos: VideoRule?

    @Option(
        help: ArgumentHelp(
            "The colours of pages, wall, poster and album: \(CharterText.themes) (a new event: film).", valueName: "name"),
        transform: CharterText.theme)
    var theme: EventTheme?

    @Option(
        help: ArgumentHelp(
            "Whether new guests need the code that the wall shows, another one every ten minutes: on or off (a new "
                + "event: off). Nodes of an earlier version do not ask for it.", valueName: "which"))
    var wallCode: GuestPhotoOptions.Switch?

    @Option(
        help: ArgumentHelp(
            "Photos that a guest may choose at once: 1 to \(PageOptions.photosAtOnceMax), or unlimited (a new event: "
                + "unlimited).", valueName: "count"), transform: CharterText.photosAtOnce)
    var photosAtOnce: UInt32?

    var given: EventParameters.Pages {
        var given = EventParameters.Pages()
        given.nameRule = names?.word
        given.isCameraOnly = source.map { $0 == .camera }
        given.downloads = downloads?.word
        given.videos = videos?.word
        given.theme = theme?.word
        given.wallCode = wallCode?.isOn
        given.photosAtOnce = photosAtOnce
        return given
    }
}

/// The organizer as guests see it.
struct OrganizerOptions: ParsableArguments {
    @Option(help: "The organizer's name for guests (a new event: that of --as).")
    var organizer: String?

    @Option(help: "The organizer's contact.")
    var contact: String?

    @Option(
        help: ArgumentHelp("The organizer's SIREN or SIRET.", valueName: "digits"), transform: CharterText.registration)
    var registration: String?

    @Option(
        help: ArgumentHelp("The consent text for adding photos, or a file with it.", valueName: "file|text"),
        transform: CharterText.prose)
    var consentText: String?

    var given: EventParameters.Organizer {
        var given = EventParameters.Organizer()
        given.name = organizer
        given.contact = contact
        given.registration = registration
        given.consentText = consentText
        return given
    }
}

extension Charter {
    /// Returns the charter of a new event: a preset, if there is one, with the given options. Throws `Failure` for
    /// invalid values.
    static func new(
        named name: String, preset: CharterPreset?, _ given: EventParameters, organizerName: String?, isDraft: Bool
    ) throws -> Charter {
        do throws(NodeError) {
            return try Charter(
                named: name, preset: preset, given, organizerName: organizerName, isDraft: isDraft)
        } catch { throw Failure(error) }
    }
}
