// SPDX-License-Identifier: Apache-2.0

/// Style and script of a web album's page.
extension WebAlbumPage {
    /// Added to the style of an album on disk.
    static let style = """
        [hidden] { display: none !important }
        form { max-width: 34rem; margin: 12vh auto 0; padding: 1rem; display: grid; gap: .8rem }
        form h1 { font-size: 1.7rem } form p { margin: 0 } label { font-weight: 600 }
        input { font: inherit; width: 100%; box-sizing: border-box; min-height: 3rem; padding: .5rem .8rem; border: 2px solid var(--faint); border-radius: .5rem; background: Field; color: FieldText }
        form button, .save { font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1.2rem; border: 0; border-radius: .5rem; background: #ffc233; color: #1f1712; cursor: pointer }
        button:disabled { opacity: .5; cursor: default } progress { width: 100%; accent-color: #c4361b }
        [role=alert] { font-weight: 600; min-height: 1.5em }
        figure > button { display: block; width: 100%; padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; text-align: left }
        .none { aspect-ratio: 1 } .film { position: relative } .film > button::after { content: "▶"; position: absolute; inset: .7rem auto auto .7rem; color: #fff; text-shadow: 0 0 4px #000 }
        nav .save { width: auto; height: auto; font-size: 1rem; line-height: 1.2; background: #ffc233; color: #1f1712 }
        @media (max-width: 40rem) { nav .save { order: 1 } }
        .stage p { padding: 1rem; text-align: center }
        """

    static let script = #"""
        "use strict";
        const texts = {
            en: {
                title: "Encrypted album", intro: "Somebody has shared photos with you. Their passphrase opens them; capitals do not matter.",
                label: "Passphrase", open: "Open", busy: "Opening…",
                wrong: "This passphrase does not open the album. Compare it word by word.",
                missing: "A part of the album is missing. Copy or load the whole folder again.",
                damaged: "A part of the album is damaged. Copy or load the whole folder again.",
                other: "The album did not open. Load the page again.",
                photos: (n) => n === 1 ? "1 photo" : `${n} photos`, people: (n) => n === 1 ? "1 person" : `${n} people`,
                by: (photos, people) => `${photos} by ${people}`, with: (name) => `With ${name}`,
                photoBy: (name) => `Photo by ${name}`, videoBy: (name) => `Video by ${name}`,
                comments: (n) => n === 1 ? "1 comment" : `${n} comments`, place: (n, all) => `${n} of ${all}`,
                none: "No picture of this size is in the album.", loading: (n, all) => `Loading ${n} of ${all}…`,
                play: (size) => `Play (${size})`, save: (size) => `Save original (${size})`,
                previous: "Previous photo", next: "Next photo", close: "Close", dialog: "Photo",
            },
            fr: {
                title: "Album chiffré", intro: "Quelqu’un partage des photos avec vous. Leur phrase secrète les ouvre ; les majuscules ne comptent pas.",
                label: "Phrase secrète", open: "Ouvrir", busy: "Ouverture…",
                wrong: "Cette phrase n’ouvre pas l’album. Comparez-la mot à mot.",
                missing: "Une partie de l’album manque. Copiez ou rechargez tout le dossier.",
                damaged: "Une partie de l’album est abîmée. Copiez ou rechargez tout le dossier.",
                other: "L’album ne s’est pas ouvert. Rechargez la page.",
                photos: (n) => n < 2 ? `${n} photo` : `${n} photos`, people: (n) => n < 2 ? `${n} personne` : `${n} personnes`,
                by: (photos, people) => `${photos} de ${people}`, with: (name) => `Avec ${name}`,
                photoBy: (name) => `Photo de ${name}`, videoBy: (name) => `Vidéo de ${name}`,
                comments: (n) => n < 2 ? `${n} commentaire` : `${n} commentaires`, place: (n, all) => `${n} sur ${all}`,
                none: "L’album ne contient pas d’image de cette taille.", loading: (n, all) => `Chargement ${n} sur ${all}…`,
                play: (size) => `Lire (${size})`, save: (size) => `Enregistrer l’original (${size})`,
                previous: "Photo précédente", next: "Photo suivante", close: "Fermer", dialog: "Photo",
            },
        };
        const language = navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
        const say = texts[language];
        const lock = JSON.parse(document.documentElement.dataset.lock);
        const pieceSize = 524288, keptPieces = 24, listStream = 0, fileStream = 1;
        const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
        const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        const utf8 = (text) => new TextEncoder().encode(text);

