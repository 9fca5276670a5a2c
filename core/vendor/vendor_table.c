/* SPDX-License-Identifier: MIT */
/*
 * The events of a vendor's table, in the order of their names, with a hash by name, and the regular
 * expressions of "Compat" compiled.
 */
#include "core/vendor/vendor_table.h"
#include "core/catalog/lookup.h"
#include "core/limits.h"
#include <pmuq/pmuq.h>

/* Matching takes time in proportion to the text; real identifiers have some 20 bytes. */
#define IDENTIFIER_MAX_BYTES 256u

/* A regular expression; equal ones are compiled once. */
struct compiled {
	struct compiled *next;
	struct pmuq_str text;
	const struct pq_regex *regex;
};

struct pmuq_vendor {
	struct pq_arena arena;
	struct pmuq_vendor_table content;
	struct pq_vendor_event *events;
	size_t capacity;
	struct pq_map by_name; /* the first event of each name */
	struct compiled *compiled;
	struct lazy *lazy; /* NULL: every event is here */
	const struct pq_vendor_counters *counters;
	size_t n_counters;
	_Atomic(struct pq_vendor_codes *) *codes;
};

/* What a lazy table has read: a table for each name that was looked up. */
struct pq_vendor_read_name {
	struct pq_vendor_read_name *next;
	struct pmuq_str name;
	struct pmuq_vendor *events;
};

struct lazy {
	struct pq_vendor_reader reader;
	struct pq_arena *arena;
	struct pq_vendor_read_name *names[64]; /* by the hash of the name */
	struct pmuq_vendor *all;
	struct pmuq_vendor *counters; /* a table without events */
};

bool pq_vendor_reserve(struct pmuq_vendor *vendor, size_t n)
{
	vendor->capacity = n;
	vendor->events = pq_arena_array(&vendor->arena, n, sizeof(*vendor->events));
	return !n || vendor->events;
}

PQ_COLD int pq_vendor_new(size_t n, struct pmuq_vendor **ret, struct pmuq_error **reterr)
{
	struct pmuq_vendor *vendor = calloc(1, sizeof(*vendor));

	if (!vendor)
		return pq_fail_memory(reterr);
	vendor->arena = PQ_ARENA(PQ_VENDOR_TABLE_MAX_BYTES);
	if (!pq_vendor_reserve(vendor, n)) {
		pmuq_vendor_free(vendor);
		return pq_fail_memory(reterr);
	}
	*ret = vendor;
	return 0;
}

static void free_lazy(struct lazy *lazy)
{
	for (size_t i = 0; i < COUNT(lazy->names); i++)
		for (struct pq_vendor_read_name *known = lazy->names[i]; known; known = known->next)
			pmuq_vendor_free(known->events);
	pmuq_vendor_free(lazy->all);
	pmuq_vendor_free(lazy->counters);
	lazy->reader.free(lazy->reader.arg);
}

PQ_API PQ_COLD void pmuq_vendor_free(struct pmuq_vendor *vendor)
{
	if (!vendor)
		return;
	if (vendor->lazy)
		free_lazy(vendor->lazy);
	if (vendor->codes)
		free(*vendor->codes);
	pq_arena_clear(&vendor->arena);
	free(vendor);
}

struct pq_arena *pq_vendor_arena(struct pmuq_vendor *vendor)
{
	return &vendor->arena;
}

struct pq_vendor_event *pq_vendor_add(struct pmuq_vendor *vendor)
{
	return vendor->content.n_events < vendor->capacity
		       ? &vendor->events[vendor->content.n_events++]
		       : NULL;
}

void pq_vendor_set_counters(struct pmuq_vendor *vendor, const struct pq_vendor_counters *v,
			    size_t n)
{
	vendor->counters = v;
	vendor->n_counters = n;
}

static int compare_events(const void *a, const void *b)
{
	const struct pq_vendor_event *left = a, *right = b;
	int order = str_cmp(left->event.name, right->event.name);

	if (!order)
		order = str_cmp(left->record.pmu, right->record.pmu);
	return order ? order : str_cmp(left->record.compat, right->record.compat);
}

static int compile(struct pmuq_vendor *vendor, struct pmuq_str text, const struct pq_regex **ret,
		   struct pmuq_error **reterr)
{
	struct compiled *at;
	int r;

