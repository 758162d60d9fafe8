// SPDX-License-Identifier: Apache-2.0
#include <linux/rtnetlink.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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
