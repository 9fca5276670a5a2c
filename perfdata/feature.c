/* SPDX-License-Identifier: MIT */
/*
 * THE table of features, and the readers of the simple ones. feature_machine.c and feature_pmus.c
 * have the others.
 */
#include "perfdata/feature.h"
#include "perfdata/recording.h"
#include <inttypes.h>

static void read_text(struct pq_feature_reader *in)
{
	pq_value(in, STR(""), pq_file_cursor_str(in->cursor, "its text"));
}

static void read_cpus(struct pq_feature_reader *in)
{
	uint32_t available = pq_file_cursor_u32(in->cursor, "the number of CPUs");
	uint32_t online = pq_file_cursor_u32(in->cursor, "the number of CPUs online");

	if (in->cursor->r < 0)
		return;
	in->recording->n_cpus_available = available;
	pq_value_print(in, "available", "%" PRIu32, available);
	pq_value_print(in, "online", "%" PRIu32, online);
}

static void read_total_mem(struct pq_feature_reader *in)
{
	pq_value_print(in, "", "%" PRIu64 " kB", pq_file_cursor_u64(in->cursor, "the memory"));
}

static void read_command(struct pq_feature_reader *in)
{
	uint32_t n = pq_file_cursor_count(in->cursor, sizeof(uint32_t), "words");

	for (uint32_t i = 0; i < n && in->cursor->r >= 0; i++)
		pq_value(in, STR(""), pq_file_cursor_str(in->cursor, "a word"));
}

/* ------------------------------------------------------------------------------ events, groups */

static void read_ids(struct pq_feature_reader *in, struct pq_recorded_event *event, uint32_t n)
{
	const unsigned char *bytes = pq_file_cursor_bytes(
		in->cursor, (uint64_t)n * sizeof(uint64_t), "the ids of an event");
	uint64_t *ids;

	if (!bytes || !n)
		return;
	ids = pq_arena_array(&in->recording->arena, n, sizeof(*ids));
	if (!ids) {
		pq_value_full(in);
		return;
	}
	for (size_t i = 0; i < n; i++)
		ids[i] = pq_load64(bytes + i * sizeof(*ids), in->cursor->is_other_order);
	event->record.ids = ids;
	event->record.n_ids = n;
}

static void read_event(struct pq_feature_reader *in, uint32_t attr_size)
{
	const unsigned char *attr = pq_file_cursor_bytes(in->cursor, attr_size, "an attr");
	struct pq_recorded_event read = { 0 }, *event;
	uint32_t size, n_ids;

	if (attr && !pq_recorded_attr(in->recording, attr, attr_size, &read, &size))
		pq_file_cursor_fail(in->cursor, attr_size,
				    "the size field of an attr has %" PRIu32
				    " bytes, but there are %" PRIu32,
				    size, attr_size);
	n_ids = pq_file_cursor_u32(in->cursor, "the number of ids");
	read.record.name =
		pq_value_copy(in, pq_file_cursor_str(in->cursor, "the name of an event"));
	read_ids(in, &read, n_ids);
	if (in->cursor->r < 0)
		return;
	event = pq_event_add(in->recording, &in->recording->described, in->cursor->input,
			     in->cursor->offset + in->cursor->at, &in->cursor->r,
			     in->cursor->reterr);
	if (!event)
		return;
	*event = read;
	pq_value(in, STR(""), read.record.name);
}

/* EVENT_DESC: the attrs of the file once more, with names. */
static void read_events(struct pq_feature_reader *in)
{
	uint32_t n = pq_file_cursor_u32(in->cursor, "the number of events");
	uint32_t attr_size = pq_file_cursor_u32(in->cursor, "the size of an attr");

	if (n && (attr_size < sizeof(uint64_t) || attr_size > pq_file_cursor_left(in->cursor)))
		pq_file_cursor_fail(in->cursor, sizeof(attr_size),
				    "an attr has %" PRIu32 " bytes, but %zu are left", attr_size,
				    pq_file_cursor_left(in->cursor));
	for (uint32_t i = 0; i < n && in->cursor->r >= 0; i++)
		read_event(in, attr_size);
}