	for (at = vendor->compiled; at; at = at->next)
		if (str_eq(at->text, text)) {
			*ret = at->regex;
			return 0;
		}
	at = pq_arena_zero(&vendor->arena, sizeof(*at));
	if (!at)
		return pq_fail_memory(reterr);
	r = pq_regex_compile(&vendor->arena, text, &at->regex, reterr);
	if (r < 0)
		return r;
	at->text = text;
	at->next = vendor->compiled;
	vendor->compiled = at;
	*ret = at->regex;
	return 0;
}

/* Sets what depends on the final address of the record, and on the events after it. */
static int complete_all(struct pmuq_vendor *vendor, struct pmuq_error **reterr)
{
	const struct pq_vendor_event *next = NULL;
	int r = 0;

	for (size_t i = vendor->content.n_events; r == 0 && i > 0; i--) {
		struct pq_vendor_event *event = &vendor->events[i - 1];
		bool is_same = next && str_eq(next->event.name, event->event.name);

		event->n_of_name = is_same ? next->n_of_name + 1 : 1;
		next = event;
		event->record.size = sizeof(event->record);
		event->event.size = sizeof(event->event);
		event->record.event = &event->event;
		if (event->record.compat.n)
			r = compile(vendor, event->record.compat, &event->compat, reterr);
	}
	return r;
}

PQ_COLD int pq_vendor_finish(struct pmuq_vendor *vendor, const struct pmuq_vendor_table *origin,
			     struct pmuq_error **reterr)
{
	struct pmuq_vendor_table *content = &vendor->content;
	struct pq_arena *arena = &vendor->arena;
	size_t n = content->n_events;

	vendor->codes = pq_arena_zero(arena, sizeof(*vendor->codes));
	*content = *origin;
	content->size = sizeof(*content);
	content->n_events = n;
	if (n)
		qsort(vendor->events, n, sizeof(*vendor->events), compare_events);
	if (!vendor->codes || !pq_arena_keep(arena, &content->cpuid) ||
	    !pq_arena_keep(arena, &content->import) || !pq_arena_keep(arena, &content->folder) ||
	    !pq_arena_keep(arena, &content->version) ||
	    !pq_map_build(arena, PQ_NAMED(vendor->events, event.name), n, &vendor->by_name))
		return pq_fail_memory(reterr);
	return complete_all(vendor, reterr);
}

/* ---- lazy tables */

bool pq_vendor_make_lazy(struct pmuq_vendor *vendor, const struct pq_vendor_reader *reader,
			 size_t n_events)
{
	vendor->lazy = pq_arena_zero(&vendor->arena, sizeof(*vendor->lazy));
	if (!vendor->lazy)
		return false;
	vendor->lazy->reader = *reader;
	vendor->lazy->arena = &vendor->arena;
	vendor->content.n_events = n_events;
	return true;
}

int pq_vendor_read_all(const struct pmuq_vendor *vendor, struct pmuq_error **reterr)
{
	struct lazy *lazy = vendor->lazy;

	return lazy && !lazy->all ? lazy->reader.read(lazy->reader.arg, (struct pmuq_str){ 0 },
						      &lazy->all, reterr)
				  : 0;
}

/* The table of the events of that name, which is in lower case. */
static int find_name(const struct pmuq_vendor *vendor, struct pmuq_str name,
		     const struct pmuq_vendor **ret, struct pmuq_error **reterr)
{
	struct lazy *lazy = vendor->lazy;
	struct pq_vendor_read_name **slot = &lazy->names[str_hash(name) % COUNT(lazy->names)];
	struct pq_vendor_read_name *known = *slot;
	int r;

	while (known && !str_eq(known->name, name))
		known = known->next;
	if (!known) {
		known = pq_arena_zero(lazy->arena, sizeof(*known));
		if (!known)
			return pq_fail_memory(reterr);
		known->name = name;
		if (!pq_arena_keep(lazy->arena, &known->name))
			return pq_fail_memory(reterr);
		r = lazy->reader.read(lazy->reader.arg, name, &known->events, reterr);
		if (r < 0)
			return r;
		known->next = *slot;
		*slot = known;
	}
	*ret = known->events;
	return 0;
}

/* ---- look-ups */

int pq_vendor_find(const struct pmuq_vendor *vendor, struct pmuq_str name,
		   struct pq_vendor_list *ret, struct pmuq_error **reterr)
{
	char bytes[PQ_NAME_MAX_BYTES];
	int r;

