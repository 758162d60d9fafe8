// SPDX-License-Identifier: Apache-2.0
// Every sentence of the page in English: the shape that other languages have, too.
import { formats, minutesOf } from "./format.js";
import { statement } from "./statement.js";

const { count, size, time, day, clock, range, money, date, hours, locale } = formats("en", ["KB", "MB", "GB"]);
/** @param {number} number */
const photos = (number) => count(number, "photo", "photos");
/** The moment of a photo: 02/19/2024 at 10h30, as on a print; elsewhere as the region writes it. @param {number} ms */
const moment = (ms) => `${date(ms)} at ${["en", "en-US"].includes(locale) ? hours(ms) : clock(ms)}`;

export const english = {
    product: "Disposable",
    guest: "a guest",
    time, day, clock, size,

    common: {
        cancel: "Cancel", close: "Close", back: "Back", retry: "Try again", copy: "Copy", copied: "Copied.",
        share: "Share",
        copyByHand: "Press and hold the text to copy it.",
        help: "Help", privacy: "Privacy", dismiss: "Hide this",
        opening: "Opening the party …",
        slow: "Still loading. Reload, or try the",
        simple: "simple page",
        skip: "Skip to the photos",
        languages: "Language",
    },

    code: {
        title: "Hello!",
        about: "A camera for everyone at the party, without an app or the Internet.",
        board: "Events",
        intro: "Type the code from the poster, or scan the poster again.",
        label: "Party code",
        hint: "8 letters and numbers, like K7QM\u20113XPD",
        shown: (/** @type {string} */ code) => `${code.slice(0, 4)}-${code.slice(4)}`,
        open: "Open the party",
        incomplete: (/** @type {number} */ number) => `The code has 8 letters and numbers. You typed ${number}.`,
        wrong: "That code doesn’t match. Codes never use I, L, O or U.",
        wrongLink: "This link is for another party. Got a code? Type it here, or scan the wall again.",
        ended: "You were away for a long time. Enter once more: your photos are all here.",
    },

    welcome: {
        title: (/** @type {string} */ event) => `Welcome to ${event}`,
        host: (/** @type {string} */ host) => `${host} invites you to take photos.`,
        noHost: "You are invited to take photos.",
        frames: (/** @type {number|null} */ number) => number === null ? "Take as many photos as you like."
            : `Your film: ${photos(number)}. Use it well!`,
        check: "Is this the right party?",
        words: "Check: these four words are on the poster",
        name: "Your name (optional)",
        nameRequired: "Your name",
        nameMissing: "The host asks everyone for a name.",
        nameHint: "Shown under your photos.",
        offer: (/** @type {string} */ name) => `Call me “${name}”`,
        another: "Another nickname",
        shared: {
            everyone: "Everyone here can see and save your photos.",
            own: "Everyone here can see your photos. Only you and the host save them.",
            organizers: "Everyone here can see your photos. Only the host saves them.",
        },
        dataLink: "What happens with my data?",
        join: "Join the party",
        look: "See the photos",
        returning: "I was here before",
        notYet: (/** @type {number} */ at) => `The party starts at ${time(at)}.`,
        draft: "The host has not opened the party yet. You can look around already.",
        overTitle: (/** @type {string} */ event) => `${event} is over`,
        over: "You can still look at the photos and save them.",
        nameTooLong: "This name is too long: at most 40 letters.",
        nickname: {
            of: (/** @type {string} */ first, /** @type {string} */ second) => `${first} ${second}`,
            first: ["Merry", "Sunny", "Happy", "Lucky", "Brave", "Gentle", "Jolly", "Clever", "Dancing", "Golden",
                "Cosy", "Quick", "Quiet", "Shiny", "Silly", "Sweet", "Witty", "Bright", "Cheerful", "Curious", "Dreamy",
                "Fancy", "Friendly", "Funny",
                "Glowing", "Mighty", "Noble", "Proud", "Singing", "Smiling", "Sparkling", "Velvet"],
            second: ["Otter", "Fox", "Owl", "Panda", "Robin", "Koala", "Dolphin", "Rabbit", "Penguin", "Tiger",
                "Badger", "Beaver", "Hedgehog", "Kitten", "Lion", "Llama", "Lynx", "Moose", "Parrot", "Pony", "Puffin",
                "Seal", "Sparrow", "Squirrel",
                "Swan", "Turtle", "Whale", "Zebra", "Bumblebee", "Flamingo", "Giraffe", "Hamster"],
        },
    },

    introduction: {
        title: "We’re thrilled to have you on board!",
        take: (/** @type {number|null} */ frames) => frames === null
            ? "Take as many photos as you like, with the button below."
            : `You have ${photos(frames)}. Take them with the button below.`,
        /** @param {{forOrganizers: boolean}|null} sealed */
        see: (sealed) => sealed === null ? "Everyone sees them here within seconds."
            : sealed.forOrganizers ? "Only the host sees them, and you see your own."
            : "Like film, they are developed later. Then everyone sees them here.",
        save: (/** @type {number} */ at) => `Save the ones you like: all are deleted on ${date(at)}.`,
        done: "Got it",
    },

    consent: {
        title: "Before your first photo",
        statement,
        organizers: "The host asks",
        yes: "Agree and send",
        declined: "Nothing was sent. You can look at all photos. To add some, tap the button again and agree.",
    },

    sealed: {
        count: (/** @type {number} */ number) => number ? `${photos(number)} in the camera` : "No photos taken yet",
        /** @param {import("../shared/session.js").Sealed} sealed @param {number} wait milliseconds */
        note: (sealed, wait) => sealed.forOrganizers ? "Only the host will see these photos, and you will see your own."
            : sealed.organizerCount ? `${["Two"][sealed.organizerCount - 2] ?? sealed.organizerCount} organizers reveal the photos together.`
            : sealed.revealsAt === null ? "The host decides when everyone sees them."
            : wait > 0 ? `Developed at ${time(sealed.revealsAt)}` : "Developing …",
        /** @param {number} wait milliseconds */
        countdown: (wait) => {
            const seconds = Math.ceil(wait / 1000);
            if (seconds < 60) return String(seconds);
            const days = Math.floor(seconds / 86_400);
            const rest = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
                .map((part) => String(part).padStart(2, "0")).join(":");
            return days ? `${count(days, "day", "days")} ${rest}` : rest;
        },
        later: (/** @type {number|null} */ at) => at === null ? "The photos are shown when the host reveals them."
            : `Just like film: everyone sees the photos at ${time(at)}.`,
        own: "Sealed until the reveal",
        onPhone: "Sealed on your phone before they are sent.",
    },

    webview: {
        title: "Better in your own browser",
        body: "You are inside another app, where taking photos often fails. Open Safari or Chrome and type this "
            + "address:",
        code: "and then this code:",
    },

    words: {
        title: "I was here before",
        intro: "Type your twelve words, or open your return link on this phone.",
        label: "Your twelve words",
        hint: "The first four letters of each word are enough.",
        go: "Let me in again",
        count: (/** @type {number} */ number) => `${number} of 12 words`,
        unknown: (/** @type {number} */ place, /** @type {string} */ word) =>
            `Word ${place}, “${word}”, is not in the list.`,
        tooMany: "These are more than twelve words.",
        checksum: "All twelve words are in the list, but they don’t fit together. One may be a different word, or two "
            + "have changed places.",
        offline: "The list of words did not load. Are you on the party’s Wi‑Fi?",
        stranger: "Nobody at this party has these words yet. You are in as a new guest; you can give a name under "
            + "“Me”.",
        otherGuest: {
            title: "Switch to the other guest?",
            body: "This phone already belongs to a guest of this party. The return link belongs to somebody else, or "
                + "to you on another phone.",
            yes: "Switch",
            no: "Stay as I am",
        },
    },

    party: {
        everyone: "Everyone",
        mine: "Mine",
        me: "Me",
        camera: "Take a photo",
        library: "Choose photos",
        atOnce: (/** @type {number} */ limit) => limit > 1 ? `Choose up to ${limit}` : "Choose one",
        early: (/** @type {number} */ at) => `You can add photos from ${time(at)} on.`,
        leftOnFilm: (/** @type {number} */ left, /** @type {number} */ all) =>
            `${left} of ${photos(all)} left on your film`,
        used: (/** @type {number} */ used) => count(used, "photo taken", "photos taken"),
        left: (/** @type {number} */ left, /** @type {number} */ all) => `${left} of ${all} left`,
        counterLeft: (/** @type {number} */ all, /** @type {number} */ _left) => `of ${all} left`,
        counterUsed: "taken",
        notice: "From the host",
        firstUse: "Your camera or your photos open. Only what you choose is sent.",
        nudge: (/** @type {number} */ left) => left === 1 ? "One photo left on your film. Make it count!"
            : `${left} photos left on your film.`,
        last: "That was your last one! Your film is full.",
        unreachable: "No connection to the party",
        unreachableHint: "Your photos are safe and go out when you’re back on the Wi‑Fi.",
        fresh: (/** @type {number} */ number) => count(number, "new photo", "new photos"),
        preparing: "Your phone is preparing photos. Keep this page open.",
        preparingMany: "Your phone is preparing photos; with many this takes a while. Keep this page open. "
            + "On an iPhone choose about 30 at a time.",
        cameraLost: "Your phone closed this page while the camera was open. If it kept your photo, it is in your "
            + "gallery: tap “Choose photos”.",
        shotLost: "Your phone closed this page while the camera was open. If your photo is not here, take it again.",
        drop: "Drop your photos here",
        sending: (/** @type {number} */ done, /** @type {number} */ all) =>
            `Sending ${done} of ${all}. Keep this page open`,
        waiting: (/** @type {number} */ number) => `${photos(number)} waiting for the Wi‑Fi. Keep this page open`,
        boxFull: (/** @type {number} */ number) =>
            `The photo box is full. ${photos(number)} waiting until the host makes room. Keep this page open`,
        saved: (/** @type {number} */ number) => number === 1
            ? "Your photo is received. It’ll show up in a moment. You can put your phone away"
            : `${photos(number)} received. They’ll show up in a moment. You can put your phone away`,
        failed: (/** @type {number} */ number) => `${photos(number)} could not be sent`,
        sent: (/** @type {number} */ number) => number === 1 ? "Your photo is in!"
            : number === 2 ? "Both photos are in!" : `All ${number} photos are in!`,
        fits: {
            title: (/** @type {number} */ left, /** @type {number} */ chosen) => `${left} of ${chosen} fit on your film`,
            body: "Choose which ones to send.",
            photo: (/** @type {number} */ place) => `Photo ${place}`,
            yes: (/** @type {number} */ number) => `Send ${number}`,
        },
        tooMany: (/** @type {number} */ limit) => `Too many photos at once: ${limit === 1 ? "the first one is"
            : `the first ${limit} are`} being sent. Choose the others afterwards.`,
        already: (/** @type {number} */ number) => number === 1 ? "This photo is already on its way."
            : `${number} of them are already on their way.`,
        sentBefore: (/** @type {number} */ number) => number === 1 ? "You have sent this photo already."
            : `You have sent ${number} of them already.`,
    },

    over: {
        title: "The party is over. Thank you!",
        result: (/** @type {number} */ number) => number === 0 ? "Nobody has taken a photo." : `${photos(number)} to take home.`,
        until: (/** @type {number} */ at) => `You can look at them, save them and add your own until ${time(at)}.`,
        look: (/** @type {number} */ at) => `You can look at them and save them until ${time(at)}.`,
        remind: (/** @type {number} */ hours) => `The photos are deleted in ${hours >= 48
            ? count(Math.floor(hours / 24), "day", "days") : count(hours, "hour", "hours")}: save yours.`,
        only: (/** @type {number} */ at) => `You can look at them until ${time(at)}.`,
        save: "Save all photos",
        saveMine: "Save my photos",
        add: "Add photos",
    },

    full: {
        title: "Your film is full",
        body: "Well done! You can still look at all photos and save them.",
        look: "Well done! You can still look at all photos.",
        mine: "My film",
        save: "Save",
        waiting: "Only you see the photos that wait. The host can give everyone a longer film.",
    },

    gallery: {
        count: photos,
        alt: (/** @type {string} */ author, /** @type {number} */ at, /** @type {boolean} */ isVideo) =>
            `${isVideo ? "Video" : "Photo"} by ${author}, ${time(at)}`,
        loading: "Loading photos …",
        more: "Show more",
        failed: "The photos did not load.",
        order: "Order", newest: "Newest", taken: "Date taken", loved: "Most loved", highlights: "Highlights", myHearts: "My hearts",
        hearts: (/** @type {number} */ number) => count(number, "heart", "hearts"),
        empty: "No photos yet.", first: "Be the first!",
        emptyMine: "Your film is still empty.", firstMine: "Take your first photo with the button below.",
        veiled: "Veiled, being looked at",
        early: "On its way",
        earlyAlt: (/** @type {string} */ name) => `Photo by ${name}, on its way`,
        developing: "Developing …",
        file: "No preview",
        video: "Video",
        select: "Select",
        saveAll: "Save all",
        selected: (/** @type {number} */ number) => number === 0 ? "Tap the photos you want" : `${number} selected`,
        allOf: (/** @type {string} */ author) => `All by ${author}`,
        save: "Save",
        remove: "Delete",
        done: "Done",
        zipTitle: (/** @type {number} */ number) => `Save ${photos(number)}?`,
        zipBody: (/** @type {number|null} */ bytes) =>
            `They come as one ZIP file${bytes ? ` of about ${size(bytes)}` : ""}.`,
        zipPhone: "On a phone you find it in “Files” (iPhone) or “Downloads” (Android): tap it there to unpack. "
            + "If your browser warns, choose “Keep”. To keep a single photo among your own, "
            + "open it, press and hold it, and save it.",
        zipYes: "Save",
    },

    mine: {
        frame: (/** @type {number} */ frame) => `Frame ${frame}`,
        waiting: "Waiting",
        pending: "Waiting for approval", veiled: "Veiled",
        pendingHint: "Everyone sees the photos that wait for approval as soon as the host has looked at them.",
        queued: "Waiting",
        reading: "Preparing",
        percent: (/** @type {number} */ percent) => `${percent} %`,
        finishing: "Finishing …",
        saved: "Received",
        done: "Sent",
        retry: "Try again",
        retryAll: "Try all again",
        discard: "Remove",
        tile: (/** @type {string} */ name, /** @type {string} */ state) => `${name}: ${state}`,
        lost: "The page was closed. Choose this photo again and it continues where it stopped.",
        lostShot: "The page was closed before this photo was sent. Take it again.",
        unkept: "This browser keeps nothing: do not close this page before all photos are sent.",
        reason: {
            "empty": "This file is empty.",
            "too-large": "Too large: at most 256 MB.",
            "not-a-photo": "This is not a photo or video.",
            "cannot-seal": "This browser cannot seal it.",
            "metadata-left": "The place and other details could not be removed from this file. Take a screenshot of "
                + "it, or save it again with another app, and send that.",
            "roll-full": "Your film is full.",
            "ticket-needed": "You need a ticket first.",
            "not-begun": "The party has not started yet.",
            "over": "The party is over. Keep this photo, and ask the host for more time.",
            "no-videos": "The host takes photos only, and no videos.",
            "video-too-long": (/** @type {number|null} */ seconds) => seconds === null ? "This video is too long."
                : `Too long: at most ${count(seconds, "second", "seconds")} of video.`,
            "camera-only": "The host wants photos from the camera: tap “Take a photo”.",
            "not-entered": "You are no longer in. Reload the page.",
            "put-out": "You were removed from this event. Ask the organizers if that is a mistake.",
            "unreadable": "Your phone no longer gives this file to the page. Choose it again.",
            "server": "The photo box has a problem.",
            "refused": "The photo box did not accept it.",
        },
    },

    photo: {
        title: "Photo",
        numbered: (/** @type {number} */ number, /** @type {boolean} */ isVideo) => `${isVideo ? "Video" : "Photo"} ${number}`,
        taken: (/** @type {number} */ at) => `Taken on ${moment(at)}`,
        added: (/** @type {number} */ at) => `Added on ${moment(at)}`,
        by: (/** @type {string} */ author) => `by ${author}`,
        zone: (/** @type {string} */ zone) => `came in at ${zone}`,
        of: (/** @type {number} */ place, /** @type {number} */ number) => `${place} of ${number}`,
        announce: (/** @type {string} */ alt, /** @type {number} */ place, /** @type {number} */ number) =>
            `${alt}. ${place} of ${number}.`,
        previous: "Previous photo",
        next: "Next photo",
        save: "Save original",
        copy: "Copy text",
        credit: (/** @type {string} */ author, /** @type {string} */ event, /** @type {number} */ at) =>
            `Photo by ${author}, ${event}, ${date(at)}`,
        hold: "To keep it: press and hold, then “Save to Photos”.",
        remove: "Delete",
        notShown: "Your browser cannot show this one. Save the original to look at it elsewhere.",
        notShownHere: "Your browser cannot show this one.",
        notReached: "Not reachable right now. It loads when the connection is back.",
        notHere: "This photo has not arrived at this photo box yet.",
        removeTitle: (/** @type {number} */ number) => number === 1 ? "Delete this photo for everyone?"
            : `Delete ${photos(number)} for everyone?`,
        removeBody: "It disappears for everyone. Copies people already saved stay theirs.",
        removeFrame: (/** @type {number} */ number, /** @type {number} */ all) => number === 1
            ? `It still counts as one of your ${all} photos.` : `They still count among your ${all} photos.`,
        removeYes: "Delete for everyone",
        removed: (/** @type {number} */ number) => number === 1 ? "Deleted for everyone."
            : `${photos(number)} deleted for everyone.`,
        undo: "Undo",
        tooLate: "Too late, it’s already deleted.",
        back: "Photo restored.",
        gone: "This photo has been deleted.",
    },

    remarks: {
        title: "Comments",
        reactions: "Reactions",
        reaction: (/** @type {string} */ emoji, /** @type {number} */ number) => `${emoji}, ${number}`,
        comments: (/** @type {number} */ number) => count(number, "comment", "comments"),
        none: "No comments yet. Say something nice!",
        later: (/** @type {number|null} */ at) => at === null ? "Comments open when everyone sees this photo."
            : `Comments open at ${time(at)}.`,
        earlier: (/** @type {number} */ number) => count(number, "earlier comment", "earlier comments"),
        label: "Your comment",
        hint: "Add a comment",
        send: "Send",
        said: "Comment sent.",
        remove: (/** @type {string} */ words) => `Delete your comment: ${words}`,
        removed: "Comment deleted.",
    },

    moment: {
        name: "Moment",
        all: "Moments",
        now: "It’s the moment! Everyone takes a photo now.",
        take: "Take the photo",
        begins: "It’s the moment! You have five minutes to take a photo.",
        lastMinute: "One minute left to take the photo of the moment.",
        over: "The moment is over.",
        see: "See its photos",
        late: "Late",
        left: (/** @type {number} */ wait) => minutesOf(wait),
        title: (/** @type {number} */ at) => `The moment of ${time(at)}`,
        past: (/** @type {number} */ at, /** @type {number} */ number) => `${time(at)} · ${photos(number)}`,
        soundOff: "Ring for moments",
        soundOn: "Rings for moments",
        flash: "It’s the moment!",
        everyone: "Everyone takes a photo now.",
    },

    people: {
        choose: "People",
        title: "Whose photos?",
        search: "Search a name",
        notFound: "Nobody with photos has this name.",
        more: (/** @type {number} */ number) => `And ${count(number, "more person", "more people")} with fewer photos.`,
        of: (/** @type {string} */ name) => `Photos by ${name}`,
        all: (/** @type {string} */ name) => `${name}: all photos`,
        none: "No photos by this person.",
        zones: "Where photos came in",
    },

    finder: {
        title: "Camera",
        broken: "The camera does not work here. Use the phone’s own camera.",
    },

    booth: { open: "Photo booth on this screen" },

    hours: {
        choose: "Jump to",
        title: "Jump to an hour",
    },

    missions: "Missions",

    plan: "Plan",

    calendar: {
        choose: "Calendar",
        title: "Photos by day",
        previous: "Previous month",
        next: "Next month",
        /** @param {number} ms @param {number} number */
        day: (ms, number) => `${day(ms)}: ${number ? photos(number) : "no photos"}`,
        locale,
    },

    caption: {
        write: "Write a caption",
        change: "Change the caption",
        label: "Your caption",
        hint: "Everyone sees it. Leave it empty to delete it.",
        save: "Save",
        saved: "Caption saved.",
        deleted: "Caption deleted.",
    },

    me: {
        title: "Me",
        nameSave: "Change name",
        nameSaved: "Everyone sees your new name now.",
        nameMissing: "Type a name first.",
        words: "Back on another phone",
        wordsIntro: "New phone? These twelve words bring your photos and film with you. Keep them to yourself.",
        wordsShow: "Show my twelve words",
        returnCode: "QR code of my return link",
        wordsHide: "Hide them",
        link: "Or open this return link there:",
        linkCopy: "Copy return link",
        noWords: "This browser no longer knows your twelve words. You stay in until you sign out.",
        unkept: "This browser forgets everything when you close it. Write the words down.",
        invite: "Invite a friend",
        inviteIntro: "Others on the same Wi‑Fi open this link, or type the address and the code:",
        inviteCopy: "Copy link",
        qr: "QR code of the guests’ link",
        fingerprint: "This party’s four words",
        leave: "Sign out on this phone",
        leaveTitle: "Sign out on this phone?",
        leaveBody: "Your photos stay in the party. Only your twelve words bring you back as the same guest.",
        leaveUnsent: (/** @type {number} */ number) => ` ${photos(number)} not sent yet will be forgotten.`,
        leaveYes: "Sign out",
        erase: "Delete everything about me",
        eraseTitle: "Delete everything about you?",
        eraseBody: "Your photos, comments and name disappear for everyone, and within hours from all machines of the "
            + "party.",
        eraseRemains: "A note remains that someone was here, when, and that photos were deleted. "
            + "Copies people already saved stay theirs.",
        eraseYes: "Delete",
        left: "You have signed out. Thank you for your photos!",
    },

    look: {
        title: "Look",
        theme: "Theme", system: "As the phone", light: "Light", dark: "Dark",
        large: "Large text",
        film: "Show photos in the colours of an old film. The files stay as taken.",
    },

    data: {
        title: "My data",
        intro: "Your photos, your names, all you have said and agreed to, and what others said about your photos.",
        save: "Save everything about me",
        body: "One ZIP file: your photos as you shared them, and me.json, a text with everything the party knows about "
            + "you.",
    },

    report: {
        open: "Something wrong?",
        title: "Report for the host",
        intro: "Show this to the host, or send it to them. It has no names and no photos in it, and goes nowhere by "
            + "itself.",
        save: "Save as a file",
    },

    about: {
        title: "About this party",
        when: (/** @type {number} */ from, /** @type {number} */ to) => range(from, to),
        host: (/** @type {string} */ host) => `Hosted by ${host}`,
        contact: "Contact:",
        free: "Free entry",
        price: (/** @type {number} */ cents, /** @type {string} */ currency) => `Entry: ${money(cents, currency)}`,
        links: "Links (they need the Internet)",
        code: "QR code",
        kept: (/** @type {number} */ at) => `All photos are deleted from the party’s machines on ${time(at)}. `
            + "Save the ones you like before.",
    },

    moving: {
        box: (/** @type {string|null} */ name) => name === null ? "another photo box" : `${name}’s photo box`,
        offer: (/** @type {string} */ box) => `The party continues at ${box}.`,
        along: (/** @type {number} */ number) => `Your ${photos(number)} still waiting will come along: `
            + "tap, and keep this page open until they are there.",
        go: (/** @type {string} */ box) => `Continue at ${box}`,
        handing: (/** @type {number} */ number, /** @type {string} */ box) =>
            `Handing ${photos(number)} over to ${box}. Keep this page open`,
        blocked: "Your browser did not open a window. Allow it, and tap again; until then your photos wait here.",
        broken: "The other window did not receive everything. The rest waits here: tap again.",
        some: (/** @type {number} */ number) => `${photos(number)} could not be handed over and wait here.`,
        otherGuest: "This browser is another guest there, so your photos stay here.",
        moved: (/** @type {string} */ box) => `You and your photos are at ${box} now, in the other window.`,
        movedHint: "You can close this one.",
        movedTitle: "The party continues",
        waiting: "One moment …",
        taking: (/** @type {number} */ done, /** @type {number} */ all) =>
            `${done} of ${photos(all)} are here. Keep both windows open`,
        otherGuestHere: "This browser is another guest here already. The photos stay in the other window.",
    },

    names: {
        title: "What is your name?",
        body: "The host asks everyone for a name. It is shown under your photos.",
        yes: "That’s me",
    },

    errors: {
        "unreachable": "The photo box does not answer. Are you on the party’s Wi‑Fi?",
        "too-many": (/** @type {number} */ seconds) =>
            `Too many tries. Please wait ${seconds < 90 ? count(Math.ceil(seconds), "second", "seconds")
            : count(Math.ceil(seconds / 60), "minute", "minutes")}.`,
        "wrong-signature": "Your browser could not prove who you are. Please reload the page.",
        "no-consent": "The host asks for your consent before you add photos.",
        "no-name": "The host asks everyone for a name before they add photos.",
        "names-off": "At this party nobody gives a name.",
        "not-for-saving": "At this party only the host saves photos of others.",
        "other-text": "The host has just changed the text. Please read it again.",
        "unavailable": "The photo box is not ready yet. Please try again in a moment.",
        "leaving": "This photo box is leaving the party. Use another one.",
        "too-many-guests": "Too many new guests came from this browser. Come back as one of them with the twelve "
            + "words.",
        "malformed-name": "This name is not valid: use 1 to 40 letters on one line.",
        "malformed-text": "This cannot be sent: write up to 500 letters of plain text.",
        "not-shown-yet": "This photo is shown later. Comment when everyone sees it.",
        "too-many-comments": "That’s the limit for one photo.",
        "wrong-token": "This link does not open a party here.",
        "replaced": "This code was replaced by a new one. Please ask the host for it.",
        "no-signing": "A part of this page did not load. Please reload it.",
        "other": (/** @type {string} */ message) => `That did not work: ${message}`,
    },
};