        class AlbumError extends Error {}

        function element(name, properties = {}, ...children) {
            const made = Object.assign(document.createElement(name), properties);
            made.append(...children.filter((child) => child !== null && child !== undefined));
            return made;
        }

        // Pieces: each is a script that calls `piece`, since a page from a disk may read no other file.
        const arriving = new Map();
        globalThis.piece = (name, text) => arriving.get(name)?.(text);

        function load(name) {
            return new Promise((resolve, reject) => {
                const script = element("script", { src: `pieces/${name}.js`, async: true });
                const end = (action) => { arriving.delete(name); script.remove(); action(); };
                arriving.set(name, (text) => end(() => resolve(text)));
                script.onerror = () => end(() => reject(new AlbumError(say.missing)));
                script.onload = () => { if (arriving.has(name)) end(() => reject(new AlbumError(say.damaged))); };
                document.head.append(script);
            });
        }

        class Album {
            constructor(key) {
                this.names = hmac(key, utf8("names"));
                this.key = hmac(key, utf8("pieces"));
                this.pieces = new Map();
            }

            // The latest pieces stay in memory: one holds some forty thumbnails.
            piece(stream, index) {
                const id = `${stream}/${index}`;
                const known = this.pieces.get(id) ?? this.open(stream, index);
                this.pieces.delete(id);
                this.pieces.set(id, known);
                known.catch(() => this.pieces.delete(id));
                if (this.pieces.size > keptPieces) this.pieces.delete(this.pieces.keys().next().value);
                return known;
            }

            async open(stream, index) {
                const place = new DataView(new ArrayBuffer(9));
                place.setUint8(0, stream);
                place.setUint32(1, Math.floor(index / 4294967296));
                place.setUint32(5, index);
                const nonce = hmac(this.names, new Uint8Array(place.buffer)).subarray(0, 24);
                let plaintext = null;
                try {
                    plaintext = nacl.secretbox.open(fromBase64(await load(hex(nonce))), nonce, this.key);
                } catch (error) {
                    if (error instanceof AlbumError) throw error;
                }
                if (!plaintext) throw new AlbumError(say.damaged);
                return plaintext;
            }

            async read(stream, { start, byteCount }, progress) {
                const parts = [], end = start + byteCount;
                const first = Math.floor(start / pieceSize), last = Math.floor((end - 1) / pieceSize);
                for (let index = first; index <= last; index++) {
                    if (last > first) progress?.(index - first, last - first + 1);
                    const bytes = await this.piece(stream, index);
                    const offset = index * pieceSize;
                    parts.push(bytes.slice(Math.max(start - offset, 0), Math.min(end - offset, pieceSize)));
                }
                return parts;
            }

            async list() {
                const [head] = await this.read(listStream, { start: 0, byteCount: 8 });
                const byteCount = new DataView(head.buffer).getUint32(4);
                const text = concatenated(...await this.read(listStream, { start: 8, byteCount }));
                return JSON.parse(new TextDecoder().decode(text));
            }

            async address(part, type, progress) {
                return URL.createObjectURL(new Blob(await this.read(fileStream, part, progress), { type }));
            }
        }

        // What people type differs in capitals, spaces and hyphens.
        const plain = (text) => text.normalize("NFC").toLowerCase().split(/[\s-]+/u).filter(Boolean).join(" ");

        async function unlocked(passphrase, progress) {
            const key = await scrypt(utf8(plain(passphrase)), fromHex(lock.salt), lock, 32, progress);
            const opened = nacl.secretbox.open(fromHex(lock.box), new Uint8Array(24), key);
            if (!opened) throw new AlbumError(say.wrong);
            return new Album(opened);
        }

        // The door

