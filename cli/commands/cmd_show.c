/* SPDX-License-Identifier: MIT */
/*
 * `pmuq show`: finds what a name matches: a PMU, the instances of a stem or a glob, an event
 * string, or a metric. show_pmu.c, show_event.c, show_metric.c and show_record.c print it.
 */
#include "cli/cmd.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/served.h"
#include "cli/show/show.h"
#include "core/instance.h"
#include <fnmatch.h>
#include <string.h>

/* Blocks of text are separated by an empty line. */
static void next_block(const struct shown_machine *machine, size_t n_before)
{
	if (n_before && !machine->document)
		putchar('\n');
}

/* ------------------------------------------------------------------------------------- PMUs */

/* A PMU with its sibling instances. */
static void find_siblings(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu,
			  struct instances *ret)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *other = pmuq_catalog_pmu(catalog, i);

		if (other == pmu || instances_are_equal(other, pmu))
			push_or_die(ret, other);
	}
}

/* A PMU that was named is printed alone; its siblings are only listed. */
static void show_one(const struct shown_machine *machine, const struct pmuq_pmu *pmu)
{
	struct instances instances = { 0 };

	find_siblings(machine->catalog, pmu, &instances);
	show_pmu(&(struct shown_pmu){
		.machine = machine,
		.instances = &instances,
		.pmu = pmu,
	});
	pq_vec_free(&instances);
}

static bool has_glob(const char *name)
{
	return strpbrk(name, "*?[") != NULL;
}

/* "uncore_imc" means all uncore_imc_N; a glob means all that it matches. */
static bool matches(const char *name, const struct pmuq_pmu *pmu)
{
	const char *own = pmu->name.p;

	if (has_glob(name))
		return fnmatch(name, own, 0) == 0;
	return pq_instance_is_stem(str_of(name), str_of(own));
}

/* A name that `list` prints for instances: "uncore_cha_[0-59]" is not a glob. */
static bool is_folded_name(const struct pmuq_catalog *catalog, const char *name,
			   struct instances *ret)
{
	size_t n = strcspn(name, "[");

	for (size_t i = 0; name[n] && i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);
		auto_free char *names = NULL;

		if (strncmp(pmu->name.p, name, n) != 0)
			continue;
		find_siblings(catalog, pmu, ret);
		names = instances_names(ret);
		if (strcmp(names, name) == 0)
			return true;
		pq_vec_free(ret);
	}
	return false;
}

static bool is_in(const struct instances *instances, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < instances->n; i++)
		if (instances->v[i] == pmu)
			return true;
	return false;
}

/* All PMUs that the name matches, sibling instances as one. */
static size_t show_matching(const struct shown_machine *machine, const char *name)
{
	const struct pmuq_catalog *catalog = machine->catalog;
	struct instances shown = { 0 };
	size_t n_shown = 0;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);
		struct instances instances = { 0 };

		if (!matches(name, pmu) || is_in(&shown, pmu))
			continue;
		for (size_t k = i; k < pmuq_catalog_machine(catalog)->n_pmus; k++) {
			const struct pmuq_pmu *other = pmuq_catalog_pmu(catalog, k);

			if (matches(name, other) && (k == i || instances_are_equal(other, pmu))) {
				push_or_die(&instances, other);
				push_or_die(&shown, other);
			}
		}
		next_block(machine, n_shown++);
		show_pmu(&(struct shown_pmu){
			.machine = machine,
			.instances = &instances,
			.pmu = pmu,
			.is_group = true,
		});
		pq_vec_free(&instances);
	}
	pq_vec_free(&shown);
	return n_shown;
}

/* A name of several PMUs: a range as `list` prints it, a stem, or a glob. */
static bool show_instances(const struct shown_machine *machine, const char *name)
{
	struct instances instances = { 0 };
	bool is_folded = is_folded_name(machine->catalog, name, &instances);

	if (is_folded)
		show_pmu(&(struct shown_pmu){
			.machine = machine,
			.instances = &instances,
			.pmu = instances.v[0],
			.is_group = true,
		});
	pq_vec_free(&instances);
	return is_folded || show_matching(machine, name) > 0;
}

/* ----------------------------------------------------------------------------------- events */

static struct pmuq_encode_options options_for(const struct shown_machine *machine)
{
	return (struct pmuq_encode_options){
		.size = sizeof(struct pmuq_encode_options),
		.vendor = machine->vendor,
		.pfm = machine->pfm,
	};
}

/* An event of the machine that cannot be encoded is printed with the error. */
static size_t show_unusable(const struct shown_machine *machine, const char *name)
{
	const struct pmuq_catalog *catalog = machine->catalog;
	const struct pmuq_encode_options options = options_for(machine);
	size_t n_shown = 0;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		for (size_t k = 0; k < pmu->definition->n_events; k++) {
			cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
			cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
			const struct pmuq_event *event = pmuq_pmu_event(pmu, k);
			auto_free char *string = print_or_die("%s/%s/", pmu->name.p, event->name.p);

			if (strcmp(event->name.p, name) != 0 && strcmp(string, name) != 0)
				continue;
			next_block(machine, n_shown++);
			if (pmuq_catalog_encode(catalog, string, &options, &encodings, &error) < 0)
				show_failure(&(struct shown_failure){
					.machine = machine,
					.string = string,
					.pmu = pmu,
					.event = event,
					.error = error,
				});
			else
				show_encodings(machine, string, encodings);
		}
	}
	return n_shown;
}

static const char *next_pmu(const void *of, size_t index)
{
	const struct pmuq_pmu *pmu = pmuq_catalog_pmu(of, index);

	return pmu ? pmu->name.p : NULL;
}

