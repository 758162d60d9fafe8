// SPDX-License-Identifier: Apache-2.0
// Every sentence of the page in French, in the shape of en.js.
import { formats, minutesOf } from "./format.js";

const { count, size, time, day, clock, range, money, date, hours, locale } = formats("fr", ["ko", "Mo", "Go"]);
/** @param {number} number */
const photos = (number) => count(number, "photo", "photos");
/** The moment of a photo as on a print. @param {number} ms */
const moment = (ms) => `${date(ms)} à ${hours(ms)}`;
/** A time with its word, which depends on whether the time has a day. @param {number} ms @param {string} day @param {string} hour */
const dated = (ms, day, hour) => {
    const said = time(ms).replace(", ", " à ");
    return (said.includes(" à ") ? day : hour) + said;
};
/** @param {number} ms */
const at = (ms) => dated(ms, "le ", "à ");
/** @param {number} ms */
const until = (ms) => dated(ms, "jusqu’au ", "jusqu’à ");
/** @param {string} name */
const of = (name) => /^[aeiouyhâàéèêëîïôùûü]/i.test(name) ? `d’${name}` : `de ${name}`;

/** @type {typeof import("./en.js").english} */
export const french = {
    product: "Disposable",
    guest: "un invité",
    time, day, clock, size,

    common: {
        cancel: "Annuler", close: "Fermer", back: "Retour", retry: "Réessayer", copy: "Copier", copied: "Copié.",
        share: "Partager",
        copyByHand: "Appuyez longuement sur le texte pour le copier.",
        help: "Aide", privacy: "Vie privée", dismiss: "Masquer",
        opening: "Ouverture de la fête …",
        slow: "Toujours en cours. Rechargez, ou essayez la",
        simple: "page simple",
        skip: "Aller aux photos",
        languages: "Langue",
    },

    code: {
        title: "Bonjour !",
        about: "Un appareil photo pour toute la fête, sans application ni Internet.",
        board: "Événements",
        intro: "Tapez le code de l’affiche, ou scannez-la de nouveau.",
        label: "Code de la fête",
        hint: "8 lettres et chiffres, comme K7QM\u20113XPD",
        shown: (code) => `${code.slice(0, 4)}-${code.slice(4)}`,
        open: "Ouvrir la fête",
        incomplete: (number) => `Le code a 8 lettres et chiffres. Vous en avez tapé ${number}.`,
        wrong: "Ce code ne correspond pas. Il n’a jamais de I, L, O ni U.",
        wrongLink: "Ce lien est celui d’une autre fête. Vous avez un code ? Tapez-le ici, ou scannez encore le mur.",
        ended: "Vous êtes parti longtemps. Entrez de nouveau : vos photos sont toutes là.",
    },

    welcome: {
        title: (event) => `Bienvenue : ${event}`,
        host: (host) => `${host} vous invite à prendre des photos.`,
        noHost: "Vous êtes invité à prendre des photos.",
        frames: (number) => number === null ? "Prenez autant de photos que vous voulez."
            : `Votre pellicule : ${photos(number)}. À vous de jouer !`,
        check: "Est-ce la bonne fête ?",
        words: "Vérifiez : ces quatre mots sont sur l’affiche",
        name: "Votre nom (facultatif)",
        nameRequired: "Votre nom",
        nameMissing: "L’hôte demande un nom à tout le monde.",
        nameHint: "Affiché sous vos photos.",
        offer: (name) => `Je suis « ${name} »`,
        another: "Un autre surnom",
        shared: {
            everyone: "Tout le monde ici peut voir et enregistrer vos photos.",
            own: "Tout le monde ici voit vos photos. Seuls vous et l’hôte les enregistrez.",
            organizers: "Tout le monde ici voit vos photos. Seul l’hôte les enregistre.",
        },
        dataLink: "Que deviennent mes données ?",
        join: "Rejoindre la fête",
        look: "Voir les photos",
        returning: "J’étais déjà là",
        notYet: (start) => `La fête commence ${at(start)}.`,
        draft: "L’hôte n’a pas encore ouvert la fête. Vous pouvez déjà regarder.",
        overTitle: (event) => `${event} : c’est fini`,
        over: "Vous pouvez encore voir les photos et les enregistrer.",
        nameTooLong: "Ce nom est trop long : 40 lettres au plus.",
        nickname: {
            // The noun comes first; each adjective has one form for both genders.
            of: (first, second) => `${second} ${first}`,
            first: ["agile", "aimable", "brave", "calme", "célèbre", "comique", "drôle", "énergique", "fantastique",
                "fidèle", "habile", "honnête", "intrépide", "jeune", "libre", "magique", "magnifique", "moderne",
                "modeste", "noble", "optimiste", "paisible", "poétique", "rapide", "romantique", "sage", "sincère",
                "splendide", "superbe", "sympathique", "tendre", "tranquille"],
            second: ["Loutre", "Renard", "Hibou", "Panda", "Merle", "Koala", "Dauphin", "Lapin", "Pingouin", "Tigre",
                "Blaireau", "Castor", "Hérisson", "Chaton", "Lion", "Lama", "Lynx", "Élan", "Perroquet", "Poney",
                "Macareux", "Phoque", "Moineau", "Écureuil",
                "Cygne", "Tortue", "Baleine", "Zèbre", "Bourdon", "Flamant", "Girafe", "Hamster"],
        },
    },

    introduction: {
        title: "Ravis de vous compter parmi nous !",
        take: (frames) => frames === null ? "Prenez autant de photos que vous voulez, avec le bouton en bas."
            : `Vous avez ${photos(frames)}, à prendre avec le bouton en bas.`,
        see: (sealed) => sealed === null ? "Tout le monde les voit ici en quelques secondes."
            : sealed.forOrganizers ? "Seul l’hôte les voit, et vous voyez les vôtres."
            : "Comme avec une pellicule, elles sont développées plus tard, puis visibles ici par tous.",
        save: (at) => `Enregistrez vos préférées : toutes seront supprimées le ${date(at)}.`,
        done: "Compris",
    },

    consent: {
        title: "Avant votre première photo",
        statement: "Tout le monde ici peut voir et enregistrer les photos que j’ajoute. Je peux supprimer les miennes à "
            + "tout moment ; seule reste une trace qu’il y en avait une.",
        organizers: "L’hôte demande",
        yes: "Accepter et envoyer",
        declined: "Rien n’a été envoyé. Vous pouvez voir toutes les photos. Pour en ajouter, touchez de nouveau le "
            + "bouton et acceptez.",
    },

    sealed: {
        count: (number) => number ? `${photos(number)} dans l’appareil` : "Pas encore de photo",
        note: (sealed, wait) => sealed.forOrganizers ? "Seul l’hôte verra ces photos, et vous les vôtres."
            : sealed.organizerCount ? `${["Deux"][sealed.organizerCount - 2] ?? sealed.organizerCount} organisateurs révèlent les photos ensemble.`
            : sealed.revealsAt === null ? "L’hôte décide quand tout le monde les voit."
            : wait > 0 ? `Développées ${at(sealed.revealsAt)}` : "Développement …",
        countdown: (wait) => {
            const seconds = Math.ceil(wait / 1000);
            if (seconds < 60) return String(seconds);
            const days = Math.floor(seconds / 86_400);
            const rest = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
                .map((part) => String(part).padStart(2, "0")).join(":");
            return days ? `${count(days, "jour", "jours")} ${rest}` : rest;
        },
        later: (reveal) => reveal === null ? "Les photos seront montrées quand l’hôte le décidera."
            : `Comme une pellicule : tout le monde voit les photos ${at(reveal)}.`,
        own: "Scellée jusqu’à la révélation",
        onPhone: "Scellées sur votre téléphone avant l’envoi.",
    },

    webview: {
        title: "Mieux dans votre navigateur",
        body: "Vous êtes dans une autre application, où prendre des photos échoue souvent. Ouvrez Safari ou Chrome et "
            + "tapez cette adresse :",
        code: "puis ce code :",
    },

    words: {
        title: "J’étais déjà là",
        intro: "Tapez vos douze mots, ou ouvrez votre lien de retour sur ce téléphone.",
        label: "Vos douze mots",
        hint: "Les quatre premières lettres de chaque mot suffisent.",
        go: "Revenir",
        count: (number) => `${number} mots sur 12`,
        unknown: (place, word) => `Le mot ${place}, « ${word} », n’est pas dans la liste.`,
        tooMany: "Il y a plus de douze mots.",
        checksum: "Les douze mots sont dans la liste, mais ne vont pas ensemble. L’un d’eux est peut-être un autre, ou "
            + "deux sont inversés.",
        offline: "La liste de mots n’a pas pu être chargée. Êtes-vous sur le Wi‑Fi de la fête ?",
        stranger: "Personne à cette fête n’a encore ces mots. Vous êtes un nouvel invité ; vous pouvez donner un nom "
            + "sous « Moi ».",
        otherGuest: {
            title: "Passer à l’autre invité ?",
            body: "Ce téléphone est déjà celui d’un invité de cette fête. Le lien de retour est celui d’une autre "
                + "personne, ou le vôtre sur un autre téléphone.",
            yes: "Changer",
            no: "Rester ainsi",
        },
    },

    party: {
        everyone: "Tous",
        mine: "Les miennes",
        me: "Moi",
        camera: "Prendre une photo",
        library: "Choisir des photos",
        atOnce: (limit) => limit > 1 ? `En choisir ${limit} au plus` : "En choisir une",
        early: (start) => `Vous pourrez ajouter des photos ${dated(start, "à partir du ", "à partir de ")}.`,
        leftOnFilm: (left, all) => `Il reste ${left} sur ${photos(all)} de votre pellicule`,
        used: (used) => count(used, "photo prise", "photos prises"),
        left: (left, all) => `reste ${left} sur ${all}`,
        counterLeft: (all, left) => `${left < 2 ? "reste" : "restent"} sur ${all}`,
        counterUsed: "prises",
        notice: "De l’hôte",
        firstUse: "Votre appareil ou vos photos s’ouvrent. Seul ce que vous choisissez part.",
        nudge: (left) => left === 1 ? "Plus qu’une photo sur votre pellicule. Choisissez bien !"
            : `Plus que ${left} photos sur votre pellicule.`,
        last: "C’était la dernière ! Votre pellicule est finie.",
        unreachable: "Pas de connexion à la fête",
        unreachableHint: "Vos photos sont en sécurité et partiront dès que vous serez de retour sur le Wi‑Fi.",
        fresh: (number) => count(number, "nouvelle photo", "nouvelles photos"),
        preparing: "Votre téléphone prépare les photos. Gardez cette page ouverte.",
        preparingMany: "Votre téléphone prépare les photos ; avec beaucoup, cela prend du temps. Gardez cette page "
            + "ouverte. Sur un iPhone, choisissez-en environ 30 à la fois.",
        cameraLost: "Votre téléphone a fermé cette page pendant la prise de vue. S’il a gardé la photo, elle est dans "
            + "votre galerie : touchez « Choisir des photos ».",
        shotLost: "Votre téléphone a fermé cette page pendant la prise de vue. Si votre photo n’est pas là, reprenez-la.",
        drop: "Déposez vos photos ici",
        sending: (done, all) => `Envoi de ${done} sur ${all}. Gardez cette page ouverte`,
        waiting: (number) => `${count(number, "photo attend", "photos attendent")} le Wi‑Fi. Gardez cette page ouverte`,
        boxFull: (number) => `La boîte à photos est pleine. ${count(number, "photo attend", "photos attendent")} que `
            + "l’hôte fasse de la place. Gardez cette page ouverte",
        saved: (number) => number === 1
            ? "Votre photo est bien reçue. Elle s’affiche dans un instant, vous pouvez ranger votre téléphone"
            : `${number} photos bien reçues. Elles s’affichent dans un instant, vous pouvez ranger votre téléphone`,
        failed: (number) => count(number, "photo n’a pas pu être envoyée", "photos n’ont pas pu être envoyées"),
        sent: (number) => number === 1 ? "Votre photo est arrivée !" : `Vos ${number} photos sont arrivées !`,
        fits: {
            title: (left, chosen) => `Il y a de la place pour ${left} sur ${chosen}`,
            body: "Choisissez celles à envoyer.",
            photo: (place) => `Photo ${place}`,
            yes: (number) => `En envoyer ${number}`,
        },
        tooMany: (limit) => `C’était trop à la fois : ${limit === 1 ? "la première est" : `les ${limit} premières sont`} `
            + "en route. Choisissez les autres ensuite.",
        already: (number) => number === 1 ? "Cette photo est déjà en route." : `${number} d’entre elles sont déjà en route.`,
        sentBefore: (number) => number === 1 ? "Vous avez déjà envoyé cette photo."
            : `Vous avez déjà envoyé ${number} d’entre elles.`,
    },

    over: {
        title: "La fête est finie. Merci !",
        result: (number) => number === 0 ? "Personne n’a pris de photo." : `${photos(number)} à emporter.`,
        until: (end) => `Vous pouvez les voir, les enregistrer et ajouter les vôtres ${until(end)}.`,
        look: (end) => `Vous pouvez les voir et les enregistrer ${until(end)}.`,
        remind: (hours) => `Les photos seront supprimées dans ${hours >= 48
            ? count(Math.floor(hours / 24), "jour", "jours") : count(hours, "heure", "heures")} : enregistrez-les.`,
        only: (end) => `Vous pouvez les regarder ${until(end)}.`,
        save: "Tout enregistrer",
        saveMine: "Enregistrer les miennes",
        add: "Ajouter des photos",
    },

    full: {
        title: "Votre pellicule est finie",
        body: "Bravo ! Vous pouvez encore voir toutes les photos et les enregistrer.",
        look: "Bravo ! Vous pouvez encore voir toutes les photos.",
        mine: "Ma pellicule",
        save: "Enregistrer",
        waiting: "Personne d’autre ne voit les photos qui attendent. L’hôte peut donner à tous une pellicule plus longue.",
    },

    gallery: {
        count: photos,
        alt: (author, at, isVideo) => `${isVideo ? "Vidéo" : "Photo"} ${of(author)}, ${time(at)}`,
        loading: "Chargement des photos …",
        more: "En voir plus",
        failed: "Échec du chargement des photos.",
        order: "Ordre", newest: "Récentes", taken: "Date de prise de vue", loved: "Préférées", highlights: "Les choisies", myHearts: "Mes cœurs",
        hearts: (number) => count(number, "cœur", "cœurs"),
        empty: "Pas encore de photo.", first: "À vous l’honneur !",
        emptyMine: "Votre pellicule est encore vide.", firstMine: "Prenez votre première photo avec le bouton ci-dessous.",
        veiled: "Voilée, en cours d’examen",
        early: "En route",
        earlyAlt: (name) => `Photo ${of(name)}, en route`,
        developing: "Développement …",
        file: "Sans aperçu",
        video: "Vidéo",
        select: "Sélectionner",
        saveAll: "Tout enregistrer",
        selected: (number) => number === 0 ? "Touchez les photos voulues"
            : count(number, "sélectionnée", "sélectionnées"),
        allOf: (author) => `Toutes celles ${of(author)}`,
        save: "Enregistrer",
        remove: "Supprimer",
        done: "Terminé",
        zipTitle: (number) => `Enregistrer ${photos(number)} ?`,
        zipBody: (bytes) => `Elles arrivent en un fichier ZIP${bytes ? ` d’environ ${size(bytes)}` : ""}.`,
        zipPhone: "Sur un téléphone, il est dans « Fichiers » (iPhone) ou « Téléchargements » (Android) : touchez-le pour "
            + "le décompresser. Si le navigateur avertit, choisissez « Conserver ». Pour garder une seule photo parmi "
            + "les vôtres, ouvrez-la, appuyez longuement et enregistrez-la.",
        zipYes: "Enregistrer",
    },

    mine: {
        frame: (frame) => `Vue ${frame}`,
        waiting: "En attente",
        pending: "À valider", veiled: "Voilée",
        pendingHint: "Tout le monde verra les photos à valider dès que l’hôte les aura regardées.",
        queued: "En attente",
        reading: "Un instant …",
        percent: (percent) => `${percent} %`,
        finishing: "Presque fini …",
        saved: "Reçue",
        done: "Envoyée",
        retry: "Réessayer",
        retryAll: "Tout réessayer",
        discard: "Retirer",
        tile: (name, state) => `${name} : ${state}`,
        lost: "La page a été fermée. Choisissez de nouveau cette photo et l’envoi reprendra où il s’est arrêté.",
        lostShot: "La page a été fermée avant l’envoi de cette photo. Reprenez-la.",
        unkept: "Ce navigateur ne garde rien : ne fermez pas cette page avant que tout soit envoyé.",
        reason: {
            "empty": "Ce fichier est vide.",
            "too-large": "Trop lourd : 256 Mo au plus.",
            "not-a-photo": "Ce n’est ni une photo ni une vidéo.",
            "cannot-seal": "Ce navigateur ne peut pas la sceller.",
            "metadata-left": "Le lieu et d’autres détails n’ont pas pu être retirés de ce fichier. Faites-en une capture "
                + "d’écran, ou enregistrez-le avec une autre application, et envoyez cela.",
            "roll-full": "Votre pellicule est finie.",
            "ticket-needed": "Il vous faut d’abord un billet.",
            "not-begun": "La fête n’a pas encore commencé.",
            "over": "La fête est finie. Gardez cette photo et demandez plus de temps à l’hôte.",
            "no-videos": "L’hôte n’accepte que des photos, pas de vidéos.",
            "video-too-long": (seconds) => seconds === null ? "Cette vidéo est trop longue."
                : `Trop longue : au plus ${count(seconds, "seconde", "secondes")} de vidéo.`,
            "camera-only": "L’hôte veut des photos prises ici : touchez « Prendre une photo ».",
            "not-entered": "Vous n’êtes plus entré. Rechargez la page.",
            "put-out": "Vous avez été retiré de cet événement. Si c’est une erreur, demandez aux organisateurs.",
            "unreadable": "Votre téléphone ne donne plus ce fichier à la page. Choisissez-le de nouveau.",
            "server": "La boîte à photos a un problème.",
            "refused": "La boîte à photos ne l’a pas acceptée.",
        },
    },

    photo: {
        title: "Photo",
        numbered: (number, isVideo) => `${isVideo ? "Vidéo" : "Photo"} ${number}`,
        taken: (at) => `Prise le ${moment(at)}`,
        added: (at) => `Ajoutée le ${moment(at)}`,
        by: (author) => `par ${author}`,
        zone: (zone) => `arrivée à : ${zone}`,
        of: (place, number) => `${place} sur ${number}`,
        announce: (alt, place, number) => `${alt}. ${place} sur ${number}.`,
        previous: "Photo précédente",
        next: "Photo suivante",
        save: "Enregistrer l’original",
        copy: "Copier le texte",
        credit: (author, event, at) => `Photo de ${author}, ${event}, ${date(at)}`,
        hold: "Pour la garder : appuyez longuement, puis « Enregistrer ».",
        remove: "Supprimer",
        notShown: "Votre navigateur ne peut pas l’afficher. Enregistrez l’original pour la voir ailleurs.",
        notShownHere: "Votre navigateur ne peut pas l’afficher.",
        notReached: "Inaccessible pour l’instant. Elle viendra avec la connexion.",
        notHere: "Cette photo est encore en route vers cette boîte à photos.",
        removeTitle: (number) => number === 1 ? "Supprimer cette photo pour tous ?" : `Supprimer ${photos(number)} pour tous ?`,
        removeBody: "Elle disparaît pour tout le monde. Les copies déjà enregistrées restent à leurs propriétaires.",
        removeFrame: (number, all) => `${number === 1 ? "Elle compte" : "Elles comptent"} toujours parmi vos ${all} photos.`,
        removeYes: "Supprimer pour tous",
        removed: (number) => number === 1 ? "Supprimée pour tous." : `${photos(number)} supprimées pour tous.`,
        undo: "Annuler",
        tooLate: "Trop tard, elle est déjà supprimée.",
        back: "Photo rétablie.",
        gone: "Cette photo a été supprimée.",
    },

    remarks: {
        title: "Commentaires",
        reactions: "Réactions",
        reaction: (emoji, number) => `${emoji}, ${number}`,
        comments: (number) => count(number, "commentaire", "commentaires"),
        none: "Pas encore de commentaire. Un mot gentil ?",
        later: (reveal) => reveal === null ? "Les commentaires ouvriront quand tous verront cette photo."
            : `Les commentaires ouvrent ${at(reveal)}.`,
        earlier: (number) => count(number, "commentaire précédent", "commentaires précédents"),
        label: "Votre commentaire",
        hint: "Un commentaire",
        send: "Envoyer",
        said: "Commentaire envoyé.",
        remove: (words) => `Supprimer votre commentaire : ${words}`,
        removed: "Commentaire supprimé.",
    },

    moment: {
        name: "Moment",
        all: "Moments",
        now: "C’est le moment ! Tout le monde prend une photo.",
        take: "Prendre la photo",
        begins: "C’est le moment ! Vous avez cinq minutes pour une photo.",
        lastMinute: "Plus qu’une minute pour la photo du moment.",
        over: "Le moment est passé.",
        see: "Voir ses photos",
        late: "En retard",
        left: (wait) => minutesOf(wait),
        title: (at) => `Le moment de ${time(at)}`,
        past: (at, number) => `${time(at)} · ${photos(number)}`,
        soundOff: "Sonner aux moments",
        soundOn: "Sonne aux moments",
        flash: "C’est le moment !",
        everyone: "Tout le monde prend une photo.",
    },

    people: {
        choose: "Personnes",
        title: "Les photos de qui ?",
        search: "Chercher un nom",
        notFound: "Personne avec des photos n’a ce nom.",
        more: (number) => `Et ${count(number, "autre personne", "autres personnes")} avec moins de photos.`,
        of: (name) => `Photos ${of(name)}`,
        all: (name) => `${name} : toutes les photos`,
        none: "Aucune photo de cette personne.",
        zones: "Lieu d’arrivée des photos",
    },

    finder: {
        title: "Appareil photo",
        broken: "La caméra ne marche pas ici. Utilisez l’appareil du téléphone.",
    },

    booth: { open: "Photomaton sur cet écran" },

    hours: {
        choose: "Aller à",
        title: "Aller à une heure",
    },

    missions: "Missions",

    plan: "Plan",

    calendar: {
        choose: "Calendrier",
        title: "Photos par jour",
        previous: "Mois précédent",
        next: "Mois suivant",
        day: (ms, number) => `${day(ms)} : ${number ? photos(number) : "aucune photo"}`,
        locale,
    },

    caption: {
        write: "Écrire une légende",
        change: "Changer la légende",
        label: "Votre légende",
        hint: "Tout le monde la voit. Vide, elle est supprimée.",
        save: "Enregistrer",
        saved: "Légende enregistrée.",
        deleted: "Légende supprimée.",
    },

    me: {
        title: "Moi",
        nameSave: "Changer",
        nameSaved: "Tout le monde voit votre nouveau nom.",
        nameMissing: "Tapez d’abord un nom.",
        words: "Sur un autre téléphone",
        wordsIntro: "Nouveau téléphone ? Ces douze mots y amènent vos photos et votre pellicule. Gardez-les pour vous.",
        wordsShow: "Montrer mes douze mots",
        returnCode: "Code QR de mon lien de retour",
        wordsHide: "Les cacher",
        link: "Ou ouvrez-y ce lien de retour :",
        linkCopy: "Copier le lien de retour",
        noWords: "Ce navigateur ne connaît plus vos douze mots. Vous restez entré jusqu’à la déconnexion.",
        unkept: "Ce navigateur oublie tout à la fermeture. Notez les mots.",
        invite: "Inviter un ami",
        inviteIntro: "Sur le même Wi‑Fi, ouvrir ce lien, ou taper l’adresse et le code :",
        inviteCopy: "Copier le lien",
        qr: "Code QR du lien des invités",
        fingerprint: "Les quatre mots de cette fête",
        leave: "Se déconnecter de ce téléphone",
        leaveTitle: "Se déconnecter de ce téléphone ?",
        leaveBody: "Vos photos restent à la fête. Seuls vos douze mots vous ramènent comme le même invité.",
        leaveUnsent: (number) => ` ${count(number, "photo pas encore envoyée sera oubliée",
            "photos pas encore envoyées seront oubliées")}.`,
        leaveYes: "Se déconnecter",
        erase: "Supprimer tout ce qui me concerne",
        eraseTitle: "Supprimer tout ce qui vous concerne ?",
        eraseBody: "Vos photos, vos commentaires et votre nom disparaissent pour tous, et en quelques heures de toutes "
            + "les machines de la fête.",
        eraseRemains: "Il reste une trace que quelqu’un était là, quand, et que des photos ont été supprimées. Les copies "
            + "déjà enregistrées restent à leurs propriétaires.",
        eraseYes: "Supprimer",
        left: "Vous êtes déconnecté. Merci pour vos photos !",
    },

    look: {
        title: "Apparence",
        theme: "Thème", system: "Du téléphone", light: "Clair", dark: "Sombre",
        large: "Texte agrandi",
        film: "Photos aux couleurs d’une vieille pellicule. Les fichiers restent tels que pris.",
    },

    data: {
        title: "Mes données",
        intro: "Vos photos, vos noms, tout ce que vous avez dit et accepté, et ce que d’autres ont dit de vos photos.",
        save: "Enregistrer tout sur moi",
        body: "Un fichier ZIP : vos photos telles que partagées, et me.json, un texte avec tout ce que la fête sait de "
            + "vous.",
    },

    report: {
        open: "Un problème ?",
        title: "Rapport pour l’hôte",
        intro: "Montrez-le à l’hôte, ou envoyez-le-lui. Il ne contient ni noms ni photos, et ne part pas tout seul.",
        save: "Enregistrer le fichier",
    },

    about: {
        title: "À propos de cette fête",
        when: (from, to) => range(from, to),
        host: (host) => `Organisée par ${host}`,
        contact: "Contact :",
        free: "Entrée libre",
        price: (cents, currency) => `Entrée : ${money(cents, currency)}`,
        links: "Liens (avec Internet)",
        code: "QR code",
        kept: (end) => `Toutes les photos seront supprimées des machines de la fête ${at(end)}. Enregistrez avant celles `
            + "qui vous plaisent.",
    },

    moving: {
        box: (name) => name === null ? "une autre boîte à photos" : `la boîte à photos ${of(name)}`,
        offer: (box) => `La fête continue sur ${box}.`,
        along: (number) => `${number === 1 ? "Votre photo qui attend viendra" : `Vos ${number} photos qui attendent `
            + "viendront"} aussi : touchez, et gardez cette page ouverte jusqu’à leur arrivée.`,
        go: (box) => `Continuer sur ${box}`,
        handing: (number, box) => `Transfert de ${photos(number)} vers ${box}. Gardez cette page ouverte`,
        blocked: "Votre navigateur n’a pas ouvert de fenêtre. Autorisez-la et touchez de nouveau ; vos photos attendent "
            + "ici.",
        broken: "L’autre fenêtre n’a pas tout pris. Le reste attend ici : touchez de nouveau.",
        some: (number) => `${count(number, "photo n’a pas pu être transférée et attend",
            "photos n’ont pas pu être transférées et attendent")} ici.`,
        otherGuest: "Ce navigateur y est un autre invité : vos photos restent ici.",
        moved: (box) => `Vous et vos photos êtes sur ${box}, dans l’autre fenêtre.`,
        movedHint: "Vous pouvez fermer celle-ci.",
        movedTitle: "La fête continue",
        waiting: "Un instant …",
        taking: (done, all) => `${done} sur ${photos(all)} arrivées. Gardez les deux fenêtres ouvertes`,
        otherGuestHere: "Ce navigateur est déjà un autre invité ici. Les photos restent dans l’autre fenêtre.",
    },

    names: {
        title: "Comment vous appelez-vous ?",
        body: "L’hôte demande un nom à tout le monde. Il s’affiche sous vos photos.",
        yes: "C’est moi",
    },

    errors: {
        "unreachable": "La boîte à photos ne répond pas. Êtes-vous sur le Wi‑Fi de la fête ?",
        "too-many": (seconds) => `Trop d’essais. Attendez ${seconds < 90
            ? count(Math.ceil(seconds), "seconde", "secondes") : count(Math.ceil(seconds / 60), "minute", "minutes")}.`,
        "wrong-signature": "Votre navigateur n’a pas pu prouver qui vous êtes. Rechargez la page.",
        "no-consent": "L’hôte demande votre accord avant d’ajouter des photos.",
        "no-name": "L’hôte demande un nom avant d’ajouter des photos.",
        "names-off": "À cette fête, personne ne donne de nom.",
        "not-for-saving": "À cette fête, seul l’hôte enregistre les photos des autres.",
        "other-text": "L’hôte vient de changer le texte. Relisez-le.",
        "unavailable": "La boîte à photos n’est pas encore prête. Réessayez dans un instant.",
        "leaving": "Cette boîte à photos quitte la fête. Utilisez-en une autre.",
        "too-many-guests": "Trop de nouveaux invités sont venus de ce navigateur. Revenez comme l’un d’eux avec les douze "
            + "mots.",
        "malformed-name": "Ce nom ne convient pas : 1 à 40 lettres sur une ligne.",
        "malformed-text": "Ceci ne peut pas être envoyé : jusqu’à 500 lettres de texte simple.",
        "not-shown-yet": "Cette photo sera montrée plus tard. Commentez-la quand tout le monde la voit.",
        "too-many-comments": "C’est la limite pour une photo.",
        "wrong-token": "Ce lien n’ouvre aucune fête ici.",
        "replaced": "Ce code a été remplacé. Demandez le nouveau à l’hôte.",
        "no-signing": "Une partie de cette page n’a pas été chargée. Rechargez-la.",
        "other": (message) => `Cela n’a pas marché : ${message}`,
    },
};