        const form = document.querySelector("form"), input = form.querySelector("input");
        const [button, alert, bar] = ["button", "[role=alert]", "progress"].map((name) => form.querySelector(name));
        document.documentElement.lang = language;
        document.title = say.title;
        form.querySelector("h1").textContent = say.title;
        form.querySelector("p").textContent = say.intro;
        form.querySelector("label").textContent = say.label;
        button.textContent = say.open;
        form.hidden = false;
        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            if (button.disabled || !input.value.trim()) return;
            button.disabled = true;
            alert.textContent = say.busy;
            bar.hidden = false;
            try {
                const album = await unlocked(input.value, (part) => { bar.value = part; });
                const list = await album.list();
                input.value = "";
                form.parentElement.remove();
                show(album, list);
            } catch (error) {
                alert.textContent = error instanceof AlbumError ? error.message : say.other;
                input.select();
            }
            button.disabled = false;
            bar.hidden = true;
        });

        // The album

        const asDate = (photo) => new Date(photo.takenAt ?? photo.addedAt);
        const formatted = (date, options) => new Intl.DateTimeFormat(navigator.languages, options).format(date);
        const isVideo = (photo) => photo.mediaType.startsWith("video/");
        const isShown = (photo) => ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"].includes(photo.mediaType);

        function size(byteCount) {
            const [value, unit] = byteCount < 1e6 ? [byteCount / 1e3, "kilobyte"] : [byteCount / 1e6, "megabyte"];
            return new Intl.NumberFormat(navigator.languages, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
        }

        function show(album, list) {
            const photos = [...list.photos].sort((a, b) => asDate(a) - asDate(b));
            document.title = list.name;
            const day = formatted(new Date(list.startsAt), { day: "numeric", month: "long", year: "numeric" });
            const header = element("header", {}, element("h1", { textContent: list.name }),
                element("p", { textContent: [list.organizer && say.with(list.organizer), day].filter(Boolean).join(", ") }),
                element("p", { textContent: say.by(say.photos(photos.length), say.people(list.authorCount)) }));
            const main = element("main");
            const watcher = new IntersectionObserver((entries) => {
                for (const entry of entries) {
                    if (!entry.isIntersecting) continue;
                    watcher.unobserve(entry.target);
                    const { photo } = entry.target;
                    album.address(photo.thumbnail, "image/jpeg").then((address) => { entry.target.src = address; }, () => {});
                }
            }, { rootMargin: "600px" });
            const lightbox = makeLightbox(album, photos);
            let section = null, last = "";
            photos.forEach((photo, index) => {
                const title = formatted(asDate(photo), { weekday: "long", day: "numeric", month: "long", year: "numeric" });
                if (title !== last) {
                    last = title;
                    section = element("div", { className: "grid" });
                    main.append(element("section", {}, element("h2", { textContent: title }), section));
                }
                section.append(tile(photo, watcher, () => lightbox(index)));
            });
            for (const part of main.children) {
                const count = part.querySelectorAll("figure").length;
                part.querySelector("h2").append(" ", element("span", { textContent: say.photos(count) }));
            }
            document.body.prepend(header, main);
            header.querySelector("h1").tabIndex = -1;
            header.querySelector("h1").focus();
        }

        function tile(photo, watcher, open) {
            const name = (isVideo(photo) ? say.videoBy : say.photoBy)(photo.authorName);
            const opener = element("button", { type: "button", ariaLabel: name });
            if (photo.thumbnail) {
                const image = element("img", { alt: "", className: `turned-${photo.turn ?? 0}` });
                image.photo = photo;
                watcher.observe(image);
                opener.append(image);
            } else {
                opener.append(element("span", { className: "none", textContent: photo.name }));
            }
            opener.addEventListener("click", open);
            const figure = element("figure", { className: isVideo(photo) ? "film" : "" }, opener, ...about(photo));
            return figure;
        }

        function about(photo) {
            const time = element("time", { dateTime: photo.takenAt ?? photo.addedAt, textContent: formatted(asDate(photo), { hour: "2-digit", minute: "2-digit" }) });
            const parts = [element("figcaption", {}, element("b", { textContent: photo.authorName }), time)];
            if (photo.mission) parts.push(element("p", {}, element("i", { textContent: photo.mission })));
            if (photo.zone) parts.push(element("p", { textContent: photo.zone }));
            if (photo.caption) parts.push(element("p", { textContent: photo.caption }));
            const reactions = Object.entries(photo.reactions ?? {}).sort((a, b) => b[1] - a[1]);
            if (reactions.length) {
                // The selector requests the coloured heart.
                parts.push(element("p", { className: "reactions", textContent: reactions.map(([emoji, count]) => `${emoji}\uFE0F ${count}`).join("  ") }));
            }
            if (photo.comments?.length) {
                parts.push(element("details", {}, element("summary", { textContent: say.comments(photo.comments.length) }),
                    ...photo.comments.map((comment) => element("p", {}, element("b", { textContent: comment.author }), ` ${comment.text}`))));
            }
            return parts;
        }

        function makeLightbox(album, photos) {
            const box = document.querySelector("dialog");
            const [stage, details, place, save] = [".stage", ".about", ".place", ".save"].map((name) => box.querySelector(name));
            const [previous, next, close] = ["previous", "next", "close"].map((name) => box.querySelector(`[name=${name}]`));
            box.ariaLabel = say.dialog;
            [previous.ariaLabel, next.ariaLabel, close.ariaLabel] = [say.previous, say.next, say.close];
            let at = 0, touchedAt = 0, turn = 0, addresses = [];

            function note(text) { stage.replaceChildren(element("p", { textContent: text, role: "status" })); }

            async function put(part, type, make) {
                const mine = turn;
                try {
                    const address = await album.address(part, type, (n, all) => { if (mine === turn && all > 4) note(say.loading(n + 1, all)); });
                    if (mine !== turn) return URL.revokeObjectURL(address);
                    addresses.push(address);
                    stage.replaceChildren(make(address));
                } catch (error) {
                    if (mine === turn) note(error instanceof AlbumError ? error.message : say.other);
                }
            }

            function showAt(index) {
                const photo = photos[index];
                if (!photo) return;
                turn += 1;
                at = index;
                stage.replaceChildren();
                for (const address of addresses) URL.revokeObjectURL(address);
                addresses = [];
                const alt = (isVideo(photo) ? say.videoBy : say.photoBy)(photo.authorName);
                const picture = (src) => element("img", { src, alt, className: `turned-${photo.turn ?? 0}` });
                const shown = photo.preview ?? (isShown(photo) ? photo.original : photo.thumbnail);
                const shownType = photo.preview || !isShown(photo) ? "image/jpeg" : photo.mediaType;
                if (shown) put(shown, shownType, picture); else note(say.none);
                details.replaceChildren(...about(photo));
                const time = details.querySelector("time");
                time.textContent = formatted(asDate(photo), { weekday: "long", day: "numeric", month: "long", year: "numeric" }) + ", " + time.textContent;
                for (const comments of details.querySelectorAll("details")) comments.open = true;
                place.textContent = say.place(at + 1, photos.length);
                previous.disabled = at === 0;
                next.disabled = at === photos.length - 1;
                save.hidden = !photo.original;
                if (photo.original) save.textContent = say.save(size(photo.original.byteCount));
                if (isVideo(photo) && photo.original) {
                    const play = element("button", { type: "button", className: "save play", textContent: say.play(size(photo.original.byteCount)) });
                    play.addEventListener("click", () => {
                        play.hidden = true;
                        turn += 1;
                        put(photo.original, photo.mediaType, (src) => element("video", { src, controls: true, autoplay: true }));
                    });
                    details.prepend(play);
                }
                const following = photos[at + 1]?.preview;
                if (following) album.read(fileStream, following).catch(() => {});
            }

            save.addEventListener("click", async () => {
                const photo = photos[at];
                save.disabled = true;
                try {
                    const address = await album.address(photo.original, photo.mediaType, (n, all) => { save.textContent = say.loading(n + 1, all); });
                    element("a", { href: address, download: photo.name }).click();
                    setTimeout(() => URL.revokeObjectURL(address), 60000);
                } catch (error) {
                    note(error instanceof AlbumError ? error.message : say.other);
                }
                save.textContent = say.save(size(photos[at].original?.byteCount ?? 0));
                save.disabled = false;
            });
            previous.addEventListener("click", () => showAt(at - 1));
            next.addEventListener("click", () => showAt(at + 1));
            close.addEventListener("click", () => box.close());
            box.addEventListener("close", () => {
                turn += 1;
                stage.replaceChildren();
                document.querySelectorAll("figure > button")[at]?.focus();
            });
            // Of the document: what had the focus may have been replaced with the photo before.
            document.addEventListener("keydown", (event) => {
                if (!box.open || event.target.tagName === "VIDEO") return;
                if (event.key === "ArrowLeft") showAt(at - 1);
                if (event.key === "ArrowRight") showAt(at + 1);
            });
            stage.addEventListener("touchstart", (event) => { touchedAt = event.touches[0].clientX; }, { passive: true });
            stage.addEventListener("touchend", (event) => {
                const distance = event.changedTouches[0].clientX - touchedAt;
                if (event.touches.length === 0 && Math.abs(distance) > 50) showAt(at - Math.sign(distance));
            });
            return (index) => { showAt(index); box.showModal(); };
        }
        """#
}
