/* SPDX-License-Identifier: MIT */
/* The uevents that concern PMUs. All others, such as those of disks, are ignored. */
#include "watch/uevent.h"
#include "core/base.h"

static const struct {
	struct pmuq_str subsystem;
	enum pmuq_watch_cause cause;
	struct pmuq_str actions[2];
} known[] = {
	{ STR("event_source"), PMUQ_WATCH_PMU, { STR("add"), STR("remove") } },
	{ STR("module"), PMUQ_WATCH_MODULE, { STR("add"), STR("remove") } },
	{ STR("cpu"), PMUQ_WATCH_CPU, { STR("online"), STR("offline") } },
};

/* The value of a key, or nothing. */
static struct pmuq_str value_of(struct pmuq_str pairs, struct pmuq_str key)
{
	struct pmuq_str pair;

	while (str_next(&pairs, '\0', &pair))
		if (pair.n > key.n && pair.p[key.n] == '=' && str_starts(pair, key))
			return str_part(pair, key.n + 1, pair.n);
	return (struct pmuq_str){ 0 };
}

static struct pmuq_str last_part(struct pmuq_str path)
{
	size_t at = path.n;

	while (at && path.p[at - 1] != '/')
		at--;
	return str_part(path, at, path.n);
}

bool pq_uevent_parse(struct pmuq_str message, struct pq_announced *ret)
{
	struct pmuq_str header, pairs, subsystem;

	/* udevd's messages begin with "libudev". */
	if (!str_cut(message, '\0', &header, &pairs) || !memchr(header.p, '@', header.n))
		return false;
	subsystem = value_of(pairs, STR("SUBSYSTEM"));
	ret->action = value_of(pairs, STR("ACTION"));
	ret->name = last_part(value_of(pairs, STR("DEVPATH")));
	if (!ret->name.n)
		return false;
	for (size_t i = 0; i < COUNT(known); i++)
		if (str_eq(known[i].subsystem, subsystem)) {
			ret->cause = known[i].cause;
			return str_eq(ret->action, known[i].actions[0]) ||
			       str_eq(ret->action, known[i].actions[1]);
		}
	return false;
}
