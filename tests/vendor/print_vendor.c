/* SPDX-License-Identifier: MIT */
/* print_vendor DB CPUID: prints the location of the CPU's table, then its events, one line each
 * with tabs.
 */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(struct pmuq_error *error)
{
	char *text = pmuq_error_format(error);

	fprintf(stderr, "%s\n", text ? text : "out of memory");
	free(text);
	pmuq_error_free(error);
	return EXIT_FAILURE;
}

static void print_event(const struct pmuq_vendor_event *event)
{
	printf("%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\n", event->event->name.p, event->pmu.p,
	       event->event->terms.p, event->event->unit.p, event->event->scale.p,
	       event->event->is_per_pkg, event->is_deprecated, event->compat.p,
	       event->file.p, event->version.p, event->description.p);
}

int main(int argc, char **argv)
{
	struct pmuq_store *store = NULL;
	struct pmuq_vendor *vendor = NULL;
	struct pmuq_error *error = NULL;

	if (argc != 3)
		return EXIT_FAILURE;
	if (pmuq_store_open(argv[1], PMUQ_STORE_READ, &store, &error) < 0)
		return fail(error);
	if (pmuq_store_open_vendor(store, argv[2], &vendor, &error) < 0) {
		pmuq_store_free(store);
		return fail(error);
	}
	pmuq_store_free(store);
	printf("%s\t%s\t%s\n", pmuq_vendor_content(vendor)->import.p,
	       pmuq_vendor_content(vendor)->folder.p, pmuq_vendor_content(vendor)->version.p);
	for (size_t i = 0; i < pmuq_vendor_content(vendor)->n_events; i++)
		print_event(pmuq_vendor_get(vendor, i));
	pmuq_vendor_free(vendor);
	return EXIT_SUCCESS;
}
