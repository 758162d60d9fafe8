// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HummingbirdCore

typealias PortalServer = HTTPServer<PortalScope>

extension PortalServer {
    /// Makes a router with all routes of protocol/guest-api.md, of the desk, and for programs on this machine.
    static func router(
        limits: PortalLimits, events: EventTable, connections: ConnectionGate, gate: Gate, files: StaticFiles,
        tally: RequestTally, board: BoardRoutes?, desk: DeskRoutes?, watch: WatchRoutes?, captive: Portal.Captive?,
        program: ProgramRoutes
    ) -> Router<PortalScope> {
        let router = RouterGroup()
        router.add(middleware: AnswerMiddleware(tally: tally))
        if let captive { router.add(middleware: CaptiveMiddleware(answer: captive.answer, gate: connections)) }
        router.add(middleware: GuardMiddleware(gate: connections))
        if captive != nil { router.add(middleware: PagePortMiddleware()) }

        PageRoutes(files: files).add(to: router)
        let entrance = SessionRoutes(limits: limits, events: events, gate: gate)
        entrance.add(to: router)
        let simple = SimpleRoutes(limits: limits, entrance: entrance, isProgramOffered: program.isOffered)
        simple.add(to: router)
        ClipRoutes().add(to: router)
        board?.add(to: router)
        desk?.add(to: router)
        watch?.add(to: router)

        let event = router.group("e/:event").add(middleware: EventMiddleware(events: events))
        PageRoutes(files: files).add(toEvent: event)
        let moving = MovingRoutes(files: files)
        moving.add(toEvent: event)
        let door = event.group().add(middleware: SessionMiddleware())
        entrance.add(toEvent: door)
        GuestRoutes(limits: limits).add(to: door)
        HandoverRoutes(limits: limits).add(to: door)
        let inside = door.group().add(middleware: InsideMiddleware())
        entrance.add(inside: inside)
        PhotoRoutes(limits: limits).add(to: inside)
        MomentRoutes().add(to: inside)
        MissionRoutes(limits: limits).add(to: inside)
        EarlyRoutes(limits: limits).add(to: inside)
        RemarkRoutes(limits: limits).add(to: inside)
        PlanRoutes(limits: limits).add(to: inside)
        MapRoutes().add(to: inside)
        VeilRoutes().add(to: inside)
        TurnRoutes(limits: limits).add(to: inside)
        MessageRoutes(limits: limits).add(to: inside)
        GiftRoutes(limits: limits).add(to: inside)
        TicketRoutes(limits: limits).add(to: inside)
        VoteRoutes(limits: limits).add(to: inside)
        UpdateRoutes(limits: limits).add(to: inside)
        simple.add(toEvent: inside)
        moving.add(inside: inside)
        UploadRoutes { session in
            guard let event = events[session.gallery.event.short] else { throw PortalError.unknownEvent }
            return event.uploads
        }.add(to: inside)
        ZIPRoutes(limits: limits.archives).add(to: inside)
        program.add(to: inside)
        return Router(router)
    }
}
