// SPDX-License-Identifier: Apache-2.0
import DisposableDiscovery
import Testing

struct FirewallTests {
    private let ports = ["8028/tcp", "5353/udp"]

    @Test("ufw lets through what its status allows, and says how to open the rest")
    func ufw() {
        let status = """
            Status: active

            To                         Action      From
            --                         ------      ----
            22/tcp                     ALLOW       Anywhere
            5353                       ALLOW       Anywhere
            8028/udp                   ALLOW       Anywhere
            """
        let firewall = Firewall(ufwStatus: status, ports: ports)
        #expect(firewall.blocked == ["8028/tcp"])
        #expect(firewall.commands == ["sudo ufw allow 8028/tcp"])
        let unseen = Firewall(ufwStatus: nil, ports: ports)
        #expect(unseen.blocked == nil)
        #expect(unseen.commands == ["sudo ufw allow 8028/tcp", "sudo ufw allow 5353/udp"])
    }

    @Test("firewalld lets through its zone's services and ports")
    func firewalld() {
        func zone(services: String, ports: String) -> String {
            "public (active)\n  target: default\n  services: \(services)\n  ports: \(ports)\n  protocols: \n"
        }
        let closed = Firewall(firewalldPorts: zone(services: "ssh", ports: ""), ports: ports)
        #expect(closed.blocked == ports)
        #expect(closed.commands.contains("sudo firewall-cmd --permanent --add-port=8028/tcp"))
        #expect(closed.commands.last == "sudo firewall-cmd --reload")
        let open = Firewall(firewalldPorts: zone(services: "ssh mdns", ports: "8000-8100/tcp"), ports: ports)
        #expect(open.blocked == [] && open.commands == [])
    }

    private func ruleset(policy: String, rules: [String]) -> String {
        """
        table inet filter {
        \tchain input {
        \t\ttype filter hook input priority filter; policy \(policy);
        \(rules.map { "\t\t\($0)\n" }.joined())\t}
        \tchain output {
        \t\ttype filter hook output priority filter; policy accept;
        \t}
        }
        """
    }

    @Test("nftables that drop what is not named keep a node in, unless its ports are named")
    func nftables() throws {
        let closed = try #require(
            Firewall(
                nftables: ruleset(policy: "drop", rules: ["tcp dport 22 accept", "udp dport 8028 accept"]), ports: ports
            ))
        #expect(closed.blocked == ports)
        #expect(closed.commands.first == "sudo nft insert rule inet filter input tcp dport 8028 accept")
        let rules = ["tcp dport { 22, 8000-8100 } ct state new accept", "udp dport 5353 accept"]
        #expect(Firewall(nftables: ruleset(policy: "drop", rules: rules), ports: ports)?.blocked == [])
        #expect(Firewall(nftables: ruleset(policy: "accept", rules: []), ports: ports) == nil)
        #expect(Firewall(nftables: "", ports: ports) == nil)
    }

    @Test("iptables likewise")
    func iptables() throws {
        let rules = "-P INPUT DROP\n-A INPUT -p udp -m udp --dport 5353 -j ACCEPT"
        let firewall = try #require(Firewall(iptables: rules, ports: ports))
        #expect(firewall.blocked == ["8028/tcp"])
        #expect(firewall.commands == ["sudo iptables -I INPUT -p tcp --dport 8028 -j ACCEPT"])
        #expect(Firewall(iptables: "-P INPUT ACCEPT", ports: ports) == nil)
    }
}
