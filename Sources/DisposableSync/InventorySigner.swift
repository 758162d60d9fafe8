// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableWire

/// Signs this device's inventory when its stored data changes: one at a time, and with a pause after each.
///
/// requested -> signed and being stored -> stored or failed, which requests the next check. An inventory is sent when
/// it is durable together with everything that it names.
package struct InventorySigner {
    private let instance: [UInt8]
    private var schedule = PacedAction()
    private var storing: (ticket: Ticket, register: Register)?
    /// Other processes that have signed with this device's key and were answered.
    private var answeredInstances: Set<[UInt8]> = []
    /// Whether such an answer is due: an inventory with a higher counter, even if nothing has changed.
    private var answerIsDue = false

    /// - Parameter instance: 16 random bytes of this process.
    package init(instance: [UInt8]) { self.instance = instance }

    package var nextDeadline: UInt64? { schedule.nextDeadline }
    package func isDue(at now: UInt64) -> Bool { schedule.isDue(at: now) }

    /// Requests an inventory after a possible change of the stored data.
    /// - Parameter nodeCount: the nodes of the event. The larger the event, the longer the pause: each inventory goes
    ///   to every node.
    package mutating func request(nodeCount: Int, at now: UInt64) {
        guard storing == nil else { return }
        let share = max(1, nodeCount / Limits.meshNodesMax)
        schedule.request(pause: UInt64(Limits.registerMilliseconds) * UInt64(share), delay: 1_000, at: now)
    }

    package mutating func cancel() { schedule.cancel() }

    /// Ends the request. Returns the signed inventory, to be stored, if it differs from the last one.
    package mutating func sign(
        originals: [Register.Places], destroyed: [Register.Places], last: Register?, of event: EventID,
        with key: SigningKey, _ ticket: @autoclosure () -> Ticket
    ) -> (ticket: Ticket, register: Register)? {
        schedule.cancel()
        let last = last?.claims
        // The last counter has no successor: another process that has used it has this device's key.
        guard last?.counter != .max else { return nil }
        guard last?.originals != originals || last?.destroyed != destroyed || answerIsDue else { return nil }
        answerIsDue = false
        let claims = Register.Claims(
            device: DeviceID(key.verifyingKey), instance: instance, counter: (last?.counter ?? 0) + 1,
            originals: originals, destroyed: destroyed)
        storing = (ticket(), Register(claims, of: event, key: key))
        return storing
    }

    /// Ends the storing. Returns the inventory if the ticket is its own.
    package mutating func stored(_ ticket: Ticket, at now: UInt64) -> Register? {
        guard let (own, register) = storing, own == ticket else { return nil }
        storing = nil
        schedule.done(at: now)
        return register
    }

    /// Whether an inventory of this device by another process is answered. The device's folder was restored, or is in
    /// use twice. Each process answers another once, so that two of them do not outbid each other for ever.
    package func answers(_ register: Register) -> Bool {
        register.claims.instance != instance && answeredInstances.count < 64
            && !answeredInstances.contains(register.claims.instance)
    }

    /// Makes the next inventory the answer.
    package mutating func answer(_ register: Register) {
        answeredInstances.insert(register.claims.instance)
        answerIsDue = true
    }
}
