// SPDX-License-Identifier: Apache-2.0

/// The limits on data that the stack accepts from other hosts, keeps and sends, for each link.
package enum MDNSLimits {
    /// RFC 6762 §17.
    package static let packetByteCountMax = 9_000
    /// Questions and records together.
    package static let entriesPerPacketMax = 256
    /// The size that fits into an Ethernet packet after the headers of IPv6 and UDP, with a margin.
    package static let sentPacketByteCountMax = 1_440

    /// The number of packets in a second that are handled. Forty nodes that start at the same time on one machine, so
    /// from one address, send fewer.
    package static let packetsPerSecondMax = 1_000
    package static let packetsPerSourcePerSecondMax = 600
    /// Addresses that are counted separately within a second; the others share one counter.
    package static let sourceCountMax = 256

    /// The number of known instances. When the cache is full, the address with the most instances loses one.
    package static let instanceCountMax = 512
    package static let instancesPerSourceMax = 128
    package static let newInstancesPerSecond = 64
    package static let newInstancesBurstMax = 512
    package static let instancesPerHostMax = 64
    package static let addressesPerHostMax = 8
    /// Longer times to live are reduced to this one, in seconds: that of RFC 6762 §10 for records without a host name.
    package static let timeToLiveMax: UInt32 = 4_500

    /// The number of reported changes; more wait, and only the latest of an instance is reported.
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

    /// The number of conflicts after which the name is unique and is kept.
    package static let conflictCountMax = 6
    package static let linkCountMax = 64
}
