/* SPDX-License-Identifier: MIT */
/* The changes between two machines by their weight, breaking ones first. Those that concern nobody
 * are closed at first. */
#include "cli/or_die.h"
#include "cli/pages/pages.h"
#include "core/ranges.h"

static void put_machine(FILE *to, const char *heading, const struct diffed_machine *machine)
{
	page_put(to, "<tr><th scope=\"row\">%s<td>%s<td>%s<td>%s\n", heading, machine->word,
		 pmuq_catalog_find_fact(machine->catalog, "kernel"),
		 pmuq_catalog_find_fact(machine->catalog, "cpuid"));
}

static void put_change(FILE *to, const struct pmuq_change *change)
{
	auto_free char *pmus = or_die(pq_ranges_of_names(change->pmus, change->n_pmus));

	page_put(to,
		 "<tr><th scope=\"row\" class=\"code\">%s<td class=\"code\">%s<td>%s"
		 "<td class=\"code\">%s<td class=\"code\">%s\n",
		 *pmus ? pmus : "host", change->name.p, change->text.p, change->before.p,
		 change->after.p);
}

static void put_weight(FILE *to, const struct pmuq_diff *diff, enum pmuq_weight weight)
{
	size_t n = pmuq_diff_weight_count(diff, weight);
	const struct pmuq_change *change;

	if (!n)
		return;
	page_put(to, "<details%s>\n<summary><b>%s</b>: ",
		 weight <= PMUQ_WEIGHT_ADDITION ? " open" : "", diff_weight_heading(weight));
	page_put_count(to, n, "change");
	fputs("</summary>\n", to);
	page_begin_table(to, "", COLUMNS("PMU", "name", "what", "before", "after"));
	for (size_t i = 0; (change = pmuq_diff_get(diff, i)); i++)
		if (change->weight == weight)
			put_change(to, change);
	page_end_table(to);
	fputs("</details>\n", to);
}

void page_put_diff(FILE *to, const struct shown_diff *shown)
{
	fputs("<p>", to);
	diff_print_summary(shown, to);
	page_begin_table(to, "", COLUMNS("", "machine", "kernel", "CPU"));
	put_machine(to, "before", &shown->machines[0]);
	put_machine(to, "after", &shown->machines[1]);
	page_end_table(to);
	fputs("<section data-find=\"Find a change:\" data-items=\"tbody tr\">\n"
	      "<h2>Changes</h2>\n",
	      to);
	for (int i = 0; pmuq_weight_name((enum pmuq_weight)i); i++)
		put_weight(to, shown->diff, (enum pmuq_weight)i);
	fputs("</section>\n", to);
}
