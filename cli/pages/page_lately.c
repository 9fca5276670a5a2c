/* SPDX-License-Identifier: MIT */
/* The hosts whose newest snapshots are the youngest of those that have an older one, and what
 * changed since that one. */
#include "cli/clock.h"
#include "cli/or_die.h"
#include "cli/pages/pages.h"
#include "core/text/time.h"

#define LATELY_MAX 20
/* The heaviest changes of a host. */
#define CHANGES_SHOWN 3

struct changed {
	const char *host;
	const struct pmuq_snapshot *newest;
};

static int compare(const void *of_a, const void *of_b)
{
	const struct changed *a = of_a, *b = of_b;

	if (a->newest->first_seen_s != b->newest->first_seen_s)
		return a->newest->first_seen_s > b->newest->first_seen_s ? -1 : 1;
	return strcmp(a->host, b->host);
}

static int read_snapshot(struct pmuq_store *store, const char *host, int64_t number,
			 struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	int r = pmuq_store_open_host(store, host, number, &source, reterr);

	return r < 0 ? r : pmuq_source_read_catalog(source, ret, reterr);
}

/* The state a second before the newest one began. 0: none, its time is that of the newest. */
static int find_previous(struct pmuq_store *store, const struct changed *changed, int64_t *ret,
			 struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf when = PQ_BUF_NULL;

	*ret = 0;
	if (!pq_time_print(&when, changed->newest->first_seen_s - 1))
		return 0;
	return pmuq_store_find_snapshot(store, changed->host, text_or_die(&when), ret, reterr);
}

static void put_changes(FILE *to, const struct pmuq_diff *diff)
{
	const struct shown_diff shown = { .diff = diff, .least = PMUQ_WEIGHT_PASSING };
	const struct pmuq_change *change;

	diff_print_summary(&shown, to);
	for (size_t i = 0; i < CHANGES_SHOWN && (change = pmuq_diff_get(diff, i)); i++) {
		if (change->weight > PMUQ_WEIGHT_ADDITION)
			break;
		page_put(to, "<br><span class=\"code\">%s</span> %s",
			 change->n_pmus ? change->pmus[0].p : "", change->text.p);
	}
}

static enum status put_host(FILE *to, struct pmuq_store *store, const struct changed *changed)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *before = NULL;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *after = NULL;
	cleanup(pmuq_diff_freep) struct pmuq_diff *diff = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *time = clock_text(changed->newest->first_seen_s);
	const char *kernel_before, *kernel;
	int64_t number;

	if (find_previous(store, changed, &number, &error) < 0 ||
	    read_snapshot(store, changed->host, number, &before, &error) < 0 ||
	    read_snapshot(store, changed->host, changed->newest->number, &after, &error) < 0 ||
	    pmuq_catalog_diff(before, after, NULL, &diff, &error) < 0)
		return report_error(error, NULL);
	kernel_before = pmuq_catalog_find_fact(before, "kernel");
	kernel = pmuq_catalog_find_fact(after, "kernel");
	page_put(to, "<tr><th scope=\"row\">%s<td>%s<td>", changed->host, time);
	if (kernel_before && kernel && strcmp(kernel_before, kernel) != 0)
		page_put(to, "%s to<br>", kernel_before);
	page_put(to, "%s<td>", kernel);
	put_changes(to, diff);
	putc('\n', to);
	return STATUS_OK;
}

enum status page_put_lately(FILE *to, struct pmuq_store *store, const struct pmuq_hosts *hosts)
{
	auto_vec PQ_VEC(struct changed) all = { 0 };
	enum status status = STATUS_OK;

	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++)
		if (pmuq_hosts_get(hosts, i)->n_stored > 1)
			push_or_die(&all, ((struct changed){ pmuq_hosts_get(hosts, i)->name.p,
							     pmuq_hosts_snapshot(hosts, i, 0) }));
	fputs("<section>\n<h2>What changed lately</h2>\n", to);
	if (!all.n) {
		fputs("<p>No host has changed since its first scan.\n</section>\n", to);
		return STATUS_OK;
	}
	qsort(all.v, all.n, sizeof(*all.v), compare);
	page_begin_table(to, "", COLUMNS("host", "when", "kernel", "changes"));
	for (size_t i = 0; status == STATUS_OK && i < all.n && i < LATELY_MAX; i++)
		status = put_host(to, store, &all.v[i]);
	page_end_table(to);
	fputs("</section>\n", to);
	return status;
}
