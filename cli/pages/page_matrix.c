/* SPDX-License-Identifier: MIT */
/*
 * Events by host class: whether a class has the event, and whether it opened there. Every class
 * gives an entry for each of its events; sorted by event, the entries of a row are next to each
 * other.
 */
#include "cli/or_die.h"
#include "cli/pages/pages.h"
#include "cli/progress.h"
#include "cli/tables/list_sources.h"
#include "core/instance.h"
#include <string.h>

/* More columns cannot be read: the classes with the most hosts. */
#define CLASSES_MAX 40

/* Of an event on the hosts of a class. */
enum {
	HAS = 1, /* the class has it */
	OPENED = 2,
	REFUSED = 4,
};

struct class_event {
	char *event;
	size_t host_class;
	unsigned state;
};

struct matrix {
	PQ_VEC(struct class_event);
	size_t n_classes;
	struct pmuq_check **checks; /* of the class that is being read */
	size_t n_checks;
};

/* "uncore_imc/cas_count_read/": classes differ in the number of instances. */
static char *name_of(const struct pmuq_pmu *pmu, const struct list_event *event)
{
	struct pmuq_str base;
	uint64_t number;

	if (event->string)
		return or_die(strdup(event->string));
	pq_instance_split(pmu->name, &base, &number);
	return print_or_die("%.*s/%s/", STR_ARG(base), event->name);
}

static unsigned state_of(const struct matrix *matrix, const struct pmuq_pmu *pmu,
			 const struct list_event *event)
{
	unsigned state = HAS;

	for (size_t i = 0; i < matrix->n_checks; i++) {
		const struct pmuq_check_result *result =
			pmuq_check_find(matrix->checks[i], pmu->name.p, event->name);

		if (result && result->open->status == PMUQ_OPENED)
			state |= OPENED;
		else if (result && result->open->status == PMUQ_REFUSED)
			state |= REFUSED;
	}
	return state;
}

/* ------------------------------------------------------------------------------------- classes */

static void add_events(struct matrix *matrix, size_t host_class, const struct pmuq_catalog *catalog)
{
	struct list_sources sources = { .catalog = catalog,
					.from = PMUQ_FROM_SYSFS | PMUQ_FROM_GENERIC };

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);
		const struct list_events *events;

		list_sources_gather(&sources, pmu, &events);
		for (size_t k = 0; k < events->n; k++) {
			const struct list_event *event = &events->v[k];

			push_or_die(matrix, ((struct class_event){ name_of(pmu, event), host_class,
							     state_of(matrix, pmu, event) }));
		}
	}
	list_sources_close(&sources);
}

static enum status read_checks(struct matrix *matrix, struct host_list *list, size_t host_class)
{
	size_t n = pmuq_hosts_class(list->hosts, host_class)->n_checks;

	matrix->checks = or_die(calloc(n + 1, sizeof(struct pmuq_check *)));
	for (; matrix->n_checks < n; matrix->n_checks++) {
		enum status status = host_list_read_check(list, host_class, matrix->n_checks,
							  &matrix->checks[matrix->n_checks]);

		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static void drop_checks(struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->n_checks; i++)
		pmuq_check_free(matrix->checks[i]);
	free(matrix->checks);
	matrix->checks = NULL;
	matrix->n_checks = 0;
}

static enum status add_class(struct matrix *matrix, struct host_list *list, size_t host_class)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct open_class open;
	enum status status = host_list_open_class(list, host_class, NULL, &open);

	if (status != STATUS_OK)
		return status;
	if (pmuq_source_read_catalog(open.source, &catalog, &error) < 0)
		status = report_error(error, NULL);
	if (status == STATUS_OK)
		status = read_checks(matrix, list, host_class);
	if (status == STATUS_OK)
		add_events(matrix, host_class, catalog);
	drop_checks(matrix);
	host_list_close_class(&open);
	return status;
}

/* --------------------------------------------------------------------------------------- rows */

static int compare(const void *of_a, const void *of_b)
{
	const struct class_event *a = of_a, *b = of_b;
	int r = strcmp(a->event, b->event);

	if (r)
		return r;
	return a->host_class < b->host_class ? -1 : a->host_class > b->host_class;
}

/* A sign and a word, because colours are not for everybody. */
static void put_state(FILE *to, unsigned state)
{
	if ((state & (OPENED | REFUSED)) == (OPENED | REFUSED))
		fputs("<td class=\"warn\" title=\"opens on some hosts\">±", to);
	else if (state & REFUSED)
		fputs("<td class=\"bad\" title=\"refused\">✗", to);
	else if (state & OPENED)
		fputs("<td class=\"good\" title=\"opens\">✓", to);
	else
		fputs(state ? "<td title=\"never opened\">·" : "<td>", to);
}

/* Takes the entries of an event; returns their number. */
static size_t put_row(FILE *to, const struct matrix *matrix, size_t first)
{
	const char *event = matrix->v[first].event;
	size_t i = first;

	page_put(to, "<tr><th scope=\"row\" class=\"code\">%s", event);
	for (size_t host_class = 0; host_class < matrix->n_classes; host_class++) {
		unsigned state = 0;

		for (; i < matrix->n && matrix->v[i].host_class == host_class &&
		       strcmp(matrix->v[i].event, event) == 0;
		     i++)
			state |= matrix->v[i].state;
		put_state(to, state);
	}
	putc('\n', to);
	return i - first;
}

static void put_head(FILE *to, const struct matrix *matrix, const struct pmuq_hosts *hosts)
{
	const char *columns[1 + CLASSES_MAX + 1] = { 0 };
	size_t n = pmuq_hosts_class_count(hosts);

	fputs("<section>\n<h2>Events by host class</h2>\n<p>✓ opens, ✗ refused, ± opens on some of "
	      "the hosts, · never opened (`pmuq scan --check` opens them), empty: the class does "
	      "not have it.\n",
	      to);
	if (matrix->n_classes < n)
		page_put(to, "<p>The %zu largest of %zu classes.\n", matrix->n_classes, n);
	columns[0] = "event";
	for (size_t i = 0; i < matrix->n_classes; i++)
		columns[i + 1] = pmuq_hosts_class(hosts, i)->name.p;
	fputs("<div data-find=\"Find an event:\" data-items=\"tbody tr\">\n", to);
	page_begin_table(to, "matrix", columns);
}

enum status page_put_matrix(FILE *to, struct host_list *list)
{
	size_t n = pmuq_hosts_class_count(list->hosts);
	struct matrix matrix = { .n_classes = n < CLASSES_MAX ? n : CLASSES_MAX };
	enum status status = STATUS_OK;
	struct progress progress;

	progress_begin(&progress);
	for (size_t i = 0; status == STATUS_OK && i < matrix.n_classes; i++) {
		progress_show(&progress, i, matrix.n_classes,
			      pmuq_hosts_class(list->hosts, i)->name.p);
		status = add_class(&matrix, list, i);
	}
	progress_end(&progress);
	if (matrix.n)
		qsort(matrix.v, matrix.n, sizeof(*matrix.v), compare);
	put_head(to, &matrix, list->hosts);
	for (size_t i = 0; i < matrix.n; i += put_row(to, &matrix, i))
		;
	page_end_table(to);
	fputs("</div>\n</section>\n", to);
	for (size_t i = 0; i < matrix.n; i++)
		free(matrix.v[i].event);
	pq_vec_free(&matrix);
	return status;
}
