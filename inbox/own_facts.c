/* SPDX-License-Identifier: MIT */
#include "inbox/own_facts.h"
#include "core/catalog/catalog.h"
#include "core/catalog/fact.h"
#include "core/num.h"

static void print_text(struct pq_buf *ret, struct pmuq_str text)
{
	pq_buf_print(ret, "%zu:", text.n);
	pq_buf_add(ret, text);
}

void pq_own_facts_print(const struct pmuq_catalog *catalog, struct pq_buf *ret)
{
	const struct pmuq_machine *machine = pmuq_catalog_machine(catalog);

	for (size_t i = 0; i < machine->n_facts; i++) {
		if (pq_fact_owner(machine->facts[i].name) == PQ_FACT_SHARED)
			continue;
		print_text(ret, machine->facts[i].name);
		print_text(ret, machine->facts[i].text);
	}
}

static bool read_text(struct pmuq_str *rest, struct pmuq_str *ret)
{
	struct pmuq_str number, after;
	uint64_t n;

	if (!str_cut(*rest, ':', &number, &after) || pq_num_decimal(number, &n) != PQ_NUM_OK ||
	    n > after.n)
		return false;
	*ret = str_part(after, 0, n);
	*rest = str_part(after, n, after.n);
	return true;
}

/* Each fact is one of the table, which belongs to a host, and comes after the one before. */
static bool read_fact(struct pmuq_str *rest, enum pq_fact *least, struct pq_own_fact *ret)
{
	enum pq_fact fact;
	enum pq_fact_owner owner;

	if (!read_text(rest, &ret->name) || !read_text(rest, &ret->text))
		return false;
	fact = pq_fact_find(ret->name);
	owner = pq_fact_owner(ret->name);
	if (fact == PQ_FACT_COUNT || fact < *least || owner == PQ_FACT_SHARED)
		return false;
	*least = fact + 1;
	ret->is_volatile = owner == PQ_FACT_VOLATILE;
	return true;
}

bool pq_own_facts_read(struct pmuq_str text, struct pq_arena *arena, struct pq_rows *ret)
{
	struct pq_own_fact *facts = pq_arena_array(arena, PQ_FACT_COUNT, sizeof(*facts));
	enum pq_fact least = 0;

	*ret = (struct pq_rows){ .v = facts };
	while (facts && text.n)
		if (!read_fact(&text, &least, &facts[ret->n++]))
			return false;
	return true;
}