/* A bare name can mean a PMU; other errors are the encoder's. */
static enum status refuse(const struct shown_machine *machine, const char *name,
			  const struct pmuq_error *error)
{
	const char *near = nearest(name, next_pmu, machine->catalog);
	enum status status;

	if (machine->document) {
		show_failure(&(struct shown_failure){
			.machine = machine, .string = name, .error = error });
		return report_status(error->code);
	}
	if (strpbrk(name, "/:,{"))
		return report_error(error, NULL);
	if (near) {
		report(REPORT_ERROR, "no PMU and no event is called '%s'; did you mean '%s'?", name,
		       near);
		return STATUS_INVALID;
	}
	status = report_error(error, NULL);
	if (error->code == PMUQ_E_UNKNOWN_EVENT)
		report(REPORT_NOTE, "there is no PMU '%s' either: `pmuq list` lists the PMUs%s",
		       name, machine->planned->metrics ? ", `pmuq list metrics` the metrics" : "");
	return status;
}

/* PMU/EVENT is an event string without the slash at its end. */
static char *event_string(const char *name)
{
	const char *slash = strchr(name, '/');

	return print_or_die("%s%s", name, slash && !strchr(slash + 1, '/') ? "/" : "");
}

/* Encodes the string like `encode`. Only if that fails, events of the files are searched by their
 * bare name: they may be unusable, and then the reason is printed. */
static enum status show_event(const struct shown_machine *machine, const char *name)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const struct pmuq_encode_options options = options_for(machine);
	auto_free char *string = event_string(name);
	enum status status;
	size_t n_shown;

	if (optional_or_die(pmuq_catalog_encode(machine->catalog, string, &options, &encodings,
						&error)) >= 0) {
		show_encodings(machine, string, encodings);
		return STATUS_OK;
	}
	if (show_unusable(machine, string) > 0)
		return STATUS_OK;
	status = show_metrics(machine, name, &n_shown);
	return n_shown || status != STATUS_OK ? status : refuse(machine, name, error);
}

/* A PMU takes precedence over its instances, and these over an event of the same name. */
static enum status show(const struct shown_machine *machine, const char *name)
{
	const struct pmuq_pmu *pmu = pmuq_catalog_find_pmu(machine->catalog, name);

	if (!pmu)
		return show_instances(machine, name) ? STATUS_OK : show_event(machine, name);
	show_one(machine, pmu);
	return STATUS_OK;
}

/* An unknown name does not prevent the others from being printed. */
static enum status show_names(struct shown_machine *machine, enum document_form form, char **names)
{
	struct document document;
	enum status status = STATUS_OK;

	if (form != DOCUMENT_NONE) {
		status = document_begin(&document, form, &show_document, NULL);
		machine->document = &document;
	}
	for (char **name = names; status != STATUS_FAILED && *name; name++) {
		next_block(machine, (size_t)(name - names));
		machine->input = *name;
		status = status_worse(status, show(machine, *name));
	}
	return form == DOCUMENT_NONE ? status : status_worse(status, document_end(&document, NULL));
}

/* Everything that names may need is opened once, and lives until the last name is printed. */
static enum status show_all(const struct cli *cli, const char *vendor, enum document_form form,
			    char **names)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(pmuq_check_freep) struct pmuq_check *check = NULL;
	cleanup(vendor_closep) struct pmuq_vendor *table = NULL;
	cleanup(pfm_closep) struct pmuq_pfm *pfm = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct list_sources sources = { 0 };
	struct planned planned = { 0 };
	struct shown_machine machine = {
		.sources = &sources, .planned = &planned, .cli = cli, .vendor_word = vendor
	};
	enum status status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	/* libpfm4's process starts with the first name that no other source has. */
	if (pmuq_source_read_catalog(source, &catalog, &error) < 0 || pfm_open(&pfm, &error) < 0)
		return report_error(error, NULL);
	status = source_find_check(cli, catalog, &check, &machine.check);
	if (status == STATUS_OK)
		status = source_find_vendor(cli, source, vendor, false, &table);
	if (status != STATUS_OK)
		return status;
	machine.source = source;
	machine.catalog = catalog;
	machine.vendor = table;
	machine.pfm = pfm;
	sources.catalog = catalog;
	status = show_names(&machine, form, names);
	list_sources_close(&sources);
	planned_close(&planned);
	return status;
}

static enum status run_show(const struct options *options)
{
	return show_all(&options->cli, option_value(options, OPTION_VENDOR), options->output.form,
			options->operands);
}

const struct command cmd_show = {
	.name = "show",
	.arguments = "NAME...",
	.needs = "the name of a PMU, an event or a metric",
	.summary = "show PMUs, events or metrics in full, with the bits of config words",
	.text = "NAME is a PMU or its alias, a glob of PMUs, PMUs without their number\n"
		"(uncore_imc), an event, PMU/EVENT, any event string, or a metric or metric\n"
		"group of an imported table. Sibling instances are printed once. For a PMU,\n"
		"pmuq also prints the files that could not be read; for an event, the vendor's\n"
		"description and its names in other sources; for a metric, its formula and how\n"
		"its events are counted.\n\n"
		"Examples:\n"
		"  pmuq show cpu\n"
		"  pmuq show 'uncore_imc_*'\n"
		"  pmuq show cpu/mem-loads,ldlat=30/u\n"
		"  pmuq show --vendor auto mem_load_retired.l3_miss\n"
		"  pmuq show tma_backend_bound\n",
	.options = OPTION_LIST(OPTION_VENDOR, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&show_document),
	.run = run_show,
};
