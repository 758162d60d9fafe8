// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The number of files, sockets among them, that this process may open at once.
enum FileLimit {
    /// Raises the limit to `count`, or as far as the system lets it, and returns what it is then. Each browser holds a
    /// connection or several; the usual limit of 1,024 is below what is served.
    static func raise(to count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, max(before, rlim_t(count)))
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        return Int(clamping: limit.rlim_cur)
    }
}

extension PortalLimits {
    /// Holds the number of connections to what a process that may open `fileCount` files can spare.
    ///
    /// Guests never take the last descriptors. The node itself needs some for its database, photos, peers, helpers and
    /// listeners; and libdispatch, which opens a file once a second, ends the process where it cannot. A quarter of all
    /// is left to the node, at least 128, but no more than half.
    package mutating func fitConnections(into fileCount: Int) {
        let reserve = max(fileCount / 4, min(128, fileCount / 2))
        let count = max(4, fileCount - reserve - ConnectionTable.closingCountMax)
        guard connectionCountMax + connectionCountFromHere > count else { return }
        connectionCountFromHere = min(connectionCountFromHere, count / 4)
        connectionCountMax = count - connectionCountFromHere
        connectionCountByAddressMax = min(connectionCountByAddressMax, connectionCountMax * 3 / 4)
    }
}
