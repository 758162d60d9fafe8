// SPDX-License-Identifier: Apache-2.0
// Every sentence of the desk in French, in the shape of en.js.
import { formats } from "../format.js";

const { count: counted, number, size, moment } = formats("fr", ["ko", "Mo", "Go"]);
/** @param {number} ms */
const time = (ms) => moment(ms).replace(", ", " à ");
/** @param {number} count @param {string} one @param {string} [many] */
const plural = (count, one, many = `${one}s`) => counted(count, one, many);
/** @param {number} hours */
const span = (hours) => hours % 24 === 0 ? plural(hours / 24, "jour") : plural(hours, "heure");
/** @param {string} name */
const of = (name) => /^[aeiouyhâàéèêëîïôùûü]/i.test(name) ? `d’${name}` : `de ${name}`;

/** @type {typeof import("./en.js").english} */
const text = {
    size, time, number,
    phase: ({ phase, isOpened }) => phase === "draft" && isOpened ? "Pas encore commencé"
        : text.phases[/** @type {keyof typeof text.phases} */ (phase ?? "unknown")],
    sections: { photos: "Photos", queue: "Valider", veils: "Voilées", messages: "Messages", overview: "Bilan", invite: "Inviter", people: "Participants", settings: "Réglages" },
    away: "Sur cet appareil, vous pouvez voir les photos, les valider, les masquer et les marquer. Pour le reste, allez "
        + "à l’ordinateur qui porte l’événement.",
    awayShort: "Seulement sur l’ordinateur qui porte l’événement.",
    working: "Un instant …",
    more: "Afficher plus",
    unreachable: "Le programme ne répond pas. Est-il lancé ?",
    noName: "Invité sans nom",
    page: "Régie", skip: "Aller au contenu", event: "Événement", archive: "Archives", another: "Nouvel événement",

    closed: {
        title: "Ouvrir la régie",
        used: "Cette adresse a déjà servi ou a expiré : chacune ouvre la régie une fois, dans les dix minutes.",
        how: "Tapez ceci dans un terminal de l’ordinateur qui porte l’événement. Une nouvelle adresse s’affiche.",
        command: "disposable desk",
    },

    phases: {
        draft: "Brouillon, pas encore ouvert", open: "Ouvert", closed: "Terminé, photos pas encore montrées",
        revealed: "Terminé, photos montrées", expired: "Terminé, suppression des photos en cours", unknown: "",
    },

    create: {
        title: "Un nouvel événement",
        intro: "Un nom suffit. Presque tout peut changer ensuite.",
        name: "Comment s’appelle-t-il ?",
        preset: "De quoi s’agit-il ?", noPreset: "Autre chose",
        presets: {
            wedding: "Mariage", birthday: "Anniversaire", camp: "Camp", festival: "Festival", baptism: "Baptême",
            christmas: "Noël", trip: "Voyage",
        },
        back: (name) => `Retour à ${name}`,
        change: "Modifier", more: "Lieu, heure, textes, brouillon",
        submit: "Créer l’événement", submitDraft: "Créer un brouillon",
        together: "Deux organisateurs révèlent les photos ensemble : nommez-en deux autres avant l’arrivée des invités. On ne peut pas le changer ensuite.",
        draft: "Brouillon : tout modifier, imprimer et essayer le code, et ouvrir plus tard",
    },

    consents: {
        title: "Partir d’un texte pour …",
        replaces: "Cela remplace votre texte. Touchez encore une fois pour le faire.",
        templates: {
            adults: { label: "des adultes", body: "Tout le monde ici voit mes photos, sur les téléphones et sur le mur, et "
                + "peut les enregistrer. Je partage des photos de personnes qui sont d’accord. Je peux supprimer mes "
                + "photos ; ce que d’autres ont enregistré reste chez eux." },
            children: { label: "un événement avec des enfants", body: "Tout le monde ici voit mes photos, sur les "
                + "téléphones et sur le mur, et peut les enregistrer. Je partage une photo d’un enfant seulement si ses "
                + "parents sont d’accord, et je n’en publie aucune sur Internet. Si j’ai moins de 15 ans, un parent a lu "
                + "ceci avec moi et l’accepte. Les parents peuvent demander à l’hôte de retirer une photo de leur enfant. "
                + "Je peux supprimer mes photos ; ce que d’autres ont enregistré reste chez eux." },
            photographer: { label: "un événement avec photographe", body: "Un photographe prend des photos pour les hôtes, "
                + "et tout le monde ici les voit à côté des miennes. Qui ne veut pas y être le dit au photographe ou à "
                + "l’hôte, qui retire la photo. Je partage des photos de personnes qui sont d’accord. Je peux supprimer "
                + "mes photos ; ce que d’autres ont enregistré reste chez eux." },
        },
    },

    fields: {
        name: "Nom", organizerName: "Qui invite ?", organizerNameHint: "Les invités lisent : « Anna vous invite ».",
        details: "De quoi il s’agit", place: "Où",
        position: "Position sur la carte des événements",
        positionHint: "Latitude et longitude en degrés, comme sur les cartes d’Internet : 47.243, 6.022. Arrondie à 100 m environ. "
            + "Seulement si le réseau voit le nom de l’événement.",
        positionWrong: "Écrivez une latitude (−90 à 90), une virgule et une longitude (−180 à 180), comme 47.243, 6.022.",
        startsAt: "Début", duration: "Durée", frames: "Photos par invité", noLimit: "Sans limite",
        reveal: "Les autres voient les photos", retention: "Gardées après la fin", category: "Type d’événement, pour les listes",
        noCategory: "non indiqué",
        categories: {
            wedding: "Mariage", birthday: "Anniversaire", baptism: "Baptême", christmas: "Noël", party: "Fête",
            camp: "Camp", trip: "Voyage", festival: "Festival", concert: "Concert", sport: "Sport", market: "Marché",
            cave: "Spéléo", other: "Autre",
        },
        contact: "Comment vous joindre", consentText: "Ce que les invités acceptent avant d’ajouter des photos",
        price: "Prix d’entrée", priceHint: "Par exemple 12,50 EUR, ou 0 EUR si c’est gratuit",
        priceExample: "12,50 EUR",
        priceWrong: "Écrivez un montant et une monnaie, comme 12,50 EUR.",
        registration: "SIREN ou SIRET de l’organisateur",
        links: "Liens, un par ligne", linksHint: "Sur chaque ligne website, instagram, facebook, tiktok, youtube, x ou other, puis une adresse",
        linksWrong: "Écrivez un type et une adresse par ligne : website, une espace, puis l’adresse.",
        legal: "Mentions légales et listes",
        isListed: "Montrer à tous sur le réseau le nom de l’événement, et à peu près combien de photos et de personnes il y a eu dans la dernière heure",
        hours: "heures", days: "jours", less: "moins", more: "plus",
        reveals: {
            "now": "aussitôt", "at-end": "après la fin", "at": "à une heure précise", "by-host": "quand je les révèle",
            "never": "jamais : organisateurs seuls",
        },
        approve: "Valider les photos avant que les invités les voient",
        veils: "Voiler une photo si un invité le demande",
        pageSealing: "Sceller les photos sur les téléphones jusqu’à la révélation",
        veilChoices: { off: "non", on: "oui" },
        approvals: { none: "non", first: "les premières de chaque invité", all: "toutes" },
        framesPromised: (frames) => frames
            ? `Les invités comptent sur ${plural(frames, "photo")} : vous pouvez en donner plus, pas moins.`
            : "Les invités comptent sur des photos sans limite.",
        retentionPromised: "Les invités y comptent : les photos peuvent être supprimées plus tôt, pas plus tard.",
        revealAt: "Visibles à partir de",
        daily: "Par jour", dailyHint: "Les photos non prises restent pour le lendemain.",
        moments: "Moments", momentsOn: "Appeler tout le monde à une photo par jour", momentsFrom: "De", momentsTo: "À",
        momentsHint: "Une fois par jour, à une heure surprise, les invités ont cinq minutes pour prendre une photo.",
        late: "Photos après la fin", lateHint: "Les photos d’avant le début sont refusées, sauf si toutes sont acceptées.",
        lates: { "0": "refuser", "120": "2 heures", "1440": "1 jour", "any": "tout accepter" },
        lateOther: (minutes) => minutes % 60 === 0 ? span(minutes / 60) : plural(minutes, "minute"),
        startsHint: "Vide : un brouillon commence quand vous l’ouvrez.",
        isUndated: ({ parameters }) => parameters.startsOnOpening && !parameters.isOpened,
        rules: ({ frames, areFramesDaily, durationHours, retentionHours, reveal }) => [frames
            ? `${plural(frames, "photo")} par invité${areFramesDaily ? " et par jour" : ""}` : "Photos sans limite",
            text.fields.shown[/** @type {keyof typeof text.fields.shown} */ (reveal)], `ouvert ${span(durationHours)}`,
            `supprimées ${span(retentionHours)} après`].join(" · "),
        shown: {
            "now": "visibles aussitôt", "at-end": "visibles après la fin", "at": "visibles à telle heure",
            "by-host": "visibles quand vous les révélez", "never": "visibles des organisateurs seuls",
        },
    },

    tickets: {
        title: "Billets",
        intro: "Chaque billet est une carte avec son propre code, pour une personne et une seule fois. Si une carte a été copiée, la deuxième personne n’a pas de photos avant que vous lui en donniez.",
        count: "Combien ?", create: "Créer des billets", print: "Imprimer les billets non utilisés (PDF, huit par page)",
        none: "Il n’y a pas encore de billets.",
        summary: (all, used, twice, cancelled) =>
            `${plural(all, "billet")} : ${number(used)} utilisés, dont ${number(twice)} deux fois, ${number(cancelled)} annulés.`,
        twice: (count) => `Utilisés deux fois : ${plural(count, "billet")}.`,
        line: (ticket, state) => `${ticket} : ${state}`,
        states: {
            unused: () => "pas encore utilisé",
            used: (holder) => `utilisé par ${holder}`,
            usedTwice: (holder, users) => `utilisé deux fois, par ${users}. ${holder} l’a ; donnez aux autres des photos sous « Participants », ou un autre billet.`,
            cancelled: () => "annulé",
        },
        cancel: "Annuler", cancelOne: (ticket) => `Annuler le billet ${ticket}`,
        sure: (ticket) => `Annuler le billet ${ticket} ?`,
        holderLoses: (holder) => `${holder} l’a. Ses photos sont gardées, et ne sont plus montrées tant que vous ne lui donnez pas de photos. C’est définitif.`,
        nobodyLoses: "Personne ne peut plus l’utiliser. C’est définitif.",
    },

    options: {
        title: "Possibilités pour les invités",
        names: "Le nom des invités",
        nameRules: { optional: "facultatif", required: "obligatoire", never: "pas demandé" },
        cameraOnly: "L’appareil photo seul, sans les photos du téléphone",
        cameraOnlyHint: "Un ordinateur sans caméra propose quand même ses fichiers, et un programme modifié peut tout envoyer.",
        tickets: "Il faut un billet pour prendre des photos",
        wallCode: "Un nouvel invité doit taper le code du mur",
        wallCodeHint: "L’affiche seule ne laisse alors entrer personne de nouveau : le mur affiche un code qui change toutes les dix minutes. Ouvrez le mur avec le lien sous « Inviter ». Qui est déjà là le reste. Les ordinateurs avec une version plus ancienne du programme ne le demandent pas.",
        ticketsHint: "Toute personne qui a le lien peut regarder. Les billets s’impriment sous « Inviter ». Impossible à activer une fois l’événement ouvert.",
        atOnce: "Photos à la fois", atOnceChoices: { 0: "sans limite", 1: "une", 5: "5", 10: "10", 30: "30" },
        atOnceHint: "Qui en choisit plus envoie les premières, puis les autres. Cela évite les photothèques entières ; un programme modifié peut tout envoyer.",
        downloads: "Enregistrer les photos",
        downloadRules: { everyone: "tout le monde", own: "chacun les siennes", organizers: "moi seul" },
        downloadsHint: "Tout le monde voit quand même toutes les photos. Une capture d’écran reste possible, et les autres "
            + "ordinateurs de l’événement gardent toute la galerie.",
        videos: "Vidéos",
        videoRules: { on: "de toute durée", "15": "15 s au plus", "60": "60 s au plus", "300": "5 min au plus", off: "non" },
        videosHint: "La durée est mesurée à l’arrivée de la vidéo.",
        videosOther: (seconds) => `${seconds % 60 ? `${seconds} s` : `${seconds / 60} min`} au plus`,
        theme: "Couleurs",
        themes: { film: "Pellicule", garden: "Jardin", sea: "Mer", rose: "Rose", night: "Nuit", slate: "Ardoise" },
    },

    missions: {
        title: "Missions : les photos à demander",
        hint: "Par exemple « la première danse » ou « quelqu’un qui rit ». Les invités voient la liste, prennent une photo "
            + "pour une mission et trouvent celles des autres. Vous pouvez en ajouter pendant l’événement : ils le voient.",
        add: "Ajouter une mission", example: "la première danse",
        mission: (number) => `Mission ${number}`,
        up: (number) => `Monter la mission ${number}`,
        down: (number) => `Descendre la mission ${number}`,
        remove: (number) => `Supprimer la mission ${number}`,
        removed: "Supprimée. Ses photos restent.",
        photos: (number) => `${number} ${number > 1 ? "photos" : "photo"}`,
    },

    invite: {
        title: "Inviter",
        draft: "C’est un brouillon : rien n’est promis aux invités avant l’ouverture. Vous pouvez déjà imprimer et essayer le code.",
        scan: "Les invités du même réseau scannent ceci, ou ouvrent le lien. Sans appli et sans compte.",
        link: "Lien", code: "Code à taper",
        words: "Les invités voient aussi ces quatre mots. S’ils diffèrent, c’est un autre événement.",
        copyLink: "Copier le lien", copyText: "Copier le texte", wall: "Ouvrir le mur (projecteur)",
        shareTitle: "Texte à envoyer",
        share: (name, link, code) =>
            `${name} : prenez des photos !\n\nSur place, rejoignez le Wi-Fi et ouvrez\n${link}\n`
            + `ou tapez le code ${code}. Sans appli, sans compte.`,
        also: "Cet ordinateur a aussi",
        onlyHere: "Seul cet ordinateur peut ouvrir ces pages : il n’a pas encore de réseau.",
        files: "À imprimer et à envoyer", png: "Code en PNG", svg: "Code en SVG", poster: "Affiche, quatre cartes, chevalet (PDF)",
        card: "Une carte (PDF)", printing: "Dessin et vérification de chaque code …",
        wifi: "Nom du Wi-Fi", wifiPassword: "Mot de passe du Wi-Fi", wifiHidden: "Le Wi-Fi cache son nom",
        wifiHint: "L’affiche porte alors un second code pour rejoindre le Wi-Fi. Le mot de passe y est écrit en clair.",
        address: "Adresse sur place",
        addressHint: "Vide : l’adresse actuelle. Cet ordinateur doit l’avoir aussi pendant l’événement.",
        second: "Adresse d’un second ordinateur",
        secondHint: "Imprimée aussi, pour les invités qui arrivent quand cet ordinateur est en panne. Il faut au second le rôle « sert les pages ».",
        printed: "Enregistré. Chaque code a été vérifié.",
        node: "Ajouter un ordinateur de secours",
        nodeIntro: "Il garde aussi toutes les photos, et l’événement continue si cet ordinateur tombe en panne. "
            + "L’invitation est secrète : ne la donnez qu’à des personnes de confiance.",
        nodeShow: "Afficher l’invitation des ordinateurs", nodeCommand: "Sur l’autre ordinateur :",
        copyNode: "Copier la commande",
        program: (name) => `Les invités peuvent télécharger ${name} depuis cet ordinateur. `
            + "Avant qu’ils l’installent, lisez-leur le SHA-256 sur cet écran :",
    },

    phones: {
        title: "Téléphones connectés",
        now: (count, limit) => limit ? `${number(count)} sur ${plural(limit, "téléphone")}` : plural(count, "téléphone"),
        carries: "Votre Wi-Fi supporte environ … téléphones",
        hint: "Voyez son manuel : 10 à 30 pour le partage de connexion d’un portable et pour beaucoup de box. Vide : aucun avertissement.",
        behind: (minutes) => `L’ordinateur retarde de ${plural(minutes, "minute")} sur cet appareil. Pour le mettre à l’heure, tapez-y :`,
        ahead: (minutes) => `L’ordinateur avance de ${plural(minutes, "minute")} sur cet appareil. Pour le mettre à l’heure, tapez-y :`,
        full: "Le point d’accès est presque plein : les téléphones en trop ne peuvent pas rejoindre le Wi-Fi. Ajoutez-en un autre.",
    },

    erasing: {
        button: "Supprimer",
        title: "Supprimer cette photo pour tous ?",
        body: (name) => [`La photo ${of(name)} disparaît aussitôt de toutes les pages, et chaque ordinateur de l’événement l’efface `
            + "une heure après. C’est définitif. Pour la garder, masquez-la plutôt."],
        yes: "Supprimer pour tous",
        done: "Supprimée pour tous. Le bilan montre de combien d’ordinateurs elle a disparu.",
        copies: (count, all) => `sur ${count} de ${plural(all, "ordinateur")}`,
        receipts: "Photos supprimées",
        hint: "Chaque ordinateur efface la photo une heure après avoir appris la suppression, et le signale.",
        gone: (count, all) => `disparue de ${count} de ${plural(all, "ordinateur")}`,
        away: (name, time) => `${name} hors ligne depuis ${time}`,
    },

    wall: {
        title: "Le mur",
        several: "Chaque écran a son propre lien : ouvrez-le sur cet écran. Plusieurs murs peuvent montrer des photos différentes.",
        show: "Ce qu’il montre",
        shows: { "": "Toutes, les nouvelles d’abord", "show=highlights": "Les nouvelles une fois, et les choisies dans l’intervalle",
            "show=newest": "Les 50 dernières" },
        by: (name) => `Seulement les photos ${of(name)}`,
        moment: (at) => `Seulement le moment : ${time(at)}`,
        mission: (mission) => `Seulement les photos pour « ${mission} »`,
        fill: "Les photos remplissent l’écran, sans leurs bords",
        corner: "Le code", corners: { "": "À droite", left: "À gauche", off: "Seulement entre les photos" },
        wifi: "Le Wi-Fi, à côté du code", wifiHint: "Pour les invités qui n’y sont pas encore : son nom, et le mot de passe si vous voulez.",
        remote: "Télécommande",
        remoteHint: "Pour tous les murs que cet ordinateur sert. Chaque photo ouverte a le bouton « Montrer sur le mur », et la touche w.",
        back: "Précédente", pause: "Pause", resume: "Reprendre", next: "Suivante", code: "Montrer le code",
        told: "Transmis aux murs.", shown: "Les murs la montrent.",
    },

    photos: {
        title: "Photos",
        which: { all: "Toutes", shown: "Visibles", hidden: "Masquées", favourites: "Favoris" },
        none: { all: "Pas encore de photos. Elles apparaissent ici d’elles-mêmes.", shown: "Pas encore de photos.",
            hidden: "Rien n’est masqué.",
            favourites: "Pas encore de favoris : touche f, ou l’étoile, sur une photo." },
        sealed: (count) => `${plural(count, "photo")} dans l’appareil. `
            + "Vous verrez celles des autres en même temps que tout le monde.",
        byWhom: "Photos de", everyone: "De tout le monde",
        select: "Sélectionner", selectDone: "Annuler",
        saveAll: "Enregistrer celles-ci", album: "Album …",
        share: "Montrer aux invités (« Les choisies »)",
        shared: (count) => count ? `Les invités voient ${plural(count, "photo")} parmi « Les choisies ».`
            : "Les invités ne voient aucune photo choisie.",
        hideCount: (count) => `Masquer ${number(count)}`,
        unhideCount: (count) => `Remontrer ${number(count)}`,
        hidCount: (count) => `${plural(count, "photo masquée", "photos masquées")} aux invités.`,
        putBackCount: (count) => `Les invités revoient ${plural(count, "photo")}.`,
        comments: (count) => count ? plural(count, "commentaire") : "Commentaires",
        commentsTitle: "Commentaires", noComments: "Pas de commentaires.",
        earlier: (count) => count ? `${plural(count, "commentaire plus ancien non affiché",
            "commentaires plus anciens non affichés")}.` : "",
        hideComment: (comment) => `Masquer « ${comment.slice(0, 60)} »`,
        commentHidden: "Commentaire masqué aux invités.",
        keys: "Raccourcis", keysTitle: "Raccourcis", count: (count) => plural(count, "photo"),
        keysAre: [["← →  ou  k j", "photo précédente, suivante"], ["↑ ↓", "ligne précédente, suivante"],
            ["Entrée", "en grand, et retour"],
            ["h", "masquer aux invités, ou remontrer"], ["f", "ajouter aux favoris, ou enlever"], ["w", "la montrer sur le mur"],
            ["x", "sélectionner, pour en masquer plusieurs"], ["Échap", "fermer"], ["?", "ces raccourcis"]],
        waiting: "En attente de validation", toWall: "Montrer sur le mur",
        hide: "Masquer", unhide: "Remontrer", favourite: "Favori", unfavourite: "Plus favori", save: "Enregistrer",
        large: "En grand", close: "Fermer", previous: "Précédente", next: "Suivante",
        hid: "Masquée aux invités.", undo: "Annuler", putBack: "Les invités la revoient.",
        marked: "Ajoutée aux favoris.", unmarked: "Enlevée des favoris.",
        by: (name) => name ?? "un invité",
        label: (photo) => `${photo.mediaType.startsWith("video/") ? "Vidéo" : "Photo"} `
            + of(photo.authorName ?? "un invité")
            + (photo.frame ? `, n° ${photo.frame}` : "") + `, ${time(photo.takenAt ?? photo.addedAt)}`
            + (photo.commentCount ? `, ${plural(photo.commentCount, "commentaire")}` : "")
            + (photo.isHidden ? ", masquée" : "") + (photo.isPending ? ", à valider" : "") + (photo.isFavourite ? ", favorite" : ""),
        notHere: "La photo n’est pas encore arrivée ici.",
        videoNotHere: "La vidéo n’est pas encore arrivée ici.",
        unplayable: "Ce navigateur ne sait pas lire la vidéo. Enregistrez-la pour la voir ailleurs.",
    },

    pictures: {
        title: "Couverture et plan",
        name: { cover: "Couverture.", plan: "Plan." },
        about: { cover: "Une image que les invités voient avec le nom de l’événement.",
            plan: "Une carte ou un croquis du lieu, où les invités peuvent placer leurs photos. Il n’est pas montré parmi les photos. "
                + "D’un PDF, la première page est prise." },
        alt: { cover: "La couverture", plan: "Le plan" },
        add: { cover: "Ajouter une couverture", plan: "Ajouter un plan" },
        use: { cover: "En couverture", plan: "Comme plan" },
        change: { cover: "Changer la couverture", plan: "Changer le plan" },
        no: { cover: "Retirer la couverture", plan: "Retirer le plan" },
        used: { cover: "Les invités voient la couverture.", plan: "Les invités voient le plan." },
        takenOff: { cover: "Plus de couverture.", plan: "Plus de plan." },
        adding: "Ajout de l’image …",
    },
    map: {
        name: "Carte.",
        about: "Les tuiles d’une carte dans un fichier MBTiles ou PMTiles. Les invités des pages de cet ordinateur la voient derrière "
            + "le plan ; ajoutez le même fichier sur chaque ordinateur qui sert des pages. Sans plan, une tuile du fichier devient le plan.",
        none: "Il n’y a pas de carte.",
        otherPlan: "La carte n’est pas montrée : elle appartient à un autre plan.",
        onlyPoints: "Le plan a ses lieux, sans tuiles.",
        tiles: (least, most, source) =>
            `Les invités voient la carte, avec les zooms ${number(least)} à ${number(most)}.${source ? ` Source : ${source}` : ""}`,
        add: "Ajouter une carte", remove: "Retirer la carte", world: "Prendre le contour du monde", worldAdded: "Les invités voient le monde.",
        adding: "Ajout de la carte …", added: "Les invités voient la carte.", removed: "Plus de carte.", saved: "Le plan a ses lieux.",
        points: "Lieux du plan",
        pointsHint: "Donnez les lieux de deux points du plan, loin l’un de l’autre : les invités voient alors les distances, et une "
            + "carte que vous ajoutez se place derrière le plan. Cliquez sur le plan pour choisir un point.",
        planAlt: "Le plan ; cliquez pour choisir un point",
        point: (index) => `Point ${index}`,
        x: "Depuis le bord gauche, en pixels", y: "Depuis le haut, en pixels", position: "Latitude, longitude en degrés",
        save: "Enregistrer les lieux",
    },

    queue: {
        title: "Photos à valider",
        intro: "Les invités voient ces photos une fois validées. D’ici là, seul l’auteur de chacune la voit.",
        count: (count) => `${plural(count, "photo")} en attente`,
        tab: (count) => count ? `Valider, ${plural(count, "photo")} en attente` : "Valider",
        none: "Rien n’attend. Les nouvelles photos apparaissent ici d’elles-mêmes.",
        sealed: (count) => `${plural(count, "photo")} dans l’appareil. `
            + "Celles des autres se valident quand elles sont montrées.",
        approve: "Valider", decline: "Refuser", undo: "Annuler",
        approveAll: (count) => `Valider les ${number(count)}`,
        approved: "Validée.", declined: "Refusée : elle est parmi les photos masquées.",
        approvedAll: (count) => `${plural(count, "photo validée", "photos validées")}.`,
        undone: "Annulé : elle attend de nouveau.",
    },

    veils: {
        title: "Photos que des invités ne veulent pas montrer",
        intro: "Quelqu’un est sur chacune de ces photos et ne le veut pas. Jusqu’à votre décision, seul son auteur la voit. "
            + "Une photo que vous montrez de nouveau ne peut plus être voilée ; vous pouvez toujours la masquer.",
        count: (count) => `${plural(count, "photo")} à regarder`,
        tab: (count) => count ? `Voilées, ${plural(count, "photo")} à regarder` : "Voilées",
        none: "Rien à décider. Les photos demandées apparaissent ici d’elles-mêmes.",
        sealed: (count) => `${plural(count, "photo")} dans l’appareil. `
            + "Celles des autres se regardent quand elles sont montrées.",
        approve: "Montrer", decline: "Garder cachée", undo: "Annuler",
        approved: "Elle est montrée de nouveau.", declined: "Elle reste cachée, parmi les photos masquées.",
        undone: "Annulé : elle est voilée de nouveau.",
        recent: "Demandées par des appareils admis depuis",
        recentNone: "Aucune photo n’est voilée que pour eux.",
        liftAll: (count, devices) => `Montrer ${plural(count, "photo")} (${plural(devices, "appareil")})`,
        liftedAll: (count) => `${plural(count, "photo montrée", "photos montrées")} de nouveau.`,
    },

    messages: {
        title: "Messages",
        intro: "Ce que des invités ont écrit aux hôtes. Personne d’autre ne peut le lire ; les autres ordinateurs voient seulement qu’ils ont écrit.",
        none: "Personne n’a encore écrit. Les messages arrivent ici d’eux-mêmes.",
        older: (count) => `${plural(count, "plus ancien", "plus anciens")} hors de la liste.`,
        tab: (count) => count ? `Messages, ${number(count)} non lus` : "Messages",
        news: "Un invité vous a écrit.", show: "Lire",
        new: "nouveau",
        unreadable: "Illisible ici : écrit avant que cet ordinateur soit celui d’un hôte.",
        about: (photo) => `À propos de la photo ${photo}`,
        of: (name, at) => `${of(name)}, ${time(at)}`,
        erase: "Supprimer", erased: "Supprimé pour tous.",
        question: { title: "Supprimer ce message ?", body: "Il est supprimé sur chaque ordinateur, aussi pour les autres hôtes.", yes: "Le supprimer" },
    },

    people: {
        title: "Participants",
        intro: "Tous ceux qui ont rejoint l’événement, leur rôle et leurs photos.",
        none: "Personne n’est encore venu.",
        find: "Chercher une personne", nobodyNamed: (name) => `Personne ici ne s’appelle « ${name} ».`,
        photosOf: (name) => `Photos ${of(name)}`,
        you: "vous", left: "parti", frames: (used, limit) =>
            limit === null ? `${plural(used, "photo")}, sans limite`
                : `${plural(used, "photo")} sur ${number(limit)}`,
        roles: { organizer: "organisateur", moderator: "modérateur", page: "sert les pages", photographer: "photographe" },
        roleHelp: {
            organizer: "peut tout, sauf nommer des organisateurs",
            moderator: "masque des photos, exclut des personnes",
            page: "son ordinateur sert les pages des invités", photographer: "prend des photos sans limite",
        },
        node: (node) => node.isConnected ? `son ordinateur est connecté, ${plural(node.originalCount, "original", "originaux")}`
            : `dernières nouvelles de son ordinateur : ${time(Date.parse(node.heardAt))}`,
        manage: "Modifier", give: "Donner des photos",
        zone: "Lieu de son ordinateur", ownZone: "Lieu de cet ordinateur", setZone: "Enregistrer",
        zoneHint: "Par exemple « Piste de danse ». Les photos qui arrivent à cet ordinateur montrent alors le lieu. Vide pour aucun.",
        grants: { organizer: "Nommer organisateur", moderator: "Nommer modérateur", page: "Laisser servir les pages",
            photographer: "Nommer photographe" },
        revoke: (role) => `Retirer le rôle « ${text.people.roles[role]} »`,
        given: (name, count) => `${name} a ${plural(count, "photo de plus", "photos de plus")}.`,
        framesQuestion: (name, count) => ({
            title: `${plural(count, "photo de plus", "photos de plus")} pour ${name} ?`, body: ["Impossible de les reprendre."], yes: "Donner",
        }),
        organizerQuestion: (name) => ({
            title: `Nommer ${name} organisateur ?`,
            body: ["Un organisateur peut modifier l’événement, masquer et effacer des photos, et voir celles qui sont montrées plus tard.",
                "Si vous retirez ce rôle plus tard, ce qu’il a fait reste."], yes: "Nommer organisateur",
        }),
        remove: "Exclure de l’événement …",
        harmQuestion: (harm) => ({
            title: "D’autres y perdent", body: [harm], yes: "Continuer", danger: true,
        }),
        removeQuestion: (name) => ({
            title: `Exclure ${name} de l’événement ?`,
            body: ["Cette personne ne peut plus rien ajouter. Ses photos restent : masquez celles que vous ne voulez pas.",
                "Pour la réintégrer plus tard, tapez : disposable role grant participant, et son nom."],
            yes: "Exclure", danger: true,
        }),
        removed: (name) => `${name} ne fait plus partie de l’événement.`,
        letIn: "Réintégrer", isIn: (name) => `${name} peut de nouveau participer.`,
        withAdmitted: (name, names) =>
            `Exclure aussi ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` et ${number(names.length - 5)} de plus` : ""}, `
            + `admis seulement par ${name}`,
        done: "C’est fait.",
    },

    settings: {
        title: "Réglages", save: "Enregistrer", saved: "Enregistré.",
        draftNote: "Tout peut changer jusqu’à l’ouverture de l’événement.",
        state: "État",
        archive: "Archiver l’événement", unarchive: "Sortir des archives",
        archived: "L’événement est en fin de liste sur cet ordinateur. Rien d’autre n’a changé.",
        unarchived: "L’événement est de nouveau parmi les autres.",
        open: "Ouvrir l’événement", close: "Clore l’événement", reopen: "Le rouvrir", reveal: "Montrer les photos",
        openQuestion: (event) => ({
            title: "Ouvrir l’événement ?",
            body: [...text.settings.pastStart(event),
                "Dès lors, les invités comptent sur leur nombre de photos et sur la date de leur suppression. "
                + "Vous pouvez donner plus de photos, pas moins, et supprimer plus tôt, pas plus tard.",
                    "Il ne peut pas redevenir un brouillon."],
            yes: "Ouvrir",
        }),
        pastStart: ({ parameters, endsAt } = /** @type {any} */ ({})) =>
            parameters.startsOnOpening || parameters.startsAt > Date.now() - 600_000 ? []
                : [`Le début, ${time(parameters.startsAt)}, est passé, et ${endsAt < Date.now()
                    ? "tout est déjà fini : les invités ne peuvent rien ajouter." : `la fin est le ${time(endsAt)}.`} `
                    + "Pour commencer maintenant, changez d’abord le début."],
        closeQuestion: (reveals) => ({
            title: "Clore l’événement maintenant ?",
            body: ["Les invités voient qu’il est terminé. Les photos déjà prises peuvent encore arriver.",
                reveals ? "Tout le monde voit aussitôt les photos. Vous pouvez rouvrir l’événement, mais elles restent visibles."
                    : "Vous pouvez le rouvrir."],
            yes: "Clore l’événement", danger: true,
        }),
        revealQuestion: {
            title: "Montrer toutes les photos ?",
            body: ["Tout le monde les voit aussitôt. C’est définitif."],
            yes: "Montrer", danger: true,
        },
        delete: "Supprimer partout", deleteTitle: "Supprimer l’événement",
        deleteAbout: "Toutes les photos disparaissent pour tout le monde, sur chaque ordinateur de l’événement. C’est définitif.",
        deleteQuestion: (name, count) => ({
            title: `Supprimer ${name} sur tous les ordinateurs ?`,
            body: [`${plural(count, "photo disparaît", "photos disparaissent")} pour tout le monde. Les pages s’arrêtent `
                + "aussitôt, et chaque ordinateur de l’événement détruit ses données après un jour de marche. C’est définitif.",
            "Ce que chacun a enregistré reste chez lui."],
            yes: "Tout supprimer", danger: true,
        }),
        deleteName: "Tapez le nom de l’événement",
        deleted: "L’événement est supprimé. Ses données sont détruites sous un jour ou deux.",
        earlyQuestion: (why) => ({
            title: "Plus tôt que promis aux invités ?", body: [why, "C’est définitif."],
            yes: "Montrer quand même", danger: true,
        }),
        revealed: (count) => `${plural(count, "photo est montrée", "photos sont montrées")}.`,
        until: (event, isOver) =>
            `${isOver ? "" : text.fields.isUndated(event) ? "Il commence quand vous l’ouvrez. "
                : `Jusqu’au ${time(event.endsAt)}. `}Les photos sont gardées jusqu’au ${time(event.expiresAt)}.`,
        sealing: {
            organizers: "D’ici à la révélation, seuls les ordinateurs des organisateurs ouvrent les photos.",
            shared: "Les organisateurs révèlent les photos ensemble, chacun sur son ordinateur.",
            revealed: "Les photos sont montrées.", none: "",
        },
        releaseShare: "Montrer les photos, avec d’autres organisateurs",
        shareQuestion: {
            title: "Accepter de montrer les photos ?",
            body: ["Les photos sont montrées quand assez d’organisateurs ont accepté, chacun sur son ordinateur.", "C’est définitif."],
            yes: "Accepter", danger: true,
        },
        shareReleased: (missing) =>
            `Vous avez accepté. Il manque encore ${plural(missing, "organisateur", "organisateurs")}.`,
        notOrganizer: "Cet ordinateur n’est pas à un organisateur : vous regardez, les organisateurs décident.",
    },

    key: {
        title: "La clé de l’événement",
        intro: "24 mots à écrire sur papier. Avec eux, un autre ordinateur de l’événement prend la relève si celui-ci est "
            + "perdu. Qui les lit peut en faire autant : gardez le papier avec votre passeport.",
        restore: "Là-bas, dans un terminal : disposable event restore, puis les mots.",
        show: "Afficher les 24 mots", hide: "Les cacher", list: "Les 24 mots",
    },

    adding: {
        button: "Ajouter des photos", drop: "Déposez vos photos ici", stop: "Arrêter", again: "Réessayer",
        step: (place, all) => `Ajout de ${number(place)} sur ${number(all)} …`,
        added: (count) => count ? `${plural(count, "photo ajoutée", "photos ajoutées")}.` : "Rien n’a été ajouté.",
        known: (count) => `${plural(count, "photo était", "photos étaient")} déjà là.`,
        failed: (count) => `${plural(count, "fichier non ajouté", "fichiers non ajoutés")} :`,
        more: (count) => `et ${number(count)} de plus`,
        tooMany: (limit) => `C’était trop à la fois : les ${number(limit)} premières sont ajoutées. Choisissez les autres ensuite.`,
        reasons: {
            "empty": "Ce fichier est vide.",
            "too-long": "Trop lourd : 256 Mo au plus.",
            "not-a-photo": "Ce n’est ni une photo ni une vidéo.",
            "metadata-left": "Le lieu et d’autres détails n’ont pas pu être retirés de ce fichier. Faites-en une capture d’écran, ou "
                + "enregistrez-le avec une autre application, et ajoutez cela.",
            "no-consent": "L’événement a un texte à accepter : tapez disposable consent dans un terminal de cet ordinateur.",
            "not-begun": "L’événement n’a pas encore commencé.",
            "over": "L’événement est fini. Acceptez des photos après la fin dans les réglages.",
            "no-videos": "Cet événement n’accepte que des photos, pas de vidéos.",
            "video-too-long": "Cette vidéo est trop longue.",
            "disk-full": "Le disque a trop peu de place : libérez-en.",
            "unreadable": "Ce fichier est illisible, ou c’est un dossier. Choisissez les fichiers qu’il contient.",
        },
    },

    album: {
        title: "Emporter les photos",
        kind: "Sous quelle forme ?", kinds: { photos: "Photos seules", plain: "Album", sealed: "Album chiffré" },
        abouts: {
            photos: "Les fichiers originaux et la liste de leurs légendes, en un fichier ZIP.",
            plain: "Les photos, une page pour tout navigateur, un livre à imprimer, et une liste signée : chacun peut vérifier plus tard que rien n’a changé. Décompressez le ZIP et ouvrez index.html.",
            sealed: "Pour un hébergeur ou une clé : sans sa phrase secrète, personne ne voit rien. Décompressez le ZIP et ouvrez index.html.",
        },
        none: "Pas encore de photos à enregistrer.",
        savePhotos: (count) => `Enregistrer ${plural(count, "photo")}`,
        passphrase: "Phrase secrète", passphraseHint: "Au moins 16 caractères. Vide : sept mots au hasard.",
        previews: "Petit : images pour écrans, sans les originaux", favourites: "Vos favoris seulement",
        make: "Faire l’album", stop: "Arrêter",
        writing: (done, total) => total ? `Lecture : ${number(done)} sur ${number(total)} …` : "Lecture des photos …",
        packing: "Mise en un seul fichier …", ready: "L’album est prêt.",
        content: (count, bytes) => `${plural(count, "photo")}, ${size(bytes)}.`,
        leftOut: (count) => `${plural(count, "photo incomplète", "photos incomplètes")} : encore scellées, ou pas arrivées ici.`,
        lacksSheet: "Sans planche-contact : le programme rsvg-convert manque. Installez librsvg2-bin avec apt.",
        itsPassphrase: "Sa phrase secrète :",
        passphraseAdvice: "Notez-la maintenant, et envoyez-la par une autre voie que l’album. Personne ne peut la retrouver.",
        save: "Enregistrer l’album", remove: "Supprimer d’ici",
        kept: "Le fichier attend ici une heure. Un téléchargement coupé continue dans la liste du navigateur, ou recommence ici.",
    },

    notice: {
        title: "Annonce à tous", label: "Nouvelle annonce", post: "Publier", remove: "Retirer",
        hint: "Tous les invités la voient au-dessus des photos, jusqu’à la suivante.",
        posted: "Publiée : tous les invités la voient.", removed: "Annonce retirée.",
        by: (name, at) => `${name}, ${time(at)}`,
    },

    vote: {
        title: "Photo de la soirée",
        about: "Les invités votent pour une photo. Les votes restent secrets jusqu’à la clôture.",
        open: "Ouvrir le vote", openAgain: "Ouvrir un autre vote", close: "Clore le vote",
        opened: "Le vote est ouvert.", closed: "Le vote est clos.",
        closeQuestion: { title: "Clore le vote ?", body: ["Tous voient le résultat aussitôt, sur le mur aussi. Le vote ne peut pas être rouvert."],
            yes: "Le clore" },
        isOpen: (at, voters) => `Ouvert depuis ${time(at)}. ${plural(voters, "personne a voté", "personnes ont voté")}.`,
        isClosed: (voters, winners) => `Clos. ${plural(voters, "personne a voté", "personnes ont voté")}.${winners === 0
            ? " Aucune photo montrée n’a de voix." : winners > 1 ? ` Ex æquo : ${number(winners)} photos ont le plus de voix.` : ""}`,
        place: (author, votes) => `${author}, ${plural(votes, "voix", "voix")}`,
    },

    twins: {
        title: "Galeries réunies",
        about: "Deux événements peuvent montrer leurs photos dans une même galerie, si un organisateur de chacun est d’accord. Saisissez l’invitation pour ordinateurs de l’autre événement : vous obtenez un accord pour son organisateur. Saisissez ensuite l’accord reçu en retour.",
        text: "Invitation ou accord de l’autre événement", hint: "Le texte commence par DISPOSABLE1: ou DISPOSABLETWIN1:.",
        take: "Continuer", copy: "Copier", agreement: "Accord pour l’autre événement",
        handOver: "Donnez ceci à l’organisateur de l’autre événement, qui le saisit dans sa régie, sauf s’il en a déjà saisi un de vous. C’est un secret, comme une invitation.",
        agreeQuestion: { title: "Accepter de réunir les galeries ?",
            body: ["Avec cet accord, l’organisateur de l’autre événement peut les réunir. Tous ses invités, même ceux qui arrivent plus tard, pourront alors voir et enregistrer vos photos."],
            yes: "Accepter" },
        joinQuestion: { title: "Réunir les galeries ?",
            body: ["Les invités des deux événements voient et peuvent enregistrer les photos des uns et des autres, même ceux qui arrivent plus tard. Prévenez vos invités par une annonce.", "Vous pouvez séparer les galeries à tout moment. Qui a enregistré une photo la garde."],
            yes: "Réunir" },
        separateQuestion: (name) => ({ title: `Séparer ${of(name)} ?`,
            body: ["Les photos de chaque événement ne sont plus montrées qu’à ses propres invités. Qui a enregistré une photo la garde."], yes: "Séparer" }),
        agreed: "L’accord est prêt.", joined: "Les galeries sont réunies de ce côté.",
        separated: "Les galeries sont séparées.", renewed: "Renouvelé.",
        separate: "Séparer", separateOne: (name) => `Séparer ${of(name)}`,
        renew: "Renouveler", renewOne: (name) => `Renouveler l’accès à ${name}`,
        renewQuestion: (name) => ({ title: `Renouveler l’accès à ${name} ?`,
            body: ["Tous ceux de cet événement reçoivent alors l’invitation actuelle de l’autre, même quelqu’un qui en a été retiré. Pour tenir une personne à l’écart, retirez-la d’abord ici aussi, ou séparez les galeries."],
            yes: "Renouveler" }),
        renewWhy: "Une invitation a été remplacée : les nouveaux ordinateurs ne lisent pas l’autre événement.",
        line: (name, state) => `${name} : ${state}`,
        states: {
            joined: (count) => `réunie, ${plural(count, "photo", "photos")}`,
            waiting: () => "en attente de l’accord de son organisateur, ou de ses photos",
            ended: () => "séparée par son organisateur",
        },
    },

    overview: {
        title: "Bilan",
        photos: "photos", people: "personnes", frames: "photos prises", storage: "de photos",
        waiting: (count) => `${number(count)} au-delà de la limite`,
        hidden: (count) => plural(count, "masquée"),
        pending: (count) => `${number(count)} à valider`,
        sealed: (count) => `${number(count)} encore dans l’appareil`,
        removed: (count) => plural(count, "supprimée"),
        devices: (count) => `sur ${plural(count, "appareil")}`,
        used: (used, limit) => limit === null ? number(used)
            : `${number(used)} sur ${number(limit)}`,
        noLimit: "sans limite",
        beyond: (count) => count ? `et ${number(count)} sans limite` : "",
        free: (bytes) => `${size(bytes)} libres ici`,
        hours: (step) => step === 1 ? "Photos par heure" : `Photos par tranche de ${step} heures`,
        noHours: "Pas encore de photos.",
        bar: (at, count) => `${time(at)} : ${plural(count, "photo")}`,
        safe: "Copies",
        onlyHere: (count) => `${plural(count, "photo")} seulement ici : perdues si ce disque tombe en panne.`,
        allSafe: "Chaque photo est sur deux ordinateurs ou plus.",
        noPhotos: "Pas encore de photos.",
        copies: [["here", "complètes sur cet ordinateur"], ["onTwoMachines", "sur deux ordinateurs"],
            ["onOrganizers", "chez un organisateur"], ["confirmed", "vérifiées deux fois"]],
        oneMachine: "Toutes les photos ne sont que sur cet ordinateur.", addMachine: "Ajouter un ordinateur de secours",
        nodes: "Ordinateurs", noName: "Ordinateur sans nom", connected: "connecté", inStep: "à jour",
        reconciling: "se met à jour",
        lastHeard: (at) => `dernières nouvelles ${time(Date.parse(at))}`,
        originals: (count) => `a ${plural(count, "original", "originaux")}`,
        problems: "À surveiller",
        diskLow: "Le disque est presque plein : aucune photo n’est acceptée avant que de la place se libère.",
        remarks: (event) => [[event.captionCount, "légende"], [event.commentCount, "commentaire"],
            [event.reactionCount, "réaction"]].filter(([count]) => count).map(([count, noun]) => plural(count,
                noun)).join(", "),
        until: (event) => text.fields.isUndated(event) ? "Commence quand vous l’ouvrez. "
            : event.phase === "draft" ? `Début ${time(event.parameters.startsAt)}, fin ${time(event.endsAt)}. `
            : event.phase === "open" ? `Jusqu’au ${time(event.endsAt)}. ` : "",
        forgotten: (event) => `Photos gardées jusqu’au ${time(event.expiresAt)}.`,
        deadline: (event) => `Le ${time(event.expiresAt)}, toutes les photos seront supprimées de tous les ordinateurs. `
            + "Enregistrez-les avant.",
        save: "Enregistrer les photos",
    },

    problems: {
        "room": "Le disque est presque plein : libérez de la place.",
        "multicast": "Les autres ordinateurs ne se trouvent pas d’eux-mêmes sur ce réseau.",
        "storage": "Le disque a une erreur.",
        "rebuilt": "La base de données a été abîmée.",
        "only-key": "Seul cet ordinateur ouvre les photos : notez sa clé, ou nommez un second organisateur.",
        "clone": "Deux ordinateurs utilisent le même dossier : arrêtez-en un.",
        "destruction": "Des photos supprimées n’ont pas encore pu être détruites.",
        "leaving": "Cet ordinateur quitte l’événement et en attend un autre.",
        "expiry": "La durée de conservation des photos est passée : elles vont être supprimées.",
        "printed": "Les affiches de l’ancienne invitation ne valent plus : imprimez-en de nouvelles.",
        "leaked-secret": "Un membre exclu connaît encore l’invitation : créez-en une nouvelle.",
        "older-version": "L’événement demande une version plus récente du programme.",
        "removed": "Cet ordinateur a été exclu de l’événement.",
        "twins": "Il n’y a pas de place ici pour une galerie réunie, ou pour d’autres de ses photos.",
    },

    errors: {
        "wrong-name": "Ce n’est pas le nom de l’événement. Rien n’a été supprimé.",
        "not-here": "D’un autre appareil, la régie permet seulement de voir, masquer et marquer les photos.",
        "foreign-origin": "Cette demande vient d’une autre page. Ouvrez la régie à sa propre adresse.",
        "no-session": "Ce navigateur n’a pas ouvert la régie, ou le programme a été relancé.",
        "too-many-requests": "Trop de demandes à la fois. Réessayez dans un instant.",
        "malformed-request": "La page et le programme ne se comprennent pas. Rechargez la page.",
        "not-found": "Ceci n’existe plus. Rechargez la page.",
        "unknown-photo": "Cette photo n’existe plus.",
        "unknown-message": "Ce message est déjà supprimé.",
        "not-entered": "L’événement n’a pas encore admis cet ordinateur. Reliez-le une fois à un autre qui en fait partie.",
        "put-out": "Cet ordinateur a été exclu de l’événement. Un organisateur peut le réintégrer.",
        "leaving": "Cet ordinateur quitte l’événement et ne change plus rien.",
        "rebuilt": "La base de données a été reconstruite. Avant tout changement, reliez cet ordinateur à un autre.",
        "rebuilding": "La base de données est abîmée, sa reconstruction est en cours. Réessayez dans un instant.",
        "newer-version": "L’événement demande une version plus récente du programme.",
        "rank": ([rank]) => rank === "moderator" ? "Il faut être modérateur ou organisateur."
            : rank === "event-key" ? "Il faut la clé de l’événement, sur l’ordinateur qui l’a créé." : "Il faut être organisateur.",
        "no-change": "C’est déjà le cas.",
        "no-such-ticket": "Ce billet n’existe pas.",
        "too-many-tickets": "Un ordinateur crée au plus 2 000 billets en tout.",
        "no-unused-tickets": "Aucun billet non utilisé n’a été créé sur cet ordinateur.",
        "promised": ([field]) => `L’événement est ouvert : ${/** @type {Record<string, string>} */ ({
            frames: "les invités comptent sur leurs photos, dont le nombre peut seulement augmenter.",
            areFramesDaily: "les invités comptent sur leurs photos de chaque jour.",
            tickets: "des invités sont peut-être venus sans billet.",
            retentionHours: "la suppression des photos est promise aux invités ; elle peut seulement être plus tôt.",
            isOpened: "il ne peut pas redevenir un brouillon.",
        })[field] ?? "ceci peut seulement changer en faveur des invités."}`,
        "too-many-edits": "Cet ordinateur a modifié l’événement trop souvent. Continuez sur celui d’un autre organisateur.",
        "too-many-notices": "C’est la limite d’annonces d’un ordinateur.",
        "too-fast": "Trop de demandes en peu de temps. Attendez un peu.",
        "too-many-favourites": "La limite de favoris est atteinte : enlevez-en d’abord.",
        "unlimited": ([name]) => `${name} a déjà des photos sans limite.`,
        "not-shown-yet": "Cette photo n’est pas encore montrée.",
        "not-shown": "Les invités ne voient pas encore cette photo. Validez-la, remontrez-la ou montrez d’abord les photos.",
        "not-a-photo": "Ce fichier n’est pas une image affichable.",
        "no-page": "La première page de ce PDF ne peut pas être dessinée. Enregistrez-la comme image, puis ajoutez-la.",
        "too-long": "Le fichier est trop grand. Enregistrez l’image en plus petit.",
        "map-format": "Ce fichier n’est pas une carte : exportez des tuiles d’images en un fichier MBTiles ou PMTiles.",
        "map-too-large": "Une carte a au plus 2 Gio. Exportez une zone plus petite, ou moins de zooms.",
        "map-no-images": "Les tuiles ne sont pas des images PNG, JPEG ou WebP. Les tuiles vectorielles ne s’affichent pas : exportez des images.",
        "map-damaged": "Le fichier est abîmé, ou sans tuiles. Exportez-le à nouveau.",
        "map-no-index": "Le fichier n’a pas d’index de ses tuiles. Exportez-le avec un autre programme, ou ajoutez l’index avec sqlite3.",
        "map-open-log": "Un autre programme écrit encore dans le fichier. Fermez-le, puis ajoutez le fichier.",
        "map-storage": "Le fichier ne peut pas être enregistré : le disque est plein, ou le fichier illisible.",
        "map-no-plan": "Ajoutez d’abord un plan.",
        "map-points": "Chaque point est sur le plan, et a une latitude et une longitude en degrés, comme 47.243012, 6.022114.",
        "map-same-point": "Les deux points sont le même. Choisissez-en deux éloignés.",
        "map-no-covering-tile": "Aucune tuile du fichier ne montre toute sa zone. Exportez aussi des zooms plus petits, ou ajoutez un plan avec deux points.",
        "unsealed": "Cet événement montre les photos aussitôt : il n’y a rien à révéler.",
        "shares-without-reveal": "Pour révéler les photos ensemble, choisissez qu’elles soient montrées plus tard.",
        "no-share": "Cet ordinateur n’a pas de part. Faites-le sur celui d’un organisateur qui en a une.",
        "revealed": "Les photos sont montrées et ne peuvent plus être cachées.",
        "no-reveal-key": "La clé qui ouvre les photos n’est pas ici. Faites-le sur l’ordinateur d’un autre organisateur.",
        "no-secret": "Cet ordinateur n’a pas lui-même la nouvelle invitation. Utilisez celui d’un autre organisateur.",
        "twin-unreadable": "Ce n’est ni une invitation ni un accord. Copiez le texte entier.",
        "twin-invalid": "Cet accord est pour un autre événement, ou aucun organisateur ne l’a signé. Demandez-en un nouveau, fait avec l’invitation de cet événement.",
        "twin-own": "Ce texte est du même événement. Saisissez celui de l’autre événement.",
        "twin-full": "La galerie est déjà réunie avec quatre autres. Séparez-en une d’abord.",
        "twin-used-up": "Cet ordinateur a réuni ou renouvelé des galeries autant de fois que possible. Celui d’un autre organisateur peut le faire.",
        "twin-unproven": "Cet ordinateur ne peut pas prouver qu’il est à un organisateur. Faites-le sur celui de l’hôte.",
        "twin-not-here": "Cet ordinateur n’a pas encore lu l’autre événement. Reliez-le à un ordinateur de cet événement.",
        "twin-unknown": "Les galeries ne sont plus réunies. Rechargez la page.",
        "twin-reader": "Cet ordinateur ne fait que lire cet événement, pour la galerie réunie. Pour y participer, rejoignez-le avec sa propre invitation.",
        "no-vote-open": "Aucun vote n’est ouvert. Rechargez la page.",
        "vote-open": "Un vote est déjà ouvert. Fermez-le d’abord.",
        "too-many-votes": "Cet ordinateur a ouvert autant de votes que possible.",
        "no-vote-secret": "Cet ordinateur ne peut pas clore le vote : utilisez celui d’un hôte qui l’était déjà à son ouverture.",
        "early": ([at]) => `Les photos devaient être montrées le ${time(Date.parse(at))}.`,
        "for-organizers": "Photos pour les organisateurs seuls, comme annoncé aux invités.",
        "harm": ([photos, ...names]) => [Number(photos) ? `${plural(Number(photos), "photo d’autres personnes ne serait plus montrée",
            "photos d’autres personnes ne seraient plus montrées")}.` : "",
            names.length ? `Ne feraient plus partie de l’événement : ${names.slice(0, 10).join(", ")}${names.length > 10
                ? ` et ${number(names.length - 10)} de plus` : ""}.` : ""].filter(Boolean).join(" ")
            || "D’autres personnes perdent quelque chose.",
        "malformed-name": "Ce nom ne convient pas : 1 à 80 lettres sur une ligne.",
        "malformed-text": "Ce texte ne convient pas : écrivez 1 à 2 000 lettres de texte simple.",
        "invalid-values": (fields) => fields.map((field) => text.errors.values[/** @type {"name"} */ (field)]
            ?? text.errors.values.other).join(" "),
        "values": {
            name: "Le nom a 1 à 80 lettres sur une ligne.", details: "La description a au plus 2 000 lettres.",
            place: "Le lieu a au plus 80 lettres sur une ligne.", startsAt: "Le début est une date de notre époque.",
            durationHours: "L’événement dure 1 heure à 30 jours.", frames: "Un invité a au plus 1 000 photos.",
            reveal: "Les photos sont montrées après le début.", retentionHours: "Les photos sont gardées 1 heure à 30 jours.",
            category: "Le type a au plus 80 lettres sur une ligne.",
            price: "Le prix a une monnaie de trois lettres majuscules, comme EUR.",
            links: "Il y a au plus 8 liens, avec http ou https, sans espace, de 200 lettres au plus.",
            registration: "Un SIREN a 9 chiffres, un SIRET 14 : l’un d’eux est faux.",
            position: "La position a une latitude de −90 à 90 et une longitude de −180 à 180 degrés.",
            contact: "Le contact a au plus 80 lettres sur une ligne.",
            consentText: "Le texte à accepter a au plus 2 000 lettres.",
            organizerName: "Le nom de qui invite a au plus 40 lettres.",
            lateness: "Les photos sont acceptées au plus 30 jours après la fin.",
            text: "Une annonce a au plus 500 lettres de texte simple.", other: "Une valeur ne convient pas.",
        },
        "no-pages": "Le programme ne sert pas de pages.",
        "no-network": "Cet ordinateur n’a pas encore de réseau : donnez l’adresse sur place.",
        "wifi-name": "Un nom de Wi-Fi a 1 à 32 lettres. Copiez-le du routeur.",
        "wifi-password": "Un mot de passe de Wi-Fi a 8 à 63 lettres. Laissez-le vide pour un réseau ouvert.",
        "invalid-address": "Écrivez une adresse comme 192.168.1.20, avec ou sans port.",
        "unreadable-code": "Un code imprimé ne se lit pas : un nom ou un mot de passe de Wi-Fi plus court aide.",
        "same-address": "C’est l’adresse du premier ordinateur. Écrivez celle du second, ou laissez le champ vide.",
        "missing-program": ([name]) => `Le programme ${name} manque pour imprimer. Installez-le avec apt.`,
        "album-busy": "Un autre album est en cours. Attendez-le, ou arrêtez-le.",
        "no-album": "Aucun album à enregistrer : il est supprimé après une heure. Refaites-le.",
        "no-photos-here": "Il n’y a pas encore de photos à enregistrer ici.",
        "no-room-for-album": "Le disque a trop peu de place pour l’album. Libérez-en, ou choisissez moins de photos.",
        "no-album-library": "Le programme des albums chiffrés manque. Installez node-tweetnacl avec apt.",
        "short-passphrase": ([least]) => `La phrase secrète a au moins ${least} caractères.`,
        "too-many-events": "Cet ordinateur porte déjà le plus grand nombre d’événements possible.",
        "other": (message) => `Cela n’a pas marché : ${message}`,
    },
};

export { text as french };
