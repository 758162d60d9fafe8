// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableSystem

/// The keys of one event on this node: files beside the database, so that a copy of the database alone reads nothing.
public struct EventKeys: Sendable {
    /// Signs this node's operations.
    public let device: SigningKey
    /// The secret from which blob keys of this node's imports are derived: 32 bytes.
    public let importSecret: SecretBytes
    /// Seals the bodies in the database: 32 bytes. Without it the bodies are lost.
    public let storageKey: SecretBytes
    /// The secret from the invitation with which this node joined: 32 bytes. Newer ones are in the operations.
    public internal(set) var eventSecret: SecretBytes
    public let eventKey: VerifyingKey
    /// Only on the organizer's node.
    public internal(set) var organizer: SigningKey?

    public var event: EventID { EventID(key: eventKey) }

    /// Creates every key of a new event, its organizer's included.
    public static func makeEvent() -> EventKeys {
        let organizer = SigningKey(seed: .random(count: 32))
        return EventKeys(
            eventKey: organizer.verifyingKey, eventSecret: .random(count: 32), organizer: organizer)
    }

    /// Creates the keys of a new device for the event of an invitation.
    public static func makeDevice(eventKey: VerifyingKey, eventSecret: SecretBytes) -> EventKeys {
        EventKeys(eventKey: eventKey, eventSecret: eventSecret, organizer: nil)
    }

    private init(eventKey: VerifyingKey, eventSecret: SecretBytes, organizer: SigningKey?) {
        device = SigningKey(seed: .random(count: 32))
        importSecret = .random(count: 32)
        storageKey = .random(count: 32)
        self.eventSecret = eventSecret
        self.eventKey = eventKey
        self.organizer = organizer
    }
}

extension EventKeys {
    static let byteCount = 32

    enum File: String, CaseIterable {
        case device = "device.seed"
        case importSecret = "import.secret"
        case storage = "storage.key"
        case eventSecret = "event.secret"
        case organizer = "event.seed"
        /// Written last: a folder without it holds no event.
        case event = "event.key"
    }

    /// Throws `StoreError.keyMissing` or `.keyByteCount` with the file, `.keyMismatch` for the key of another event.
    public init(loadingFrom folder: EventFolder) throws(StoreError) {
        device = SigningKey(seed: try Self.secret(.device, in: folder))
        importSecret = try Self.secret(.importSecret, in: folder)
        storageKey = try Self.secret(.storage, in: folder)
        eventSecret = try Self.secret(.eventSecret, in: folder)
        eventKey = VerifyingKey(Bytes32(try Self.bytes(.event, in: folder))!)  // 32 bytes were read
        guard EventID(key: eventKey) == folder.event else { throw .keyMismatch(path: folder.keyPath(.event)) }
        let organizerPath = folder.keyPath(.organizer)
        guard try StoreFileSystem.byteCount(of: organizerPath) != nil else {
            organizer = nil
            return
        }
        organizer = SigningKey(seed: try Self.secret(.organizer, in: folder))
        guard organizer?.verifyingKey == eventKey else { throw .keyMismatch(path: organizerPath) }
    }

    /// Writes every key file durably into the folder's `keys`.
    func write(to folder: EventFolder) throws(StoreError) {
        let eventKey = eventKey.bytes32.bytes
        for file in File.allCases {
            switch file {
            case .device: try Self.write(device.seed, to: folder.keyPath(file))
            case .importSecret: try Self.write(importSecret, to: folder.keyPath(file))
            case .storage: try Self.write(storageKey, to: folder.keyPath(file))
            case .eventSecret: try Self.write(eventSecret, to: folder.keyPath(file))
            case .organizer:
                if let organizer { try Self.write(organizer.seed, to: folder.keyPath(file)) }
            case .event:
                try StoreFileSystem.synchronizeFolder(folder.keysPath)  // the others first, in any order of the disk
                try StoreFileSystem.replaceFile(folder.keyPath(file), with: eventKey.span)
            }
        }
        try StoreFileSystem.synchronizeFolder(folder.keysPath)
    }

    static func write(_ organizer: SigningKey, to folder: EventFolder) throws(StoreError) {
        try write(organizer.seed, to: folder.keyPath(.organizer))
        try StoreFileSystem.synchronizeFolder(folder.keysPath)
    }

    static func write(eventSecret: SecretBytes, to folder: EventFolder) throws(StoreError) {
        try write(eventSecret, to: folder.keyPath(.eventSecret))
        try StoreFileSystem.synchronizeFolder(folder.keysPath)
    }

    private static func write(_ secret: SecretBytes, to path: String) throws(StoreError) {
        try secret.withSpan { (bytes) throws(StoreError) in try StoreFileSystem.replaceFile(path, with: bytes) }
    }

    private static func secret(_ file: File, in folder: EventFolder) throws(StoreError) -> SecretBytes {
        var bytes = try bytes(file, in: folder)
        return SecretBytes(consuming: &bytes)
    }

    private static func bytes(_ file: File, in folder: EventFolder) throws(StoreError) -> [UInt8] {
        let path = folder.keyPath(file)
        guard let byteCount = try StoreFileSystem.byteCount(of: path) else { throw .keyMissing(path: path) }
        guard byteCount == UInt64(Self.byteCount) else { throw .keyByteCount(path: path, byteCount: Int(byteCount)) }
        let bytes = try StoreFile(path, flags: 0).read(Self.byteCount, at: 0)
        guard bytes.count == Self.byteCount else { throw .keyByteCount(path: path, byteCount: bytes.count) }
        return bytes
    }
}
