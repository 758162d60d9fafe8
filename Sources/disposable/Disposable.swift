// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole

@main
struct Disposable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disposable",
        abstract: "A disposable camera for everybody at an event, with no server and no Internet.",
        discussion: """
            Every machine that runs a node keeps the whole gallery. Nodes on one network find each other, and each has \
            all photos in the end.

              disposable host "Anna and Ben"        create an event and run its node; shows the invitation
              disposable desk                       the same, and everything about it, in a browser
              disposable join DISPOSABLE1:...       on another machine: enter the event and run a node
              disposable add holiday/               add photos, from any of them
              disposable watch /media/CARD/DCIM     add photos as they come into a folder
              disposable export home/               take all photos home

            Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing to do or not found.
            """,
        version: ProgramVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Host",
                subcommands: [
                    HostCommand.self, DeskCommand.self, InviteCommand.self, EventCommand.self, NoticeCommand.self,
                    MessagesCommand.self, PeopleCommand.self, RoleCommand.self, ZoneCommand.self, HotspotCommand.self,
                    CaptiveCommand.self, DemoCommand.self,
                ]),
            CommandGroup(
                name: "Guest",
                subcommands: [
                    BoardCommand.self, NearbyCommand.self, JoinCommand.self, RunCommand.self, RenameCommand.self, ConsentCommand.self,
                    GiveCommand.self, TicketCommand.self, MeCommand.self, LeaveCommand.self,
                ]),
            CommandGroup(
                name: "Photos",
                subcommands: [
                    AddCommand.self, WatchCommand.self, GalleryCommand.self, ShowCommand.self, CaptionCommand.self,
                    CommentCommand.self, ReactCommand.self, PlaceCommand.self, TurnCommand.self, VeilCommand.self, MessageCommand.self,
                    VoteCommand.self,
                    FavouriteCommand.self, HighlightsCommand.self, RemoveCommand.self, ExportCommand.self, MirrorCommand.self, VerifyCommand.self,
                    CarryCommand.self,
                ]),
            CommandGroup(
                name: "Moderate",
                subcommands: [
                    ApproveCommand.self, DeclineCommand.self, LiftCommand.self, HideCommand.self, UnhideCommand.self, EraseCommand.self,
                ]),
            CommandGroup(
                name: "Care", subcommands: [StatusCommand.self, DoctorCommand.self, CheckCommand.self]),
        ])

    static func main() async { await runAndExit() }
}
