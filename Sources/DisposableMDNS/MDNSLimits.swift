// SPDX-License-Identifier: Apache-2.0

/// How much the stack takes from strangers, keeps and sends, a link each.
package enum MDNSLimits {
    /// RFC 6762 §17.
    package static let packetByteCountMax = 9_000
    /// Questions and records together.
    package static let entriesPerPacketMax = 256
    /// What fits into an Ethernet packet behind the headers of IPv6 and UDP, with a margin.
    package static let sentPacketByteCountMax = 1_440

    /// Packets in a second that are looked at. Forty nodes that begin at the same time on one machine, so from one
    /// address, send fewer.
    package static let packetsPerSecondMax = 1_000
    package static let packetsPerSourcePerSecondMax = 600
    /// Addresses that are counted each for itself within a second; the others share one count.
    package static let sourceCountMax = 256

    /// Instances of which something is known. When the cache is full, the address with most of them gives one up.
    package static let instanceCountMax = 512
    package static let instancesPerSourceMax = 128
    package static let newInstancesPerSecond = 64
    package static let newInstancesBurstMax = 512
    package static let instancesPerHostMax = 64
    package static let addressesPerHostMax = 8
    /// Longer times to live are taken for this one, in seconds: that of RFC 6762 §10 for records without a host name.
    package static let timeToLiveMax: UInt32 = 4_500

    /// Changes of what is seen that are reported; more wait, and of one instance only the latest.
    package static let sightingsPerSecond = 32
    package static let sightingsBurstMax = 256

    package static let pendingQuestionsMax = 128
    package static let knownAnswerPacketsMax = 4
    /// Queries that wait for more known answers (RFC 6762 §7.2); others are answered without.
    package static let heldAnswersMax = 16

    package static let multicastBytesPerSecond = 16_384
    package static let multicastBytesBurstMax = 65_536
    package static let unicastBytesPerSecond = 8_192
    package static let unicastBytesBurstMax = 32_768

    /// Conflicts after which the name is one that nobody else has, and is not given up any more.
    package static let conflictCountMax = 6
    package static let linkCountMax = 64
}
