/* SPDX-License-Identifier: MIT */
/*
 * `pmuq decode FILE.data`: what each event of a recording means on its machine. The first lines
 * show where the recording is from and which machine decoded it (recorded.h). They are comments, so
 * that the text is a list of event strings, as for other attrs.
 */
#include "cli/events/decode_output.h"
#include "cli/events/recorded.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/output/shown_attr.h"
#include "cli/report.h"
#include "cli/served.h"
#include <inttypes.h>
#include <string.h>

/* The bits of the header's features that the first lines print. */
enum {
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CMDLINE = 11,
};

/* ---------------------------------------------------------------------------- event by event */

/* "ids 7-9,12" */
static void print_ids(struct pq_buf *to, const struct pmuq_recorded_event *event)
{
	const char *before = event->n_ids == 1 ? "; id " : "; ids ";

	for (size_t i = 0; i < event->n_ids; i++) {
		uint64_t first = event->ids[i];

		while (i + 1 < event->n_ids && event->ids[i] + 1 == event->ids[i + 1])
			i++;
		pq_buf_print(to, "%s%" PRIu64, before, first);
		if (event->ids[i] != first)
			pq_buf_print(to, "-%" PRIu64, event->ids[i]);
		before = ",";
	}
}

/* The line below the event string: what the file contains about the event. */
static char *about_event(const struct pmuq_recorded_event *event, size_t index)
{
	struct pq_buf to = PQ_BUF_NULL;

	pq_buf_print(&to, "event %zu %s: ", index,
		     event->name.n ? event->name.p : "without a name");
	attr_print(&to, event->attr, PQ_FIELD_type);
	if (event->has_unknown_tail)
		pq_buf_print(&to, "; more is set in its %" PRIu32 " bytes than pmuq knows",
			     event->attr_size);
	print_ids(&to, event);
	return or_die(pq_buf_take(&to));
}

/* 0, or the error is set. */
static int decode_event(const struct decode_request *request,
			const struct pmuq_recording *recording,
			const struct recorded_machine *machine, size_t index,
			struct attr_input *ret, struct pmuq_error **reterr)
{
	const struct pmuq_recorded_event *event = pmuq_recording_event(recording, index);
	const struct pmuq_catalog *catalog;
	struct pmuq_attr attr;

	ret->is_grouped = event->n_members > 1;
	ret->leader = event->leader;
	ret->group_name = event->group_name.p ? or_die(strdup(event->group_name.p)) : NULL;
	ret->about = about_event(event, index);
	catalog = recorded_machine_attr(machine, event->attr, &attr);
	return pmuq_catalog_decode(catalog, &attr, &request->options, &ret->decoding, reterr);
}

static enum status decode_events(const struct decode_request *request,
				 const struct pmuq_recording *recording,
				 const struct recorded_machine *machine, struct decode_input *ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	for (size_t i = 0; i < pmuq_recording_content(recording)->n_events; i++) {
		struct attr_input *attr = or_die(pq_vec_add(ret));

		if (decode_event(request, recording, machine, i, attr, &error) < 0) {
			ret->n--;
			return report_error(error, NULL);
		}
	}
	decode_input_link(ret);
	return STATUS_OK;
}

/* ----------------------------------------------------------------------------------------- text */

static void print_text(const char *before, const char *text, const char *after)
{
	fputs(before, stdout);
	print_safe(stdout, text);
	fputs(after, stdout);
}

static void print_known(const char *before, const char *text)
{
	if (text)
		print_text(before, text, "");
}

static void print_command(const struct pmuq_recording *recording)
{
	const struct pmuq_feature *feature;
	size_t i = 0;

	while ((feature = pmuq_recording_feature(recording, i)) &&
	       feature->number != FEATURE_CMDLINE)
		i++;
	if (!feature)
		return;
	fputs("# command:", stdout);
	for (size_t j = 0; j < feature->n_values; j++)
		print_text(" ", feature->values[j].text.p, "");
	putchar('\n');
}

/* One line for each feature; for a feature that was not read, its size. */
static void print_features(const struct pmuq_recording *recording)
{
	const struct pmuq_feature *feature;

	for (size_t i = 0; (feature = pmuq_recording_feature(recording, i)); i++) {
		const char *name = feature->name.n ? feature->name.p : "unknown";

		if (!feature->n_values)
			printf("#   %s (feature %u): %" PRIu64 " bytes\n", name, feature->number,
			       feature->bytes);
		for (size_t j = 0; j < feature->n_values; j++) {
			const char *key = feature->values[j].name.p;

			print_safe_line(stdout, "#   %s%s%s: %s", name, *key ? " " : "", key,
					feature->values[j].text.p);
		}
	}
}

/* What the recording does not contain is omitted. */
static void print_head(const struct decode_request *request, const char *path,
		       const struct pmuq_recording *recording,
		       const struct recorded_machine *machine)
{
	const char *host = recorded_text(recording, FEATURE_HOSTNAME);
	const char *cpus = recorded_text(recording, FEATURE_NRCPUS);

	print_text("# ", strcmp(path, "-") == 0 ? "<stdin>" : path, ": recorded on ");
	print_text("", host ? host : "an unnamed host", "");
	print_known(", Linux ", recorded_text(recording, FEATURE_OSRELEASE));
	print_known(", ", recorded_text(recording, FEATURE_ARCH));
	print_known(", ", pmuq_catalog_find_fact(machine->own, "cpuid"));
	if (cpus)
		printf(", %s CPU%s", cpus, strcmp(cpus, "1") == 0 ? "" : "s");
	print_known(", by perf ", recorded_text(recording, FEATURE_VERSION));
	putchar('\n');
	print_command(recording);
	print_safe_line(stdout, "# decoded by %s", machine->about);
	if (request->with_all)
		print_features(recording);
}

/* --------------------------------------------------------------------------------- the whole */

/* Tables for the CPU of --vendor, or of the machine with "auto". */
static enum status find_vendor(const struct decode_request *request,
			       const struct recorded_machine *machine, struct pmuq_vendor **ret)
{
	const char *vendor = request->vendor;

	if (vendor && strcmp(vendor, "auto") == 0)
		vendor = pmuq_catalog_find_fact(machine->catalog ? machine->catalog : machine->own,
						"cpuid");
	if (request->vendor && !vendor) {
		report(REPORT_ERROR, "--vendor auto: the recording does not contain its CPU; "
				     "name it, as in --vendor GenuineIntel-6-55-4");
		return STATUS_INVALID;
	}
	return vendor ? source_find_vendor(request->cli, NULL, vendor, false, ret) : STATUS_OK;
}

/* The names of a vendor's table are for this file only: the next file may be from another CPU. */
enum status decode_recording_read(const struct decode_request *request,
				  const struct pmuq_recording *recording,
				  struct recorded_machine *ret_machine, struct decode_input *ret)
{
	cleanup(vendor_closep) struct pmuq_vendor *vendor = NULL;
	struct decode_request own = *request;
	enum status status = recorded_machine_find(request->cli, recording, ret_machine);

	if (status == STATUS_OK)
		status = find_vendor(request, ret_machine, &vendor);
	own.options.vendor = vendor;
	return status == STATUS_OK ? decode_events(&own, recording, ret_machine, ret) : status;
}

void decode_recording_print(const struct decode_request *request, const char *path,
			    const struct pmuq_recording *recording,
			    const struct recorded_machine *machine,
			    const struct decode_input *input)
{
	print_head(request, path, recording, machine);
	decode_print_text(request, input);
}
