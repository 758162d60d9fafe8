// SPDX-License-Identifier: Apache-2.0
import DisposableConsole

/// A wireless network as a code with which phones join, in the format of ZXing's wiki ("WIFI:").
struct WiFiNetwork: Equatable, Sendable {
    let name: String
    /// `nil` for an open network.
    let password: String?
    let isHidden: Bool

    /// Throws for an invalid name or password (IEEE 802.11: 32 bytes; WPA: 8 to 63).
    init(name: String, password: String?, isHidden: Bool) throws {
        guard (1...32).contains(name.utf8.count) else {
            throw Failure(
                "a Wi-Fi name has 1 to 32 bytes: this one has \(name.utf8.count)",
                hint: "copy it from the router or phone", reason: "wifi-name")
        }
        if let password, !(8...63).contains(password.utf8.count) {
            throw Failure(
                "a Wi-Fi password has 8 to 63 characters: this one has \(password.utf8.count)",
                hint: "omit --wifi-password for an open network", reason: "wifi-password")
        }
        self.name = name
        self.password = password
        self.isHidden = isHidden
    }

    /// The content of the code.
    var text: String {
        let security = password.map { "T:WPA;P:\(Self.escaped($0));" } ?? "T:nopass;"
        return "WIFI:S:\(Self.escaped(name));\(security)\(isHidden ? "H:true;" : "");"
    }

    /// Escapes special characters with a backslash. A value of hexadecimal digits alone would be decoded as bytes, so
    /// it is quoted.
    private static func escaped(_ value: String) -> String {
        let result = String(
            value.flatMap { character in "\\;,:\"".contains(character) ? ["\\", character] : [character] })
        let isHexadecimal = value.utf8.count % 2 == 0 && value.allSatisfy { $0.isASCII && $0.isHexDigit }
        return isHexadecimal ? "\"\(result)\"" : result
    }
}
