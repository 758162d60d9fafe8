// SPDX-License-Identifier: Apache-2.0
// Every sentence of the desk. Another language is another module of the same shape.

/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`;
/** @param {number} bytes */
const size = (bytes) => bytes < 1e6 ? `${Math.max(bytes ? 1 : 0, Math.round(bytes / 1e3))} KB`
    : bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
/** @param {number} ms */
const time = (ms) => new Date(ms).toLocaleString([], {
    day: "numeric", month: "short", hour: "2-digit", minute: "2-digit",
    ...(Math.abs(ms - Date.now()) > 300 * 86_400_000 ? { year: "numeric" } : {}),
});
/** @param {number} hours */
const span = (hours) => hours % 24 === 0 ? plural(hours / 24, "day") : plural(hours, "hour");

export const text = {
    size, time, span,
    sections: { photos: "Photos", overview: "Overview", invite: "Invite", people: "People", settings: "Settings" },
    away: "You are on another device: look, hide and mark photos. Everything else is done on the machine that runs "
        + "the event.",
    awayShort: "On the machine that runs the event only.",
    working: "One moment …",
    more: "Show more",
    unreachable: "The node does not answer. Does it run?",
    noName: "no name",

    closed: {
        title: "Open the desk",
        used: "This address has been used, or is too old: each opens the desk once, within ten minutes.",
        how: "Type this in a terminal on the machine that runs the event. It prints a new address.",
        command: "disposable desk",
    },

    phases: {
        draft: "A draft: guests cannot rely on it yet", open: "Open", closed: "Over, photos not shown yet",
        revealed: "Over, photos shown", expired: "Over and being forgotten",
    },

    create: {
        title: "A new event",
        intro: "A name is enough. Everything else can wait, and most of it can be changed later.",
        name: "What is it called?",
        preset: "What is it?", noPreset: "Something else",
        presets: {
            wedding: "Wedding", birthday: "Birthday", camp: "Camp", festival: "Festival", baptism: "Baptism",
            christmas: "Christmas", trip: "Trip",
        },
        more: "More: place, time, texts",
        submit: "Create the event", submitDraft: "Create a draft",
        draft: "Draft: edit it freely, print and try its code, and open it later",
    },

    fields: {
        name: "Name", organizerName: "Who hosts, as guests see it", details: "What it is about", place: "Where",
        startsAt: "Starts", now: "Now", duration: "Lasts", frames: "Photos a guest may take", noLimit: "No limit",
        reveal: "Photos are shown to others", retention: "Kept after the end", category: "Kind of event, for lists",
        contact: "How you are reached", consentText: "What guests agree to when they come in",
        price: "What it costs to come", priceHint: "As 12.50 EUR, or 0 EUR for free",
        priceWrong: "write an amount and a currency, as 12.50 EUR",
        registration: "SIREN or SIRET of the organizer",
        links: "Links, one a line", linksHint: "Each as website, instagram, facebook, tiktok, youtube, x or other, and an address",
        linksWrong: "write a kind and an address on each line, as: website, then a space, then the address",
        isListed: "The event's name is shown to everybody on the network",
        hours: "hours", days: "days", less: "less", more: "more",
        reveals: {
            "now": "at once", "at-end": "after the end", "at": "at a time", "by-host": "when I say so",
            "never": "never: for organizers only",
        },
        revealAt: "Shown from",
    },

    invite: {
        title: "Invite",
        scan: "Guests on the same network scan this, or open the link. They need no app and no account.",
        link: "Link", code: "Code to type", words: "They see these four words, too. Other words: another event.",
        copyLink: "Copy the link", copyText: "Copy the text", wall: "For a projector",
        shareTitle: "Text to send",
        share: (/** @type {string} */ name, /** @type {string} */ link, /** @type {string} */ code) =>
            `${name}: please take photos!\n\nWhen you are there, join the Wi-Fi and open\n${link}\n`
            + `or type the code ${code}. No app, no account.`,
        also: "This machine also has", onlyHere: "Only this machine reaches these pages: it has no network yet.",
        files: "To print and to send", png: "Code as PNG", svg: "Code as SVG", poster: "Poster, four cards, tent (PDF)",
        card: "One card (PDF)", printing: "Drawing it, and reading every code back …",
        wifi: "Name of the Wi-Fi", wifiPassword: "Its password", wifiHidden: "The Wi-Fi does not show its name",
        wifiHint: "With these a second code joins the Wi-Fi. The password stands on the paper.",
        address: "Address at the event",
        addressHint: "Empty: where the pages are now. It must be an address of this machine then.",
        printed: "Saved. Every code on it was read back.",
        node: "Another computer as a node",
        nodeIntro: "It keeps the whole gallery too, and the party goes on if this machine breaks. "
            + "The invitation is a secret: give it to people, not to the network.",
        nodeShow: "Show the invitation for computers", nodeCommand: "On the other computer:",
        copyNode: "Copy the command",
    },

    photos: {
        title: "Photos",
        which: { all: "All", shown: "Guests see", hidden: "Hidden", favourites: "Favourites" },
        none: { all: "No photos yet. They appear here by themselves.", shown: "No photos yet.",
            hidden: "Nothing is hidden.",
            favourites: "Nothing is marked yet: press f, or the star, on a photo." },
        sealed: (/** @type {number} */ count) => `${plural(count, "photo")} in the camera. `
            + "Those of others are shown here, too, when they are shown to all.",
        keys: "Keys", keysTitle: "Keys", count: (/** @type {number} */ count) => plural(count, "photo"),
        keysAre: [["← →  or  k j", "photo before, photo after"], ["↑ ↓", "row before, row after"],
            ["Enter", "large, and back"],
            ["h", "hide it from guests, or put it back"], ["f", "favourite, or not any more"], ["Esc", "close"],
            ["?", "these keys"]],
        hide: "Hide", unhide: "Put back", favourite: "Favourite", unfavourite: "No favourite", save: "Save",
        large: "Large", close: "Close", previous: "Photo before", next: "Photo after",
        hid: "Hidden from guests.", undo: "Undo", putBack: "Guests see it again.",
        marked: "A favourite.", unmarked: "No favourite any more.",
        by: (/** @type {string|null} */ name) => name ?? "a guest",
        label: (/** @type {any} */ photo) => `Photo by ${photo.authorName ?? "a guest"}`
            + (photo.frame ? `, frame ${photo.frame}` : "") + `, ${time(photo.takenAt ?? photo.addedAt)}`
            + (photo.isHidden ? ", hidden" : "") + (photo.isFavourite ? ", favourite" : ""),
        notHere: "The picture has not arrived here yet.",
        film: "A film: save it to look at it.",
    },

    people: {
        title: "People",
        intro: "Who is in, what they may, and what they have left. Nobody counts who looks at what.",
        none: "Nobody is in yet.",
        you: "you", left: "has left", frames: (/** @type {number} */ used, /** @type {number|null} */ limit) =>
            limit === null ? `${plural(used, "photo")}, no limit`
                : `${used.toLocaleString()} of ${plural(limit, "frame")}`,
        roles: { organizer: "organizer", moderator: "moderator", page: "serves pages", photographer: "photographer" },
        roleHelp: {
            organizer: "may do everything but make and unmake organizers",
            moderator: "hides photos, puts people out",
            page: "their computer may serve the guests' pages", photographer: "has no limit on the roll",
        },
        node: (/** @type {any} */ node) => node.isConnected ? `their computer is connected, ${plural(node.originalCount, "original")}`
            : `their computer was last heard ${time(Date.parse(node.heardAt))}`,
        manage: "Change", give: "Give frames", grant: "Make", revoke: "No longer",
        given: (/** @type {string} */ name, /** @type {number} */ count) => `${name} has ${plural(count, "more frame")}.`,
        framesQuestion: (/** @type {string} */ name, /** @type {number} */ count) => ({
            title: `${plural(count, "more frame")} for ${name}?`, body: ["They cannot be taken back."], yes: "Give",
        }),
        organizerQuestion: (/** @type {string} */ name) => ({
            title: `Make ${name} an organizer?`,
            body: ["Organizers may change the event, hide and destroy photos, and see what is to be shown later.",
                "What they do before you take it back stays."], yes: "Make organizer",
        }),
        putOut: "Put out …",
        harmQuestion: (/** @type {string} */ harm) => ({
            title: "Others lose something by it", body: [harm], yes: "Do it nevertheless", danger: true,
        }),
        putOutQuestion: (/** @type {string} */ name) => ({
            title: `Put ${name} out of the event?`,
            body: ["Nothing more of theirs is taken, on any machine. Their photos so far stay: hide those you do not want.",
                "To let them in again, type: disposable role grant participant, and their name or key."], yes: "Put out", danger: true,
        }),
        withAdmitted: (/** @type {string} */ name, /** @type {string[]} */ names) =>
            `Also ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` and ${(names.length - 5).toLocaleString()} more` : ""}, `
            + `who are in by the word of ${name} alone`,
        done: "Done.",
    },

    settings: {
        title: "Settings", save: "Save", saved: (/** @type {number} */ count) => `Saved, ${plural(count, "setting")}.`,
        openNote: "The event is open: frames can only become more, and the time of keeping shorter. Guests rely on it.",
        draftNote: "A draft: everything can be changed, and guests can rely on nothing.",
        state: "Where it stands",
        open: "Open the event", close: "Close the event", reopen: "Open it again", reveal: "Show the photos now",
        openQuestion: {
            title: "Open the event?",
            body: ["From then on guests can rely on their frames, and on when the photos are forgotten. "
                + "Frames can then only become more, and the time of keeping shorter.",
                    "It cannot become a draft again."],
            yes: "Open it",
        },
        closeQuestion: {
            title: "Close the event before its time?",
            body: ["It is shown as over everywhere. Photos that were taken before still come in.",
                "Where photos are shown after the end, they are now, and nothing makes them unseen. "
                + "Otherwise you can open it again."],
            yes: "Close it", danger: true,
        },
        revealQuestion: {
            title: "Show all photos now?",
            body: ["Everybody sees everything from then on, on every node. Nothing makes it unseen."],
            yes: "Show them", danger: true,
        },
        earlyQuestion: (/** @type {string} */ why) => ({
            title: "Earlier than guests were told?", body: [why, "What is open stays open."],
                yes: "Show them all the same",
            danger: true,
        }),
        revealed: (/** @type {number} */ count) => `${plural(count, "photo is", "photos are")} shown.`,
        until: (/** @type {any} */ event) => `Until ${time(event.endsAt)}; photos are kept until ${time(event.expiresAt)}.`,
        sealing: {
            organizers: "Until they are shown, photos are closed to everybody but organizers' machines.",
            revealed: "The photos are shown.", none: "",
        },
        notOrganizer: "This machine is no organizer's: it can look, and the event's organizers decide.",
    },

    overview: {
        title: "Overview",
        photos: "photos", people: "people", frames: "frames used", storage: "of photos",
        waiting: (/** @type {number} */ count) => `${count.toLocaleString()} without a frame`,
        hidden: (/** @type {number} */ count) => `${count.toLocaleString()} hidden`,
        sealed: (/** @type {number} */ count) => `${count.toLocaleString()} in the camera still`,
        removed: (/** @type {number} */ count) => `${count.toLocaleString()} taken back`,
        devices: (/** @type {number} */ count) => `on ${plural(count, "device")}`,
        left: (/** @type {number|null} */ count) => count === null ? "no limit" : `${count.toLocaleString()} left`,
        free: (/** @type {number} */ bytes) => `${size(bytes)} free here`,
        hours: (/** @type {number} */ step) => step === 1 ? "Photos an hour" : `Photos each ${step} hours`,
        noHours: "No photos yet.",
        bar: (/** @type {number} */ at, /** @type {number} */ count) => `${time(at)}: ${plural(count, "photo")}`,
        safe: "How safe they are",
        onlyHere: (/** @type {number} */ count) => `${plural(count, "photo")} only here: if this disk breaks, they are gone.`,
        allSafe: "Every photo is on two machines or more.",
        noPhotos: "No photos yet.",
        copies: [["here", "whole on this machine"], ["onTwoMachines", "on two machines"],
            ["onOrganizers", "on an organizer's machine"], ["confirmed", "confirmed by two others, or an organizer's"]],
        oneMachine: "This is the only machine. Another computer as a node makes everything safer: see Invite.",
        nodes: "Machines", connected: "connected", inStep: "in step", reconciling: "catching up",
        lastHeard: (/** @type {string} */ at) => `last heard ${time(Date.parse(at))}`,
        originals: (/** @type {number} */ count) => `has ${plural(count, "original")}`,
        problems: "To look at",
        diskLow: "The disk is almost full: photos are taken no more until there is room.",
        remarks: (/** @type {any} */ event) => [[event.captionCount, "caption"], [event.commentCount, "comment"],
            [event.reactionCount, "reaction"]].filter(([count]) => count).map(([count, noun]) => plural(count,
                noun)).join(", "),
        until: (/** @type {any} */ event) => event.phase === "draft" || Date.now() < event.parameters.startsAt
            ? `Starts ${time(event.parameters.startsAt)}, ends ${time(event.endsAt)}`
            : Date.now() < event.endsAt ? `Until ${time(event.endsAt)}` : `Ended ${time(event.endsAt)}`,
        forgotten: (/** @type {any} */ event) => `Photos are kept until ${time(event.expiresAt)}`,
    },
};

/** What to say of a call that failed: the node's own words, where there was an answer. @param {any} error */
export const sentence = (error) => error?.status ? error.message : text.unreachable;
