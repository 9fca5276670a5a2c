/* SPDX-License-Identifier: MIT */
/* Which hosts have an outcome of an audit, a hint, or a result of opening. Texts are stored once,
 * so equal ones are the same pointer. */
#include "cli/hosts/audit.h"
#include "cli/hosts/host_names.h"
#include "cli/or_die.h"

/* ---- the order of the names */

static int compare_hosts(const void *a, const void *b, void *of)
{
	const struct pmuq_hosts *hosts = of;

	return names_compare(&pmuq_hosts_get(hosts, *(const size_t *)a)->name.p,
			     &pmuq_hosts_get(hosts, *(const size_t *)b)->name.p);
}

/* The hosts are in the order of the bytes of their names, which mostly is the natural one. */
static void sort_hosts(struct pmuq_hosts *hosts, size_t *v, size_t n)
{
	size_t n_in_order = n > 0;

	while (n_in_order < n && compare_hosts(&v[n_in_order - 1], &v[n_in_order], hosts) <= 0)
		n_in_order++;
	if (n_in_order < n)
		qsort_r(v, n, sizeof(*v), compare_hosts, hosts);
}

void audit_order_names(struct audit *audit)
{
	struct pmuq_hosts *hosts = audit->list.hosts;
	size_t n = pmuq_hosts_count(hosts);
	auto_free size_t *sorted = or_die(calloc(n + 1, sizeof(*sorted)));

	audit->names = or_die(calloc(n + 1, sizeof(*audit->names)));
	audit->by_rank = or_die(calloc(n + 1, sizeof(*audit->by_rank)));
	audit->ranks = or_die(calloc(n + 1, sizeof(*audit->ranks)));
	audit->marks = or_die(calloc(n / 64 + 1, sizeof(*audit->marks)));
	for (size_t i = 0; i < n; i++)
		sorted[i] = i;
	sort_hosts(hosts, sorted, n);
	for (size_t i = 0; i < n; i++) {
		audit->by_rank[i] = pmuq_hosts_get(hosts, sorted[i])->name.p;
		audit->ranks[sorted[i]] = i;
	}
}

static void mark(const struct audit *audit, size_t host_class, size_t check)
{
	const struct pmuq_host_class *of = pmuq_hosts_class(audit->list.hosts, host_class);

	for (size_t i = 0; i < of->n_hosts; i++) {
		size_t rank = audit->ranks[of->hosts[i]];

		if (host_list_has_check(&audit->list, of->hosts[i], check))
			audit->marks[rank / 64] |= UINT64_C(1) << rank % 64;
	}
}

/* Writes the names of the marked hosts, and unmarks them. */
static size_t take(const struct audit *audit)
{
	size_t n_words = pmuq_hosts_count(audit->list.hosts) / 64 + 1, n = 0;

	for (size_t i = 0; i < n_words; i++)
		for (; audit->marks[i]; audit->marks[i] &= audit->marks[i] - 1)
			audit->names[n++] =
				audit->by_rank[i * 64 + (size_t)__builtin_ctzll(audit->marks[i])];
	return n;
}

/* ---- which hosts */

size_t audit_gather_class(const struct audit *audit, size_t host_class, size_t check)
{
	mark(audit, host_class, check);
	return take(audit);
}

size_t audit_gather_hosts(const struct audit *audit, const struct audit_outcome *outcome)
{
	for (size_t i = 0; i < outcome->n; i++)
		mark(audit, outcome->v[i].index, HOSTS_ANY_CHECK);
	return take(audit);
}

size_t audit_gather_hinted(const struct audit *audit, const struct audit_outcome *outcome,
			   size_t first)
{
	const char *hint = outcome->v[first].hint;
	size_t i = 0;

	while (outcome->v[i].hint != hint)
		i++;
	if (i < first)
		return 0;
	for (; i < outcome->n; i++)
		if (outcome->v[i].hint == hint)
			mark(audit, outcome->v[i].index, HOSTS_ANY_CHECK);
	return take(audit);
}

static bool is_same(const struct audit_opens *a, const struct audit_opens *b)
{
	return a->outcome == b->outcome && a->opens == b->opens && a->errnum == b->errnum &&
	       a->reason == b->reason;
}

size_t audit_gather_same(const struct audit *audit, const struct audit_string *string,
			 const struct audit_opens *opens)
{
	const struct audit_opens *other = string->opens.v, *end = other + string->opens.n;

	while (!is_same(other, opens))
		other++;
	if (other != opens)
		return 0;
	for (; other < end; other++)
		if (is_same(other, opens))
			mark(audit, other->host_class, other->check);
	return take(audit);
}
