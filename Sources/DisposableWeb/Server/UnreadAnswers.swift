// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// The bytes of answers that wait in this process because clients do not read them, by connection and by address.
///
/// They take memory for as long as the client likes. If an address exceeds its limit, or all addresses together exceed
/// theirs, connections are closed: of the address with the most bytes first those whose client has read nothing for
/// `slowAfter`, and of these the one with the most bytes. Time is an argument.
struct UnreadAnswers {
    private struct Answer {
        let connection: OpenConnection
        var byteCount: Int
    }

    private let limits: ServerLimits
    private var answers: [ObjectIdentifier: Answer] = [:]
    private var byteCounts: [String: Int] = [:]
    private(set) var byteCount = 0

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Returns connections that have to be closed, and forgets them.
    mutating func add(
        _ byteCount: Int, of connection: OpenConnection, at now: ContinuousClock.Instant
    ) -> [OpenConnection] {
        let id = ObjectIdentifier(connection.channel)
        let before = answers[id]?.byteCount ?? 0
        answers[id] = Answer(connection: connection, byteCount: before + byteCount)
        byteCounts[connection.address, default: 0] += byteCount
        self.byteCount += byteCount
        var leaving: [OpenConnection] = []
        while let address = crowdedAddress(near: connection), let victim = victim(at: address, now: now) {
            forget(victim.channel)
            leaving.append(victim)
        }
        return leaving
    }

    mutating func remove(_ byteCount: Int, of connection: OpenConnection) {
        let id = ObjectIdentifier(connection.channel)
        guard let answer = answers[id] else { return }
        let left = answer.byteCount - byteCount
        answers[id] = left > 0 ? Answer(connection: connection, byteCount: left) : nil
        subtract(min(byteCount, answer.byteCount), at: connection.address)
    }

    mutating func forget(_ channel: any Channel) {
        guard let answer = answers.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        subtract(answer.byteCount, at: answer.connection.address)
    }

    private mutating func subtract(_ byteCount: Int, at address: String) {
        self.byteCount -= byteCount
        let left = (byteCounts[address] ?? 0) - byteCount
        byteCounts[address] = left > 0 ? left : nil
    }

    /// Returns the address that exceeds its limit; `nil` if none does.
    private func crowdedAddress(near connection: OpenConnection) -> String? {
        if (byteCounts[connection.address] ?? 0) > limits.unreadByteCountByAddress { return connection.address }
        guard byteCount > limits.unreadByteCount else { return nil }
        return byteCounts.max { $0.value < $1.value }?.key
    }

    private func victim(at address: String, now: ContinuousClock.Instant) -> OpenConnection? {
        func rank(_ answer: Answer) -> (Int, Int) {
            let isSlow = answer.connection.stalledSince.map { now - $0 >= limits.slowAfter } ?? false
            return (isSlow ? 1 : 0, answer.byteCount)
        }
        return answers.values.filter { $0.connection.address == address }.max { rank($0) < rank($1) }?.connection
    }
}
