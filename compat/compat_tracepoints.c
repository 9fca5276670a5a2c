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

static int group(struct compat *c)
{
	size_t n = pmuq_names_count(c->tracepoints);
	int r = PFM_SUCCESS;

	c->subsystems = calloc(n ? n : 1, sizeof(*c->subsystems));
	if (!c->subsystems)
		return PFM_ERR_NOMEM;
	for (size_t i = 0; i < n && r == PFM_SUCCESS; i++)
		r = add(c, i);
	return r;
}

static void forget(struct compat *c)
{
	for (size_t i = 0; i < c->n_subsystems; i++)
		free(c->subsystems[i].name);
	free(c->subsystems);
	c->subsystems = NULL;
	c->n_subsystems = 0;
	pmuq_names_free(c->tracepoints);
	c->tracepoints = NULL;
}

/* Without tracefs the machine has no tracepoints. */
int compat_load_tracepoints(struct compat *c)
{
	int r;

	if (c->subsystems)
		return PFM_SUCCESS;
	r = pmuq_source_list_tracepoints(c->source, "", &c->tracepoints, NULL);
	if (compat_is_resource_error(r))
		return compat_error(r);
	r = group(c);
	if (r != PFM_SUCCESS)
		forget(c);
	return r;
}

const char *compat_tracepoint(const struct compat *c, const struct compat_subsystem *subsystem,
			      size_t index)
{
	return pmuq_names_get(c->tracepoints, subsystem->first + index);
}

int compat_tracepoint_id(struct compat *c, const char *name, uint64_t *ret)
{
	struct pmuq_encodings *encodings = NULL;
	int r = compat_error(pmuq_source_encode(c->source, name, NULL, &encodings, NULL));

	if (r != PFM_SUCCESS)
		return r;
	*ret = pmuq_encodings_get(encodings, 0)->attr->config;
	pmuq_encodings_free(encodings);
	return PFM_SUCCESS;
}

/* Whether the text begins with the tracepoint; attributes may follow. */
static bool begins_with(const char *text, const char *tracepoint)
{
	size_t bytes = strlen(tracepoint);

	return strncmp(text, tracepoint, bytes) == 0 && (!text[bytes] || text[bytes] == ':');
}

int compat_subsystem_of(const struct compat *c, const char *text)
{
	for (size_t i = 0; i < c->n_subsystems; i++)
		for (size_t k = 0; k < c->subsystems[i].n && is_in(&c->subsystems[i], text); k++)
			if (begins_with(text, compat_tracepoint(c, &c->subsystems[i], k)))
				return (int)i;
	return -1;
}

int compat_find_subsystem(const struct compat *c, const char *text)
{
	const char *name = compat_tracepoint_text(text);

	for (size_t i = 0; i < c->n_subsystems; i++)
		if (strcmp(c->subsystems[i].name, name) == 0)
			return (int)i;
	return -1;
}

const char *compat_tracepoint_text(const char *text)
{
	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			return text + strlen(prefixes[i]);
	return text;
}
