// SPDX-License-Identifier: Apache-2.0
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/defs.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>

// The types of avahi-client's functions: that library is opened at run time and not linked.
typedef __typeof__(avahi_client_new) *cavahi_client_new;
typedef __typeof__(avahi_client_free) *cavahi_client_free;
typedef __typeof__(avahi_client_errno) *cavahi_client_errno;
typedef __typeof__(avahi_client_get_state) *cavahi_client_get_state;
typedef __typeof__(avahi_service_browser_new) *cavahi_service_browser_new;
typedef __typeof__(avahi_service_resolver_new) *cavahi_service_resolver_new;
typedef __typeof__(avahi_service_resolver_free) *cavahi_service_resolver_free;
typedef __typeof__(avahi_entry_group_new) *cavahi_entry_group_new;
typedef __typeof__(avahi_entry_group_free) *cavahi_entry_group_free;
typedef __typeof__(avahi_entry_group_is_empty) *cavahi_entry_group_is_empty;
typedef __typeof__(avahi_entry_group_commit) *cavahi_entry_group_commit;
typedef __typeof__(avahi_entry_group_add_service_strlst) *cavahi_entry_group_add_service_strlst;
typedef __typeof__(avahi_entry_group_update_service_txt_strlst) *cavahi_entry_group_update_service_txt_strlst;
