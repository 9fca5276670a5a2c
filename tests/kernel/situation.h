/* SPDX-License-Identifier: MIT */
/*
 * A process enters a situation: it becomes another user, drops capabilities, filters its system
 * calls, or hides files and directories from itself. There is no way back, so a child enters it and
 * ends. Nothing outside the process changes.
 */
#pragma once

#include <stdbool.h>

/*
 * Words, taken in order, as "no-proc user seccomp=EPERM":
 *
 *     user            an ordinary one, without capabilities
 *     perfmon, admin  the same with CAP_PERFMON, or CAP_SYS_ADMIN, and nothing else
 *     bare-root       root, with no capability and no way to get one
 *     userns          root of a user namespace
 *     user-inside     there, without capabilities
 *     no-new-privs    an exec adds no capabilities
 *     seccomp=ERRNO   a filter fails perf_event_open(2): EPERM, EACCES, ENOSYS
 *     files=N         RLIMIT_NOFILE
 *     no-proc, no-sys, tracefs
 *                     an empty /proc, an empty /sys, tracefs if it is not mounted
 *
 * False: not possible on this machine; *ret_why is the reason. Static.
 */
bool situation_enter(const char *words, const char **ret_why);

/* Whether the process is root with CAP_SYS_ADMIN, which most situations need. */
bool situation_is_privileged(void);
