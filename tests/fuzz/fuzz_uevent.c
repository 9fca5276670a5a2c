/* SPDX-License-Identifier: MIT */
/* A message of the kernel: what is read of it lies in it, and is one of the known announcements. */
#include "tests/fuzz/fuzz.h"
#include "watch/uevent.h"

static bool is_inside(struct pmuq_str part, struct pmuq_str whole)
{
	return part.n > 0 && part.p >= whole.p && part.p + part.n <= whole.p + whole.n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pmuq_str message = { .p = (const char *)data, .n = size };
	struct pq_announced uevent;

	if (!pq_uevent_parse(message, &uevent))
		return 0;
	FUZZ_LAW(is_inside(uevent.action, message));
	FUZZ_LAW(is_inside(uevent.name, message));
	FUZZ_LAW(!memchr(uevent.name.p, '/', uevent.name.n));
	FUZZ_LAW(pmuq_watch_cause_name(uevent.cause));
	return 0;
}
