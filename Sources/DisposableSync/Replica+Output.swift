// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import DisposableWire

extension Replica {
    /// Everything that a replica asks of its shell.
    public enum Output: Sendable, Equatable {
        case dial(PeerAddress)
        case send(ConnectionID, [UInt8])
        /// Sends what is queued, then closes.
        case close(ConnectionID)
        /// Stops passing input of the connection for this time: its peer has exceeded its rate limit. Replaces an
        /// earlier pause.
        case pause(ConnectionID, milliseconds: UInt64)
        case verify([UncheckedOperation], Ticket)
        /// In one transaction; `durably` if it must survive a power cut before it is sent to anyone.
        case persist([VerifiedOperation], durably: Bool, Ticket)
        /// Operations with their bodies, from the store.
        case load([OperationID], Ticket)
        /// To be verified first (`ArrivedChunk.verifiedLists`).
        case storeChunk(ArrivedChunk)
        case read(BlobRead, Ticket)
        case authored(Ticket, [OperationID])
        case refused(Ticket, Refusal)
        /// Replaces the stored inventory of its device; `durably` with all that was stored before.
        case keep(HeardRegister, durably: Bool, Ticket)
        /// Removes the stored inventories of these devices.
        case forget(registers: [DeviceID])
        case changed(Change)
    }

    /// A change that may affect the screen.
    public enum Change: Sendable, Equatable {
        case album(AlbumChange)
        /// Messages to the organizers have arrived, or some were withdrawn.
        case messages
        case peers
        /// The addresses at which others serve pages for guests.
        case pages
        /// This device's join counts on this node.
        case admitted
        case blobComplete(BlobID)
        /// Two processes use the device's key at once, or it has signed an operation that its own node does not know: a
        /// copy of its folder. It may be this device. Reported once each.
        case cloned(DeviceID)
        /// Photos of this guest of the node lost their frames to photos at another node: the shell, which has the
        /// guest's key, signs the command `reclaim` with it.
        case slotsLost(AuthorID)
        /// A member has sent all of its operations: `mustReconcile` is over.
        case reconciled
        /// The reveal is overdue by this time: reported each minute until it has happened.
        case revealDue(overdueMilliseconds: UInt64)
        /// The event has a new secret, and this device has it.
        case rotated
        /// An organizer has sealed a secret to this device that is not the epoch's.
        case falselySealed(OperationID)
        /// A member refuses this device because it was not given the event's current secret.
        case invitationReplaced
        case closed(DeviceID?, ProtocolCode)
        /// The listener does not answer this event's preface: another event, or another secret.
        case rejected(PeerAddress)
        /// The listener serves this event and refuses the connection, at present or for good.
        case refused(PeerAddress, ProtocolCode)
        /// A node of this event, at an address or a host, speaks another version of the protocol: there is no
        /// connection. Reported once for each version.
        case otherVersion(host: String, theirs: UInt32, ours: UInt32)
        /// A peer's wall clock is this many milliseconds ahead of ours (negative: behind).
        case clockDiffers(DeviceID, milliseconds: Int64)
    }
}

/// The effect of new operations on the album.
public enum AlbumChange: Equatable, Sendable {
    /// These photos, and nothing else that is shown.
    case photos([PhotoID])
    /// The same, and how many frames some people have.
    case quotas([PhotoID])
    /// The event's parameters, or more than can be listed.
    case everything
}
