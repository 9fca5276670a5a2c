/* SPDX-License-Identifier: MIT */
/* What a service manager and its service exchange: sd_notify(3), sd_listen_fds(3). Both are
 * a few variables of the environment, so that pmuqd needs no library of systemd. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The socket that the manager opened, or -1. Others that it passed are left alone. It listens, or
 * it is the connection of one client: so a client of varlink starts a service for itself. */
int manager_socket(bool *ret_listens);
/* "READY=1", "STATUS=…", "STOPPING=1". Does nothing without a manager. */
void manager_notify(const char *state);
/* Before and after the configuration is read again. */
void manager_notify_reload(void);
