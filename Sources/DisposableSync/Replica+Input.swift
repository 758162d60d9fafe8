// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
public import DisposableWire

extension Replica {
    /// Everything that can happen to a replica.
    public enum Input: Sendable {
        /// An address worth dialling: seen by mDNS (`isPersistent` false), typed or from an invitation (true).
        /// `attempt`: the number of the keyring's secret with which its tag was made.
        case sighted(PeerAddress, isPersistent: Bool, attempt: Int = 0)
        /// The secret of another invitation to this event, 32 bytes, which is stored for the next start.
        case invited(SecretBytes)
        /// Addresses where members were met before this node started, latest first.
        case remembered([PeerAddress])
        case connected(ConnectionID, to: PeerAddress, Entropy)
        case dialFailed(PeerAddress)
        /// A peer has connected and sent a preface that matches this event.
        case accepted(ConnectionID, host: String, challenge: [UInt8], preface: [UInt8], Entropy)
        case received(ConnectionID, [UInt8])
        /// The network has taken this many bytes of earlier `send` outputs.
        case sent(ConnectionID, byteCount: Int)
        /// A person has named a bundle of this event. It is a peer from now on: what would be sent to it is an output
        /// `send` in the clear, and the shell answers from the file. `disconnected` ends it.
        case bundleOpened(ConnectionID, Entropy)
        case bundleAnswered(ConnectionID, [PeerMessage])
        case disconnected(ConnectionID)
        /// This node's listener has another port.
        case listens(port: UInt16)
        /// The store has lost operations, some of which may be this device's own (`mustReconcile`).
        case operationsLost
        /// Signed by this device, or by the sub-key of a guest of this node.
        case author(Statement, by: SigningKey?, Ticket)
        /// For each operation of the `verify` output the verified one, or `nil`.
        case verified(Ticket, [VerifiedOperation?])
        case persisted(Ticket)
        case persistFailed(Ticket)
        case loaded(Ticket, [VerifiedOperation])
        case chunkStored(BlobID, index: Int)
        /// The chunk of a `storeChunk` output does not belong to the blob (`ArrivedChunk.verifiedLists`).
        case chunkTurnedOutWrong(BlobID, index: Int)
        case chunkStoringFailed(BlobID, index: Int)
        case chunkRead(Ticket, ReadResult)
        /// Some of the blob on disk turned out corrupt: only `left` is here. The rest is fetched again.
        case takenBack(BlobRoot, left: StoredBlob)
        /// Withdrawn subjects, with their bodies and blobs, were purged from the disk.
        case destroyed([OperationID], blobs: [BlobRoot])
        /// Pings members for their sets, to know when they have enough for this device to leave (`handover`).
        case handOver
        /// The addresses of this node's pages for browsers; none if it serves none to others.
        case servesPages([PeerAddress])
        /// The free disk space has changed its level.
        case roomChanged(DiskSpace)
        /// The limit in bytes for the originals of each sponsor tree that is not established, `nil` for no limit
        /// (`DiskReserve.originalsPerTree`).
        case originalsLimited(perTree: UInt64?)
        case deadlineReached
        /// The machine has slept or stood still, or its addresses have changed: connections may be dead, and failed
        /// addresses may work now.
        case interrupted
        /// Sends a close message to every peer.
        case stop
    }
}