	*ret = (struct pq_vendor_list){ 0 };
	if (name.n > sizeof(bytes))
		return 0;
	name = str_lower(name, bytes);
	if (vendor->lazy) {
		r = find_name(vendor, name, &vendor, reterr);
		if (r < 0)
			return r;
	}
	ret->v = pq_map_find(&vendor->by_name, PQ_NAMED(vendor->events, event.name), name);
	ret->n = ret->v ? ret->v->n_of_name : 0;
	return 0;
}

/* Read once. */
static int read_counters(const struct pmuq_vendor *vendor, struct pmuq_error **reterr)
{
	struct lazy *lazy = vendor->lazy;
	int r;

	if (!lazy || lazy->counters)
		return 0;
	r = pq_vendor_new(0, &lazy->counters, reterr);
	if (r == 0)
		r = lazy->reader.read_counters(lazy->reader.arg, lazy->counters, reterr);
	if (r < 0)
		pmuq_vendor_free(move(lazy->counters));
	return r;
}

int pq_vendor_find_counters(const struct pmuq_vendor *vendor, const struct pmuq_pmu *pmu,
			    const struct pq_vendor_counters **ret, struct pmuq_error **reterr)
{
	int r = read_counters(vendor, reterr);

	*ret = NULL;
	if (r < 0)
		return r;
	if (vendor->lazy)
		vendor = vendor->lazy->counters;
	for (size_t i = 0; !*ret && i < vendor->n_counters; i++)
		if (pq_vendor_covers(vendor->counters[i].pmu, pmu))
			*ret = &vendor->counters[i];
	return 0;
}

_Atomic(struct pq_vendor_codes *) *pq_vendor_codes_of(const struct pmuq_vendor *vendor)
{
	return vendor->lazy && vendor->lazy->all ? vendor->lazy->all->codes : vendor->codes;
}

bool pq_vendor_is_read(const struct pmuq_vendor *vendor)
{
	return !vendor->lazy || vendor->lazy->all;
}

bool pq_vendor_next_read(const struct pmuq_vendor *vendor, struct pq_vendor_cursor *cursor,
			 struct pq_vendor_list *ret)
{
	const struct lazy *lazy = vendor->lazy;
	const struct pmuq_vendor *part = lazy ? lazy->all : vendor;

	if (part && cursor->slot++)
		return false;
	if (!part) {
		if (cursor->at)
			cursor->at = cursor->at->next;
		while (!cursor->at && cursor->slot < COUNT(lazy->names))
			cursor->at = lazy->names[cursor->slot++];
		if (!cursor->at)
			return false;
		part = cursor->at->events;
	}
	*ret = (struct pq_vendor_list){ part->events, part->content.n_events };
	return true;
}

bool pq_vendor_identifier_matches(const struct pq_regex *compat, const struct pmuq_pmu *pmu)
{
	struct pmuq_str identifier = str_of(pmuq_pmu_file_text(pmu, "identifier"));

	return identifier.p && identifier.n <= IDENTIFIER_MAX_BYTES &&
	       pq_regex_match(compat, identifier, 0) == identifier.n;
}

const struct pmuq_vendor_event *pq_vendor_first_on(struct pq_vendor_list list,
						   const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < list.n; i++)
		if (pq_vendor_covers(list.v[i].record.pmu, pmu) &&
		    (!list.v[i].compat || pq_vendor_identifier_matches(list.v[i].compat, pmu)))
			return &list.v[i].record;
	return NULL;
}

PQ_API const struct pmuq_vendor_table *pmuq_vendor_content(const struct pmuq_vendor *vendor)
{
	return &vendor->content;
}

PQ_API const struct pmuq_vendor_event *pmuq_vendor_find_event(const struct pmuq_vendor *vendor,
							      const struct pmuq_pmu *pmu,
							      const char *name)
{
	struct pq_vendor_list list = { 0 };

	return PQ_HAS_TABLES && pq_vendor_find(vendor, str_of(name), &list, NULL) == 0
		       ? pq_vendor_first_on(list, pmu)
		       : NULL;
}

PQ_API PQ_COLD const struct pmuq_vendor_event *pmuq_vendor_get(const struct pmuq_vendor *vendor,
							       size_t index)
{
	if (vendor->lazy) {
		if (pq_vendor_read_all(vendor, NULL) < 0)
			return NULL;
		vendor = vendor->lazy->all;
	}
	return index < vendor->content.n_events ? &vendor->events[index].record : NULL;
}
