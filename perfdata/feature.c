/* SPDX-License-Identifier: MIT */
/*
 * Reads features: the table, made from the list in recording.h; the values that a reader finds; and
 * the readers of the simple ones. feature_machine.c and feature_pmus.c have the others.
 */
#include "perfdata/feature.h"
#include <inttypes.h>

/* -------------------------------------------------------------------------------------- values */

void pq_value_full(struct pq_feature_reader *in)
{
	pq_recording_full(in->recording, in->cursor->offset + in->cursor->at);
}

struct pmuq_str pq_value_copy(struct pq_feature_reader *in, struct pmuq_str text)
{
	struct pmuq_str copy = pq_arena_str(&in->recording->arena, text);

	if (!copy.p)
		pq_value_full(in);
	return copy;
}

void pq_value(struct pq_feature_reader *in, struct pmuq_str name, struct pmuq_str text)
{
	struct pmuq_pair copy;

	if (pq_feature_failed(in))
		return;
	copy = (struct pmuq_pair){ .name = pq_value_copy(in, name),
				   .text = pq_value_copy(in, text) };
	if (pq_feature_failed(in) || !pq_vec_push_in(&in->recording->arena, &in->values, copy))
		pq_value_full(in);
}

void pq_value_print(struct pq_feature_reader *in, struct pmuq_str name, const char *format, ...)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	va_list args;

	if (pq_feature_failed(in))
		return;
	va_start(args, format);
	pq_buf_print_args(&text, format, args);
	va_end(args);
	if (text.failed)
		pq_input_fail_memory(in->cursor->input);
	pq_value(in, name, pq_buf_str(&text));
}

/* ------------------------------------------------------------------------------- short features */

static void read_text(struct pq_feature_reader *in)
{
	pq_value(in, STR(""), pq_file_cursor_str(in->cursor, "its text"));
}

static void read_cpus(struct pq_feature_reader *in)
{
	uint32_t available = pq_file_cursor_u32(in->cursor, "the number of CPUs");
	uint32_t online = pq_file_cursor_u32(in->cursor, "the number of CPUs online");

	if (pq_feature_failed(in))
		return;
	in->recording->n_cpus_available = available;
	pq_value_print(in, STR("available"), "%" PRIu32, available);
	pq_value_print(in, STR("online"), "%" PRIu32, online);
}

static void read_total_mem(struct pq_feature_reader *in)
{
	pq_value_print(in, STR(""), "%" PRIu64 " kB", pq_file_cursor_u64(in->cursor, "the memory"));
}

/* The command line of perf, word by word. */
static void read_command(struct pq_feature_reader *in)
{
	uint32_t n = pq_file_cursor_count(in->cursor, sizeof(uint32_t), "words");

	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++)
		pq_value(in, STR(""), pq_file_cursor_str(in->cursor, "a word"));
}

/* ------------------------------------------------------------------------------ events, groups */

static void read_ids(struct pq_feature_reader *in, struct pq_recorded_event *event, uint32_t n)
{
	const unsigned char *bytes = pq_file_cursor_bytes(
		in->cursor, (uint64_t)n * sizeof(uint64_t), "the ids of an event");

	if (bytes && n)
		pq_event_set_ids(in->recording, in->cursor->offset + in->cursor->at, bytes, n,
				 event);
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
	if (pq_feature_failed(in))
		return;
	event = pq_event_add(in->recording, &in->recording->described,
			     in->cursor->offset + in->cursor->at);
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
	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++)
		read_event(in, attr_size);
}

/* The groups refer to events by number; recording_event.c checks that they exist. */
static void read_groups(struct pq_feature_reader *in)
{
	uint32_t n = pq_file_cursor_count(in->cursor, 3 * sizeof(uint32_t), "groups");

	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++) {
		uint64_t offset = in->cursor->offset + in->cursor->at;
		struct pmuq_str name = pq_file_cursor_str(in->cursor, "the name of a group");
		uint32_t leader = pq_file_cursor_u32(in->cursor, "the leader of a group");
		uint32_t n_members = pq_file_cursor_u32(in->cursor, "the size of a group");

		if (pq_feature_failed(in))
			return;
		if (!pq_vec_push_in(&in->recording->arena, &in->recording->groups,
				    { .name = pq_value_copy(in, name),
				      .leader = leader,
				      .n_members = n_members,
				      .offset = offset })) {
			pq_value_full(in);
			return;
		}
		pq_value_print(in, name, "leader %" PRIu32 ", %" PRIu32 " members", leader,
			       n_members);
	}
}

/* ---------------------------------------------------------------------------------------- time */

#define NS_PER_S UINT64_C(1000000000)

/* Nanoseconds of one of the system's clocks, printed as seconds. */
static void read_time(struct pq_feature_reader *in, const char *name)
{
	uint64_t ns = pq_file_cursor_u64(in->cursor, name);

	pq_value_print(in, str_of(name), "%" PRIu64 ".%09" PRIu64 " s", ns / NS_PER_S,
		       ns % NS_PER_S);
}

static void read_sample_time(struct pq_feature_reader *in)
{
	read_time(in, "first");
	read_time(in, "last");
}

static void read_clockid(struct pq_feature_reader *in)
{
	pq_value_print(in, STR("resolution"), "%" PRIu64 " ns",
		       pq_file_cursor_u64(in->cursor, "the clock's resolution"));
}

bool pq_value_is_version_1(struct pq_feature_reader *in, uint64_t version)
{
	if (version != 1)
		pq_value_print(in, STR("version"), "%" PRIu64, version);
	return version == 1;
}

static void read_clock_data(struct pq_feature_reader *in)
{
	if (!pq_value_is_version_1(in, pq_file_cursor_u32(in->cursor, "the version")))
		return;
	pq_value_print(in, STR("clockid"), "%" PRIu32, pq_file_cursor_u32(in->cursor, "the clock"));
	read_time(in, "wall clock");
	read_time(in, "clock");
}

/* --------------------------------------------------------------------------------- the table */

static void read_compressed(struct pq_feature_reader *in)
{
	static const char *const names[] = { "version", "type", "level", "ratio", "mmap_len" };

	for (size_t i = 0; i < COUNT(names) && !pq_feature_failed(in); i++)
		pq_value_print(in, str_of(names[i]), "%" PRIu32,
			       pq_file_cursor_u32(in->cursor, names[i]));
}

static void read_version(struct pq_feature_reader *in)
{
	pq_value_print(in, STR("version"), "%" PRIu64,
		       pq_file_cursor_u64(in->cursor, "the version"));
}

static void read_e_machine(struct pq_feature_reader *in)
{
	pq_value_print(in, STR("e_machine"), "%" PRIu32,
		       pq_file_cursor_u32(in->cursor, "the machine"));
	pq_value_print(in, STR("e_flags"), "%" PRIu32, pq_file_cursor_u32(in->cursor, "its flags"));
}

static void read_cache_line(struct pq_feature_reader *in)
{
	pq_value_print(in, STR(""), "%" PRIu32 " bytes",
		       pq_file_cursor_u32(in->cursor, "a cache line"));
}

static const struct {
	const char *name;
	void (*read)(struct pq_feature_reader *in);
} features[] = {
#define X(feature, number, reader) [number] = { .name = #feature, .read = reader },
	PQ_FEATURES(X)
#undef X
};

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
	feature->is_read = cursor->input->r == 0;
}
