/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints, as libpfm4 lists them if it can read debugfs: each subsystem is an event of its PMU
 * of the kernel's own events, and each tracepoint a umask of that event.
 */
#include "compat/compat.h"
#include <stdlib.h>

/* "perf::sched:sched_switch", "sched:sched_switch:k": names of libpfm4, and of perf. */
static const char *const prefixes[] = { "perf::", "tracepoint::" };

static size_t subsystem_bytes(const char *name)
{
	return strcspn(name, ":");
}

static bool is_in(const struct compat_subsystem *subsystem, const char *name)
{
	size_t bytes = subsystem_bytes(name);

	return strlen(subsystem->name) == bytes && strncmp(subsystem->name, name, bytes) == 0;
}

/* The list is sorted, so the tracepoints of a subsystem follow each other. */
static int add(struct compat *c, size_t i)
{
	const char *name = pmuq_names_get(c->tracepoints, i);
	struct compat_subsystem *last =
		c->n_subsystems ? &c->subsystems[c->n_subsystems - 1] : NULL;

	if (last && is_in(last, name)) {
		last->n++;
		return PFM_SUCCESS;
	}
	last = &c->subsystems[c->n_subsystems];
	*last = (struct compat_subsystem){ .name = strndup(name, subsystem_bytes(name)),
					   .first = i,
					   .n = 1 };
	if (!last->name)
		return PFM_ERR_NOMEM;
	c->n_subsystems++;
	return PFM_SUCCESS;
}

/* Without tracefs the machine shows no tracepoints. */
int compat_load_tracepoints(struct compat *c)
{
	size_t n;
	int r = PFM_SUCCESS;

	if (pmuq_source_list_tracepoints(c->source, "", &c->tracepoints, NULL) < 0)
		return PFM_SUCCESS;
	n = pmuq_names_count(c->tracepoints);
	c->subsystems = calloc(n ? n : 1, sizeof(*c->subsystems));
	if (!c->subsystems)
		return PFM_ERR_NOMEM;
	for (size_t i = 0; i < n && r == PFM_SUCCESS; i++)
		r = add(c, i);
	return r;
}

const char *compat_tracepoint(const struct compat *c, const struct compat_subsystem *subsystem,
			      size_t index)
{
	return pmuq_names_get(c->tracepoints, subsystem->first + index);
}

uint64_t compat_tracepoint_id(struct compat *c, const char *name)
{
	struct pmuq_encodings *encodings = NULL;
	uint64_t id;

	if (pmuq_source_encode(c->source, name, NULL, &encodings, NULL) < 0)
		return 0;
	id = pmuq_encodings_get(encodings, 0)->attr->config;
	pmuq_encodings_free(encodings);
	return id;
}

/* Whether the text begins with the tracepoint; attributes may follow. */
static bool begins_with(const char *text, const char *tracepoint)
{
	size_t bytes = strlen(tracepoint);

	return strncmp(text, tracepoint, bytes) == 0 && (!text[bytes] || text[bytes] == ':');
}

static int position_of(const struct compat *c, const char *text)
{
	for (size_t i = 0; i < c->n_subsystems; i++)
		for (size_t k = 0; k < c->subsystems[i].n && is_in(&c->subsystems[i], text); k++)
			if (begins_with(text, compat_tracepoint(c, &c->subsystems[i], k)))
				return (int)i;
	return -1;
}

static int index_of_subsystem(struct compat *c, int position)
{
	const struct compat_pmu *perf = compat_pmu(c, PFM_PMU_PERF_EVENT);

	if (position < 0 || !perf || !perf->library)
		return PFM_ERR_NOTFOUND;
	return compat_index(PFM_PMU_PERF_EVENT, perf->library->n_events + (size_t)position);
}

int compat_tracepoint_index(struct compat *c, const char *text)
{
	return compat_load(c) == PFM_SUCCESS ? index_of_subsystem(c, position_of(c, text))
					     : PFM_ERR_NOTFOUND;
}

int compat_find_subsystem(struct compat *c, const char *text)
{
	const char *name = compat_tracepoint_text(text);

	if (compat_load(c) != PFM_SUCCESS)
		return PFM_ERR_NOTFOUND;
	for (size_t i = 0; i < c->n_subsystems; i++)
		if (strcmp(c->subsystems[i].name, name) == 0)
			return index_of_subsystem(c, (int)i);
	return PFM_ERR_NOTFOUND;
}

const char *compat_tracepoint_text(const char *text)
{
	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			return text + strlen(prefixes[i]);
	return text;
}
