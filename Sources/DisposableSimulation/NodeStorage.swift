// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
package import DisposableSync

/// The storage of a simulated machine: its disk, what is wrong with the disk, and the transactions of the one writer.
package struct NodeStorage {
    /// Operations that wait for the disk.
    struct Transaction {
        let operations: [VerifiedOperation]
        let durably: Bool
        let ticket: Ticket
    }

    package var disk: any SimulatedDisk
    /// Whether the disk refuses writes.
    package var isFull = false
    /// The share of reads and writes that fail, 0 to 1.
    var errorShare = 0.0
    /// Whether the disk may contain blobs whose operations it has lost.
    private(set) var hasLostPower = false
    /// Transactions in progress, in the order in which they began, which is the order in which they end.
    private var transactions: [Transaction] = []
    private var writesUntil: UInt64 = 0
    private var isFlushDue = false

    /// Replaces the result of a read: a lying disk, or (`nil`) one that never answers.
    package var answerRead: (BlobRead, ReadResult) -> ReadResult? = { $1 }
    package var alterLoad: ([VerifiedOperation]) -> [VerifiedOperation] = { $0 }

    init(disk: any SimulatedDisk) { self.disk = disk }

    /// The disk if it is memory, as it is unless a test provides another.
    var memoryDisk: MemoryDisk? { disk as? MemoryDisk }
    var isWriting: Bool { !transactions.isEmpty }

    /// Decides whether the next read or write fails.
    func fails(_ random: inout SplitMix64) -> Bool { random.chance(errorShare) }

    /// Begins a transaction. Returns the time at which it ends.
    mutating func begin(_ transaction: Transaction, lasting milliseconds: UInt64, at now: UInt64) -> UInt64 {
        transactions.append(transaction)
        writesUntil = max(writesUntil, now) + milliseconds
        return writesUntil
    }

    /// Ends the oldest transaction. Returns whether it is stored.
    /// - Parameter keepsPromises: whether the disk makes durable what it promises to.
    mutating func endTransaction(keepsPromises: Bool, _ random: inout SplitMix64) -> (ticket: Ticket, isStored: Bool) {
        let transaction = transactions.removeFirst()
        let isStored =
            !isFull && !fails(&random)
            && disk.write(transaction.operations, durably: transaction.durably && keepsPromises)
        return (transaction.ticket, isStored)
    }

    /// Returns whether the chunk is stored.
    func store(_ chunk: ArrivedChunk, list: [Bytes32], _ random: inout SplitMix64) -> Bool {
        !isFull && !fails(&random) && disk.store(chunk, list: list)
    }

    /// Returns false if the disk is going to be synchronized already.
    mutating func scheduleFlush() -> Bool {
        guard !isFlushDue else { return false }
        isFlushDue = true
        return true
    }

    mutating func flush() {
        isFlushDue = false
        disk.synchronize()
    }

    // The end of the machine's work

    /// Loses work in progress, or part of it, and what the disk had not made durable.
    mutating func losePower(keepsPromises: Bool, _ random: inout SplitMix64) {
        for transaction in transactions {
            // Transactions reach the disk in order; the moment of the power cut is random.
            guard Bool.random(using: &random), !isFull else { break }
            _ = disk.write(transaction.operations, durably: transaction.durably && keepsPromises)
        }
        disk.losePower(&random)
        hasLostPower = true
    }

    /// Makes everything durable, as far as the disk has room.
    func finish() {
        for transaction in transactions where !isFull { _ = disk.write(transaction.operations, durably: true) }
        disk.synchronize()
    }

    /// Forgets the work of the process that has ended.
    mutating func reset(at now: UInt64) {
        transactions = []
        writesUntil = now
        isFlushDue = false
    }
}
