/* SPDX-License-Identifier: MIT */
/* A uevent of the kernel (Documentation/ABI/testing/sysfs-uevent): "ACTION@DEVPATH", then
 * KEY=VALUE, each with a NUL at its end. */
#pragma once

#include "watch/announced.h"

/* The texts are slices of the message. False if it is not a uevent of the kernel, or not about
 * PMUs, modules or CPUs. */
bool pq_uevent_parse(struct pmuq_str message, struct pq_announced *ret);
