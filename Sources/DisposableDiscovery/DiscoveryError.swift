// SPDX-License-Identifier: Apache-2.0

/// The reason why discovery could not start, or an advertisement was refused.
public enum DiscoveryError: Error, Equatable {
    case noSuchInterface(String)
    /// The system does not list its interfaces and addresses.
    case interfacesUnknown
    /// An Avahi function failed; `message` is Avahi's own.
    case avahi(function: String, message: String)
    /// A call of the system failed; `message` is the system's own.
    case socket(operation: String, message: String)
    case invalidInstanceName(byteCount: Int)
    case invalidTextKey(String)
    case textEntryTooLong(key: String, byteCount: Int, limit: Int)
    case textTooLong(byteCount: Int, limit: Int)
    case tooManyTextEntries(count: Int, limit: Int)
}

extension DiscoveryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noSuchInterface(let name): "there is no network interface named \(name)"
        case .interfacesUnknown: "the system does not list its network interfaces"
        case .avahi(let function, let message): "\(function) failed: \(message)"
        case .socket(let operation, let message): "\(operation) failed: \(message)"
        case .invalidInstanceName(let byteCount):
            "instance name of \(byteCount) bytes is not 1 to 63 bytes without NUL"
        case .invalidTextKey(let key): "text key \(key.debugDescription) is not printable ASCII without \"=\""
        case .textEntryTooLong(let key, let byteCount, let limit):
            "text entry \(key) of \(byteCount) bytes exceeds the limit of \(limit)"
        case .textTooLong(let byteCount, let limit): "text of \(byteCount) bytes exceeds the limit of \(limit)"
        case .tooManyTextEntries(let count, let limit): "\(count) text entries exceed the limit of \(limit)"
        }
    }
}
