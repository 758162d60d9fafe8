// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The faults of a party: how each begins and ends.
extension Party {
    /// The present faults.
    package var presentFaults: [Fault] { faults.present }

    func begin(_ fault: Fault) {
        log?("\(time) begin \(fault)")
        let nodes = swarm.nodes
        switch fault.trouble {
        case .partition(let half): swarm.partition(half.map { nodes[$0] })
        case .cut(let node, let other, let isNoticed): swarm.cut(nodes[node], nodes[other], isNoticed: isNoticed)
        case .oneWay(let node, let other): swarm.forbidDials(from: nodes[node], to: nodes[other])
        case .halfOpen(let node, let other):
            for link in swarm.openLinks(nodes[node], nodes[other]) { swarm.sever(link, isNoticed: false) }
        case .loss, .badAir: setAir()
        case .crash(let node, let isNoticed): if nodes[node].isUp { swarm.crash(nodes[node], isNoticed: isNoticed) }
        case .clockJump(let node, let milliseconds): nodes[node].clock.offset += milliseconds
        case .suspend(let node): swarm.suspend(nodes[node], milliseconds: fault.ends - fault.begins)
        case .diskFull(let node):
            // Some notice in time, like a node that watches its disk: at one level or another.
            let space = DiskSpace(rawValue: fault.number % 4) ?? .plenty
            nodes[node].storage.isFull = space == .plenty
            guard nodes[node].isUp else { break }
            swarm.apply(.roomChanged(space), to: nodes[node])
            // Or it has room, and for only a few originals of each member.
            swarm.apply(.originalsLimited(perTree: fault.number % 8 < 4 ? 8_000 : nil), to: nodes[node])
        case .diskErrors(let node, let share): nodes[node].storage.errorShare = share
        case .bitFlip(let node): swarm.flipBit(nodes[node])
        case .dishonest(let mischief): invite(mischief, fault)
        case .away(let node): if nodes[node].isUp { swarm.shutDown(nodes[node]) }
        case .roam(let node): roam(nodes[node])
        case .staleSighting(let node):
            swarm.happenings.insert(
                .sight(PeerAddress(host: "10.9.9.9", port: 8028), node: node, attempt: 0), at: swarm.now)
        case .removal, .role, .tidying, .outcast, .hostages, .smuggling, .guest, .rotation, .approval, .gifts, .shares,
            .votes, .tickets, .twins, .veils, .missions:
            plan(fault)
        }
    }

    @discardableResult func invite(_ mischief: Mischief, _ fault: Fault) -> SimulatedNode {
        let member = swarm.addDishonestPeer(mischief, milliseconds: plan.endsAt - min(plan.endsAt, fault.begins))
        for index in 0..<options.peerCount where swarm.random.oneIn(2) {
            guard !options.absentPeers.contains(index) else { continue }
            swarm.discover(member, swarm.nodes[index])
        }
        return member
    }

    private func roam(_ node: SimulatedNode) {
        swarm.move(node)
        // Its peers see its new address, some also the old one.
        for (index, view) in views.enumerated() where view.contains(node.index) {
            swarm.discover(swarm.nodes[index], node)
        }
        for other in views[node.index] where !options.absentPeers.contains(other) {
            swarm.discover(node, swarm.nodes[other])
        }
    }

    private func setAir() { swarm.network.medium = faults.worsened(options.medium) }

    func end(_ fault: Fault) {
        log?("\(time) end \(fault)")
        let nodes = swarm.nodes
        switch fault.trouble {
        case .partition(let half):
            let inside = Set(half)
            for node in half {
                for other in nodes where !inside.contains(other.index) { swarm.heal(nodes[node], other) }
            }
        case .cut(let node, let other, _): swarm.heal(nodes[node], nodes[other])
        case .oneWay(let node, let other): swarm.network.barriers.allowDials(from: node, to: other)
        case .loss, .badAir: setAir()
        case .crash(let node, _), .away(let node): if !nodes[node].isUp { arrive(nodes[node]) }
        case .diskFull(let node):
            nodes[node].storage.isFull = false
            guard nodes[node].isUp else { break }
            swarm.apply(.roomChanged(.plenty), to: nodes[node])
            swarm.apply(.originalsLimited(perTree: nil), to: nodes[node])
        case .diskErrors(let node, _): nodes[node].storage.errorShare = 0
        case .halfOpen, .clockJump, .suspend, .bitFlip, .dishonest, .roam, .staleSighting, .removal, .role, .tidying,
            .outcast, .hostages, .smuggling, .guest, .rotation, .approval, .gifts, .shares, .votes, .tickets, .twins,
            .veils, .missions:
            break
        }
    }

    /// Ends all faults, including the effects of overlapping ones.
    func heal() {
        while let fault = faults.nextEnding(at: .max) { end(fault) }
        faults.cancelRest()
        swarm.healAll()
        swarm.network.medium = options.medium
        for node in swarm.nodes where node.isHonest && !options.absentPeers.contains(node.index) {
            node.storage.isFull = false
            node.storage.errorShare = 0
            if !node.isUp { arrive(node) }
        }
        hurryDeeds()
        log?("\(time) all faults have ended")
        phase = .settling
        settling.begin(at: time)
    }
}
