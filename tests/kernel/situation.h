/* SPDX-License-Identifier: MIT */
/*
 * What a process does to itself before it asks the kernel: becomes another user, gives capabilities
 * up, puts a filter before its system calls, loses files or directories. There is no way back: a
 * child enters, and ends. Nothing outside of the process changes.
 */
#ifndef PQ_TESTS_SITUATION_H
#define PQ_TESTS_SITUATION_H

#include <stdbool.h>

/*
 * Words, taken in order, as "no-proc user seccomp=EPERM":
 *
 *     user            an ordinary one, without capabilities
 *     perfmon, admin  the same with CAP_PERFMON, or CAP_SYS_ADMIN, and nothing else
 *     bare-root       root, with no capability and no way to get one
 *     userns          root of a user namespace
 *     user-inside     there, without capabilities
 *     no-new-privs    an exec gives no capabilities any more
 *     seccomp=ERRNO   a filter answers perf_event_open(2) so: EPERM, EACCES, ENOSYS
 *     files=N         RLIMIT_NOFILE
 *     no-proc, no-sys, tracefs
 *                     an empty /proc, an empty /sys, a tracefs where none is mounted
 *
 * False: this machine does not let it; *ret_why says what it would not do. Static.
 */
bool situation_enter(const char *words, const char **ret_why);

/* Whether the process is root with all that this needs. */
bool situation_is_privileged(void);

#endif
