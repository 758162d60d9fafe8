// SPDX-License-Identifier: Apache-2.0

/// Style and script of the album's page.
extension AlbumPage {
    static func style(_ colors: ThemeColors) -> String {
        """
        :root { color-scheme: light dark; --paper: #fff8ea; --ink: #1f1712; --faint: #6b5a4e; --film: #1f1712; --ring: #1f1712 }
        @media (prefers-color-scheme: dark) { :root { --paper: #140e0a; --ink: #fff3e2; --faint: #b9a899; --film: #000; --ring: \(colors.bright) } }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
        header { background: \(colors.bright); color: #1f1712; border-bottom: .4rem solid \(colors.stripe); padding: 1.5rem clamp(1rem, 4vw, 3rem) }
        h1 { margin: 0; font-size: clamp(1.6rem, 5vw, 3rem); line-height: 1.15; overflow-wrap: anywhere } header p { margin: .3rem 0 0 }
        .cover { display: block; width: 100%; max-height: 45vh; margin-bottom: 1rem; border-radius: .5rem; object-fit: cover }
        main { padding: 0 clamp(.6rem, 4vw, 3rem) } h2 { font-size: 1.15rem; margin: 1.4rem 0 .6rem }
        h2 span { color: var(--faint); font-size: .85rem; font-weight: normal; white-space: nowrap; margin-left: .4rem }
        .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .6rem; align-items: start }
        figure { margin: 0; background: var(--film); color: #fff3e2; border-radius: .5rem; padding: .4rem; min-width: 0 }
        figure > a { display: block } figure p, details, figcaption { font-size: .8rem; margin: .2rem .1rem 0; overflow-wrap: anywhere }
        figure img, .none { display: block; width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: .2rem; color: #fff; overflow-wrap: anywhere }
        .none { box-sizing: border-box; padding: .6rem; background: #3a2c22; font-size: .9rem }
        figcaption { display: flex; gap: .5rem } figcaption b { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
        time { margin-left: auto; flex: none } summary { cursor: pointer } .reactions { white-space: pre-wrap }
        footer { color: var(--faint); padding: 1rem clamp(1rem, 4vw, 3rem) 3rem; max-width: 45rem } a { color: inherit }
        :focus-visible { outline: 3px solid var(--ring); outline-offset: 2px }
        header { --ring: #1f1712 } figure, dialog { --ring: \(colors.bright) }
        dialog { inset: 0; width: 100%; height: 100%; max-width: none; max-height: none; margin: 0; border: 0; padding: 0; background: #0b0705; color: #fff3e2 }
        dialog[open] { display: grid; grid-template-rows: minmax(0, 1fr) auto auto }
        .stage { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); place-items: center; min-height: 0 } .stage > * { max-width: 100%; max-height: 100%; object-fit: contain }
        .turned-90 { transform: rotate(90deg) } .turned-180 { transform: rotate(180deg) } .turned-270 { transform: rotate(270deg) }
        .stage { container-type: size } .stage > .turned-90, .stage > .turned-270 { max-width: 100cqh; max-height: 100cqw }
        .about { max-height: 30vh; max-height: 30dvh; overflow: auto; width: min(100% - 2rem, 40rem); margin: .4rem auto; font-size: .95rem }
        .about figcaption { flex-wrap: wrap; gap: 0 .5rem; font-size: 1.05rem } .about time { margin-left: 0 } .about p, .about details { margin: .3rem 0 0; overflow-wrap: anywhere } .about .files { display: none }
        nav { display: flex; gap: .5rem; align-items: center; justify-content: center; padding: .4rem; flex-wrap: wrap }
        nav button { font: inherit; font-size: 1.6rem; line-height: 1; width: 3rem; height: 3rem; border: 0; border-radius: .5rem; background: #3a2c22; color: inherit; cursor: pointer }
        nav button:first-of-type, nav button:nth-last-of-type(-n + 2) { position: absolute; z-index: 1; top: calc(50% - 1.5rem); background: rgb(58 44 34 / .8) }
        nav button:first-of-type { left: .5rem } nav button:nth-last-of-type(2) { right: .5rem } nav button:last-of-type { top: .5rem; right: .5rem }
        nav button:disabled { opacity: .35 } nav span { min-width: 5.5rem; text-align: center }
        """
    }

    static let script = """
        "use strict";
        const links = [...document.querySelectorAll("figure > a")];
        const box = document.querySelector("dialog");
        const [stage, about, place, original] = [".stage", ".about", ".place", ".original"].map((name) => box.querySelector(name));
        const [previous, next, close] = box.querySelectorAll("button");
        let at = 0, touchedAt = 0;
        function show(index) {
            if (!links[index]) return;
            at = index;
            const { view, file, kind } = links[at].dataset;
            const picture = document.createElement(!view ? "p" : kind === "video" ? "video" : "img");
            if (!view) picture.textContent = box.dataset.empty;
            else picture.src = view;
            if (kind === "video") picture.controls = true;
            else picture.alt = links[at].firstElementChild.alt ?? "";
            if (kind === "image") picture.className = links[at].firstElementChild.className.replace("none", "");
            stage.replaceChildren(picture);
            about.replaceChildren(...[...links[at].parentElement.cloneNode(true).children].slice(1));
            for (const comments of about.querySelectorAll("details")) comments.open = true;
            // The day is the heading of the photo's section, before the number of its photos.
            const day = links[at].closest("section").querySelector("h2").firstChild.textContent.trim();
            const time = about.querySelector("time");
            time.textContent = [day, time.textContent].filter(Boolean).join(", ");
            place.textContent = `${at + 1} ${box.dataset.of} ${links.length}`;
            original.href = file;
            previous.disabled = at === 0;
            next.disabled = at === links.length - 1;
            const following = links[at + 1]?.dataset;
            if (following?.view && following.kind === "image") new Image().src = following.view;
        }
        links.forEach((link, index) => link.addEventListener("click", (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            show(index);
            box.showModal();
        }));
        previous.addEventListener("click", () => show(at - 1));
        next.addEventListener("click", () => show(at + 1));
        close.addEventListener("click", () => box.close());
        box.addEventListener("close", () => { stage.replaceChildren(); links[at].focus(); });
        box.addEventListener("keydown", (event) => {
            if (event.target.tagName === "VIDEO") return;
            if (event.key === "ArrowLeft") show(at - 1);
            if (event.key === "ArrowRight") show(at + 1);
        });
        stage.addEventListener("touchstart", (event) => { touchedAt = event.touches[0].clientX; }, { passive: true });
        stage.addEventListener("touchend", (event) => {
            const distance = event.changedTouches[0].clientX - touchedAt;
            if (event.touches.length === 0 && Math.abs(distance) > 50) show(at - Math.sign(distance));
        });
        """
}
