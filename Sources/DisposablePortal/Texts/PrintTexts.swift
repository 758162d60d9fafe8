// SPDX-License-Identifier: Apache-2.0

/// The sentences of posters, cards and tents. They are printed in columns, so translations are about as long.
package struct PrintTexts: Sendable {
    /// - Parameter host: the name of the person that invites.
    package let host: @Sendable (_ host: String) -> String
    package let noHost: String
    package let joinWiFi: String
    package let scan: String
    package let onWiFi: String
    package let wifi: String
    package let password: String
    package let noPassword: String
    package let typeAddress: String
    package let typeCode: String
    package let typeTicket: String
    /// Above the code or address of another node.
    package let otherwise: String
    /// - Parameter number: the number of the ticket.
    package let ticket: @Sendable (_ number: UInt64) -> String
    package let stayConnected: String
    package let wordsFollow: String
    /// Formats of the date, with and without the hour.
    package let dateAndHour: String
    package let date: String

    package static func of(_ language: Language) -> Self {
        switch language {
        case .english: .english
        case .french: .french
        }
    }

    private static let english = Self(
        host: { "\($0) invites you to take photos." }, noHost: "Everybody takes the photos.",
        joinWiFi: "Join the Wi-Fi", scan: "Scan and shoot", onWiFi: "Your phone has to be on the party’s Wi-Fi.",
        wifi: "Wi-Fi", password: "password", noPassword: "no password",
        typeAddress: "or type in the browser", typeCode: "and the code",
        typeTicket: "and the ticket", otherwise: "If nothing answers:", ticket: { "Ticket \($0): for one person, valid once." },
        stayConnected: "If your phone says that this Wi-Fi has no Internet: stay connected.",
        wordsFollow: "No app, no account; nothing leaves the party. Your page shows these words:",
        dateAndHour: "EEEE d MMMM yyyy, HH:mm", date: "EEEE d MMMM yyyy")

    private static let french = Self(
        host: { "\($0) vous invite à prendre des photos." }, noHost: "Tout le monde prend les photos.",
        joinWiFi: "Joignez le Wi-Fi", scan: "Scannez et clic\u{A0}!",
        onWiFi: "Votre téléphone doit être sur le Wi-Fi de la fête.",
        wifi: "Wi-Fi", password: "mot de passe", noPassword: "sans mot de passe",
        typeAddress: "ou tapez l’adresse", typeCode: "et le code",
        typeTicket: "et le billet", otherwise: "Si rien ne répond\u{A0}:", ticket: { "Billet \($0)\u{A0}: pour une personne, une seule fois." },
        stayConnected: "«\u{A0}Pas d’Internet\u{A0}» sur ce Wi-Fi\u{A0}? Restez connecté quand même.",
        wordsFollow: "Sans appli, sans compte\u{A0}; rien ne quitte la fête. Votre page montre ces mots\u{A0}:",
        dateAndHour: "EEEE d MMMM yyyy, HH'\u{A0}h\u{A0}'mm", date: "EEEE d MMMM yyyy")
}
