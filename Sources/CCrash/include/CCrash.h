// SPDX-License-Identifier: Apache-2.0
// One handler for the signals of a crash. It closes listening sockets, writes a report, and calls the handler that was
// there before, which is that of Swift's runtime where it reports crashes. Then the process ends by the signal.
//
// The functions may be called on any thread.
#pragma once

/// Closes `descriptor` when this process crashes, before another handler starts a program that inherits it. Signals
/// that nobody handles stay without a handler: the process ends at once then, and the kernel closes everything.
///
/// At most 64 descriptors are closed; more are not registered.
void ccrash_add(int descriptor);

/// Reverses `ccrash_add`, for a descriptor that is closed.
void ccrash_remove(int descriptor);

/// Writes a report to `folder`/crashes when this process crashes. Called once, by a thread which also gets a stack for
/// reports about an overflow of its own. Returns 0, or an errno: EALREADY for a second call, which changes nothing.
///
/// `version`: that of the program, at most 31 bytes. `oldest`: the path below `folder` of the report to remove when one
/// is written, at most 63 bytes; empty for none.
int ccrash_report(const char *folder, const char *version, const char *oldest);

/// The build identifier of this program's file as lowercase hexadecimal digits, at most 64; `unknown` if the linker
/// wrote none. The string stays valid.
const char *ccrash_build_id(void);