static void read_groups(struct pq_feature_reader *in)
{
	uint32_t n = pq_file_cursor_count(in->cursor, 3 * sizeof(uint32_t), "groups");

	for (uint32_t i = 0; i < n && in->cursor->r >= 0; i++) {
		uint64_t offset = in->cursor->offset + in->cursor->at;
		struct pmuq_str name = pq_file_cursor_str(in->cursor, "the name of a group");
		uint32_t leader = pq_file_cursor_u32(in->cursor, "the leader of a group");
		uint32_t n_members = pq_file_cursor_u32(in->cursor, "the size of a group");

		if (in->cursor->r < 0)
			return;
		if (!pq_vec_push_in(&in->recording->arena, &in->recording->groups,
				    { .name = pq_value_copy(in, name),
				      .leader = leader,
				      .n_members = n_members,
				      .offset = offset })) {
			pq_value_full(in);
			return;
		}
		pq_value_print_of(in, name, "leader %" PRIu32 ", %" PRIu32 " members", leader,
				  n_members);
	}
}

/* ---------------------------------------------------------------------------------------- time */

#define NS_PER_S UINT64_C(1000000000)

static void read_time(struct pq_feature_reader *in, const char *name)
{
	uint64_t ns = pq_file_cursor_u64(in->cursor, name);

	pq_value_print(in, name, "%" PRIu64 ".%09" PRIu64 " s", ns / NS_PER_S, ns % NS_PER_S);
}

static void read_sample_time(struct pq_feature_reader *in)
{
	read_time(in, "first");
	read_time(in, "last");
}

static void read_clockid(struct pq_feature_reader *in)
{
	pq_value_print(in, "resolution", "%" PRIu64 " ns",
		       pq_file_cursor_u64(in->cursor, "the clock's resolution"));
}

/* Of a version that pmuq does not know, the number is the only value. */
static bool is_version_1(struct pq_feature_reader *in, uint64_t version)
{
	if (version != 1)
		pq_value_print(in, "version", "%" PRIu64, version);
	return version == 1;
}

static void read_clock_data(struct pq_feature_reader *in)
{
	if (!is_version_1(in, pq_file_cursor_u32(in->cursor, "the version")))
		return;
	pq_value_print(in, "clockid", "%" PRIu32, pq_file_cursor_u32(in->cursor, "the clock"));
	read_time(in, "wall clock");
	read_time(in, "clock");
}

/* --------------------------------------------------------------------------------- the table */

static void read_compressed(struct pq_feature_reader *in)
{
	static const char *const names[] = { "version", "type", "level", "ratio", "mmap_len" };

	for (size_t i = 0; i < COUNT(names) && in->cursor->r >= 0; i++)
		pq_value_print(in, names[i], "%" PRIu32, pq_file_cursor_u32(in->cursor, names[i]));
}

static void read_version(struct pq_feature_reader *in)
{
	pq_value_print(in, "version", "%" PRIu64, pq_file_cursor_u64(in->cursor, "the version"));
}

static void read_e_machine(struct pq_feature_reader *in)
{
	pq_value_print(in, "e_machine", "%" PRIu32, pq_file_cursor_u32(in->cursor, "the machine"));
	pq_value_print(in, "e_flags", "%" PRIu32, pq_file_cursor_u32(in->cursor, "its flags"));
}

static void read_cache_line(struct pq_feature_reader *in)
{
	pq_value_print(in, "", "%" PRIu32 " bytes", pq_file_cursor_u32(in->cursor, "a cache line"));
}

