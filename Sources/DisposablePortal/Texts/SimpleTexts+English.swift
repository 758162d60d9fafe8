// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

extension SimpleTexts {
    static let english = Self(
        language: .english, guest: "a guest", anotherBox: "another photo box", firstPage: "To the first page",
        haveCode: "I have a code",
        entrance: .init(
            enterTitle: "Disposable: enter with a code", enterHeading: "Enter with a code",
            code: "Code from the poster", name: "Your name, if you like",
            returnWords: "Your twelve return words, if you were here before",
            shared: """
                What you send is shown to everybody at the event and kept on its photo boxes until the event is over \
                and its time of keeping has passed. You can take your photos back until then.
                """,
            dataLink: "What happens with my data?", dataPage: "/privacy.html", enter: "Enter"),
        signIn: .init(
            onWiFi: "You are on the party’s Wi-Fi",
            scanOrOpen: """
                Choose “Use without Internet” or “Stay connected” if the phone asks. Then scan the code on the poster \
                with the camera, or open this address in Safari, Chrome or another browser:
                """,
            windowLimits: "This window cannot send photos, and it forgets you when it closes.",
            toBoard: "Look at the listed events"),
        welcome: .init(
            youAreIn: { "You are in: \($0)" },
            writeDown: """
                Write these words down. With them you are yourself again in another browser, and nobody can tell you \
                them later:
                """,
            toPhotos: "To the photos"),
        gallery: .init(
            older: "Older photos", missions: "Missions", missionsHint: "The host is looking for these photos:",
            everyone: "Everyone", mine: "Mine", saveAll: "Save all as one file", saveMine: "Save mine as one file",
            elsewhere: "If this photo box does not answer",
            elsewhereHint: """
                The party continues here, with the same code and your twelve words. Keep this page open, or write an \
                address down:
                """,
            photoBy: { "Photo by \($0)" }, keep: "Keep", remove: "Delete for everybody",
            pending: "Waiting for approval", save: "Save"),
        refused: .init(
            refusedTitle: "Not every photo was added", refusedHeading: "Not every photo was taken",
            sentOf: { "\($0) of \($1) are in the gallery." }, toMine: "To my photos"),
        sealed: .init(
            inCamera: { "\(Language.english.count($0, "photo", "photos")) in the camera." },
            onlyHost: "Only the host will see these photos, and you will see your own.",
            shownFrom: {
                "Everybody sees them from \(Language.english.text("EEEE d MMMM, HH:mm", milliseconds: $0)) on."
            },
            hostDecides: "The host decides when everybody sees them.",
            organizersReveal: { "\($0 == 2 ? "Two" : "\($0)") organizers reveal the photos together." }),
        ticket: .init(
            title: "Your ticket",
            missing: "To take photos at this party you need a ticket. Type the one on your card.",
            lost: {
                """
                Ticket \($0) was used by somebody else, too, and they have it now. Your photos are kept, and shown \
                once the host gives you photos or another ticket.
                """
            },
            type: "The ticket on your card", use: "Use this ticket"),
        sending: .init(
            enterFirst: "Enter with the code", enterFirstHint: "to add photos.", youAre: { "You are \($0)." },
            takenOf: { "\($0) of \($1) photos taken." },
            taken: { "\(Language.english.count($0, "photo", "photos")) taken." }, photos: "Photos",
            atOnce: { "at most \($0) at once" }, send: "Send", hostAsks: "What the host asks", agree: "I agree:",
            statement: ConsentText.statement),
        remarks: .init(
            comments: "Comments", back: "Back to the photos",
            earlierComments: { Language.english.count($0, "earlier comment", "earlier comments") },
            allComments: { "All \($0) comments" }, commentCount: { "Comments: \($0)" }),
        program: .init(
            title: "Your computer as a photo box",
            intro: """
                A computer with Linux can be one more photo box of this party. It keeps all photos, too, and the \
                party goes on if another box breaks. It needs the program, which this photo box offers, and an \
                invitation from the host.
                """,
            warning: """
                Install it only if you know the owner of this photo box and trust them. A program can do \
                everything on your computer that you can do. Anybody on this Wi-Fi could also have changed this \
                page, or the file on its way: only step 2 tells.
                """,
            download: "1. Download", save: "Download the program",
            file: { "\($0), about \($1) MB. The name says for which processor it is." },
            compare: "2. Compare", compareHint: "In a terminal, in the folder of the file:",
            compareWhere: """
                It prints 64 letters and digits. The owner sees the right ones on their own screen: at their \
                desk under “Invite”, “Add a backup computer”, or with “disposable status” in a terminal. Let them \
                read all 64 to you. If one differs, delete the file.
                """,
            compareHere: """
                This page shows the same, if nobody has changed it. It is no proof: compare with the owner’s \
                screen.
                """,
            install: "3. Install and join",
            version: { "The last command prints the version. That of this photo box is \($0)." },
            joinHint: """
                Then ask the host for the invitation for computers. It is a secret, so it is not on this page.
                """,
            joined: """
                Your computer joins as a person of its own, with its own name and film. What you have sent as a \
                guest stays yours, in this browser.
                """,
            update: "If you have the program already",
            updateHint: {
                """
                This photo box runs version \($0), and “disposable --version” prints yours. To take another \
                version, stop your photo box, do steps 1 and 2, install, and start it again. Its photos stay. Do \
                not do it in the middle of a party.
                """
            },
            installed: "If your photo box runs on this computer",
            installedHint: "This opens its desk, where the program is installed:", openDesk: "Open my desk",
            back: "Back to the photos"),
        errors: [
            "program-changed": "The file was replaced after this photo box started. Ask its owner to start it again.",
            "too-many-downloads": "Too many downloads at once. Try again in a moment.",
            "wrong-code": "This code doesn’t match. Codes never use I, L, O or U.",
            "too-many-codes": "Too many wrong codes were entered. Try again in a few minutes.",
            "too-many-requests": "Too many tries at once. Try again in a moment.",
            "wrong-words": "These are not your return words. There are twelve: look at their order and spelling.",
            "malformed-name": "This name is not valid: use 1 to 40 letters on one line.",
            "no-session": "This browser is not in the event. Scan the QR code again, or type its code.",
            "not-entered": "You are not in yet. Open the event’s link again and enter.",
            "no-consent": "You have not agreed to the text for adding photos. Load the page again and read it.",
            "other-text": "The text has changed since you agreed to it. Load the page again and read it.",
            "roll-full": "Your film is full.",
            "not-begun": "The event has not begun yet.",
            "over": "The event is over. Keep the photo, and ask the host for more time.",
            "put-out": "You were removed from this event. Ask the organizers if that is a mistake.",
            "wall-code-needed": "New guests need the code that the wall shows now. Type it in place of the poster’s.",
            "session-ended": "You ended this on your other phone.",
            "replaced": "This code was replaced by a new one. Ask the host for it.",
            "unknown-event": "This photo box does not know that event. Scan the QR code again.",
            "unknown-photo": "There is no such photo, or it was deleted.",
            "too-many-at-once": "This is more than the host takes at once. Send it afterwards.",
            "too-large": "This file is too large for the photo box.",
            "not-a-photo": "This is not a photo or video.",
            "metadata-left": "The place could not be removed from this file. Send a screenshot of it.",
            "no-name": "The host asks for a name before you add photos.",
            "names-off": "The host asks for no names at this event.",
            "camera-only": "This event takes photos from the camera only.",
            "not-for-saving": "The host lets nobody save these photos here. Ask for the album.",
            "no-videos": "This event takes photos only, and no videos.",
            "video-too-long": "This video is too long for this event. Shorten it, and send it again.",
            "disk-full": "The photo box is almost full. Tell the host.",
            "not-here": "This has not arrived here yet. Try again a little later.",
            "not-found": "There is nothing here.",
            "unavailable": "The photo box is not ready yet. Try again in a moment.",
            "leaving": "This photo box is leaving the event. Use another one.",
            "rebuilt": "This photo box waits for another one of the event. Try again in a moment.",
            "not-yours": "This belongs to another guest.",
            "unknown-mission": "The host no longer asks for this photo. Send it without the mission.",
            "unknown-comment": "There is no such comment, or it was deleted.",
            "unknown-message": "There is no such message of yours, or it was deleted.",
            "malformed-text": "This cannot be sent: write up to 500 letters of plain text.",
            "not-shown-yet": "This photo is shown later. Comment when everyone sees it.",
            "too-many-comments": "That’s the limit for one photo.",
            "too-many-messages": "You have written as many messages as one guest can. Talk to the host.",
            "too-fast": "Too many texts in a short time. Wait a little.",
            "other-plan": "The event has another plan now, or none. Load it again.",
            "seal-first":
                "Photos of this party are sealed on your phone. Use a browser with scripts and open the page again.",
            "sealing-off": "Photos of this party are no longer sealed on phones. Send it again.",
            "veils-off": "The host has switched this off. Show them the photo.",
            "own-photo": "This is your own photo. Delete it instead.",
            "veil-lifted": "The host has looked at this photo and decided to show it.",
            "too-many-veils": "Enough photos are waiting for the host’s decision. Show them this one.",
            "gifts-off": "At this party nobody gives photos away.",
            "no-recipient": "This person cannot get any: they have no limit, or have left.",
            "recipient-full": "This person cannot get so many. Give fewer.",
            "wrong-number": "That is not a number of photos that can be given at once.",
            "too-few-frames": "You have fewer photos left to give. What others gave you cannot be passed on.",
            "frames-changed": "Your film has changed meanwhile. Look whether they were given, and try again if they were not.",
            "ticket-needed": "You need a ticket to take photos. Scan the code on your card.",
            "no-such-ticket": "This is not a ticket of this party.",
            "ticket-used": "Somebody else has used this ticket already. Ask the host for another one.",
            "ticket-cancelled": "The host has cancelled this ticket. Ask for another one.",
            "has-ticket": "You have a ticket already.",
            "no-vote-open": "The host has just closed the vote, or opened another one.",
            "too-many-votes": "You have changed your vote as often as one can.",
            "broken": "Something went wrong in this photo box. Try again a little later.",
        ])
}
