/* SPDX-License-Identifier: MIT */
/*
 * Chooses the machine that decodes a recording. A recording contains attrs with the PMU numbers of
 * its boot, and names of PMUs, but no formats and no events: a snapshot of the same host, or at
 * least of the same CPU, gives better names.
 */
#include "cli/events/recorded.h"
#include "cli/database.h"
#include "cli/machine_file.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/attr/attr.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------- the recording */

/* The name decides first; a file without a typical name is opened. An attr in hex or fields is not
 * a path. */
bool recorded_is_named(const char *argument)
{
	static const char ending[] = ".data";
	size_t n = strlen(argument);

	if (strcmp(argument, "-") == 0)
		return true;
	if (*argument == '{' || *argument == '[')
		return false;
	return (n >= sizeof(ending) && strcmp(argument + n - strlen(ending), ending) == 0) ||
	       strchr(argument, '/') || file_begins_like_recording(argument);
}

int recorded_open(const char *path, struct pmuq_recording **ret, struct pmuq_error **reterr)
{
	if (strcmp(path, "-") == 0)
		return pmuq_recording_open_fd(STDIN_FILENO, "<stdin>", ret, reterr);
	return pmuq_recording_open(path, ret, reterr);
}

const char *recorded_text(const struct pmuq_recording *recording, unsigned feature)
{
	const struct pmuq_feature *found;

	for (size_t i = 0; (found = pmuq_recording_feature(recording, i)); i++)
		if (found->number == feature)
			return found->n_values ? found->values[0].text.p : NULL;
	return NULL;
}

enum status recorded_report_problems(const struct pmuq_recording *recording)
{
	const struct pmuq_error *problem;
	enum status status = STATUS_OK;

	for (size_t i = 0; (problem = pmuq_recording_problem(recording, i)); i++)
		status = status_worse(status, report_error(problem, NULL));
	return status;
}

/* --------------------------------------------------------------------------------- the machine */

static bool is_same_fact(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* A name as a glob that matches nothing else. */
static char *glob_of(const char *name)
{
	char *glob = or_die(malloc(2 * strlen(name) + 1)), *to = glob;

	for (; *name; name++) {
		if (strchr("*?[]\\", *name))
			*to++ = '\\';
		*to++ = *name;
	}
	*to = '\0';
	return glob;
}

/* How well a snapshot fits. One with another or unknown CPU, or of an incomplete machine, does not
 * fit. */
enum fit {
	FIT_NONE,
	FIT_CPU,
	FIT_KERNEL,
};

static enum fit fit_of(const struct pmuq_snapshot *snapshot, const struct pmuq_catalog *own)
{
	if (pmuq_snapshot_find_fact(snapshot, "incomplete") ||
	    !is_same_fact(pmuq_snapshot_find_fact(snapshot, "cpuid"),
			  pmuq_catalog_find_fact(own, "cpuid")))
		return FIT_NONE;
	return is_same_fact(pmuq_snapshot_find_fact(snapshot, "kernel"),
			    pmuq_catalog_find_fact(own, "kernel"))
		       ? FIT_KERNEL
		       : FIT_CPU;
}

struct host_choice {
	enum fit fit;
	const struct pmuq_host *host;
	const struct pmuq_snapshot *snapshot;
};

/* The best one; of equal ones the newest. */
static struct host_choice choose(const struct pmuq_hosts *hosts, const struct pmuq_catalog *own)
{
	struct host_choice best = { 0 };
	const struct pmuq_snapshot *snapshot;

	for (size_t host = 0; host < pmuq_hosts_count(hosts); host++)
		for (size_t i = 0; (snapshot = pmuq_hosts_snapshot(hosts, host, i)); i++) {
			enum fit fit = fit_of(snapshot, own);

			if (fit != FIT_NONE && fit >= best.fit)
				best = (struct host_choice){ fit, pmuq_hosts_get(hosts, host),
							     snapshot };
		}
	return best;
}

/* Which machine it is and why, for the user; the last text replaces earlier ones. */
static void explain(struct recorded_machine *machine, const char *format, ...) PQ_PRINTF(2, 3);
static void explain(struct recorded_machine *machine, const char *format, ...)
{
	va_list args;

	free(machine->about);
	va_start(args, format);
	machine->about = print_args_or_die(format, args);
	va_end(args);
}

static int open_snapshot(struct pmuq_store *store, const char *name, int64_t snapshot,
			 struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	int r = pmuq_store_open_host(store, name, snapshot, &source, reterr);

	return r < 0 ? r : pmuq_source_read_catalog(source, ret, reterr);
}

/* Among the hosts that have the name of the recording's host. 0, or the error is set. */
static int search_hosts(struct pmuq_store *store, const struct pmuq_hosts *hosts, const char *name,
			struct recorded_machine *machine, struct pmuq_error **reterr)
{
	struct host_choice chosen;
	const char *kernel;

	if (!pmuq_hosts_count(hosts)) {
		explain(machine, "the recording alone: the database has no host %s", name);
		return 0;
	}
	chosen = choose(hosts, machine->own);
	if (chosen.fit == FIT_NONE) {
		explain(machine,
			"the recording alone: host %s has no complete snapshot with "
			"that CPU in the database",
			name);
		return 0;
	}
	name = chosen.host->name.p;
	machine->snapshot = chosen.snapshot->number;
	kernel = pmuq_snapshot_find_fact(chosen.snapshot, "kernel");
	if (chosen.fit == FIT_KERNEL)
		explain(machine, "snapshot %" PRId64 " of host %s, with that kernel and CPU",
			machine->snapshot, name);
	else
		explain(machine, "snapshot %" PRId64 " of host %s, with that CPU and kernel %s",
			machine->snapshot, name, kernel ? kernel : "unknown");
	return open_snapshot(store, name, machine->snapshot, &machine->catalog, reterr);
}

/* By the name in the database, otherwise by the hostname of a snapshot. */
static int search_store(const char *path, const char *name, struct recorded_machine *machine,
			struct pmuq_error **reterr)
{
	cleanup(pmuq_hosts_freep) struct pmuq_hosts *hosts = NULL;
	auto_free char *glob = glob_of(name);
	const char *globs[] = { glob };
	const struct pmuq_hosts_filter by_name = { .size = sizeof(by_name),
						   .globs = globs,
						   .n_globs = 1 };
	const struct pmuq_hosts_filter by_hostname = { .size = sizeof(by_hostname),
						       .hostname = name };
	struct pmuq_store *store;
	int r;

	r = database_read_path(path, &store, reterr);
	if (r >= 0)
		r = pmuq_store_list_hosts(store, &by_name, &hosts, reterr);
	/* The user may have renamed it. */
	if (r >= 0 && !pmuq_hosts_count(hosts)) {
		pmuq_hosts_free(move(hosts));
		r = pmuq_store_list_hosts(store, &by_hostname, &hosts, reterr);
	}
	return r < 0 ? r : search_hosts(store, hosts, name, machine, reterr);
}

/* The host with that name or hostname. The default database may be missing; that of --db may
 * not. */
static enum status find_stored(const struct cli *cli, struct recorded_machine *machine)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const char *name = pmuq_catalog_find_fact(machine->own, "hostname");
	auto_free char *path = NULL;
	enum status status;

	explain(machine, "the recording alone, which does not name its host");
	if (!name)
		return STATUS_OK;
	explain(machine, "the recording alone: there is no database with host %s", name);
	path = database_path_if_there(cli);
	if (!path)
		return STATUS_OK;
	if (search_store(path, name, machine, &error) >= 0)
		return STATUS_OK;
	status = report_error(error, NULL);
	if (cli->db)
		return status;
	explain(machine, "the recording alone: the database could not be read");
	return STATUS_OK;
}

