/* SPDX-License-Identifier: MIT */
/* A uevent of the kernel (Documentation/ABI/testing/sysfs-uevent): "ACTION@DEVPATH", then
 * KEY=VALUE, each with a NUL at its end. */
#pragma once

#include "core/str.h"
#include <pmuq/watch.h>

struct pq_uevent {
	enum pmuq_watch_cause cause;
	struct pmuq_str action, name; /* slices of the message */
};

/* False if the message is not a uevent of the kernel, or not about PMUs, modules or CPUs. */
bool pq_uevent_parse(struct pmuq_str message, struct pq_uevent *ret);
