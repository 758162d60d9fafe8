// SPDX-License-Identifier: Apache-2.0
// Every sentence the page says. Another language is another module of the same shape.

/** @param {number} count @param {string} one @param {string} many */
const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;
/** @param {number} count */
const photos = (count) => plural(count, "photo", "photos");
/** @param {number} bytes */
const size = (bytes) => bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} KB`
    : bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
/** @param {number} ms */
const clock = (ms) => new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
/** @param {number} ms */
const dayAndClock = (ms) => new Date(ms).toDateString() === new Date().toDateString() ? clock(ms)
    : new Date(ms).toLocaleString([], { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

export const text = {
    product: "Disposable",
    guest: "a guest",
    time: dayAndClock,
    size,

    common: {
        cancel: "Cancel", close: "Close", back: "Back", retry: "Try again", copy: "Copy", copied: "Copied.",
        share: "Share",
        copyByHand: "Please press and hold the text to copy it.",
        help: "Help", privacy: "Privacy", dismiss: "Hide this",
        opening: "Opening the party …",
        skip: "Skip to the photos",
    },

    code: {
        title: "Hello!",
        intro: "Type the code from the poster, or scan the poster again.",
        label: "Party code",
        hint: "8 letters and numbers, like K7QM-3XPD",
        shown: (/** @type {string} */ code) => `${code.slice(0, 4)}-${code.slice(4)}`,
        open: "Open the party",
        incomplete: (/** @type {number} */ count) => `The code has 8 letters and numbers. You typed ${count}.`,
        wrong: "No party here has this code. Please compare it with the poster: it has no letters I, L, O or U.",
        wrongLink: "This link does not open a party here. Maybe the poster is from another party. "
            + "Type the code instead.",
        ended: "You were away for long, so this phone has to be let in once more. Your photos are all there.",
    },

    welcome: {
        title: (/** @type {string} */ event) => `Welcome to ${event}`,
        host: (/** @type {string} */ host) => `${host} invites you to take photos.`,
        noHost: "You are invited to take photos.",
        frames: (/** @type {number|null} */ count) => count === null ? "Take as many photos as you like."
            : `Your film: ${photos(count)}. Use it well!`,
        words: "The same words as on the poster?",
        name: "Your name",
        nameHint: "Shown with your photos. May stay empty.",
        offer: (/** @type {string} */ name) => `Call me “${name}”`,
        another: "Another nickname",
        shared: "Everybody at this party sees the photos that you add, and may save them.",
        dataLink: "What happens with my data?",
        join: "Join the party",
        returning: "I was here before",
        notYet: (/** @type {number} */ at) => `The party starts at ${dayAndClock(at)}.`,
        draft: "The host has not opened the party yet. You can look around already.",
        over: "The party is over. You can still look at the photos and save them.",
        nameTooLong: "This name is too long: at most 40 letters.",
        nickname: {
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

    consent: {
        title: "Before your first photo",
        tick: "I agree:",
        organizers: "The host asks",
        yes: "Agree and send",
        declined: "Nothing was sent. You can look at all photos; to add some, tap the button again and agree.",
    },

    sealed: {
        count: (/** @type {number} */ count) => count ? `${photos(count)} in the camera` : "Nothing in the camera yet",
        /** @param {{revealsAt: number|null, forOrganizers: boolean}} sealed @param {number} wait milliseconds */
        note: (sealed, wait) => sealed.forOrganizers ? "Only the host will see these photos, and you your own."
            : sealed.revealsAt === null ? "The host decides when everybody sees them."
            : wait > 0 ? `Everybody sees them ${dayAndClock(sealed.revealsAt)}.` : "They are being developed …",
        /** @param {number} wait milliseconds */
        countdown: (wait) => {
            const seconds = Math.ceil(wait / 1000);
            const days = Math.floor(seconds / 86_400);
            const rest = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
                .map((part) => String(part).padStart(2, "0")).join(":");
            return days ? `${plural(days, "day", "days")} ${rest}` : rest;
        },
        later: (/** @type {number|null} */ at) => at === null ? "The photos are shown when the host says so."
            : `Like film, the photos are shown later: ${dayAndClock(at)}.`,
        own: "sealed",
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
        count: (/** @type {number} */ count) => `${count} of 12 words`,
        unknown: (/** @type {number} */ place, /** @type {string} */ word) =>
            `Word ${place}, “${word}”, is not in the list.`,
        tooMany: "These are more than twelve words.",
        checksum: "All twelve are known words, but together they do not fit. One may be a different word, or two have "
            + "changed places.",
        offline: "The list of words did not load. Is the photo box in reach?",
        stranger: "Nobody at this party has these words yet. You are in as a new guest; you can give a name under "
            + "“Me”.",
        otherGuest: {
            title: "Switch to the other guest?",
            body: "This phone already belongs to a guest of this party. The return link is somebody else’s, or yours "
                + "from another phone.",
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
        leftOnFilm: (/** @type {number} */ left, /** @type {number} */ all) =>
            `${left} of ${photos(all)} left on your film`,
        used: (/** @type {number} */ used) => plural(used, "photo taken", "photos taken"),
        left: (/** @type {number} */ left, /** @type {number} */ all) => `${left} of ${all} left`,
        counterLeft: (/** @type {number} */ all) => `of ${all} left`,
        counterUsed: "taken",
        unreachable: "Photo box out of reach – photos stay queued",
        unreachableHint: "Are you still on the party’s Wi‑Fi?",
        fresh: (/** @type {number} */ count) => count === 1 ? "1 new photo" : `${count} new photos`,
        preparing: "Your phone is preparing photos. Keep this page open.",
        preparingMany: "Your phone is preparing photos, with many this takes a while. Keep this page open. "
            + "On an iPhone choose about 30 at a time.",
        cameraLost: "Your phone closed this page while the camera was open. If it kept your photo, it is in your "
            + "gallery: tap “Choose photos”.",
        drop: "Drop your photos here",
        sending: (/** @type {number} */ done, /** @type {number} */ all) =>
            `Sending ${done} of ${all} – keep this page and the screen on`,
        waiting: (/** @type {number} */ count) => `${photos(count)} waiting for the photo box – keep this page open`,
        boxFull: (/** @type {number} */ count) =>
            `The photo box is full. ${photos(count)} waiting until the host makes room – keep this page open`,
        failed: (/** @type {number} */ count) => `${photos(count)} could not be sent`,
        sent: (/** @type {number} */ count) => count === 1 ? "Your photo is there!" : `All ${count} photos are there!`,
        room: (/** @type {number} */ left) => `Your film has room for ${photos(left)}. What does not fit is refused.`,
        tooMany: (/** @type {number} */ limit) => `That was too much at once: the first ${limit} are taken. Choose the `
            + `others when these are sent.`,
        already: (/** @type {number} */ count) => count === 1 ? "This photo is already on its way."
            : `${count} of them are already on their way.`,
    },

    gallery: {
        count: photos,
        alt: (/** @type {string} */ author, /** @type {number} */ at, /** @type {boolean} */ isVideo) =>
            `${isVideo ? "Video" : "Photo"} by ${author}, ${dayAndClock(at)}`,
        loading: "Loading photos …",
        more: "Show more",
        failed: "The photos did not load.",
        empty: "No photos yet. Be the first!",
        emptyMine: "Your film is still empty. Take your first photo with the button below.",
        developing: "Developing …",
        file: "No preview",
        video: "Video",
        select: "Select",
        saveAll: "Save all",
        selected: (/** @type {number} */ count) => count === 0 ? "Tap the photos you want" : `${count} selected`,
        allOf: (/** @type {string} */ author) => `All of ${author}`,
        save: "Save",
        remove: "Delete",
        done: "Done",
        zipTitle: (/** @type {number} */ count) => `Save ${photos(count)}?`,
        zipBody: (/** @type {number|null} */ bytes) =>
            `They come as one ZIP file${bytes ? ` of about ${size(bytes)}` : ""}.`,
        zipPhone: "On a phone you find it in “Files” (iPhone) or “Downloads” (Android): tap it there to unpack. "
            + "If your browser warns, choose “Keep”. To put a single photo among your own, "
            + "open it, press it long and save it.",
        zipYes: "Save",
    },

    mine: {
        frame: (/** @type {number} */ frame) => `Frame ${frame}`,
        waiting: "Waiting",
        full: "Your film is full. You can still look at all photos and save them.",
        waitingHint: "Only you see the photos that wait. Deleting others gives no frame back; the host can give "
            + "everybody a longer film.",
        queued: "Waiting",
        reading: "Preparing",
        percent: (/** @type {number} */ percent) => `${percent} %`,
        finishing: "Almost …",
        done: "Sent",
        retry: "Try again",
        retryAll: "Retry failed",
        discard: "Forget it",
        tile: (/** @type {string} */ name, /** @type {string} */ state) => `${name}: ${state}`,
        lost: "The page was closed. Choose this photo again and it goes on where it stopped.",
        unkept: "This browser keeps nothing: do not close this page before all is sent.",
        reason: {
            "empty": "This file is empty.",
            "too-large": "Too large: at most 256 MB.",
            "not-a-photo": "This is not a photo or video.",
            "metadata-left": "The place and other details could not be removed from this file. Take a screenshot of "
                + "it, or save it anew with another app, and send that.",
            "roll-full": "Your film is full.",
            "not-entered": "You are no longer in. Reload the page.",
            "put-out": "You were put out of this event. Ask the organizers if that is a mistake.",
            "unreadable": "Your phone does not hand this file out any more. Choose it again.",
            "server": "The photo box has trouble.",
            "refused": "The photo box did not take it.",
        },
    },

    photo: {
        title: "Photo",
        of: (/** @type {number} */ place, /** @type {number} */ count) => `${place} of ${count}`,
        announce: (/** @type {string} */ alt, /** @type {number} */ place, /** @type {number} */ count) =>
            `${alt}. ${place} of ${count}.`,
        previous: "Previous photo",
        next: "Next photo",
        save: "Save original",
        hold: "To put it among your own photos: press the photo long.",
        remove: "Delete",
        notShown: "Your browser cannot show this one. Save the original to look at it elsewhere.",
        notHere: "This photo is still on its way to this photo box.",
        removeTitle: (/** @type {number} */ count) => count === 1 ? "Delete this photo for everyone?"
            : `Delete ${photos(count)} for everyone?`,
        removeBody: "It goes away from the party on every phone and every photo box. Copies that others have saved "
            + "already stay with them.",
        removeFrame: "The frame on your film stays used.",
        removeYes: "Delete for everyone",
        removed: (/** @type {number} */ count) => count === 1 ? "Deleted for everyone."
            : `${photos(count)} deleted for everyone.`,
        undo: "Undo",
        tooLate: "Too late: it is gone already.",
        back: "It stays.",
        gone: "This photo has been deleted.",
    },

    remarks: {
        title: "Comments",
        reactions: "Reactions",
        reaction: (/** @type {string} */ emoji, /** @type {number} */ count) => `${emoji}, ${count}`,
        comments: (/** @type {number} */ count) => plural(count, "comment", "comments"),
        none: "Nobody has said anything yet.",
        earlier: (/** @type {number} */ count) => plural(count, "earlier comment", "earlier comments"),
        label: "Your comment",
        send: "Send",
        said: "Your comment is there.",
        remove: (/** @type {string} */ words) => `Delete your comment: ${words}`,
        removed: "Your comment is gone.",
    },

    me: {
        title: "Me",
        nameSave: "Change name",
        nameSaved: "Everybody sees your new name now.",
        nameMissing: "Type a name first.",
        words: "Back on another phone",
        wordsIntro: "These twelve words are you at this party. With them your film and your photos come along to "
            + "another phone or browser. Keep them to yourself.",
        wordsShow: "Show my twelve words",
        returnCode: "QR code of my return link",
        wordsHide: "Hide them",
        link: "Or open this return link there:",
        linkCopy: "Copy return link",
        noWords: "This browser does not know your twelve words any more. You stay in until you leave.",
        unkept: "This browser forgets everything when you close it. Write the words down.",
        invite: "Bring others in",
        inviteIntro: "Others on the same Wi‑Fi open this link, or type the address and the code:",
        inviteCopy: "Copy link",
        qr: "QR code of the guests’ link",
        fingerprint: "This party’s four words",
        leave: "Leave on this phone",
        leaveTitle: "Leave the party on this phone?",
        leaveBody: "Your photos stay in the party. Only with your twelve words you can come back as the same guest.",
        leaveUnsent: (/** @type {number} */ count) => ` ${photos(count)} not sent yet will be forgotten.`,
        leaveYes: "Leave",
        erase: "Delete everything about me",
        eraseTitle: "Delete everything about you?",
        eraseBody: "Your photos, words and name disappear for everybody, and within hours from all machines of the party.",
        eraseRemains: "What remains: that somebody was here, when, and that photos were taken away. "
            + "What others have saved is theirs.",
        eraseYes: "Delete",
        left: "You have left. Thank you for your photos!",
    },

    moving: {
        box: (/** @type {string|null} */ name) => name === null ? "another photo box" : `${name}’s photo box`,
        offer: (/** @type {string} */ box) => `The party goes on at ${box}.`,
        along: (/** @type {number} */ count) => `Your ${photos(count)} that wait${count === 1 ? "s" : ""} will come along: `
            + "tap, and keep this page open until they are there.",
        go: (/** @type {string} */ box) => `Go on at ${box}`,
        handing: (/** @type {number} */ count, /** @type {string} */ box) =>
            `Handing ${photos(count)} over to ${box} – keep this page open`,
        blocked: "Your browser did not open a window. Allow it, and tap again; until then your photos wait here.",
        broken: "The other window did not take everything. What it has not, waits here: tap again.",
        some: (/** @type {number} */ count) => `${photos(count)} could not be handed over and wait here.`,
        otherGuest: "This browser is somebody else there, so your photos stay here.",
        moved: (/** @type {string} */ box) => `You and your photos are at ${box} now, in the other window.`,
        movedHint: "You can close this one.",
        movedTitle: "The party goes on",
        waiting: "One moment …",
        taking: (/** @type {number} */ done, /** @type {number} */ all) =>
            `${done} of ${photos(all)} are here – keep both windows open`,
        otherGuestHere: "This browser is another guest here already. The photos stay in the other window.",
    },

    wall: {
        call: "Scan, shoot, see: your photos appear here.",
        count: (/** @type {number} */ count) => photos(count),
        developed: (/** @type {number} */ count) => (count === 1 ? "1 photo is developed" : `${photos(count)} are developed`),
        enjoy: "Look what we have all seen.",
        unreachable: "Photo box out of reach: is this machine still on the party’s Wi‑Fi?",
        closed: "Open the wall’s link again: `disposable invite --wall` shows it.",
        keys: "space: pause · arrows: back and forth · f: full screen",
        paused: "Paused: space goes on",
    },

    errors: {
        "unreachable": "The photo box does not answer. Are you on the party’s Wi‑Fi?",
        "too-many": (/** @type {number} */ seconds) =>
            `Too many tries. Please wait ${seconds < 90 ? plural(Math.ceil(seconds), "second", "seconds")
            : plural(Math.ceil(seconds / 60), "minute", "minutes")}.`,
        "wrong-signature": "Your browser could not prove who you are. Please reload the page.",
        "no-consent": "The host asks for your consent before you add photos.",
        "other-text": "The host has just changed the text. Please read it again.",
        "unavailable": "The photo box is not ready yet. Please try again in a moment.",
        "too-many-guests": "Too many new guests came from this browser. Come back as one of them with the twelve "
            + "words.",
        "malformed-name": "This name does not work: use 1 to 40 letters on one line.",
        "malformed-text": "This cannot be sent: write up to 500 letters of plain text.",
        "not-shown-yet": "This photo is shown later. Say it when everybody sees it.",
        "too-many-comments": "You have said all that fits on one photo.",
        "wrong-token": "This link does not open a party here.",
        "replaced": "This code was replaced by a new one. Please ask the organizer for it.",
        "no-signing": "A part of this page did not load. Please reload it.",
        "other": (/** @type {string} */ message) => `That did not work: ${message}`,
    },
};

/**
 * Fills every element that names its sentence: `data-text` as its text, `data-label` as its accessible name.
 * @param {ParentNode} root
 */
export function fillTexts(root) {
    const of = (/** @type {string} */ path) => path.split(".").reduce((/** @type {any} */ at, key) => at[key], text);
    for (const element of root.querySelectorAll("[data-text]")) {
        element.textContent = of(element.getAttribute("data-text") ?? "");
    }
    for (const element of root.querySelectorAll("[data-label]")) {
        element.setAttribute("aria-label", of(element.getAttribute("data-label") ?? ""));
    }
}
