/* SPDX-License-Identifier: MIT */
/* Import a vendor's tables into a database, and print an event: */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
	struct pmuq_store *store = NULL;
	struct pmuq_vendor *vendor = NULL;
	int r = pmuq_store_open("hosts.db", PMUQ_STORE_CREATE, &store, NULL);

	if (r == 0)
		r = pmuq_store_import_vendor(store, "pmu-events/arch", NULL,
									 time(NULL), NULL, NULL);
	if (r == 0)
		r = pmuq_store_open_vendor(store, "IBM,3931,704,A01,3.7,002f",
								   &vendor, NULL);
	if (r == 0)
		printf("%s: %s\n", pmuq_vendor_content(vendor)->folder.p,
			   pmuq_vendor_get(vendor, 0)->event->name.p);
	pmuq_vendor_free(vendor);
	pmuq_store_free(store);
	return r < 0;
}