/* A feature without a reader has no content, or none that pmuq uses. */
// clang-format off
static const struct {
	const char *name;
	void (*read)(struct pq_feature_reader *in);
} features[] = {
	[PQ_FEATURE_TRACING_DATA]    = { "TRACING_DATA", NULL },
	[PQ_FEATURE_BUILD_ID]        = { "BUILD_ID", NULL },
	[PQ_FEATURE_HOSTNAME]        = { "HOSTNAME", read_text },
	[PQ_FEATURE_OSRELEASE]       = { "OSRELEASE", read_text },
	[PQ_FEATURE_VERSION]         = { "VERSION", read_text },
	[PQ_FEATURE_ARCH]            = { "ARCH", read_text },
	[PQ_FEATURE_NRCPUS]          = { "NRCPUS", read_cpus },
	[PQ_FEATURE_CPUDESC]         = { "CPUDESC", read_text },
	[PQ_FEATURE_CPUID]           = { "CPUID", read_text },
	[PQ_FEATURE_TOTAL_MEM]       = { "TOTAL_MEM", read_total_mem },
	[PQ_FEATURE_CMDLINE]         = { "CMDLINE", read_command },
	[PQ_FEATURE_EVENT_DESC]      = { "EVENT_DESC", read_events },
	[PQ_FEATURE_CPU_TOPOLOGY]    = { "CPU_TOPOLOGY", pq_read_cpu_topology },
	[PQ_FEATURE_NUMA_TOPOLOGY]   = { "NUMA_TOPOLOGY", pq_read_numa },
	[PQ_FEATURE_BRANCH_STACK]    = { "BRANCH_STACK", NULL },
	[PQ_FEATURE_PMU_MAPPINGS]    = { "PMU_MAPPINGS", pq_read_pmus },
	[PQ_FEATURE_GROUP_DESC]      = { "GROUP_DESC", read_groups },
	[PQ_FEATURE_AUXTRACE]        = { "AUXTRACE", NULL },
	[PQ_FEATURE_STAT]            = { "STAT", NULL },
	[PQ_FEATURE_CACHE]           = { "CACHE", pq_read_caches },
	[PQ_FEATURE_SAMPLE_TIME]     = { "SAMPLE_TIME", read_sample_time },
	[PQ_FEATURE_MEM_TOPOLOGY]    = { "MEM_TOPOLOGY", pq_read_memory },
	[PQ_FEATURE_CLOCKID]         = { "CLOCKID", read_clockid },
	[PQ_FEATURE_DIR_FORMAT]      = { "DIR_FORMAT", read_version },
	[PQ_FEATURE_BPF_PROG_INFO]   = { "BPF_PROG_INFO", NULL },
	[PQ_FEATURE_BPF_BTF]         = { "BPF_BTF", NULL },
	[PQ_FEATURE_COMPRESSED]      = { "COMPRESSED", read_compressed },
	[PQ_FEATURE_CPU_PMU_CAPS]    = { "CPU_PMU_CAPS", pq_read_cpu_caps },
	[PQ_FEATURE_CLOCK_DATA]      = { "CLOCK_DATA", read_clock_data },
	[PQ_FEATURE_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", pq_read_hybrid },
	[PQ_FEATURE_PMU_CAPS]        = { "PMU_CAPS", pq_read_pmu_caps },
	[PQ_FEATURE_CPU_DOMAIN_INFO] = { "CPU_DOMAIN_INFO", NULL },
	[PQ_FEATURE_E_MACHINE]       = { "E_MACHINE", read_e_machine },
	[PQ_FEATURE_CLN_SIZE]        = { "CLN_SIZE", read_cache_line },
};
// clang-format on

const char *pq_feature_name(unsigned number)
{
	return number < COUNT(features) ? features[number].name : NULL;
}

bool pq_feature_is_readable(unsigned number)
{
	return number < COUNT(features) && features[number].read;
}

void pq_feature_read(struct pmuq_recording *recording, struct pmuq_feature *feature,
		     struct pq_file_cursor *cursor)
{
	struct pq_feature_reader in = { .recording = recording, .cursor = cursor };

	features[feature->number].read(&in);
	feature->values = in.values.v;
	feature->n_values = in.values.n;
	feature->is_read = cursor->r >= 0;
}
