/* SPDX-License-Identifier: MIT */
/*
 * The hosts of a list by the kinds that their newest snapshots are of, and those of a kind by what
 * was said when their events were opened.
 */
#include "db/host_list.h"
#include <stdio.h>

/* So many bytes of a kind's hash are its name. */
#define NAME_BYTES 4

struct entry {
	int64_t kind;
	size_t host, n; /* n: how many hosts the kind has */
};

static int compare_kinds(const void *of_a, const void *of_b)
{
	const struct entry *a = of_a, *b = of_b;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

static int compare_sizes(const void *of_a, const void *of_b)
{
	const struct entry *a = of_a, *b = of_b;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return compare_kinds(of_a, of_b);
}

static int64_t kind_of(const struct pmuq_hosts *hosts, size_t host)
{
	const struct pq_listed_host *of = &hosts->hosts[host];

	return hosts->snapshots[of->from + of->record.n_snapshots - 1].kind;
}

/* Hosts in the order of their kinds, the largest first. */
static struct entry *sorted_entries(const struct pmuq_hosts *hosts)
{
	struct entry *entries = calloc(hosts->n_hosts + 1, sizeof(*entries));
	size_t n;

	for (size_t i = 0; entries && i < hosts->n_hosts; i++)
		entries[i] = (struct entry){ .kind = kind_of(hosts, i), .host = i };
	if (!entries)
		return NULL;
	qsort(entries, hosts->n_hosts, sizeof(*entries), compare_kinds);
	for (size_t i = 0; i < hosts->n_hosts; i += n) {
		for (n = 1; i + n < hosts->n_hosts; n++)
			if (entries[i + n].kind != entries[i].kind)
				break;
		for (size_t k = 0; k < n; k++)
			entries[i + k].n = n;
	}
	qsort(entries, hosts->n_hosts, sizeof(*entries), compare_sizes);
	return entries;
}

static int name_of(struct pmuq_store *store, struct pmuq_hosts *hosts, int64_t id,
		   struct pmuq_str *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	char digits[2 * NAME_BYTES + 1];
	struct pq_hash hash;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_HASH_OF_KIND, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, id);
	r = pq_stmt_step(&stmt, reterr);
	if (r == PQ_NONE)
		return pq_store_fail_content(store, "a snapshot has no kind", reterr);
	if (r < 0)
		return r;
	hash = pq_column_hash(&stmt, 0);
	r = pq_stmt_check(&stmt, reterr);
	if (r < 0)
		return r;
	for (size_t i = 0; i < NAME_BYTES; i++)
		snprintf(digits + 2 * i, 3, "%02x", hash.bytes[i]);
	*ret = pq_arena_str(&hosts->arena, (struct pmuq_str){ .p = digits, .n = 2 * NAME_BYTES });
	return ret->p ? 0 : pq_fail_memory(reterr);
}

static int add_class(struct pmuq_store *store, struct pmuq_hosts *hosts, const struct entry *entry,
		     size_t from, struct pmuq_error **reterr)
{
	struct pq_listed_class class = {
		.record = { .size = sizeof(class.record), .n_hosts = entry->n },
		.id = entry->kind,
		.from = from,
	};
	void *v = pq_hosts_grow(hosts->classes, hosts->n_classes, sizeof(class));
	int r = v ? name_of(store, hosts, class.id, &class.record.name, reterr)
		  : pq_fail_memory(reterr);

	if (v)
		hosts->classes = v;
	if (r == 0)
		hosts->classes[hosts->n_classes++] = class;
	return r;
}

struct checked {
	int64_t answers;
	size_t host;
};

static int compare_checked(const void *of_a, const void *of_b)
{
	const struct checked *a = of_a, *b = of_b;

	if (a->answers != b->answers)
		return a->answers < b->answers ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

/* The hosts of a kind that were checked; 0 answers sort first and are none. */
static void gather_checked(const struct pmuq_hosts *hosts, const struct pq_listed_class *class,
			   struct checked *ret)
{
	for (size_t i = 0; i < class->record.n_hosts; i++) {
		size_t host = hosts->by_class[class->from + i];
		const struct pq_listed_host *of = &hosts->hosts[host];

		ret[i] = (struct checked){
			.answers = hosts->snapshots[of->from + of->record.n_snapshots - 1].answers,
			.host = host,
		};
	}
	qsort(ret, class->record.n_hosts, sizeof(*ret), compare_checked);
}

/* Each that differs from the one before it is a check of its own. False: out of memory. */
static bool add_checks(struct pmuq_hosts *hosts, struct pq_listed_class *class,
		       struct checked *room)
{
	gather_checked(hosts, class, room);
	class->first_check = hosts->n_checks;
	for (size_t i = 0; i < class->record.n_hosts; i++) {
		const struct checked *at = &room[i];
		void *v;

		hosts->hosts[at->host].record.check = PMUQ_NOT_KNOWN;
		if (!at->answers)
			continue;
		if (i == 0 || room[i - 1].answers != at->answers) {
			v = pq_hosts_grow(hosts->check_hosts, hosts->n_checks,
					  sizeof(*hosts->check_hosts));
			if (!v)
				return false;
			hosts->check_hosts = v;
			hosts->check_hosts[hosts->n_checks++] = at->host;
			class->record.n_checks++;
		}
		hosts->hosts[at->host].record.check = class->record.n_checks - 1;
	}
	return true;
}

static int find_checks(struct pmuq_hosts *hosts, struct pmuq_error **reterr)
{
	auto_free struct checked *room = calloc(hosts->n_hosts + 1, sizeof(*room));

	if (!room)
		return pq_fail_memory(reterr);
	for (size_t i = 0; i < hosts->n_classes; i++)
		if (!add_checks(hosts, &hosts->classes[i], room))
			return pq_fail_memory(reterr);
	for (size_t i = 0; i < hosts->n_classes; i++) {
		struct pq_listed_class *class = &hosts->classes[i];

		class->record.hosts = hosts->by_class + class->from;
		class->record.check_hosts =
			class->record.n_checks ? hosts->check_hosts + class->first_check : NULL;
	}
	return 0;
}

int pq_hosts_find_classes(struct pmuq_store *store, struct pmuq_hosts *hosts,
			  struct pmuq_error **reterr)
{
	auto_free struct entry *entries = sorted_entries(hosts);
	int r;

	hosts->by_class = calloc(hosts->n_hosts + 1, sizeof(*hosts->by_class));
	if (!entries || !hosts->by_class)
		return pq_fail_memory(reterr);
	for (size_t i = 0; i < hosts->n_hosts; i++) {
		const struct entry *entry = &entries[i];

		if (i == 0 || entries[i - 1].kind != entry->kind) {
			r = add_class(store, hosts, entry, i, reterr);
			if (r < 0)
				return r;
		}
		hosts->by_class[i] = entry->host;
		hosts->hosts[entry->host].record.host_class = hosts->n_classes - 1;
	}
	return find_checks(hosts, reterr);
}
