// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import Logging
import Testing

/// Nothing here reaches the network: what does not fit is refused before.
struct AdvertisementTests {
    private func refusal(name: String = "name", text: [String: [UInt8]] = [:]) throws -> DiscoveryError? {
        let discovery = try Discovery(
            interface: "lo",
            logger: Logger(label: "advertisement-tests") { _ in
                SwiftLogNoOpLogHandler()
            })
        defer { discovery.stop() }
        do {
            try discovery.advertise(Advertisement(instanceName: name, port: 1, text: text))
            return nil
        } catch {
            return error
        }
    }

    @Test("an instance name is 1 to 63 bytes without NUL")
    func instanceName() throws {
        #expect(try refusal(name: "") == .invalidInstanceName(byteCount: 0))
        #expect(try refusal(name: String(repeating: "a", count: 64)) == .invalidInstanceName(byteCount: 64))
        #expect(try refusal(name: "a\0b") == .invalidInstanceName(byteCount: 3))
    }

    @Test("a text key is printable ASCII without an equals sign", arguments: ["", "a=b", "ü", "a\u{1}", "a\u{7F}"])
    func textKey(_ key: String) throws {
        #expect(try refusal(text: [key: [1]]) == .invalidTextKey(key))
    }

    @Test("a text entry is at most 255 bytes, key and equals sign included")
    func textEntry() throws {
        let text = ["key": [UInt8](repeating: 0, count: 252)]
        #expect(try refusal(text: text) == .textEntryTooLong(key: "key", byteCount: 256, limit: 255))
    }

    @Test("text is at most 1300 bytes")
    func textSize() throws {
        let text = Dictionary(uniqueKeysWithValues: (0..<6).map { ("k\($0)", [UInt8](repeating: 0, count: 214)) })
        #expect(try refusal(text: text) == .textTooLong(byteCount: 6 * 218, limit: 1300))
    }

    @Test("text has at most 32 entries")
    func textCount() throws {
        let text = Dictionary(uniqueKeysWithValues: (0..<33).map { ("k\($0)", [UInt8]()) })
        #expect(try refusal(text: text) == .tooManyTextEntries(count: 33, limit: 32))
    }

    @Test("an interface that does not exist is refused by its name")
    func interface() {
        #expect(throws: DiscoveryError.noSuchInterface("nowhere0")) {
            try Discovery(interface: "nowhere0", logger: Logger(label: "advertisement-tests"))
        }
    }
}
