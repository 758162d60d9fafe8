// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// Handling of commands, from this process or through the socket.
extension Node {
    /// Executes a request of this process and replies meanwhile. Throws its error, mostly a `NodeError`.
    public func execute(_ request: ControlRequest, reply: @Sendable (ControlReply) async -> Void) async throws {
        answerCount += 1
        defer { answerCount -= 1 }
        try await perform(request, reply)
    }

    /// Executes a request and replies meanwhile; the last reply is `.finished` or `.failed`.
    public func answer(_ request: ControlRequest, reply: @Sendable (ControlReply) async -> Void) async {
        do {
            try await execute(request, reply: reply)
        } catch let error as NodeError {
            await reply(.failed(message: "\(error)", hint: error.hint, exitCode: error.exitCode))
        } catch {
            await reply(.failed(message: "\(error)", hint: nil, exitCode: 1))
        }
    }

    private func perform(_ request: ControlRequest, _ reply: @Sendable (ControlReply) async -> Void) async throws {
        switch request {
        case .add(let name, let paths, let keepsMetadata, let caption, let mission, let clock):
            try await event(named: name).add(
                paths, keepsMetadata: keepsMetadata, caption: caption, missionNumber: mission, clock: clock,
                reply: reply)
            return
        case .gallery(let name, let onlyMine, let onlyFavourites, let onlyHighlights, let onlyHidden, let onlyPending,
            let onlyVeiled):
            let event = try event(named: name)
            let chosen = try await event.chosen(favourites: onlyFavourites, highlights: onlyHighlights)
            let photos = try await event.gallery(
                onlyMine: onlyMine, onlyHidden: onlyHidden, onlyPending: onlyPending, onlyVeiled: onlyVeiled)
            for photo in photos where chosen?.contains(photo.photo.id) ?? true {
                await reply(.photo(photo.asGalleryPhoto))
            }
        case .show(let name, let text):
            let event = try event(named: name)
            for photo in try await event.describe([event.photo(named: text)]) {
                await reply(.photo(photo.asGalleryPhoto))
                await reply(.copies(try await event.copies(of: photo.photo)))
            }
        case .leave(let name, let request): return try await leave(event(named: name), request, reply: reply)
        case .exportMe(let name, let folder): return try await event(named: name).exportMe(to: folder, reply: reply)
        case .expire(let name): await reply(.expired(name: try await expire(event(named: name))))
        case .eraseMe(let name): return try await event(named: name).eraseMe(reply: reply)
        case .status:
            guard !open.isEmpty else {
                throw rebuilding.isEmpty ? NodeError.noEvents(path: folder.path) : .rebuilding
            }
            for id in events + readEvents { if let event = open[id] { await reply(.status(await event.status)) } }
        case .export(
            let name, let folder, let isAlbum, let onlyFavourites, let onlyHighlights, let hasSidecars, let onlyShown):
            let event = try event(named: name)
            let chosen =
                try await onlyShown
                ? event.shownToAll : event.chosen(favourites: onlyFavourites, highlights: onlyHighlights)
            return try await event.export(
                to: folder, isAlbum: isAlbum, hasSidecars: hasSidecars, only: chosen, reply: reply)
        case .exportWebAlbum(
            let name, let folder, let key, let hasOriginals, let onlyFavourites, let onlyHighlights):
            let event = try event(named: name)
            guard var bytes = [UInt8](hex: key), bytes.count == SecretBox.keyByteCount else {
                throw NodeError.control("the key of an album has 32 bytes")
            }
            let secret = SecretBytes(consuming: &bytes)
            let chosen = try await event.chosen(favourites: onlyFavourites, highlights: onlyHighlights)
            if configuration.listen == .none { await updateTwins() }
            return try await event.exportWebAlbum(
                to: folder, key: secret, hasOriginals: hasOriginals, only: chosen,
                with: chosen == nil ? joinedEvents(of: event.event) : [], reply: reply)
        case .exportBundle(let name, let file):
            try await event(named: name).exportBundle(to: file, reply: reply)
        case .importBundle(let name, let file): try await importBundle(file, into: name, reply)
        case .mirror(let name, let folder, let creates, let rereads):
            return try await event(named: name).mirror(
                to: folder, creates: creates, rereads: rereads, reply: reply)
        case .favourite(let name, let text, let isOn):
            let event = try event(named: name)
            let photo = try await event.photo(named: text)
            try await event.setFavourite(photo.id, isOn: isOn)
            await reply(.favourite(photo: photo.id.description, isOn: isOn))
        case .archive(let name, let isOn):
            let event = try event(named: name)
            try await event.setArchived(isOn)
            await reply(.archived(name: await event.name, isOn: isOn))
        case .shareFavourites(let name, let isOn):
            let (changedCount, count) = try await event(named: name).shareFavourites(isOn: isOn)
            await reply(.highlights(changedCount: changedCount, count: count))
        case .setPicture(let name, let role, let photo, let file):
            try await setPicture(event(named: name), role, photo, file, reply)
        case .map(let name, let request): await reply(.map(try await event(named: name).perform(request)))
        case .desk: await reply(.desk(deskAddresses()))
        case .board(let search, let category, let order):
            let rows = await board.rows().matching(search, category: category.flatMap(EventCategory.init(label:)))
            for row in rows.sorted(order ?? .near) { await reply(.board(BoardEvent(row))) }
        case .check(let name, let onlyLooks):
            guard name != nil || rebuilding.isEmpty else { throw NodeError.rebuilding }
            let events = try name.map { [try event(named: $0)] } ?? open.values.sorted { $0.event < $1.event }
            return try await check(events, onlyLooks: onlyLooks, reply)
        case .invite(let name, let isPrinted):
            let event = try event(named: name)
            await reply(.invitation(isPrinted ? try await event.printedInvitation() : await event.invitation))
            if isPrinted { try await event.notePrinted() }
        case .rotate(let name, let isConfirmed):
            return try await event(named: name).rotate(isConfirmed: isConfirmed, reply: reply)
        case .admit(let name, let member): return try await event(named: name).admit(named: member, reply: reply)
        case .give(let name, let member, let count, let isConfirmed):
            await reply(try await event(named: name).give(count, to: member, isConfirmed: isConfirmed))
        case .tickets(let name, let request): try await event(named: name).perform(request, reply: reply)
        case .vote(let name, let act): await reply(.vote(try await event(named: name).perform(act)))
        case .twins(let name, let act): try await perform(act, in: name, reply)
        case .remove(let name, let text):
            let event = try event(named: name)
            let target = try await event.target(named: text)
            _ = try await event.author(.remove(target))
            await reply(.removed(photo: target.description))
        case .event(let name): await reply(.event(try await event(named: name).info()))
        case .backup(let name): await reply(.words(try await event(named: name).eventKeyWords()))
        case .restore(let name, let words): try await event(named: name).restore(words)
        case .shares(let name, let act): await reply(.shares(try await event(named: name).shares(act)))
        case .reveal(let name, let isConfirmed):
            let event = try event(named: name)
            if await event.hasShares {
                await reply(.shares(try await event.shares(.release(isConfirmed: isConfirmed))))
            } else {
                await reply(.revealed(photoCount: try await event.reveal(isConfirmed: isConfirmed)))
            }
        case .say(let name, let remark): await reply(try await event(named: name).say(remark))
        case .messages(let name):
            for message in try await event(named: name).messageInfos() { await reply(.message(message)) }
        case .rename(let text, let name):
            try await event(named: text).changeName(to: name)
            await reply(.renamed(name: name))
        case .consent(let name, let text):
            let event = try event(named: name)
            if let text { try await event.consent(to: text) }
            guard let info = await event.consent() else { throw NodeError.refused(.notAdmitted) }
            await reply(.consent(info))
        case .rule(let name, let act): await reply(try await event(named: name).perform(act))
        }
        await reply(.finished(exitCode: 0))
    }

    /// Adds the file first, if one is given; a file that is in the gallery already is not added again.
    private func setPicture(
        _ event: EventNode, _ role: PictureRole, _ photo: String?, _ file: String?,
        _ reply: @Sendable (ControlReply) async -> Void
    ) async throws {
        var name = photo
        if let file {
            name = try await event.addPhoto(at: file)
        }
        let photo = try await event.setPicture(role, to: name)
        await reply(.picture(role: role, photo: photo?.description))
    }

    /// Finds the event of the bundle by its header.
    private func importBundle(
        _ file: String, into name: String?, _ reply: @Sendable (ControlReply) async -> Void
    ) async throws {
        let header: EventBundle.Header
        do { header = try await context.readers.run { try BundleReader.header(of: file) } } catch let error
            as StoreError
        {
            throw NodeError.storage("\(error)")
        } catch let error as BundleError {
            throw NodeError(error, path: file)
        }
        for event in try name.map({ [try event(named: $0)] }) ?? Array(open.values) {
            guard let key = await event.key(of: header) else { continue }
            return try await event.importBundle(file, key: key, reply: reply)
        }
        throw NodeError.foreignBundle(path: file)
    }
}
