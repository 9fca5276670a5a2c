/* SPDX-License-Identifier: MIT */
/* Which hosts have an outcome of an audit, a hint, or a result of opening. Texts are stored once,
 * so equal ones are the same pointer. */
#include "cli/hosts/audit.h"

size_t audit_gather_hosts(const struct audit *audit, const struct audit_outcome *outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < outcome->n; i++)
		n += host_list_names(&audit->list, outcome->v[i].index, HOSTS_ANY_CHECK,
				     audit->names + n);
	return n;
}

size_t audit_gather_hinted(const struct audit *audit, const struct audit_outcome *outcome,
			   size_t first)
{
	const char *hint = outcome->v[first].hint;
	size_t i = 0, n = 0;

	while (outcome->v[i].hint != hint)
		i++;
	if (i < first)
		return 0;
	for (; i < outcome->n; i++)
		if (outcome->v[i].hint == hint)
			n += host_list_names(&audit->list, outcome->v[i].index, HOSTS_ANY_CHECK,
					     audit->names + n);
	return n;
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
	size_t n = 0;

	while (!is_same(other, opens))
		other++;
	if (other != opens)
		return 0;
	for (; other < end; other++)
		if (is_same(other, opens))
			n += host_list_names(&audit->list, other->host_class, other->check,
					     audit->names + n);
	return n;
}
