/* SPDX-License-Identifier: MIT */
/* All hosts: how many have each kernel and each CPU, and the host classes with their hosts. */
#include "cli/hosts/host_names.h"
#include "cli/or_die.h"
#include "cli/pages/pages.h"
#include <string.h>

/* Rarer values are counted as one. */
#define BARS_MAX 16
/* In a class's heading; all names are below it. */
#define RANGES_SHOWN 4

static const char *fact_of(const struct pmuq_hosts *hosts, size_t host, const char *name)
{
	const char *text = pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, host, 0), name);

	return text ? text : "unknown";
}

/* ------------------------------------------------------------------------------------- charts */

struct value {
	const char *text;
	size_t n;
};

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_values(const void *of_a, const void *of_b)
{
	const struct value *a = of_a, *b = of_b;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* Equal texts as one value each, the most frequent first; returns their number. */
static size_t count_values(const char **texts, size_t n, struct value *ret)
{
	size_t n_values = 0;

	qsort(texts, n, sizeof(*texts), compare_texts);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(texts[i], texts[i - 1]) != 0)
			ret[n_values++] = (struct value){ .text = texts[i] };
		ret[n_values - 1].n++;
	}
	qsort(ret, n_values, sizeof(*ret), compare_values);
	return n_values;
}

static void put_row(FILE *to, const struct value *value, size_t of)
{
	page_put(to, "<tr><th scope=\"row\">%s<td class=\"n\">%zu<td>", value->text, value->n);
	page_put_bar(to, value->n, of);
	putc('\n', to);
}

/* A row with a bar for each value that the fact has on some host. */
static void put_chart(FILE *to, const struct pmuq_hosts *hosts, const char *heading,
		      const char *fact)
{
	size_t n = pmuq_hosts_count(hosts), n_values;
	auto_free const char **texts = or_die(calloc(n + 1, sizeof(*texts)));
	auto_free struct value *values = or_die(calloc(n + 1, sizeof(*values)));
	struct value rest = { .text = "others" };

	for (size_t i = 0; i < n; i++)
		texts[i] = fact_of(hosts, i, fact);
	n_values = count_values(texts, n, values);
	page_put(to, "<section>\n<h2>%s</h2>\n", heading);
	page_begin_table(to, "bars", COLUMNS(fact, "hosts", "of all"));
	for (size_t i = 0; i < n_values && i < BARS_MAX; i++)
		put_row(to, &values[i], n);
	for (size_t i = BARS_MAX; i < n_values; i++)
		rest.n += values[i].n;
	if (rest.n)
		put_row(to, &rest, n);
	page_end_table(to);
	fputs("</section>\n", to);
}

/* ------------------------------------------------------------------------------------ classes */

static void put_class(FILE *to, const struct pmuq_hosts *hosts, const struct pmuq_host_class *of)
{
	auto_free const char **names = or_die(calloc(of->n_hosts + 1, sizeof(*names)));
	auto_free char *ranges = NULL;

	for (size_t i = 0; i < of->n_hosts; i++)
		names[i] = pmuq_hosts_get(hosts, of->hosts[i])->name.p;
	names_sort(names, of->n_hosts);
	ranges = names_fold(names, of->n_hosts, RANGES_SHOWN);
	page_put(to, "<details>\n<summary><b class=\"code\">%s</b> ", of->name.p);
	page_put_count(to, of->n_hosts, "host");
	page_put(to, ", %s, %s: <span class=\"quiet\">%s</span></summary>\n<p class=\"names\">",
		 fact_of(hosts, of->hosts[0], "cpuid"), fact_of(hosts, of->hosts[0], "arch"),
		 ranges);
	for (size_t i = 0; i < of->n_hosts; i++)
		page_put(to, "%s\n", names[i]);
	fputs("</details>\n", to);
}

void page_put_classes(FILE *to, const struct pmuq_hosts *hosts)
{
	size_t n = pmuq_hosts_class_count(hosts);

	put_chart(to, hosts, "Kernels", "kernel");
	put_chart(to, hosts, "CPUs", "cpuid");
	fputs("<section>\n<h2>", to);
	page_put(to, "%zu host class%s", n, n == 1 ? "" : "es");
	fputs("</h2>\n<p>Hosts of a class give the same encoding for every event string.\n"
	      "<div data-find=\"Find a host, a class or a CPU:\" data-items=\"details\">\n",
	      to);
	for (size_t i = 0; i < n; i++)
		put_class(to, hosts, pmuq_hosts_class(hosts, i));
	fputs("</div>\n</section>\n", to);
}
