/* SPDX-License-Identifier: MIT */
#include "tests/harness/many_hosts.h"
#include "core/catalog/catalog.h"
#include "core/catalog/check.h"
#include <errno.h>
#include <stdio.h>

_Noreturn static void die(struct pmuq_error *error)
{
	char *text = error ? pmuq_error_format(error) : NULL;

	fprintf(stderr, "many_hosts: %s\n", text ? text : "out of memory");
	exit(EXIT_FAILURE);
}

struct pmuq_catalog *many_hosts_read(const char *machines_dir, const char *name)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_error *error = NULL;
	char *path = NULL;

	if (asprintf(&path, "%s/%s", machines_dir, name) < 0 ||
	    pmuq_source_open_tree(path, &source, &error) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, &error) < 0)
		die(error);
	pmuq_source_free(source);
	free(path);
	return catalog;
}

static void expect_events(const struct pmuq_catalog *catalog, struct pmuq_check *check)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		for (size_t k = 0; k < pmu->definition->n_events; k++)
			if (pq_check_expect(check, pmu->name, pmuq_pmu_event(pmu, k)->name, false,
					    NULL) < 0)
				die(NULL);
	}
}

struct pmuq_check *many_hosts_check(const struct pmuq_catalog *catalog, int64_t time_s,
				    const char *refused)
{
	static const struct pmuq_open_result yes = { .status = PMUQ_OPENED, .cpus = STR("-1") };
	static const struct pmuq_open_result no = {
		.status = PMUQ_REFUSED,
		.errnum = EOPNOTSUPP,
		.cpus = STR("-1"),
		.name = STR("no-sampling"),
		.reason = STR("the PMU cannot sample, and the event only samples"),
	};
	struct pmuq_check *check = NULL;
	const struct pmuq_check_result *next;

	if (pq_check_new(str_of(pmuq_catalog_find_fact(catalog, "kernel")), time_s, &check, NULL) <
	    0)
		die(NULL);
	expect_events(catalog, check);
	if (pq_check_index(check, NULL) < 0)
		die(NULL);
	while ((next = pq_check_next(check))) {
		bool is_refused = refused && str_eq(next->event, str_of(refused));

		if (pq_check_add(check, is_refused ? &no : &yes, NULL) < 0)
			die(NULL);
	}
	return check;
}

struct pmuq_catalog *many_hosts_host(const struct pmuq_catalog *base, const char *name,
				     const char *id)
{
	const struct pmuq_pair facts[] = {
		{ .name = STR("hostname"), .text = str_of(name) },
		{ .name = STR("boot_id"), .text = str_of(id) },
		{ .name = STR("machine_id"), .text = str_of(id) },
	};
	struct pmuq_catalog *catalog = NULL;

	if (pq_catalog_vary(base, facts, COUNT(facts), NULL, &catalog, NULL) < 0)
		die(NULL);
	return catalog;
}
