/* SPDX-License-Identifier: MIT */
/* Open every event of this machine, and print one of the results: */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_check *check = NULL;
	const struct pmuq_check_result *result = NULL;
	int r = pmuq_source_open_live(&machine, NULL);

	if (r == 0)
		r = pmuq_source_read_catalog(machine, &catalog, NULL);
	if (r == 0)
		r = pmuq_check_begin(catalog, time(NULL), &check, NULL);
	while (r == 0 && pmuq_check_upcoming(check))
		r = pmuq_check_next(check, NULL);
	if (r == 0)
		result = pmuq_check_find(check, "software", "task-clock");
	if (result)
		printf("%s: %s\n", result->event_string.p,
			   result->open->status == PMUQ_OPENED
				   ? "opens"
				   : result->open->reason.p);
	pmuq_check_free(check);
	pmuq_catalog_free(catalog);
	pmuq_source_free(machine);
	return r < 0;
}
