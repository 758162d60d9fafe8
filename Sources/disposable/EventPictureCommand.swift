// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableModel
import DisposableNode
import Foundation

enum PictureName: String, ExpressibleByArgument, CaseIterable {
    case cover, plan

    var role: PictureRole { self == .cover ? .cover : .plan }
}

struct EventPictureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture", abstract: "Use a photo as the event's cover or plan (organizers).",
        discussion: """
            Guests see the cover with the event's name. The plan is a map or a sketch of the place, on which they can put \
            their photos; it is not shown among the photos. A file, or a page of a PDF, is added as a photo first. Where photos are sealed, a \
            photo of your own is shown to everybody from then on.
            """)

    @Argument(help: ArgumentHelp("The use of the picture.", valueName: "role"))
    var role: PictureName

    @Argument(
        help: ArgumentHelp("An image file; the id of a photo, or its start; or none.", valueName: "file|photo|none"))
    var picture: String

    @Option(help: "The page of a PDF; without it the first one.")
    var page: Int?

    @OptionGroup var event: EventOptions
    @OptionGroup var common: CommonOptions

    private struct Shown: Encodable {
        let role: String
        /// Absent if there is none.
        let photo: String?
    }

    func validate() throws {
        if let page, !(1...9_999).contains(page) { throw ValidationError("--page is a number from 1") }
    }

    func run() async throws {
        let path = URL(fileURLWithPath: picture).standardizedFileURL.path
        let isFile = picture != "none" && FileManager.default.fileExists(atPath: path)
        guard isFile else {
            guard page == nil else { throw ValidationError("--page is for a PDF") }
            return try await set(photo: picture == "none" ? nil : picture, file: nil)
        }
        try await PlanPage.withImage(of: path, page: page) { image in try await set(photo: nil, file: image) }
    }

    private func set(photo: String?, file: String?) async throws {
        let console = common.console
        let request = ControlRequest.setPicture(event: event.event, role: role.role, photo: photo, file: file)
        try await ask(request, common) { reply in
            guard case .picture(let role, let photo) = reply else { return }
            console.json("picture", Shown(role: "\(role)", photo: photo))
            console.result(photo.map { "the \(role) is photo \($0.prefix(8))" } ?? "there is no \(role) now")
        }
    }
}
