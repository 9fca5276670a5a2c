/* SPDX-License-Identifier: MIT */
/*
 * The rows of the table, and look-ups by name. Only files with a row have a meaning; all others
 * are kept as they are.
 */
#include "core/catalog/pmu_file.h"

#define CAPS STR("caps/")

/* Every row needs a rule: how `pmuq diff` judges a new value. */
#define FILE_ROW(path_, rule_, ...)                                                                \
	{                                                                                          \
		.info.size = sizeof(struct pmuq_pmu_file), .info.path = STR(path_),                \
		.rule = PQ_RULE_##rule_, __VA_ARGS__                                               \
	}
#define INFO(name_, content_, unit_, help_)                                                        \
	.info.name = STR(name_), .info.content = PMUQ_FILE_##content_, .info.unit = STR(unit_),    \
	.info.help = STR(help_)
#define MEMBER(name)                                                                               \
	.storage = PQ_STORED_MEMBER, .pmu_offset = offsetof(struct pmuq_pmu, name),                \
	.draft_offset = offsetof(struct pq_pmu_draft, name)
#define CAP .storage = PQ_STORED_CAP

// clang-format off
static const struct pq_pmu_file files[] = {
	FILE_ROW("type",    OWN,  INFO("type",    NUMBER, "", "type of the attr"),
		 .storage = PQ_STORED_TYPE, .is_watched = true),
	FILE_ROW("cpumask", OWN,  INFO("cpumask", CPUS,   "", "the file cpumask: one CPU of each package, die or node"),
		 MEMBER(cpumask), .is_watched = true),
	FILE_ROW("cpus",    OWN,  INFO("cpus_file", CPUS, "", "the file cpus: CPUs that have this core PMU"),
		 MEMBER(cpus_file), .is_watched = true),
	FILE_ROW("alias",   OWN,  INFO("alias",   TEXT,   "", "second name of the PMU"),
		 MEMBER(alias)),
	FILE_ROW("rdpmc",   MORE, INFO("rdpmc",   NUMBER, "", "1 and 2: user space may read counters")),
	FILE_ROW("identifier", OTHER,
		 INFO("identifier", TEXT, "", "identifier of the hardware")),
	FILE_ROW("nr_addr_filters", MORE,
		 INFO("addr_filters", NUMBER, "", "maximum number of address filters of an event")),
	FILE_ROW("perf_event_mux_interval_ms", COSMETIC, /* anybody may set it at any time */
		 INFO("mux_ms", NUMBER, "ms", "time between rotations of events that do not fit")),
	FILE_ROW("freeze_on_smi", OTHER,
		 INFO("freeze_on_smi", NUMBER, "", "whether counters stop in system management mode")),
	FILE_ROW("allow_tsx_force_abort", OTHER,
		 INFO("tsx_force_abort", NUMBER, "", "whether events may use the counter that TSX needs")),
	FILE_ROW("max_nonturbo_ratio", OTHER,
		 INFO("nonturbo_ratio", NUMBER, "", "ratio of the base frequency to the bus clock")),
	FILE_ROW("tsc_art_ratio", OTHER,
		 INFO("tsc_ratio", TEXT, "", "ratio of the TSC to the always running timer")),

	FILE_ROW("caps/max_precise", MORE, CAP,
		 INFO("max_precise", NUMBER, "", "maximum number of letters p")),
	FILE_ROW("caps/branches", MORE, CAP,
		 INFO("branches", NUMBER, "", "maximum number of branches in a sample")),
	FILE_ROW("caps/branch_counter_nr", MORE, CAP,
		 INFO("branch_counters", NUMBER, "", "number of events counted per branch")),
	FILE_ROW("caps/branch_counter_width", MORE, CAP,
		 INFO("branch_counter_bits", NUMBER, "", "width of a counter per branch")),
	FILE_ROW("caps/threshold_max", MORE, CAP,
		 INFO("threshold_max", NUMBER, "", "largest threshold of an event")),
	FILE_ROW("caps/pmu_name", OTHER, CAP,
		 INFO("pmu_name", TEXT, "", "the driver's name for the hardware")),
	FILE_ROW("caps/slots", OTHER, CAP,
		 INFO("slots", NUMBER, "", "largest count of stall_slot in a cycle")),
	FILE_ROW("caps/bus_slots", OTHER, CAP,
		 INFO("bus_slots", NUMBER, "", "largest count of bus_access in a cycle")),
	FILE_ROW("caps/bus_width", OTHER, CAP,
		 INFO("bus_width", NUMBER, "bytes", "bytes that bus_access counts")),

	/* The last: pmuq_pmu_file_at() does not return it. */
	FILE_ROW("uevent", OWN, .storage = PQ_STORED_NOWHERE),
};
// clang-format on

const struct pq_pmu_file *pq_pmu_file_at(size_t index)
{
	return index < COUNT(files) ? &files[index] : NULL;
}

const struct pq_pmu_file *pq_pmu_file_find(struct pmuq_str name)
{
	for (size_t i = 0; i < COUNT(files); i++)
		if (str_eq(files[i].info.path, name))
			return &files[i];
	return NULL;
}

const struct pq_pmu_file *pq_pmu_file_find_cap(struct pmuq_str name)
{
	for (size_t i = 0; i < COUNT(files); i++)
		if (files[i].storage == PQ_STORED_CAP && str_ends(files[i].info.path, name) &&
		    files[i].info.path.n == CAPS.n + name.n)
			return &files[i];
	return NULL;
}

bool pq_pmu_file_is_attribute(struct pmuq_str name)
{
	const struct pq_pmu_file *file = pq_pmu_file_find(name);

	return !file || file->storage == PQ_STORED_ATTRIBUTE;
}

PQ_API const struct pmuq_pmu_file *pmuq_pmu_file_at(size_t index)
{
	return index < COUNT(files) - 1 ? &files[index].info : NULL;
}

PQ_API const char *pmuq_pmu_file_text(const struct pmuq_pmu *pmu, const char *path)
{
	struct pmuq_str name = str_of(path);
	const struct pq_pmu_file *file = pq_pmu_file_find(name);
	const struct pmuq_pair *pair;

	if (str_starts(name, CAPS))
		pair = pq_pair_find(pmu->definition->caps, pmu->definition->n_caps,
				    str_part(name, CAPS.n, name.n));
	else if (file && file->storage == PQ_STORED_MEMBER)
		return pq_pmu_file_in_pmu(file, pmu)->p;
	else
		pair = pq_pair_find(pmu->attributes, pmu->n_attributes, name);
	return pair ? pair->text.p : NULL;
}