enum status recorded_machine_find(const struct cli *cli, const struct pmuq_recording *recording,
				  struct recorded_machine *ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status;

	if (pmuq_recording_catalog(recording, &ret->own, &error) < 0)
		return report_error(error, NULL);
	if (!cli_machine_option(cli))
		return find_stored(cli, ret);
	status = source_read(cli, &ret->catalog);
	explain(ret, "--%s %s", cli_machine_option(cli),
		cli->host      ? cli->host
		: cli->sysroot ? cli->sysroot
			       : cli->via);
	return status;
}

void recorded_machine_clear(struct recorded_machine *machine)
{
	pmuq_catalog_free(machine->own);
	pmuq_catalog_free(machine->catalog);
	free(machine->about);
	*machine = (struct recorded_machine){ 0 };
}

/* ------------------------------------------------------------------------------- PMUs by number */

static const struct pmuq_pmu *pmu_of_type(const struct pmuq_catalog *catalog, uint32_t type)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		if (pmu->has_type && pmu->type == type)
			return pmu;
	}
	return NULL;
}

/* The machine's number for a PMU of the recording; a number that the recording does not name is
 * unchanged. False: the machine has no such PMU. */
static bool translate(const struct recorded_machine *machine, uint32_t *type)
{
	const struct pmuq_pmu *recorded = pmu_of_type(machine->own, *type), *pmu;

	if (!recorded)
		return true;
	pmu = pmuq_catalog_find_pmu(machine->catalog, recorded->name.p);
	if (!pmu || !pmu->has_type)
		return false;
	*type = pmu->type;
	return true;
}

/* On a hybrid machine, the upper half of the config contains the number of a core PMU, too. */
static bool translate_attr(const struct recorded_machine *machine, struct pmuq_attr *attr)
{
	uint32_t type = (uint32_t)(attr->config >> 32);

	if (attr->type != PQ_TYPE_HARDWARE && attr->type != PQ_TYPE_HW_CACHE)
		return translate(machine, &attr->type);
	if (!type)
		return true;
	if (!translate(machine, &type))
		return false;
	attr->config = (uint64_t)type << 32 | (uint32_t)attr->config;
	return true;
}

const struct pmuq_catalog *recorded_machine_attr(const struct recorded_machine *machine,
						 const struct pmuq_attr *attr,
						 struct pmuq_attr *ret_attr)
{
	*ret_attr = *attr;
	/* The numbers of tracepoints depend on the kernel; perf wrote the name. */
	if (machine->catalog && attr->type != PQ_TYPE_TRACEPOINT &&
	    translate_attr(machine, ret_attr))
		return machine->catalog;
	*ret_attr = *attr;
	return machine->own;
}
