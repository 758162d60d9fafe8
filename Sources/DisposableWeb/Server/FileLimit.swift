// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The number of files, including sockets, that this process may open at once.
package enum FileLimit {
    /// Raises the limit to `count`, or as far as the system permits, and returns the new limit. Each browser holds one
    /// or several connections; the usual limit of 1,024 is too low for that.
    package static func raise(to count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, max(before, rlim_t(count)))
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        return Int(clamping: limit.rlim_cur)
    }
}

extension ServerLimits {
    /// Limits the number of connections to what a process with a limit of `fileCount` files can spare.
    ///
    /// Clients never take the last descriptors. The program needs some for its files, processes, listeners and other
    /// connections; and libdispatch, which opens a file once a second, aborts the process if it cannot. It keeps a
    /// quarter of all, at least 128, but no more than half.
    package mutating func fitConnections(into fileCount: Int) {
        let reserve = max(fileCount / 4, min(128, fileCount / 2))
        let count = max(4, fileCount - reserve - ConnectionTable.closingCountMax)
        guard connectionCountMax + connectionCountFromHere > count else { return }
        connectionCountFromHere = min(connectionCountFromHere, count / 4)
        connectionCountMax = count - connectionCountFromHere
        connectionCountByAddressMax = min(connectionCountByAddressMax, connectionCountMax * 3 / 4)
    }
}
