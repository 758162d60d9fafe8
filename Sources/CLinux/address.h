// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/// A socket for the ARP packets of one Ethernet or Wi-Fi interface (packet(7)), without their link header, and the
/// interface's hardware address; -1 with errno, EPFNOSUPPORT for another kind of link.
static inline int clinux_arp_open(uint32_t interface, uint8_t hardware[6]) {
    // Without a protocol it receives nothing before it is bound: with one, packets of other interfaces.
    int descriptor = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -1;
    struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ARP), .sll_ifindex = (int)interface};
    socklen_t size = sizeof address;
    int reason = 0;
    if (bind(descriptor, (struct sockaddr *)&address, size) != 0
        || getsockname(descriptor, (struct sockaddr *)&address, &size) != 0)
        reason = errno;
    else if (address.sll_hatype != 1 /* ARPHRD_ETHER */ || address.sll_halen != 6)
        reason = EPFNOSUPPORT;
    if (reason == 0) {
        memcpy(hardware, address.sll_addr, 6);
        return descriptor;
    }
    close(descriptor);
    errno = reason;
    return -1;
}

/// The next packet that another machine has sent: its length, which may exceed `size`; -1 with errno.
static inline ssize_t clinux_arp_receive(int descriptor, void *buffer, size_t size) {
    struct sockaddr_ll source;
    ssize_t count;
    do {
        socklen_t length = sizeof source;
        count = recvfrom(descriptor, buffer, size, MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&source, &length);
    } while (count >= 0 && source.sll_pkttype == PACKET_OUTGOING);
    return count;
}

/// Sends a packet to a hardware address: the number of bytes, or -1 with errno.
static inline ssize_t clinux_arp_send(
    int descriptor, uint32_t interface, const uint8_t to[6], const void *bytes, size_t count) {
    struct sockaddr_ll destination = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ARP), .sll_ifindex = (int)interface, .sll_halen = 6};
    memcpy(destination.sll_addr, to, 6);
    return sendto(
        descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&destination, sizeof destination);
}

/// Adds an IPv4 address of its own network (/32) to an interface for so many seconds, or prolongs it; with 0 seconds
/// removes it (rtnetlink(7)). The kernel removes it when the time is over, whatever has become of this process. 0, or
/// the error number.
static inline int clinux_address_change(uint32_t interface, const uint8_t address[4], uint32_t seconds) {
    struct {
        struct nlmsghdr header;
        struct ifaddrmsg message;
        struct rtattr local_head;
        uint8_t local[4];
        struct rtattr address_head;
        uint8_t address[4];
        struct rtattr times_head;
        struct ifa_cacheinfo times;
    } request = {
        .header = {
            .nlmsg_len = sizeof request,
            .nlmsg_type = seconds ? RTM_NEWADDR : RTM_DELADDR,
            .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | (seconds ? NLM_F_CREATE | NLM_F_REPLACE : 0),
        },
        .message = {.ifa_family = AF_INET, .ifa_prefixlen = 32, .ifa_index = interface},
        .local_head = {.rta_len = RTA_LENGTH(4), .rta_type = IFA_LOCAL},
        .address_head = {.rta_len = RTA_LENGTH(4), .rta_type = IFA_ADDRESS},
        .times_head = {.rta_len = RTA_LENGTH(sizeof(struct ifa_cacheinfo)), .rta_type = IFA_CACHEINFO},
        .times = {.ifa_prefered = seconds, .ifa_valid = seconds},
    };
    memcpy(request.local, address, 4);
    memcpy(request.address, address, 4);
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        uint8_t rest[512];
    } answer;
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return errno;
    struct timeval patience = {.tv_sec = 2};
    (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    int result = send(descriptor, &request, sizeof request, MSG_NOSIGNAL) < 0 ? errno : 0;
    if (result == 0) {
        ssize_t count = recv(descriptor, &answer, sizeof answer, 0);
        if (count < 0)
            result = errno;
        else if ((size_t)count < sizeof answer.header + sizeof answer.error || answer.header.nlmsg_type != NLMSG_ERROR)
            result = EPROTO;
        else
            result = -answer.error.error;
    }
    close(descriptor);
    return result;
}
