// SPDX-License-Identifier: Apache-2.0
import DisposableSync
import Testing

@Suite("Timers and repeated actions") struct TimerTests {
    @Test("an action runs at once the first time, and later after the pause since it last ran")
    func pacedAction() {
        var action = PacedAction()
        #expect(!action.isRequested && !action.isDue(at: 1_000))
        action.request(pause: 50, at: 1_000)
        #expect(action.nextDeadline == 1_000)
        #expect(action.isDue(at: 1_000))
        // A further request joins the first.
        action.request(pause: 500, at: 1_001)
        #expect(action.nextDeadline == 1_000)
        action.done(at: 1_002)
        #expect(action.nextDeadline == nil)
        action.request(pause: 50, at: 1_010)
        #expect(action.nextDeadline == 1_052)
        #expect(!action.isDue(at: 1_051))
        action.cancel()
        #expect(!action.isRequested)
    }

    @Test("an action waits for its delay even if its pause is over")
    func delay() {
        var action = PacedAction()
        action.done(at: 10)
        action.request(pause: 50, delay: 1_000, at: 500)
        #expect(action.nextDeadline == 1_500)
    }

    @Test("the table's deadline is the earliest timer, and a timer fires once")
    func table() {
        var timers = TimerTable()
        #expect(timers.nextDeadline == nil)
        timers[.dial] = 300
        timers.advance(.peers, to: 500)
        timers.advance(.peers, to: 200)
        timers.advance(.peers, to: 400)
        #expect(timers[.peers] == 200)
        timers.schedule(with: [nil, 250])
        #expect(timers.nextDeadline == 200)
        let early = timers.fires(.peers, at: 199)
        let due = timers.fires(.peers, at: 200)
        let again = timers.fires(.peers, at: 201)
        #expect(!early && due && !again)
        timers.schedule(with: [nil, 250])
        #expect(timers.nextDeadline == 250)
        timers.schedule(with: [])
        #expect(timers.nextDeadline == 300)
        // Deadlines that were just handled and could not be met do not come back at once.
        timers.handled(at: 295)
        timers.schedule(with: [])
        #expect(timers.nextDeadline == 305)
    }

    @Test("a due reveal is reported at once and then once a minute, with the time since when it is overdue")
    func reveal() {
        var reminders = RevealReminders()
        let minute = RevealReminders.pauseMilliseconds
        var overdue = reminders.poll(wait: 5_000, at: 1_000)
        #expect(overdue == nil)
        #expect(reminders.nextDeadline == 6_000)
        overdue = reminders.poll(wait: 0, at: 6_000)
        #expect(overdue == 0)
        overdue = reminders.poll(wait: 0, at: 7_000)
        #expect(overdue == nil)
        #expect(reminders.nextDeadline == 6_000 + minute)
        overdue = reminders.poll(wait: 0, at: 6_000 + minute)
        #expect(overdue == minute)
        overdue = reminders.poll(wait: nil, at: 7_000 + minute)
        #expect(overdue == nil)
        #expect(reminders.nextDeadline == nil)
        overdue = reminders.poll(wait: 0, at: 8_000 + minute)
        #expect(overdue == 0)
    }

    @Test("a long wait for the reveal is computed again after a minute")
    func longWait() {
        var reminders = RevealReminders()
        _ = reminders.poll(wait: .max / 2, at: 1_000)
        #expect(reminders.nextDeadline == 1_000 + RevealReminders.pauseMilliseconds)
    }
}
