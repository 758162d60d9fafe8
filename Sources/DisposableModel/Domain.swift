// SPDX-License-Identifier: Apache-2.0

/// The prefixes that separate each use of a hash or a key from every other (protocol/disposable-v1.md §4, the table).
///
/// None is a prefix of another: each ends with a zero byte and contains no other.
public enum Domain {
    public static let event = bytes("disposable/1 event")
    public static let operationID = bytes("disposable/1 operation id")
    public static let operationSignature = bytes("disposable/1 operation signature")
    public static let body = bytes("disposable/1 body")
    public static let admission = bytes("disposable/1 admission")
    public static let delegation = bytes("disposable/1 delegation")
    public static let guestProof = bytes("disposable/1 guest proof")
    public static let guestKey = bytes("disposable/1 guest key")
    public static let pageProof = bytes("disposable/1 page proof")
    public static let portalSession = bytes("disposable/1 portal session")
    public static let fingerprint = bytes("disposable/1 fingerprint")
    public static let authentication = bytes("disposable/1 authentication")
    public static let register = bytes("disposable/1 register")
    public static let blobRoot = bytes("disposable/1 blob root")
    public static let galleryDigest = bytes("disposable/1 gallery")
    public static let consent = bytes("disposable/1 consent")
    public static let album = bytes("disposable/1 album")
    public static let eventCard = bytes("disposable/1 event card")
    public static let invitationChecksum = bytes("disposable/1 invitation")
    public static let message = bytes("disposable/1 message")
    public static let ticket = bytes("disposable/1 ticket")
    public static let share = bytes("disposable/1 share")
    public static let twinning = bytes("disposable/1 twinning")
    public static let eventKeyWords = bytes("disposable/1 event key words")

    /// Contexts of keys derived from the event secret or the device's import secret.
    public enum Key {
        public static let noise = "disposable/1 noise psk"
        public static let preface = "disposable/1 preface tag"
        public static let advertisement = "disposable/1 advertisement tag"
        public static let portal = "disposable/1 portal token"
        public static let portalCode = "disposable/1 portal code"
        public static let wallCode = "disposable/1 wall code"
        public static let wallToken = "disposable/1 wall token"
        public static let wallPass = "disposable/1 wall pass"
        public static let portalStorage = "disposable/1 portal storage"
        public static let portalFolder = "disposable/1 portal folder"
        public static let guestSubKey = "disposable/1 guest sub-key"
        public static let blob = "disposable/1 blob key"
        public static let storedBody = "disposable/1 stored body"
        public static let reveal = "disposable/1 reveal key"
        public static let sealing = "disposable/1 sealing key"
        public static let epoch = "disposable/1 epoch commitment"
        public static let epochSealing = "disposable/1 epoch sealing key"
        public static let messageSealing = "disposable/1 message sealing key"
        public static let pageImport = "disposable/1 page import secret"
        public static let ballotSealing = "disposable/1 ballot sealing key"
        public static let twinning = "disposable/1 twinning key"
        public static let upload = "disposable/1 upload"
        public static let moment = "disposable/1 moment key"
        public static let momentLink = "disposable/1 moment link"
        public static let ticket = "disposable/1 ticket key"
        public static let ticketSecret = "disposable/1 ticket secret"
        public static let bundle = "disposable/1 bundle"
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
}
