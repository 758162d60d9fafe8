// SPDX-License-Identifier: Apache-2.0
// Every sentence of the desk in English: the shape that other languages have, too.
import { formats } from "../format.js";

const { count: counted, number, size, moment: time } = formats("en", ["KB", "MB", "GB"]);
/** @param {number} count @param {string} one @param {string} [many] */
const plural = (count, one, many = `${one}s`) => counted(count, one, many);
/** @param {number} hours */
const span = (hours) => hours % 24 === 0 ? plural(hours / 24, "day") : plural(hours, "hour");

const text = {
    size, time, number,
    /** @param {{phase: string|null, isOpened: boolean}} event */
    phase: ({ phase, isOpened }) => phase === "draft" && isOpened ? "Not started yet"
        : text.phases[/** @type {keyof typeof text.phases} */ (phase ?? "unknown")],
    sections: { photos: "Photos", queue: "Approve", veils: "Veiled", messages: "Messages", overview: "Overview", invite: "Invite", people: "People", settings: "Settings" },
    away: "On this device you can look at photos, approve, hide and mark them. Do everything else on the computer that "
        + "runs the event.",
    awayShort: "Only on the computer that runs the event.",
    working: "One moment …",
    more: "Show more",
    unreachable: "The program does not answer. Is it running?",
    noName: "Guest without a name",
    page: "Desk", skip: "Skip to the content", event: "Event", archive: "Archive", another: "New event",

    closed: {
        title: "Open the desk",
        used: "This address has been used or has expired: each opens the desk once, within ten minutes.",
        how: "Type this in a terminal on the computer that runs the event. It prints a new address.",
        command: "disposable desk",
    },

    phases: {
        draft: "Draft, not open yet", open: "Open", closed: "Over, photos not shown yet",
        revealed: "Over, photos shown", expired: "Over, photos are being deleted", unknown: "",
    },

    create: {
        title: "A new event",
        intro: "A name is enough. You can change most of it later.",
        name: "What is it called?",
        preset: "What is it?", noPreset: "Something else",
        presets: {
            wedding: "Wedding", birthday: "Birthday", camp: "Camp", festival: "Festival", baptism: "Baptism",
            christmas: "Christmas", trip: "Trip",
        },
        back: (/** @type {string} */ name) => `Back to ${name}`,
        change: "Change", more: "Place, time, texts, draft",
        submit: "Create the event", submitDraft: "Create a draft",
        together: "Two organizers reveal the photos together: make two more organizers before guests come. This can't be changed later.",
        draft: "Draft: change everything, print and try the code, and open it later",
    },

    consents: {
        title: "Begin with a text for …",
        replaces: "This replaces your text. Tap once more to do it.",
        templates: {
            adults: { label: "adults", body: "Everyone at this event sees my photos, on phones and on the wall, and may "
                + "save them. I share photos of people who are fine with that. I can delete my photos; what others have "
                + "saved stays with them." },
            children: { label: "an event with children", body: "Everyone at this event sees my photos, on phones and on "
                + "the wall, and may save them. I share photos of a child only if its parents agree, and I put none of "
                + "them on the Internet. If I am under 15, a parent has read this with me and agrees. Parents can ask the "
                + "host to remove any photo of their child. I can delete my photos; what others have saved stays with "
                + "them." },
            photographer: { label: "an event with a photographer", body: "A photographer takes photos for the hosts, and "
                + "everyone at this event sees them beside mine. Anyone who does not want to be in a photo tells the "
                + "photographer or the host, who removes it. I share photos of people who are fine with that. I can "
                + "delete my photos; what others have saved stays with them." },
        },
    },

    fields: {
        name: "Name", organizerName: "Who hosts?", organizerNameHint: "Guests read: “Anna invites you.”",
        details: "What it is about", place: "Where",
        position: "Position on the map of events",
        positionHint: "Latitude and longitude in degrees, as maps on the Internet show them: 47.243, 6.022. Rounded to about 100 m. "
            + "Only with the event’s name on the network.",
        positionWrong: "Write a latitude (−90 to 90), a comma and a longitude (−180 to 180), such as 47.243, 6.022.",
        startsAt: "Starts", duration: "Lasts", frames: "Photos a guest may take", noLimit: "No limit",
        reveal: "Photos are shown to others", retention: "Kept after the end", category: "Kind of event, for lists",
        noCategory: "not stated",
        categories: {
            wedding: "Wedding", birthday: "Birthday", baptism: "Baptism", christmas: "Christmas", party: "Party",
            camp: "Camp", trip: "Trip", festival: "Festival", concert: "Concert", sport: "Sport", market: "Market",
            cave: "Caving", other: "Other",
        },
        contact: "How guests reach you", consentText: "What guests agree to before they add photos",
        price: "Entry price", priceHint: "Such as 12.50 EUR, or 0 EUR for free",
        priceExample: "12.50 EUR",
        priceWrong: "Write an amount and a currency, such as 12.50 EUR.",
        registration: "SIREN or SIRET of the organizer",
        links: "Links, one a line", linksHint: "Each with website, instagram, facebook, tiktok, youtube, x or other, and an address",
        linksWrong: "Write a kind and an address on each line: website, then a space, then the address.",
        legal: "Legal and lists",
        isListed: "Show everyone on the network the event's name, and about how many photos and people there were in the last hour",
        hours: "hours", days: "days", less: "less", more: "more",
        reveals: {
            "now": "at once", "at-end": "after the end", "at": "at a time", "by-host": "when I reveal them",
            "never": "never: for organizers only",
        },
        approve: "Approve photos before guests see them",
        veils: "Veil a photo when a guest asks",
        pageSealing: "Seal photos on guests' phones until they are shown",
        veilChoices: { off: "no", on: "yes" },
        approvals: { none: "no", first: "until one of a guest is approved", all: "all" },
        framesPromised: (/** @type {number} */ frames) => frames
            ? `Guests were promised ${plural(frames, "photo")}: you can give more, not fewer.`
            : "Guests were promised photos without a limit.",
        retentionPromised: "Guests were promised this: you can delete the photos earlier, not later.",
        revealAt: "Shown from",
        daily: "Each day", dailyHint: "Photos not taken stay for the next day.",
        moments: "Moments", momentsOn: "Call everyone for a photo once a day", momentsFrom: "From", momentsTo: "To",
        momentsHint: "Once a day, at a surprise time, guests get five minutes to take a photo.",
        late: "Photos after the end", lateHint: "Photos before the start are refused, unless any are accepted.",
        lates: { "0": "refuse", "120": "2 hours", "1440": "1 day", "any": "accept any" },
        lateOther: (/** @type {number} */ minutes) => minutes % 60 === 0 ? span(minutes / 60) : plural(minutes, "minute"),
        startsHint: "Empty: a draft begins when you open it.",
        isUndated: (/** @type {any} */ { parameters }) => parameters.startsOnOpening && !parameters.isOpened,
        /** What follows from the rules, in one sentence. @param {any} event */
        rules: ({ frames, areFramesDaily, durationHours, retentionHours, reveal }) => [frames
            ? `${plural(frames, "photo")} each${areFramesDaily ? " per day" : ""}` : "No limit on photos",
            text.fields.shown[/** @type {keyof typeof text.fields.shown} */ (reveal)], `open for ${span(durationHours)}`,
            `deleted ${span(retentionHours)} later`].join(" · "),
        shown: {
            "now": "everyone sees them at once", "at-end": "everyone sees them after the end", "at": "everyone sees them at a set time",
            "by-host": "everyone sees them when you reveal them", "never": "only organizers see them",
        },
    },

    tickets: {
        title: "Tickets",
        intro: "Each ticket is a card with a code of its own, for one person and valid once. If a card was copied, the second person has no photos until you give some.",
        count: "How many?", create: "Make tickets", print: "Print unused tickets (PDF, eight on a page)",
        none: "There are no tickets yet.",
        summary: (/** @type {number} */ all, /** @type {number} */ used, /** @type {number} */ twice, /** @type {number} */ cancelled) =>
            `${plural(all, "ticket")}: ${number(used)} used, ${number(twice)} of them twice, ${number(cancelled)} cancelled.`,
        twice: (/** @type {number} */ count) => `${plural(count, "ticket")} used twice.`,
        line: (/** @type {number} */ ticket, /** @type {string} */ state) => `${ticket}: ${state}`,
        states: {
            unused: () => "not used yet",
            used: (/** @type {string} */ holder) => `used by ${holder}`,
            usedTwice: (/** @type {string} */ holder, /** @type {string} */ users) => `used twice, by ${users}. ${holder} has it; give the others photos under People, or another ticket.`,
            cancelled: () => "cancelled",
        },
        cancel: "Cancel", cancelOne: (/** @type {number} */ ticket) => `Cancel ticket ${ticket}`,
        sure: (/** @type {number} */ ticket) => `Cancel ticket ${ticket}?`,
        holderLoses: (/** @type {string} */ holder) => `${holder} has it. Their photos are kept, and no longer shown until you give them photos. This cannot be undone.`,
        nobodyLoses: "Nobody can use it from now on. This cannot be undone.",
    },

    options: {
        title: "What guests can do",
        names: "A guest's name",
        nameRules: { optional: "optional", required: "required", never: "not asked for" },
        cameraOnly: "Only the camera, no photos from the phone's library",
        cameraOnlyHint: "A computer without a camera still offers its files, and a changed program can send any.",
        tickets: "Guests need a ticket to take photos",
        wallCode: "New guests need the code on the wall",
        wallCodeHint: "The poster alone then lets nobody new in: the wall shows a code that changes every ten minutes. Open the wall with the link under Invite. Who is in stays in. Machines with an earlier version of this program do not ask for it.",
        ticketsHint: "Everybody with the link can look. You print the tickets under Invite. This cannot be switched on once the event is open.",
        atOnce: "Photos at once", atOnceChoices: { 0: "any number", 1: "one", 5: "5", 10: "10", 30: "30" },
        atOnceHint: "A guest who chooses more sends the first ones, and the others afterwards. It keeps out whole photo libraries; a changed program can send any.",
        downloads: "Save photos", downloadRules: { everyone: "everyone", own: "guests their own", organizers: "only I" },
        downloadsHint: "Everyone still sees all photos. A screenshot cannot be prevented, and other computers of the event "
            + "keep the whole gallery.",
        videos: "Videos",
        videoRules: { on: "any length", "15": "up to 15 s", "60": "up to 60 s", "300": "up to 5 min", off: "no" },
        videosHint: "The length is measured when the video arrives.",
        videosOther: (/** @type {number} */ seconds) => `up to ${seconds % 60 ? `${seconds} s` : `${seconds / 60} min`}`,
        theme: "Colours",
        themes: { film: "Film", garden: "Garden", sea: "Sea", rose: "Rose", night: "Night", slate: "Slate" },
    },

    missions: {
        title: "Missions: photos to ask guests for",
        hint: "For example “the first dance” or “someone laughing”. Guests see the list, take a photo for a mission, and find "
            + "the photos of each. You can add one during the event: guests are told.",
        add: "Add a mission", example: "the first dance",
        mission: (/** @type {number} */ number) => `Mission ${number}`,
        up: (/** @type {number} */ number) => `Move mission ${number} up`,
        down: (/** @type {number} */ number) => `Move mission ${number} down`,
        remove: (/** @type {number} */ number) => `Remove mission ${number}`,
        removed: "Removed. Photos that answer it stay.",
        photos: (/** @type {number} */ number) => `${number} ${number === 1 ? "photo" : "photos"}`,
    },

    invite: {
        title: "Invite",
        draft: "This is a draft: guests are promised nothing before you open it. You can already print and test the code.",
        scan: "Guests on the same network scan this, or open the link. They need no app and no account.",
        link: "Link", code: "Code to type",
        words: "Guests see these four words, too. If the words differ, it's a different event.",
        copyLink: "Copy the link", copyText: "Copy the text", wall: "Open the wall (projector)",
        shareTitle: "Text to send",
        share: (/** @type {string} */ name, /** @type {string} */ link, /** @type {string} */ code) =>
            `${name}: please take photos!\n\nWhen you are there, join the Wi-Fi and open\n${link}\n`
            + `or type the code ${code}. No app, no account.`,
        also: "This computer also has",
        onlyHere: "Only this computer can open these pages: it has no network yet.",
        files: "To print and to send", png: "Code as PNG", svg: "Code as SVG", poster: "Poster, four cards, tent (PDF)",
        card: "One card (PDF)", printing: "Drawing it and verifying every code …",
        wifi: "Name of the Wi-Fi", wifiPassword: "Wi-Fi password", wifiHidden: "The Wi-Fi hides its name",
        wifiHint: "A second code on the poster then joins the Wi-Fi. The password is printed in plain text.",
        address: "Address at the event",
        addressHint: "Empty: the present address. This computer must have it at the event, too.",
        second: "Address of a second computer",
        secondHint: "Printed as well, for guests who come when this computer has failed. The second one needs the role “serves pages”.",
        printed: "Saved. Every code on it was verified.",
        node: "Add a backup computer",
        nodeIntro: "It keeps all photos too, and the event continues if this computer breaks. "
            + "The invitation is a secret: give it only to people you trust.",
        nodeShow: "Show the invitation for computers", nodeCommand: "On the other computer:",
        copyNode: "Copy the command",
        program: (/** @type {string} */ name) => `Guests can download ${name} from this computer. `
            + "Before they install it, read them the SHA-256 from this screen:",
    },

    phones: {
        title: "Phones connected now",
        now: (/** @type {number} */ count, /** @type {number} */ limit) => limit
            ? `${number(count)} of ${plural(limit, "phone")}` : plural(count, "phone"),
        carries: "Your Wi-Fi can handle about … phones",
        hint: "See its manual: 10 to 30 phones for a laptop's hotspot and many home routers. Empty: no warning.",
        full: "The access point is nearly full: phones beyond that cannot join the Wi-Fi. Add another one.",
        behind: (/** @type {number} */ minutes) => `The computer's clock is ${plural(minutes, "minute")} behind this device's. To set it, type this there:`,
        ahead: (/** @type {number} */ minutes) => `The computer's clock is ${plural(minutes, "minute")} ahead of this device's. To set it, type this there:`,
    },

    erasing: {
        button: "Delete",
        title: "Delete this photo for everyone?",
        body: (/** @type {string} */ name) => [`The photo by ${name} disappears from every page at once, and every computer of the event `
            + "erases it an hour later. This cannot be undone. To keep it, hide it instead."],
        yes: "Delete for everyone",
        done: "Deleted for everyone. The overview shows from how many computers it is gone.",
        copies: (/** @type {number} */ count, /** @type {number} */ all) => `on ${count} of ${plural(all, "computer")}`,
        receipts: "Deleted photos",
        hint: "Each computer erases the photo an hour after it hears of the deletion, and reports that.",
        gone: (/** @type {number} */ count, /** @type {number} */ all) => `gone from ${count} of ${plural(all, "computer")}`,
        away: (/** @type {string} */ name, /** @type {string} */ time) => `${name} offline since ${time}`,
    },

    wall: {
        title: "The wall",
        several: "Each screen has a link of its own: open it there. Several walls may show different photos.",
        show: "What it shows",
        shows: { "": "All photos, new ones first", "show=highlights": "New photos once, and the highlights in between",
            "show=newest": "The newest 50" },
        by: (/** @type {string} */ name) => `Only the photos by ${name}`,
        moment: (/** @type {number} */ at) => `Only the moment of ${time(at)}`,
        mission: (/** @type {string} */ mission) => `Only the photos for “${mission}”`,
        fill: "Photos fill the screen, without their edges",
        corner: "The code", corners: { "": "On the right", left: "On the left", off: "Between photos only" },
        wifi: "The Wi-Fi, beside the code", wifiHint: "For guests who are not on it yet: its name, and the password if you like.",
        remote: "Remote control",
        remoteHint: "For all walls that this computer serves. An open photo has the button “Show on the wall”, and the key w.",
        back: "Back", pause: "Pause", resume: "Resume", next: "Next", code: "Show the code",
        told: "Sent to the walls.", shown: "The walls show it.",
    },

    photos: {
        title: "Photos",
        which: { all: "All", shown: "Guests see", hidden: "Hidden", favourites: "Favourites" },
        none: { all: "No photos yet. They appear here automatically.", shown: "No photos yet.",
            hidden: "Nothing is hidden.",
            favourites: "Nothing is marked yet: press f, or the star, on a photo." },
        sealed: (/** @type {number} */ count) => `${plural(count, "photo")} in the camera. `
            + "You see the photos of others when everyone sees them.",
        byWhom: "Photos by", everyone: "By everyone",
        select: "Select", selectDone: "Cancel",
        saveAll: "Save these", album: "Album …",
        share: "Show these to guests as highlights",
        shared: (/** @type {number} */ count) => count ? `Guests see ${plural(count, "photo")} under Highlights.`
            : "Guests see no highlights.",
        hideCount: (/** @type {number} */ count) => `Hide ${number(count)}`,
        unhideCount: (/** @type {number} */ count) => `Unhide ${number(count)}`,
        hidCount: (/** @type {number} */ count) => `${plural(count, "photo")} hidden from guests.`,
        putBackCount: (/** @type {number} */ count) => `Guests see ${plural(count, "photo")} again.`,
        comments: (/** @type {number} */ count) => count ? plural(count, "comment") : "Comments",
        commentsTitle: "Comments", noComments: "No comments yet.",
        earlier: (/** @type {number} */ count) => count ? `${plural(count, "earlier comment")} not shown.` : "",
        hideComment: (/** @type {string} */ comment) => `Hide “${comment.slice(0, 60)}”`,
        commentHidden: "Comment hidden from guests.",
        keys: "Shortcuts", keysTitle: "Shortcuts", count: (/** @type {number} */ count) => plural(count, "photo"),
        keysAre: [["← →  or  k j", "previous photo, next photo"], ["↑ ↓", "previous row, next row"],
            ["Enter", "large, and back"],
            ["h", "hide it from guests, or unhide it"], ["f", "add to favourites, or remove"], ["w", "show it on the wall now"],
            ["x", "select, to hide several at once"], ["Esc", "close"], ["?", "these shortcuts"]],
        waiting: "Waiting for approval", toWall: "Show on the wall",
        hide: "Hide", unhide: "Unhide", favourite: "Favourite", unfavourite: "Remove favourite", save: "Save",
        large: "Large", close: "Close", previous: "Photo before", next: "Photo after",
        hid: "Hidden from guests.", undo: "Undo", putBack: "Guests see it again.",
        marked: "Added to favourites.", unmarked: "Removed from favourites.",
        by: (/** @type {string|null} */ name) => name ?? "a guest",
        label: (/** @type {any} */ photo) => `${photo.mediaType.startsWith("video/") ? "Video" : "Photo"} by `
            + (photo.authorName ?? "a guest")
            + (photo.frame ? `, no. ${photo.frame}` : "") + `, ${time(photo.takenAt ?? photo.addedAt)}`
            + (photo.commentCount ? `, ${plural(photo.commentCount, "comment")}` : "")
            + (photo.isHidden ? ", hidden" : "") + (photo.isPending ? ", waiting for approval" : "") + (photo.isFavourite ? ", favourite" : ""),
        notHere: "The photo has not arrived here yet.",
        videoNotHere: "The video has not arrived here yet.",
        unplayable: "This browser cannot play the video. Save it to watch it elsewhere.",
    },

    pictures: {
        title: "Cover and plan",
        name: { cover: "Cover.", plan: "Plan." },
        about: { cover: "A picture that guests see with the event's name.",
            plan: "A map or a sketch of the place, on which guests can put their photos. It is not shown among the photos. "
                + "Of a PDF the first page is used." },
        alt: { cover: "The cover", plan: "The plan" },
        add: { cover: "Add a cover", plan: "Add a plan" },
        use: { cover: "Use as cover", plan: "Use as plan" },
        change: { cover: "Change the cover", plan: "Change the plan" },
        no: { cover: "Remove the cover", plan: "Remove the plan" },
        used: { cover: "Guests see the cover.", plan: "Guests see the plan." },
        takenOff: { cover: "Guests see no cover.", plan: "Guests see no plan." },
        adding: "Adding the image …",
    },
    map: {
        name: "Map.",
        about: "Tiles of a map in one MBTiles or PMTiles file. Guests of this computer's pages see it behind the plan; "
            + "add the same file on each computer with pages. Without a plan, a tile of the file becomes the plan.",
        none: "There is no map.",
        otherPlan: "The map is not shown: it belongs to another plan.",
        onlyPoints: "The plan has its places, and no tiles.",
        tiles: (/** @type {number} */ least, /** @type {number} */ most, /** @type {string} */ source) =>
            `Guests see the map, with the zooms ${number(least)} to ${number(most)}.${source ? ` Source: ${source}` : ""}`,
        add: "Add a map", remove: "Remove the map", world: "Use the outline of the world", worldAdded: "Guests see the world.",
        adding: "Adding the map …", added: "Guests see the map.", removed: "Guests see no map.", saved: "The plan has its places.",
        points: "Places of the plan",
        pointsHint: "Give the places of two points of the plan, far from each other: then guests see distances, and a map that you "
            + "add lies behind the plan. Click the plan to choose a point.",
        planAlt: "The plan; click it to choose a point",
        point: (/** @type {number} */ index) => `Point ${index}`,
        x: "From the left edge, in pixels", y: "From the top edge, in pixels", position: "Latitude, longitude in degrees",
        save: "Save the places",
    },

    queue: {
        title: "Photos to approve",
        intro: "Guests see these photos once you approve them. Until then only the person who took one sees it.",
        count: (/** @type {number} */ count) => `${plural(count, "photo")} waiting`,
        tab: (/** @type {number} */ count) => count ? `Approve, ${plural(count, "photo")} waiting` : "Approve",
        none: "Nothing is waiting. New photos appear here by themselves.",
        sealed: (/** @type {number} */ count) => `${plural(count, "photo")} in the camera. `
            + "You can approve photos of others when they are shown.",
        approve: "Approve", decline: "Decline", undo: "Undo",
        approveAll: (/** @type {number} */ count) => `Approve all ${number(count)}`,
        approved: "Approved.", declined: "Declined: it is among the hidden photos.",
        approvedAll: (/** @type {number} */ count) => `${plural(count, "photo")} approved.`,
        undone: "Undone: it waits again.",
    },

    veils: {
        title: "Photos that guests asked not to show",
        intro: "Someone is in each of these photos and does not want to be. Until you decide only the person who took it sees it. "
            + "A photo that you show again cannot be veiled another time; you can still hide it.",
        count: (/** @type {number} */ count) => `${plural(count, "photo")} to look at`,
        tab: (/** @type {number} */ count) => count ? `Veiled, ${plural(count, "photo")} to look at` : "Veiled",
        none: "Nothing to decide. Photos that guests ask for appear here by themselves.",
        sealed: (/** @type {number} */ count) => `${plural(count, "photo")} in the camera. `
            + "You can look at photos of others when they are shown.",
        approve: "Show again", decline: "Keep it away", undo: "Undo",
        approved: "It is shown again.", declined: "It stays away, among the hidden photos.",
        undone: "Undone: it is veiled again.",
        recent: "Asked for by devices let in since",
        recentNone: "No photo is veiled for these alone.",
        liftAll: (/** @type {number} */ count, /** @type {number} */ devices) =>
            `Show ${plural(count, "photo")} again (${plural(devices, "device")})`,
        liftedAll: (/** @type {number} */ count) => `${plural(count, "photo")} shown again.`,
    },

    messages: {
        title: "Messages",
        intro: "What guests have written to the hosts. Nobody else can read it; other computers see only that they wrote.",
        none: "Nobody has written yet. Messages appear here by themselves.",
        older: (/** @type {number} */ count) => `${plural(count, "older message")} not listed.`,
        tab: (/** @type {number} */ count) => count ? `Messages, ${number(count)} unread` : "Messages",
        news: "A guest has written to you.", show: "Read",
        new: "new",
        unreadable: "This computer cannot read it: it was written before this one was a host’s.",
        about: (/** @type {string} */ photo) => `About photo ${photo}`,
        of: (/** @type {string} */ name, /** @type {number} */ at) => `by ${name}, ${time(at)}`,
        erase: "Delete", erased: "Deleted for everybody.",
        question: { title: "Delete this message?", body: "It is deleted on every computer, for the other hosts, too.", yes: "Delete it" },
    },

    people: {
        title: "People",
        intro: "Everyone who has joined, with their role and photos.",
        none: "Nobody has joined yet.",
        find: "Find a person", nobodyNamed: (/** @type {string} */ name) => `Nobody here is called “${name}”.`,
        photosOf: (/** @type {string} */ name) => `Photos by ${name}`,
        you: "you", left: "has left", frames: (/** @type {number} */ used, /** @type {number|null} */ limit) =>
            limit === null ? `${plural(used, "photo")}, no limit`
                : `${number(used)} of ${plural(limit, "photo")}`,
        roles: { organizer: "organizer", moderator: "moderator", page: "serves pages", photographer: "photographer" },
        roleHelp: {
            organizer: "can do everything except appoint organizers",
            moderator: "hides photos, removes people",
            page: "their computer serves the guests' pages", photographer: "takes photos without a limit",
        },
        node: (/** @type {any} */ node) => node.isConnected ? `their computer is connected, ${plural(node.originalCount, "original")}`
            : `their computer was last heard ${time(Date.parse(node.heardAt))}`,
        manage: "Change", give: "Give photos",
        zone: "Place of their computer", ownZone: "Place of this computer", setZone: "Save",
        zoneHint: "For example “Dance floor”. Photos that come in at this computer then show the place. Empty for none.",
        grants: { organizer: "Make organizer", moderator: "Make moderator", page: "Let it serve pages",
            photographer: "Make photographer" },
        revoke: (/** @type {keyof typeof text.people.roles} */ role) => `Remove role “${text.people.roles[role]}”`,
        given: (/** @type {string} */ name, /** @type {number} */ count) => `${name} has ${plural(count, "more photo")}.`,
        framesQuestion: (/** @type {string} */ name, /** @type {number} */ count) => ({
            title: `${plural(count, "more photo")} for ${name}?`, body: ["You can't take them back."], yes: "Give",
        }),
        organizerQuestion: (/** @type {string} */ name) => ({
            title: `Make ${name} an organizer?`,
            body: ["Organizers can change the event, hide and erase photos, and see photos that are shown later.",
                "If you remove the role later, their earlier actions stay."], yes: "Make organizer",
        }),
        remove: "Remove from event …",
        harmQuestion: (/** @type {string} */ harm) => ({
            title: "Others lose something", body: [harm], yes: "Do it anyway", danger: true,
        }),
        removeQuestion: (/** @type {string} */ name) => ({
            title: `Remove ${name} from the event?`,
            body: ["They can't add anything from now on. Their photos so far stay: hide those you don't want.",
                "To reinstate them later, type: disposable role grant participant, and their name."],
            yes: "Remove", danger: true,
        }),
        removed: (/** @type {string} */ name) => `${name} is no longer part of the event.`,
        letIn: "Let back in", isIn: (/** @type {string} */ name) => `${name} can take part again.`,
        withAdmitted: (/** @type {string} */ name, /** @type {string[]} */ names) =>
            `Also remove ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` and ${number(names.length - 5)} more` : ""}, `
            + `admitted only by ${name}`,
        done: "Done.",
    },

    settings: {
        title: "Settings", save: "Save", saved: "Saved.",
        draftNote: "You can change everything until you open the event.",
        state: "Status",
        archive: "Move to the archive", unarchive: "Take out of the archive",
        archived: "The event is listed last on this computer. Nothing else has changed.",
        unarchived: "The event is listed with the others again.",
        open: "Open the event", close: "Close the event", reopen: "Open it again", reveal: "Show the photos now",
        openQuestion: (/** @type {any} */ event) => ({
            title: "Open the event?",
            body: [...text.settings.pastStart(event),
                "From then on guests rely on their number of photos, and on when the photos are deleted. "
                + "You can give more photos, not fewer, and delete earlier, not later.",
                    "It can't become a draft again."],
            yes: "Open it",
        }),
        pastStart: ({ parameters, endsAt } = /** @type {any} */ ({})) =>
            parameters.startsOnOpening || parameters.startsAt > Date.now() - 600_000 ? []
                : [`It was to start ${time(parameters.startsAt)}, which is past, and ${endsAt < Date.now()
                    ? "it is over already: guests can add nothing." : `it ends ${time(endsAt)}.`} `
                    + "To begin now, change the start first."],
        closeQuestion: (/** @type {boolean} */ reveals) => ({
            title: "Close the event now?",
            body: ["Guests see that the event is over. Photos taken before now can still arrive.",
                reveals ? "Everyone sees the photos at once. You can open the event again, but the photos stay shown."
                    : "You can open it again."],
            yes: "Close the event", danger: true,
        }),
        revealQuestion: {
            title: "Show all photos now?",
            body: ["Everyone sees all photos right away. This can't be undone."],
            yes: "Show them", danger: true,
        },
        delete: "Delete everywhere", deleteTitle: "Delete the event",
        deleteAbout: "All photos disappear for everyone, on every computer of the event. This can't be undone.",
        deleteQuestion: (/** @type {string} */ name, /** @type {number} */ count) => ({
            title: `Delete ${name} on all computers?`,
            body: [`${plural(count, "photo disappears", "photos disappear")} for everyone. The pages end at once, and every `
                + "computer of the event destroys its data after running for a day. This can't be undone.",
            "What people have saved stays with them."],
            yes: "Delete everything", danger: true,
        }),
        deleteName: "Type the event's name",
        deleted: "The event is deleted. Its data are destroyed within a day or two.",
        earlyQuestion: (/** @type {string} */ why) => ({
            title: "Earlier than guests were told?", body: [why, "This can't be undone."],
            yes: "Show them anyway", danger: true,
        }),
        revealed: (/** @type {number} */ count) => `${plural(count, "photo is", "photos are")} shown.`,
        until: (/** @type {any} */ event, /** @type {boolean} */ isOver) =>
            `${isOver ? "" : text.fields.isUndated(event) ? "It begins when you open it. "
                : `Until ${time(event.endsAt)}. `}Photos are kept until ${time(event.expiresAt)}.`,
        sealing: {
            organizers: "Until the photos are shown, only organizers' computers can open them.",
            shared: "Organizers reveal the photos together, each on their own computer.",
            revealed: "The photos are shown.", none: "",
        },
        releaseShare: "Show the photos, with other organizers",
        shareQuestion: {
            title: "Agree to show the photos?",
            body: ["The photos are shown once enough organizers have agreed, each on their own computer.", "This can't be undone."],
            yes: "Agree", danger: true,
        },
        shareReleased: (/** @type {number} */ missing) =>
            `You have agreed. ${plural(missing, "more organizer has", "more organizers have")} to agree.`,
        notOrganizer: "This computer is not an organizer's: you can view the event, organizers decide.",
    },

    key: {
        title: "The event's key",
        intro: "24 words to write on paper. With them another computer of the event takes over if this one is lost. Anyone "
            + "who reads them can do the same: keep the paper where you keep your passport.",
        restore: "There, in a terminal: disposable event restore, and the words.",
        show: "Show the 24 words", hide: "Hide them", list: "The 24 words",
    },

    adding: {
        button: "Add photos", drop: "Drop your photos here", stop: "Stop", again: "Try again",
        step: (/** @type {number} */ place, /** @type {number} */ all) => `Adding ${number(place)} of ${number(all)} …`,
        added: (/** @type {number} */ count) => count ? `${plural(count, "photo")} added.` : "Nothing added.",
        known: (/** @type {number} */ count) => `${plural(count, "photo was", "photos were")} here already.`,
        failed: (/** @type {number} */ count) => `${plural(count, "file")} not added:`,
        more: (/** @type {number} */ count) => `and ${number(count)} more`,
        tooMany: (/** @type {number} */ limit) => `That was too many at once: the first ${number(limit)} are added. Choose the others afterwards.`,
        // As a guest reads them.
        reasons: {
            "empty": "This file is empty.",
            "too-long": "Too large: at most 256 MB.",
            "not-a-photo": "This is not a photo or video.",
            "metadata-left": "The place and other details could not be removed from this file. Take a screenshot of it, or save it again "
                + "with another app, and add that.",
            "no-consent": "The event has a text to agree to: type disposable consent in a terminal on this computer.",
            "not-begun": "The event has not started yet.",
            "over": "The event is over. Accept photos after the end under Settings.",
            "no-videos": "This event takes photos only, and no videos.",
            "video-too-long": "This video is too long.",
            "disk-full": "The disk has too little room: free some.",
            "unreadable": "This file can't be read, or it is a folder. Choose the files in it.",
        },
    },

    album: {
        title: "Take the photos home",
        kind: "As what?", kinds: { photos: "Photos only", plain: "Album", sealed: "Encrypted album" },
        abouts: {
            photos: "The original files and a list of their captions, as one ZIP file.",
            plain: "The photos, a page for any browser, a book to print, and a signed list by which anybody can check later that nothing has changed. Unpack the ZIP file and open index.html.",
            sealed: "For a web host or a stick: nobody sees anything without its passphrase. Unpack the ZIP file and open index.html.",
        },
        none: "There are no photos to save yet.",
        savePhotos: (/** @type {number} */ count) => `Save ${plural(count, "photo")}`,
        passphrase: "Passphrase", passphraseHint: "At least 16 characters. Leave it empty for seven random words.",
        previews: "Small: pictures for screens instead of the originals", favourites: "Only your favourites",
        make: "Make the album", stop: "Stop",
        writing: (/** @type {number} */ done, /** @type {number} */ total) => total ? `Reading: ${number(done)} of ${number(total)} …`
            : "Reading the photos …",
        packing: "Putting everything into one file …", ready: "The album can be saved.",
        content: (/** @type {number} */ count, /** @type {number} */ bytes) => `${plural(count, "photo")}, ${size(bytes)}.`,
        leftOut: (/** @type {number} */ count) => `${plural(count, "photo")} not complete: still sealed, or not arrived on this computer.`,
        lacksSheet: "There is no contact sheet: the program rsvg-convert is missing. Install librsvg2-bin with apt.",
        itsPassphrase: "Its passphrase:",
        passphraseAdvice: "Write it down now, and send it by another way than the album. Nobody can recover it.",
        save: "Save the album", remove: "Remove from this computer",
        kept: "The file waits here for an hour. A broken download continues in the browser's list of downloads, or starts again here.",
    },

    notice: {
        title: "Notice to everyone", label: "New notice", post: "Post", remove: "Remove",
        hint: "All guests see it above the photos, until the next one.",
        posted: "Posted: all guests see it.", removed: "Notice removed.",
        by: (/** @type {string} */ name, /** @type {number} */ at) => `${name}, ${time(at)}`,
    },

    vote: {
        title: "Photo of the night",
        about: "Guests vote for a photo. Votes stay secret until you close the vote.",
        open: "Open the vote", openAgain: "Open another vote", close: "Close the vote",
        opened: "The vote is open.", closed: "The vote is closed.",
        closeQuestion: { title: "Close the vote?", body: ["All see the result at once, also on the wall. The vote cannot be opened again."],
            yes: "Close it" },
        isOpen: (/** @type {number} */ at, /** @type {number} */ voters) => `Open since ${time(at)}. ${plural(voters, "person has", "people have")} voted.`,
        isClosed: (/** @type {number} */ voters, /** @type {number} */ winners) => `Closed. ${plural(voters, "person", "people")} voted.${winners === 0
            ? " No photo that is shown has a vote." : winners > 1 ? ` A tie: ${number(winners)} photos have the most votes.` : ""}`,
        place: (/** @type {string} */ author, /** @type {number} */ votes) => `${author}, ${plural(votes, "vote")}`,
    },

    twins: {
        title: "Joined galleries",
        about: "Two events can show their photos as one gallery, if an organizer of each agrees. Enter the invitation for computers of the other event: you get an agreement for its organizer. Then enter the agreement that you get back.",
        text: "Invitation or agreement of the other event", hint: "It begins with DISPOSABLE1: or DISPOSABLETWIN1:.",
        take: "Go on", copy: "Copy", agreement: "Agreement for the other event",
        handOver: "Give this to the organizer of the other event, who enters it at the desk, unless they have entered one of yours. It is a secret, as an invitation is.",
        agreeQuestion: { title: "Agree to join the galleries?",
            body: ["The organizer of the other event can join them with this agreement. Everybody there, also who comes later, can see and save your photos then."],
            yes: "Agree" },
        joinQuestion: { title: "Join the galleries?",
            body: ["Guests of both events see and can save each other's photos, also who comes later. Tell your guests by a notice.", "You can separate the galleries at any time. People keep the photos that they have saved."],
            yes: "Join" },
        separateQuestion: (/** @type {string} */ name) => ({ title: `Separate from ${name}?`,
            body: ["The photos of each event are shown to its own guests only. People keep the photos that they have saved."], yes: "Separate" }),
        agreed: "The agreement is made.", joined: "The galleries are joined on this side.",
        separated: "The galleries are separated.", renewed: "Renewed.",
        separate: "Separate", separateOne: (/** @type {string} */ name) => `Separate from ${name}`,
        renew: "Renew", renewOne: (/** @type {string} */ name) => `Renew the way to ${name}`,
        renewQuestion: (/** @type {string} */ name) => ({ title: `Renew the way to ${name}?`,
            body: ["Everybody at this event gets the other event's present invitation then, also somebody who was removed there. To keep a person out, remove that person here first, or separate the galleries."],
            yes: "Renew" }),
        renewWhy: "An invitation was replaced: computers that come now can't read the other event.",
        line: (/** @type {string} */ name, /** @type {string} */ state) => `${name}: ${state}`,
        states: {
            joined: (/** @type {number} */ count) => `joined, ${plural(count, "photo")}`,
            waiting: () => "waiting for its organizer's agreement, or its photos",
            ended: () => "separated by its organizer",
        },
    },

    overview: {
        title: "Overview",
        photos: "photos", people: "people", frames: "photos taken", storage: "of photos",
        waiting: (/** @type {number} */ count) => `${number(count)} over the limit`,
        hidden: (/** @type {number} */ count) => `${number(count)} hidden`,
        pending: (/** @type {number} */ count) => `${number(count)} waiting for approval`,
        sealed: (/** @type {number} */ count) => `${number(count)} still in the camera`,
        removed: (/** @type {number} */ count) => `${number(count)} deleted`,
        devices: (/** @type {number} */ count) => `on ${plural(count, "device")}`,
        used: (/** @type {number} */ used, /** @type {number|null} */ limit) => limit === null ? number(used)
            : `${number(used)} of ${number(limit)}`,
        noLimit: "no limit",
        beyond: (/** @type {number} */ count) => count ? `and ${number(count)} without a limit` : "",
        free: (/** @type {number} */ bytes) => `${size(bytes)} free here`,
        hours: (/** @type {number} */ step) => step === 1 ? "Photos per hour" : `Photos every ${step} hours`,
        noHours: "No photos yet.",
        bar: (/** @type {number} */ at, /** @type {number} */ count) => `${time(at)}: ${plural(count, "photo")}`,
        safe: "Backups",
        onlyHere: (/** @type {number} */ count) => `${plural(count, "photo")} only here: if this disk breaks, they are lost.`,
        allSafe: "Every photo is on two computers or more.",
        noPhotos: "No photos yet.",
        copies: [["here", "complete on this computer"], ["onTwoMachines", "on two computers"],
            ["onOrganizers", "on an organizer's computer"], ["confirmed", "double-checked"]],
        oneMachine: "All photos are on this computer only.", addMachine: "Add a backup computer",
        nodes: "Computers", noName: "Computer without a name", connected: "connected", inStep: "up to date",
        reconciling: "catching up",
        lastHeard: (/** @type {string} */ at) => `last heard ${time(Date.parse(at))}`,
        originals: (/** @type {number} */ count) => `has ${plural(count, "original")}`,
        problems: "Needs attention",
        diskLow: "The disk is almost full: no new photos are accepted until space is freed.",
        remarks: (/** @type {any} */ event) => [[event.captionCount, "caption"], [event.commentCount, "comment"],
            [event.reactionCount, "reaction"]].filter(([count]) => count).map(([count, noun]) => plural(count,
                noun)).join(", "),
        until: (/** @type {any} */ event) => text.fields.isUndated(event) ? "Begins when you open it. "
            : event.phase === "draft" ? `Starts ${time(event.parameters.startsAt)}, ends ${time(event.endsAt)}. `
            : event.phase === "open" ? `Until ${time(event.endsAt)}. ` : "",
        forgotten: (/** @type {any} */ event) => `Photos are kept until ${time(event.expiresAt)}.`,
        deadline: (/** @type {any} */ event) => `On ${time(event.expiresAt).replace(/, (?=[^,]*$)/, " at ")} all photos are deleted from every `
            + "computer. Save them before then.",
        save: "Save the photos",
    },

    // The node's lasting problems by their kind. The page adds the node's own text, which is in English.
    problems: {
        "room": "The disk is almost full: free some space.",
        "multicast": "Other computers can't be found by themselves on this network.",
        "storage": "The disk has an error.",
        "rebuilt": "The database was damaged.",
        "only-key": "Only this computer can open the photos: write its key down, or make a second organizer.",
        "clone": "Two computers run with the same folder: stop one of them.",
        "destruction": "Deleted photos could not be destroyed yet.",
        "leaving": "This computer is leaving the event and waits for another one.",
        "expiry": "The photos have been kept long enough and are to be deleted.",
        "printed": "Posters of the old invitation no longer work: print new ones.",
        "leaked-secret": "A removed member still knows the invitation: make a new one.",
        "older-version": "The event needs a newer version of the program.",
        "removed": "This computer was removed from the event.",
        "twins": "There is no room here for a joined gallery, or for more of its photos.",
    },

    // Sentences for refusals, by the reason or the code of the node's answer.
    errors: {
        "wrong-name": "This is not the event's name. Nothing was deleted.",
        "not-here": "From another device the desk can only view, hide and mark photos.",
        "foreign-origin": "This request came from another page. Open the desk by its own address.",
        "no-session": "This browser has not opened the desk, or the program was restarted.",
        "too-many-requests": "Too many requests at once. Try again in a moment.",
        "malformed-request": "The page and the program do not understand each other. Reload the page.",
        "not-found": "This no longer exists. Reload the page.",
        "unknown-photo": "This photo no longer exists.",
        "unknown-message": "This message is deleted already.",
        "not-entered": "The event has not admitted this computer yet. Connect it once to another one of the event.",
        "put-out": "This computer was removed from the event. An organizer can reinstate it.",
        "leaving": "This computer is leaving the event and accepts no changes.",
        "rebuilt": "The database was rebuilt. Connect this computer to another one before you change anything.",
        "rebuilding": "The database is corrupt and is being rebuilt. Try again in a moment.",
        "newer-version": "The event needs a newer version of the program.",
        "rank": (/** @type {string[]} */ [rank]) => rank === "moderator" ? "This needs a moderator or an organizer."
            : rank === "event-key" ? "This needs the event's key, on the computer that created it." : "This needs an organizer.",
        "no-change": "This is already the case.",
        "no-such-ticket": "There is no such ticket.",
        "too-many-tickets": "One computer makes at most 2,000 tickets in all.",
        "no-unused-tickets": "No unused ticket was made on this computer.",
        "promised": (/** @type {string[]} */ [field]) => `The event is open: ${/** @type {Record<string, string>} */ ({
            frames: "guests were promised their photos, whose number can only grow.",
            areFramesDaily: "guests were promised their photos for each day.",
            tickets: "guests may have come without a ticket.",
            retentionHours: "guests were promised when the photos are deleted; it can only be earlier.",
            isOpened: "it can't become a draft again.",
        })[field] ?? "this can only change in the guests' favour."}`,
        "too-many-edits": "This computer has edited the event too often. Continue at another organizer's.",
        "too-many-notices": "That's the limit of notices from one computer.",
        "too-fast": "Too much in a short time. Wait a little.",
        "too-many-favourites": "The limit of favourites is reached: remove some first.",
        "unlimited": (/** @type {string[]} */ [name]) => `${name} already has photos without a limit.`,
        "not-shown-yet": "This photo is not shown yet.",
        "not-shown": "Guests do not see this photo yet. Approve it, unhide it or show the photos first.",
        "not-a-photo": "This file is no image that can be shown.",
        "no-page": "The first page of this PDF can't be drawn. Save it as an image, and add that.",
        "too-long": "The file is too large. Save the image smaller.",
        "map-format": "This file is no map: export raster tiles as one MBTiles or PMTiles file.",
        "map-too-large": "A map has at most 2 GiB. Export a smaller area, or fewer zooms.",
        "map-no-images": "The tiles are no PNG, JPEG or WebP images. Vector tiles can't be shown: export raster tiles.",
        "map-damaged": "The file is damaged, or has no tiles. Export it again.",
        "map-no-index": "The file has no index of its tiles. Export it with another program, or add the index with sqlite3.",
        "map-open-log": "Another program still writes the file. Close that program, and add the file then.",
        "map-storage": "The file can't be stored: the disk is full, or the file can't be read.",
        "map-no-plan": "Add a plan first.",
        "map-points": "Each point lies inside of the plan, and has a latitude and a longitude in degrees, as 47.243012, 6.022114.",
        "map-same-point": "Both points are the same. Choose two far apart.",
        "map-no-covering-tile": "No tile of the file shows all of its area. Export smaller zooms, too, or add a plan with two points.",
        "unsealed": "This event shows photos at once: there is nothing to reveal.",
        "shares-without-reveal": "To reveal the photos together, choose that they are shown later.",
        "no-share": "This computer has no share. Do it on the computer of an organizer who has one.",
        "revealed": "The photos are shown and can't be hidden again.",
        "no-reveal-key": "The key that opens the photos is not here. Do it on another organizer's computer.",
        "no-secret": "This computer does not have the new invitation itself. Use another organizer's.",
        "twin-unreadable": "This is no invitation and no agreement. Copy the whole text.",
        "twin-invalid": "This agreement is for another event, or no organizer has signed it. Ask for a new one, made with the invitation of this event.",
        "twin-own": "This text is of the same event. Enter that of the other event.",
        "twin-full": "The gallery is joined with four others already. Separate one first.",
        "twin-used-up": "This computer has joined or renewed galleries as often as one can. Another organizer's computer can do it.",
        "twin-unproven": "This computer can't prove that it is an organizer's. Do it on the host's computer.",
        "twin-not-here": "This computer has not read the other event yet. Connect it to a computer of that event.",
        "twin-unknown": "The galleries are not joined any longer. Reload the page.",
        "twin-reader": "This computer only reads that event, for the joined gallery. To take part, join it with its own invitation.",
        "no-vote-open": "No vote is open. Reload the page.",
        "vote-open": "A vote is open already. Close it first.",
        "too-many-votes": "This computer has opened as many votes as one can.",
        "no-vote-secret": "This computer can't close the vote: use that of an organizer who was one when it was opened.",
        "early": (/** @type {string[]} */ [at]) => `The photos were to be shown ${time(Date.parse(at))}.`,
        "for-organizers": "The photos are for organizers only, as guests were told.",
        "harm": (/** @type {string[]} */ [photos, ...names]) => [Number(photos) ? `${plural(Number(photos),
            "photo of others would be hidden", "photos of others would be hidden")}.` : "",
            names.length ? `No longer part of the event: ${names.slice(0, 10).join(", ")}${names.length > 10
                ? ` and ${number(names.length - 10)} more` : ""}.` : ""].filter(Boolean).join(" ")
            || "Other people lose something.",
        "malformed-name": "This name is not valid: use 1 to 80 letters on one line.",
        "malformed-text": "This text is not valid: write 1 to 2,000 letters of plain text.",
        "invalid-values": (/** @type {string[]} */ fields) => fields.map((field) =>
            text.errors.values[/** @type {keyof typeof text.errors.values} */ (field)] ?? text.errors.values.other).join(" "),
        "values": {
            name: "The name has 1 to 80 letters on one line.", details: "The description has at most 2,000 letters.",
            place: "The place has at most 80 letters on one line.", startsAt: "The start is a date of this age.",
            durationHours: "The event lasts 1 hour to 30 days.", frames: "A guest has at most 1,000 photos.",
            reveal: "The photos are shown after the start.", retentionHours: "The photos are kept 1 hour to 30 days.",
            category: "The kind has at most 80 letters on one line.",
            price: "The price has a currency of three capital letters, as EUR.",
            links: "There are at most 8 links, with http or https, without spaces, of up to 200 letters.",
            registration: "A SIREN has 9 digits, a SIRET 14: one of them is wrong.",
            position: "The position has a latitude of −90 to 90 and a longitude of −180 to 180 degrees.",
            contact: "The contact has at most 80 letters on one line.",
            consentText: "The text to agree to has at most 2,000 letters.",
            organizerName: "The host's name has at most 40 letters.",
            lateness: "Photos are accepted at most 30 days after the end.",
            text: "A notice has up to 500 letters of plain text.", other: "A value is not valid.",
        },
        "no-pages": "The program serves no pages now.",
        "no-network": "This computer has no network yet: give its address at the event.",
        "wifi-name": "A Wi-Fi name has 1 to 32 letters. Copy it from the router.",
        "wifi-password": "A Wi-Fi password has 8 to 63 letters. Leave it empty for an open network.",
        "invalid-address": "Write an address such as 192.168.1.20, with or without a port.",
        "unreadable-code": "A printed code can't be read: a shorter Wi-Fi name or password helps.",
        "same-address": "This is the first computer's address. Write the second computer's, or leave the field empty.",
        "missing-program": (/** @type {string[]} */ [name]) => `The program ${name} is missing for printing. Install it with apt.`,
        "album-busy": "Another album is being made. Wait for it, or stop it.",
        "no-album": "There is no album to save: it is removed after an hour. Make it again.",
        "no-photos-here": "There are no photos to save here yet.",
        "no-room-for-album": "The disk has too little room for the album. Free some, or choose fewer photos.",
        "no-album-library": "The program that opens encrypted albums is missing. Install node-tweetnacl with apt.",
        "short-passphrase": (/** @type {string[]} */ [least]) => `The passphrase needs at least ${least} characters.`,
        "too-many-events": "This computer already has as many events as it can.",
        "other": (/** @type {string} */ message) => `That did not work: ${message}`,
    },
};

export { text as english };
