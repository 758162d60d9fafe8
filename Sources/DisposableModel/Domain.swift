// SPDX-License-Identifier: Apache-2.0

/// The prefixes that keep one use of a hash or a key apart from every other (protocol/disposable-v0.md §4, the table).
///
/// None is a prefix of another: each ends with a zero byte, and none holds one before its end.
public enum Domain {
    public static let event = bytes("disposable/0 event")
    public static let operationID = bytes("disposable/0 operation id")
    public static let operationSignature = bytes("disposable/0 operation signature")
    public static let body = bytes("disposable/0 body")
    public static let admission = bytes("disposable/0 admission")
    public static let delegation = bytes("disposable/0 delegation")
    public static let guestProof = bytes("disposable/0 guest proof")
    public static let guestKey = bytes("disposable/0 guest key")
    public static let pageProof = bytes("disposable/0 page proof")
    public static let portalSession = bytes("disposable/0 portal session")
    public static let fingerprint = bytes("disposable/0 fingerprint")
    public static let authentication = bytes("disposable/0 authentication")
    public static let register = bytes("disposable/0 register")
    public static let blobRoot = bytes("disposable/0 blob root")
    public static let galleryDigest = bytes("disposable/0 gallery")
    public static let consent = bytes("disposable/0 consent")
    public static let album = bytes("disposable/0 album")
    public static let invitationChecksum = bytes("disposable/0 invitation")
    public static let eventKeyWords = bytes("disposable/0 event key words")

    /// Contexts of keys derived from the event secret or the device's import secret.
    public enum Key {
        public static let noise = "disposable/0 noise psk"
        public static let preface = "disposable/0 preface tag"
        public static let advertisement = "disposable/0 advertisement tag"
        public static let portal = "disposable/0 portal token"
        public static let portalCode = "disposable/0 portal code"
        public static let portalStorage = "disposable/0 portal storage"
        public static let guestSubKey = "disposable/0 guest sub-key"
        public static let blob = "disposable/0 blob key"
        public static let storedBody = "disposable/0 stored body"
        public static let reveal = "disposable/0 reveal key"
        public static let sealing = "disposable/0 sealing key"
        public static let epoch = "disposable/0 epoch commitment"
        public static let epochSealing = "disposable/0 epoch sealing key"
        public static let upload = "disposable/0 upload"
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
}
