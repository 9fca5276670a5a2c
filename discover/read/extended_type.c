/* SPDX-License-Identifier: MIT */
/*
 * Whether the kernel accepts the type of a core PMU in the upper half of the config of a generic
 * event. The only way to find out is to open one; it is opened disabled and closed at once.
 */
#include "core/attr/attr.h"
#include "discover/read/host_facts.h"
#include <errno.h>
#include <sys/syscall.h>

/* Every kernel since 2.6.31 accepts this size. */
#define SMALLEST_ATTR_BYTES 64u

static bool is_accepted(struct pq_root *root, uint32_t type)
{
	struct pmuq_attr attr = {
		.type = PQ_TYPE_HARDWARE,
		.size = SMALLEST_ATTR_BYTES,
		.config = (uint64_t)type << 32, /* id 0: cycles */
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, UINT64_C(1) << 3 /* CLOEXEC */);

	/* With these errors the kernel has not checked the event. */
	if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
		pq_root_resource_error(root, errno);
	if (fd < 0)
		return errno != EINVAL && errno != ENOENT;
	close((int)fd);
	return true;
}

bool pq_probe_extended_type(struct pq_root *root, const uint32_t *types, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_accepted(root, types[i]))
			return false;
	return true;
}
