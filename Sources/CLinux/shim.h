// SPDX-License-Identifier: Apache-2.0
#include "address.h"
#include "confinement.h"
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// prctl(), which is variadic and therefore out of Swift's reach.
static inline int clinux_prctl(int option, unsigned long argument) {
    return prctl(option, argument, 0UL, 0UL, 0UL);
}

/// A socket that becomes readable when an address or a link of this machine changes, as rtnetlink(7) tells it;
/// -1 where there is none to be had.
static inline int clinux_network_watch(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR,
    };
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

/// The other side of a UDP packet. The interface is in a control message (struct cmsghdr), whose macros are out of
/// Swift's reach.
struct clinux_udp_peer {
    /// Where the packet came in, or is to go out.
    uint32_t interface;
    /// 4 or 16 bytes, in network order.
    uint8_t address[16];
    uint16_t port;
    uint8_t is_ipv6;
    /// Of a received packet: whether it was sent to a group; and whether it was longer than the buffer.
    uint8_t is_to_group;
    uint8_t is_cut;
};

/// struct in6_pktinfo of ipv6(7), which the headers keep for programs that ask for all of GNU.
struct clinux_in6_pktinfo {
    struct in6_addr address;
    unsigned int interface;
};

/// Has received packets tell their interface and destination.
static inline int clinux_udp_tell_interface(int descriptor, int is_ipv6) {
    int yes = 1;
    return is_ipv6 ? setsockopt(descriptor, IPPROTO_IPV6, IPV6_RECVPKTINFO, &yes, sizeof yes)
                   : setsockopt(descriptor, IPPROTO_IP, IP_PKTINFO, &yes, sizeof yes);
}

/// recvmsg(2) without waiting: the number of bytes, or -1 with errno.
static inline ssize_t clinux_udp_receive(int descriptor, void *buffer, size_t size, struct clinux_udp_peer *peer) {
    struct sockaddr_storage source;
    union {
        struct cmsghdr header;
        char bytes[256];
    } control;
    struct iovec vector = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {
        .msg_name = &source,
        .msg_namelen = sizeof source,
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT);
    if (count < 0) return count;
    memset(peer, 0, sizeof *peer);
    peer->is_cut = (message.msg_flags & MSG_TRUNC) != 0;
    if (source.ss_family == AF_INET6) {
        struct sockaddr_in6 *address = (struct sockaddr_in6 *)&source;
        peer->is_ipv6 = 1;
        peer->port = ntohs(address->sin6_port);
        memcpy(peer->address, &address->sin6_addr, 16);
    } else if (source.ss_family == AF_INET) {
        struct sockaddr_in *address = (struct sockaddr_in *)&source;
        peer->port = ntohs(address->sin_port);
        memcpy(peer->address, &address->sin_addr, 4);
    }
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_PKTINFO) {
            struct clinux_in6_pktinfo info;
            memcpy(&info, CMSG_DATA(part), sizeof info);
            peer->interface = info.interface;
            peer->is_to_group = IN6_IS_ADDR_MULTICAST(&info.address);
        } else if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(part), sizeof info);
            peer->interface = (uint32_t)info.ipi_ifindex;
            peer->is_to_group = IN_MULTICAST(ntohl(info.ipi_addr.s_addr));
        }
    }
    return count;
}

/// sendmsg(2) without waiting, out of the peer's interface: the number of bytes, or -1 with errno.
static inline ssize_t clinux_udp_send(
    int descriptor, const void *bytes, size_t count, const struct clinux_udp_peer *peer) {
    struct sockaddr_in6 destination6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(peer->port), .sin6_scope_id = peer->interface};
    struct sockaddr_in destination4 = {.sin_family = AF_INET, .sin_port = htons(peer->port)};
    memcpy(&destination6.sin6_addr, peer->address, 16);
    memcpy(&destination4.sin_addr, peer->address, 4);
    struct clinux_in6_pktinfo info6 = {.interface = peer->interface};
    struct in_pktinfo info4 = {.ipi_ifindex = (int)peer->interface};
    size_t size = peer->is_ipv6 ? sizeof info6 : sizeof info4;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct clinux_in6_pktinfo))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = peer->is_ipv6 ? (void *)&destination6 : (void *)&destination4,
        .msg_namelen = peer->is_ipv6 ? sizeof destination6 : sizeof destination4,
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = CMSG_SPACE(size),
    };
    struct cmsghdr *part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = peer->is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP;
    part->cmsg_type = peer->is_ipv6 ? IPV6_PKTINFO : IP_PKTINFO;
    part->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(part), peer->is_ipv6 ? (void *)&info6 : (void *)&info4, size);
    return sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// An empty file in memory without a name (memfd_create(2)), closed on exec; -1 on failure.
static inline int clinux_memory_file(void) { return (int)syscall(SYS_memfd_create, "picture", 1U /* MFD_CLOEXEC */); }

/// Sends `count` bytes and, with the first of them, a copy of `descriptor` (unix(7), SCM_RIGHTS) unless that is negative.
/// The number of bytes sent, or -1.
static inline ssize_t clinux_send(int socket, const void *bytes, size_t count, int descriptor) {
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control = {{0}};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        *(int *)CMSG_DATA(header) = descriptor;
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

/// Receives up to `count` bytes. A descriptor that comes with them is put into `descriptor`, which is left alone
/// otherwise. The number of bytes received, 0 at the end, or -1.
static inline ssize_t clinux_receive(int socket, void *bytes, size_t count, int *descriptor) {
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received <= 0) return received;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
        && header->cmsg_len == CMSG_LEN(sizeof(int)))
        *descriptor = *(int *)CMSG_DATA(header);
    return received;
}
