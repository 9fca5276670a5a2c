/* SPDX-License-Identifier: MIT */
/* Plan a metric, and compute it of two counts: */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <time.h>

static int plan_and_print(struct pmuq_store *store, struct pmuq_source *machine)
{
	static const struct pmuq_metric_count counts[] = {
		{ .value = 3e9, .n_counts = 1, .n_pmus = 1 },
		{ .value = 2e9, .n_counts = 1, .n_pmus = 1 },
	};
	struct pmuq_encode_options encode = { .size = sizeof(encode) };
	struct pmuq_metrics *metrics = NULL;
	struct pmuq_vendor *vendor = NULL;
	struct pmuq_metric_plan *plan = NULL;
	struct pmuq_metric_value value;
	int r = pmuq_store_open_metrics(store, "GenuineIntel-6-F0-0", &metrics, NULL);

	if (r == 0)
		r = pmuq_store_open_vendor(store, "GenuineIntel-6-F0-0", &vendor, NULL);
	encode.vendor = vendor;
	if (r == 0)
		r = pmuq_source_plan_metrics(machine, metrics, "IPC", &encode, NULL,
									 &plan, NULL);
	for (size_t i = 0; r == 0 && i < pmuq_metric_plan_list_count(plan); i++)
		puts(pmuq_metric_plan_list(plan, i)->string.p);
	for (size_t i = 0; r == 0 && i < pmuq_metric_plan_event_count(plan); i++)
		puts(pmuq_metric_plan_event(plan, i)->name.p);
	if (r == 0)
		r = pmuq_metric_plan_evaluate(plan, 0, counts, 2, &value, NULL);
	if (r == 0)
		printf("%g %s\n", value.value,
			   pmuq_metric_plan_get(plan, 0)->metric->unit.p);
	pmuq_metric_plan_free(plan);
	pmuq_vendor_free(vendor);
	pmuq_metrics_free(metrics);
	return r;
}

int main(void)
{
	struct pmuq_store *store = NULL;
	struct pmuq_source *machine = NULL;
	int r = pmuq_store_open("metrics.db", PMUQ_STORE_CREATE, &store, NULL);

	if (r == 0)
		r = pmuq_store_import_vendor(store, "pmu-events/arch", NULL,
									 time(NULL), NULL, NULL);
	if (r == 0)
		r = pmuq_source_open_tree("skylake-sp", &machine, NULL);
	if (r == 0)
		r = plan_and_print(store, machine);
	pmuq_source_free(machine);
	pmuq_store_free(store);
	return r < 0;
}
