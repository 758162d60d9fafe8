// SPDX-License-Identifier: Apache-2.0

extension SimpleTexts {
    static let french = Self(
        language: .french, guest: "un invité", anotherBox: "une autre boîte à photos",
        firstPage: "Aller à la première page", haveCode: "J’ai un code",
        entrance: .init(
            enterTitle: "Disposable\u{A0}: entrer avec un code", enterHeading: "Entrer avec un code",
            code: "Code de l’affiche", name: "Votre nom, si vous voulez",
            returnWords: "Vos douze mots de retour, si vous êtes déjà venu",
            shared: """
                Ce que vous envoyez est montré à tous à la fête et gardé sur ses boîtes à photos jusqu’à la fin de \
                l’événement et de sa durée de conservation. D’ici là, vous pouvez reprendre vos photos.
                """,
            dataLink: "Que deviennent mes données\u{A0}?", dataPage: "/fr/privacy.html", enter: "Entrer"),
        signIn: .init(
            onWiFi: "Vous êtes sur le Wi-Fi de la fête",
            scanOrOpen: """
                Si le téléphone le demande, choisissez «\u{A0}Utiliser sans Internet\u{A0}» ou «\u{A0}Rester \
                connecté\u{A0}». Scannez ensuite le code de l’affiche avec l’appareil photo, ou ouvrez cette adresse \
                dans Safari, Chrome ou un autre navigateur\u{A0}:
                """,
            windowLimits: "Cette fenêtre ne peut pas envoyer de photos, et elle vous oublie quand elle se ferme.",
            toBoard: "Voir les événements annoncés"),
        welcome: .init(
            youAreIn: { "Vous y êtes\u{A0}: \($0)" },
            writeDown: """
                Notez ces mots. Avec eux, vous redevenez vous-même dans un autre navigateur, et personne ne pourra \
                vous les redire\u{A0}:
                """,
            toPhotos: "Voir les photos"),
        gallery: .init(
            older: "Photos plus anciennes", missions: "Missions", missionsHint: "L’hôte cherche ces photos :",
            everyone: "Tout le monde", mine: "Les miennes", saveAll: "Tout enregistrer (ZIP)",
            saveMine: "Enregistrer les miennes (ZIP)", elsewhere: "Si cette boîte à photos ne répond plus",
            elsewhereHint: """
                La fête continue ici, avec le même code et vos douze mots. Gardez cette page ouverte, ou notez une \
                adresse\u{A0}:
                """,
            photoBy: { "Photo\u{A0}: \($0)" }, keep: "Garder", remove: "Supprimer pour tous", pending: "À valider",
            save: "Enregistrer"),
        refused: .init(
            refusedTitle: "Photos pas toutes ajoutées", refusedHeading: "Toutes n’ont pas été acceptées",
            sentOf: { "\($0) sur \($1) sont dans la galerie." }, toMine: "Voir mes photos"),
        sealed: .init(
            inCamera: { "\(Language.french.count($0, "photo", "photos")) dans l’appareil." },
            onlyHost: "Seul l’hôte verra ces photos, et vous verrez les vôtres.",
            shownFrom: {
                let time = Language.french.text("d MMMM 'à' HH\u{A0}'h'\u{A0}mm", milliseconds: $0)
                return "Tout le monde les verra le \(time)."
            },
            hostDecides: "L’hôte décide quand tout le monde les voit.",
            organizersReveal: { "\($0 == 2 ? "Deux" : "\($0)") organisateurs révèlent les photos ensemble." }),
        ticket: .init(
            title: "Votre billet",
            missing: "Pour prendre des photos à cette fête, il faut un billet. Tapez celui de votre carte.",
            lost: {
                """
                Le billet \($0) a aussi été utilisé par quelqu’un d’autre, qui l’a maintenant. Vos photos sont \
                gardées, et montrées dès que l’hôte vous donne des photos ou un autre billet.
                """
            },
            type: "Le billet de votre carte", use: "Utiliser ce billet"),
        sending: .init(
            enterFirst: "Entrez avec le code", enterFirstHint: "pour ajouter des photos.",
            youAre: { "Vous êtes \($0)." }, takenOf: { "Photos prises\u{A0}: \($0) sur \($1)." },
            taken: { "\(Language.french.count($0, "photo prise", "photos prises"))." }, photos: "Photos",
            atOnce: { "\($0) au plus à la fois" }, send: "Envoyer", hostAsks: "Ce que demande l’hôte",
            agree: "J’accepte\u{A0}:",
            statement: """
                Tout le monde ici peut voir et enregistrer les photos que j’ajoute. Je peux supprimer les miennes à \
                tout moment\u{A0}; seule reste une trace qu’il y en avait une.
                """),
        remarks: .init(
            comments: "Commentaires", back: "Retour aux photos",
            earlierComments: {
                Language.french.count($0, "commentaire plus ancien", "commentaires plus anciens")
            },
            allComments: { "Les \($0) commentaires" }, commentCount: { "Commentaires\u{A0}: \($0)" }),
        program: .init(
            title: "Votre ordinateur comme boîte à photos",
            intro: """
                Un ordinateur sous Linux peut devenir une boîte à photos de plus pour cette fête. Il garde aussi \
                toutes les photos, et la fête continue si une autre boîte tombe en panne. Il lui faut le \
                programme, que cette boîte à photos propose, et une invitation de l’hôte.
                """,
            warning: """
                Ne l’installez que si vous connaissez le propriétaire de cette boîte à photos et lui faites \
                confiance. Un programme peut faire tout ce que vous pouvez faire sur votre ordinateur. N’importe \
                qui sur ce Wi-Fi a aussi pu modifier cette page, ou le fichier en chemin\u{A0}: seule l’étape 2 \
                le montre.
                """,
            download: "1. Télécharger", save: "Télécharger le programme",
            file: { "\($0), environ \($1)\u{A0}Mo. Le nom dit pour quel processeur il est fait." },
            compare: "2. Comparer", compareHint: "Dans un terminal, dans le dossier du fichier\u{A0}:",
            compareWhere: """
                Cette commande écrit 64 lettres et chiffres. Le propriétaire voit les bons sur son propre \
                écran\u{A0}: dans sa régie, sous «\u{A0}Inviter\u{A0}», «\u{A0}Ajouter un ordinateur de \
                secours\u{A0}», ou avec «\u{A0}disposable status\u{A0}» dans un terminal. Faites-vous lire les 64. \
                Si un seul diffère, supprimez le fichier.
                """,
            compareHere: """
                Cette page montre les mêmes, si personne ne l’a modifiée. Ce n’est pas une preuve\u{A0}: \
                comparez avec l’écran du propriétaire.
                """,
            install: "3. Installer et rejoindre",
            version: { "La dernière commande écrit la version. Celle de cette boîte à photos est \($0)." },
            joinHint: """
                Demandez ensuite à l’hôte l’invitation des ordinateurs. Elle est secrète, elle n’est donc pas \
                sur cette page.
                """,
            joined: """
                Votre ordinateur rejoint la fête comme une personne à part, avec son nom et sa pellicule. Ce que \
                vous avez envoyé comme invité reste à vous, dans ce navigateur.
                """,
            update: "Si vous avez déjà le programme",
            updateHint: {
                """
                Cette boîte à photos utilise la version \($0), et «\u{A0}disposable --version\u{A0}» écrit la \
                vôtre. Pour en changer, arrêtez votre boîte à photos, suivez les étapes 1 et 2, installez, et \
                relancez-la. Ses photos restent. Ne le faites pas au milieu d’une fête.
                """
            },
            installed: "Si votre boîte à photos est sur cet ordinateur",
            installedHint: "Ceci ouvre sa régie, là où le programme est installé\u{A0}:",
            openDesk: "Ouvrir ma régie", back: "Retour aux photos"),
        errors: [
            "program-changed": """
                Le fichier a été remplacé après le démarrage de cette boîte à photos. Demandez à son propriétaire de \
                la relancer.
                """,
            "too-many-downloads": "Trop de téléchargements à la fois. Réessayez dans un instant.",
            "wrong-code": "Ce code ne correspond pas. Il n’a jamais de I, L, O ni U.",
            "too-many-codes": "Trop de codes faux ont été tapés. Réessayez dans quelques minutes.",
            "too-many-requests": "Trop d’essais à la fois. Réessayez dans un instant.",
            "wrong-words": "Ce ne sont pas vos mots de retour. Il y en a douze\u{A0}: vérifiez leur ordre et leur orthographe.",
            "malformed-name": "Ce nom ne convient pas\u{A0}: 1 à 40 lettres sur une ligne.",
            "no-session": "Ce navigateur n’est pas entré. Scannez de nouveau le code QR, ou tapez le code.",
            "not-entered": "Vous n’êtes pas encore entré. Ouvrez de nouveau le lien et entrez.",
            "no-consent": "Vous n’avez pas accepté le texte pour ajouter des photos. Rechargez la page et lisez-le.",
            "other-text": "Le texte a changé depuis votre accord. Rechargez la page et relisez-le.",
            "roll-full": "Votre pellicule est pleine.",
            "not-begun": "La fête n’a pas encore commencé.",
            "over": "La fête est finie. Gardez la photo, et demandez plus de temps à l’hôte.",
            "put-out": "Vous avez été exclu de cet événement. Si c’est une erreur, voyez les organisateurs.",
            "wall-code-needed": "Il faut le code que le mur affiche maintenant, à la place de celui de l’affiche.",
            "session-ended": "Vous y avez mis fin sur votre autre téléphone.",
            "replaced": "Ce code a été remplacé. Demandez le nouveau à l’hôte.",
            "unknown-event": "Cette boîte à photos ne connaît pas cette fête. Scannez de nouveau le code QR.",
            "unknown-photo": "Cette photo n’existe pas, ou elle a été supprimée.",
            "too-many-at-once": "C’est plus que ce que l’hôte prend à la fois. Envoyez-la ensuite.",
            "too-large": "Ce fichier est trop lourd pour la boîte à photos.",
            "not-a-photo": "Ce n’est ni une photo ni une vidéo.",
            "metadata-left": "Le lieu n’a pas pu être enlevé de ce fichier. Envoyez-en une capture d’écran.",
            "no-name": "L’hôte demande un nom avant d’ajouter des photos.",
            "names-off": "L’hôte ne demande pas de noms à cette fête.",
            "camera-only": "Ici, seules les photos de l’appareil sont acceptées.",
            "not-for-saving": "L’hôte ne permet pas d’enregistrer ces photos ici. Demandez-lui l’album.",
            "no-videos": "Cette fête accepte des photos, mais pas de vidéos.",
            "video-too-long": "Cette vidéo est trop longue pour cette fête. Raccourcissez-la et renvoyez-la.",
            "disk-full": "La boîte à photos est presque pleine. Prévenez l’hôte.",
            "not-here": "Ceci n’est pas encore arrivé. Réessayez un peu plus tard.",
            "not-found": "Il n’y a rien ici.",
            "unavailable": "La boîte à photos n’est pas encore prête. Réessayez dans un instant.",
            "leaving": "Cette boîte à photos quitte la fête. Utilisez-en une autre.",
            "rebuilt": "Cette boîte à photos en attend une autre de la fête. Réessayez dans un instant.",
            "not-yours": "Ceci appartient à un autre invité.",
            "unknown-mission": "L’hôte ne demande plus cette photo. Envoyez-la sans la mission.",
            "unknown-comment": "Ce commentaire n’existe pas, ou il a été supprimé.",
            "unknown-message": "Ce message n’existe pas, ou il a été supprimé.",
            "malformed-text": "Ceci ne peut pas être envoyé\u{A0}: jusqu’à 500 lettres de texte simple.",
            "not-shown-yet": "Cette photo sera montrée plus tard. Commentez-la quand tout le monde la voit.",
            "too-many-comments": "C’est la limite pour une photo.",
            "too-many-messages": "Vous avez écrit autant de messages que possible. Parlez à l’hôte.",
            "too-fast": "Trop de textes en peu de temps. Attendez un peu.",
            "other-plan": "La fête a maintenant un autre plan, ou aucun. Rechargez-le.",
            "seal-first":
                "Les photos de cette fête sont scellées sur votre téléphone. Rouvrez la page dans un navigateur avec scripts.",
            "sealing-off": "Les photos de cette fête ne sont plus scellées sur les téléphones. Renvoyez-la.",
            "veils-off": "L’hôte a désactivé cette fonction. Montrez-lui la photo.",
            "own-photo": "Cette photo est la vôtre. Supprimez-la plutôt.",
            "veil-lifted": "L’hôte a regardé cette photo et décidé de la montrer.",
            "too-many-veils": "Assez de photos attendent la décision de l’hôte. Montrez-lui celle-ci.",
            "gifts-off": "À cette fête, on ne donne pas de photos.",
            "no-recipient": "Cette personne ne peut pas en recevoir\u{A0}: elle n’a pas de limite, ou elle est partie.",
            "recipient-full": "Cette personne ne peut en recevoir autant. Donnez-en moins.",
            "wrong-number": "Ce n’est pas un nombre de photos que l’on peut donner en une fois.",
            "too-few-frames": "Il vous reste moins de photos à donner. Celles que l’on vous a données ne se redonnent pas.",
            "frames-changed": "Votre pellicule a changé entre-temps. Regardez si les photos ont été données\u{A0}; sinon, réessayez.",
            "ticket-needed": "Il faut un billet pour prendre des photos. Scannez le code de votre carte.",
            "no-such-ticket": "Ce n’est pas un billet de cette fête.",
            "ticket-used": "Quelqu’un d’autre a déjà utilisé ce billet. Demandez-en un autre à l’hôte.",
            "ticket-cancelled": "L’hôte a annulé ce billet. Demandez-en un autre.",
            "has-ticket": "Vous avez déjà un billet.",
            "no-vote-open": "L’hôte vient de clore le vote, ou d’en ouvrir un autre.",
            "too-many-votes": "Vous avez changé de vote autant de fois que possible.",
            "broken": "Un problème est survenu dans cette boîte à photos. Réessayez un peu plus tard.",
        ])
}
