/* SPDX-License-Identifier: MIT */
/*
 * What a counting or a sampling tool adds to attrs: the bits with which `perf stat COMMAND` and
 * `perf record COMMAND` open events, or with which a program samples itself. The tool terms that
 * such a tool applies (period, call-graph, …) are applied here and removed from the encoding's
 * list.
 */
#include "encode/attr/preset.h"
#include "core/flags.h"
#include "core/num.h"
#include "encode/attr/apply.h"
#include "encode/encode_lookup.h"
#include "encode/group/regroup.h"
#include "encode/words/generic.h"

/* The times by which a tool scales the count of an event that shared its counter. */
#define READ_TOTAL_TIMES (PQ_READ_TOTAL_TIME_ENABLED | PQ_READ_TOTAL_TIME_RUNNING)

#define DEFAULT_FREQUENCY_HZ 4000u
#define MOST_PRECISE 3u
/* The samples of the dummy that perf record adds. */
#define DUMMY_SAMPLE (PQ_SAMPLE_IP | PQ_SAMPLE_TID | PQ_SAMPLE_TIME)

static const struct {
	const char *name;
	bool is_for_stat; /* all of them are for record */
} tool_terms[] = {
	[PQ_TERM_INHERIT] = { .name = "inherit" },
	[PQ_TERM_SAMPLE_READ] = { .name = "sample_read", .is_for_stat = true },
	[PQ_TERM_PERIOD] = { .name = "period" },
	[PQ_TERM_FREQ] = { .name = "freq" },
	[PQ_TERM_CALL_GRAPH] = { .name = "call-graph" },
	[PQ_TERM_STACK_SIZE] = { .name = "stack-size" },
	[PQ_TERM_MAX_STACK] = { .name = "max-stack" },
	[PQ_TERM_TIME] = { .name = "time" },
	[PQ_TERM_PRECISE_MAX] = { .name = "precise_max" },
	[PQ_TERM_OVERWRITE] = { .name = "overwrite" },
	[PQ_TERM_AUX_OUTPUT] = { .name = "aux-output" },
	[PQ_TERM_AUX_ACTION] = { .name = "aux-action" },
	[PQ_TERM_AUX_SAMPLE_SIZE] = { .name = "aux-sample-size" },
	[PQ_TERM_BRANCH_TYPE] = { .name = "branch_type" },
	[PQ_TERM_RETIRE_LATENCY] = { .name = "retire_latency" },
};

const struct pq_tool_term *pq_preset_find(const struct pq_encoding *encoding,
					  enum pq_preset_term term)
{
	return pq_tool_term_find(&encoding->tool_terms, tool_terms[term].name);
}

uint64_t pq_preset_number_of(const struct pq_tool_term *term, uint64_t otherwise)
{
	uint64_t value;

	if (!term || pq_num_decimal(term->record.text, &value) != PQ_NUM_OK)
		return otherwise;
	return value;
}

/* A tool term, or (NULL) the tool itself. */
static struct pq_cause cause_of(const struct pq_preset *p, const struct pq_tool_term *by)
{
	struct pq_span at = by ? by->at : (struct pq_span){ 0 };

	return (struct pq_cause){ .type = at.length ? PMUQ_CAUSE_TEXT : PMUQ_CAUSE_PRESET,
				  .term = by ? by->record.name : p->tool,
				  .at = at };
}

static void assign(struct pq_preset *p, struct pq_encoding *encoding, enum pq_attr_field field,
		   enum pq_assign_how how, uint64_t value, const struct pq_tool_term *by)
{
	pq_assign(p->e, encoding, field, how, how == PQ_ASSIGN_ORS ? value : PQ_WHOLE_FIELD, value,
		  cause_of(p, by));
}

/* A field that is 0 already is not set to 0. */
void pq_preset_set(struct pq_preset *p, struct pq_encoding *encoding, enum pq_attr_field field,
		   uint64_t value, const struct pq_tool_term *by)
{
	if (value || pmuq_attr_get(&encoding->attr, field))
		assign(p, encoding, field, PQ_ASSIGN_REPLACES, value, by);
}

void pq_preset_add(struct pq_preset *p, struct pq_encoding *encoding, enum pq_attr_field field,
		   uint64_t bits, const struct pq_tool_term *by)
{
	if (bits)
		assign(p, encoding, field, PQ_ASSIGN_ORS, bits, by);
}

/* An event in no group leads itself. */
static bool is_leader(const struct pmuq_encodings *result, const struct pq_encoding *encoding)
{
	return !encoding->record.n_members || &result->v[encoding->record.leader] == encoding;
}

/* Whether no event can count a task. perf stat counts on whole CPUs then, from the start. */
static bool all_are_uncore(const struct pmuq_encodings *result)
{
	for (size_t i = 0; i < result->n; i++)
		if (!result->v[i].on || !result->v[i].on->is_uncore)
			return false;
	return true;
}

/* The exec of the command starts it; a member follows its leader. Children of a task that runs are
 * seldom wanted, and their samples need a ring buffer on each CPU. */
static void start_on_exec(struct pq_preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *inherit = pq_preset_find(encoding, PQ_TERM_INHERIT);

	pq_preset_set(p, encoding, PQ_FIELD_inherit,
		      pq_preset_number_of(inherit, !p->is_running) != 0, inherit);
	if (!is_leader(p->result, encoding))
		return;
	pq_preset_set(p, encoding, PQ_FIELD_disabled, 1, NULL);
	if (!p->is_on_cpus && !p->is_running)
		pq_preset_set(p, encoding, PQ_FIELD_enable_on_exec, 1, NULL);
}

/* perf stat gives each event an identifier although it takes no samples, and removes the period
 * that tracepoints have. */
static void count(struct pq_preset *p, struct pq_encoding *encoding)
{
	start_on_exec(p, encoding);
	pq_preset_add(p, encoding, PQ_FIELD_read_format, READ_TOTAL_TIMES, NULL);
	if (encoding->record.n_members)
		pq_preset_add(p, encoding, PQ_FIELD_read_format, PQ_READ_ID | PQ_READ_GROUP, NULL);
	pq_preset_set(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_IDENTIFIER, NULL);
	pq_preset_set(p, encoding, PQ_FIELD_sample_period, 0, NULL);
}

static bool is_software(const struct pq_encoding *encoding, uint64_t config)
{
	return encoding->attr.type == PQ_TYPE_SOFTWARE && encoding->attr.config == config;
}

/* Whether each occurrence has data of its own. A tracepoint that was written as a number is an
 * event like any other to perf. */
static bool samples_data(const struct pq_encoding *encoding)
{
	return encoding->record.origin == PMUQ_FROM_TRACEPOINT ||
	       is_software(encoding, PQ_SOFTWARE_BPF_OUTPUT);
}

/* The last of period= and freq= wins. */
static const struct pq_tool_term *rate_of(const struct pq_encoding *encoding)
{
	const struct pq_tool_term *period = pq_preset_find(encoding, PQ_TERM_PERIOD);
	const struct pq_tool_term *freq = pq_preset_find(encoding, PQ_TERM_FREQ);

	return !freq || (period && period > freq) ? period : freq;
}

/* Tracepoints, BPF output and breakpoints sample every occurrence. An event of the PMU breakpoint
 * that was written with terms or as a number is an event like any other to perf. */
static void set_period(struct pq_preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *by = rate_of(encoding);

	if (!by && (samples_data(encoding) || encoding->record.origin == PMUQ_FROM_BREAKPOINT)) {
		pq_preset_set(p, encoding, PQ_FIELD_sample_period, 1, NULL);
		return;
	}
	pq_preset_set(p, encoding, PQ_FIELD_sample_period,
		      pq_preset_number_of(by, DEFAULT_FREQUENCY_HZ), by);
	if (by && by == pq_preset_find(encoding, PQ_TERM_PERIOD))
		return;
	/* With a frequency the kernel changes the period, so each sample contains it. */
	pq_preset_set(p, encoding, PQ_FIELD_freq, 1, by);
	pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_PERIOD, by);
}

/* The contents of a sample. */
static void set_sample_type(struct pq_preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *time = pq_preset_find(encoding, PQ_TERM_TIME);
	const struct pq_tool_term *read = pq_preset_find(encoding, PQ_TERM_SAMPLE_READ);
	const struct pq_tool_term *latency = pq_preset_find(encoding, PQ_TERM_RETIRE_LATENCY);

	pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_IP | PQ_SAMPLE_TID, NULL);
	if (pq_preset_number_of(time, 1))
		pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_TIME, time);
	if (samples_data(encoding))
		pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_TRACEPOINT, NULL);
	if (read)
		pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_READ, read);
	if (read && encoding->record.n_members)
		pq_preset_add(p, encoding, PQ_FIELD_read_format, PQ_READ_GROUP, read);
	if (latency)
		pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_WEIGHT_STRUCT, latency);
}

/* One event of perf record, by itself. */
static void sample(struct pq_preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *precise = pq_preset_find(encoding, PQ_TERM_PRECISE_MAX);
	const struct pq_tool_term *overwrite = pq_preset_find(encoding, PQ_TERM_OVERWRITE);

	start_on_exec(p, encoding);
	pq_preset_add(p, encoding, PQ_FIELD_read_format,
		      PQ_READ_ID | (p->is_running ? 0 : PQ_READ_LOST), NULL);
	pq_preset_set(p, encoding, PQ_FIELD_sample_id_all, 1, NULL);
	set_sample_type(p, encoding);
	set_period(p, encoding);
	if (precise)
		pq_preset_set(p, encoding, PQ_FIELD_precise_ip, MOST_PRECISE, precise);
	pq_preset_set(p, encoding, PQ_FIELD_write_backward, pq_preset_number_of(overwrite, 0) != 0,
		      overwrite);
	pq_preset_set_call_graph(p, encoding);
	pq_preset_set_aux(p, encoding);
	/* branch_type= is already in the attr; this adds the branches to the samples. The slots
	 * event that a metric needs has the metric's filter, but not its term. */
	if (encoding->attr.branch_sample_type && !encoding->record.is_added &&
	    !is_software(encoding, PQ_SOFTWARE_DUMMY))
		pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_BRANCH_STACK,
			      pq_preset_find(encoding, PQ_TERM_BRANCH_TYPE));
}

/* The event whose samples read the group: the leader, or the event after a leader that writes a
 * trace or counts slots, because that takes no samples. */
static const struct pq_encoding *sampler_of(const struct pq_preset *p, size_t leader)
{
	const struct pq_encoding *encoding = &p->result->v[leader];
	bool is_slots = pq_topdown_is_slots(encoding);
	const struct pq_encoding *next = NULL;

	if (!is_slots && !pq_writes_trace(encoding->on))
		return encoding;
	for (size_t i = leader + 1; i < p->result->n && !next; i++)
		if (p->result->v[i].record.n_members && p->result->v[i].record.leader == leader &&
		    (!is_slots || pq_topdown_is_metric(&p->result->v[i])))
			next = &p->result->v[i];
	return next ? next : encoding;
}

/* If samples read the group, other events sample only if their terms demand it. */
static void follow_sampler(struct pq_preset *p, struct pq_encoding *encoding)
{
	size_t leader = encoding->record.leader;
	const struct pq_encoding *sampler = sampler_of(p, leader);
	const struct pq_tool_term *read =
		pq_preset_find(&p->result->v[leader], PQ_TERM_SAMPLE_READ);
	uint64_t types = p->result->v[leader].attr.sample_type | sampler->attr.sample_type;

	if (!read || encoding == sampler)
		return;
	if (!rate_of(encoding)) {
		pq_preset_set(p, encoding, PQ_FIELD_freq, 0, read);
		pq_preset_set(p, encoding, PQ_FIELD_sample_period, 0, read);
	}
	pq_preset_set(p, encoding, PQ_FIELD_sample_type, types, read);
}

/* The first event reports what the addresses of all samples mean. With several core PMUs only a
 * dummy event can: perf record adds one if the string has none. */
static void track(struct pq_preset *p, struct pq_encoding *first)
{
	static const enum pq_attr_field fields[] = {
		PQ_FIELD_mmap, PQ_FIELD_mmap2,	 PQ_FIELD_comm,	     PQ_FIELD_comm_exec,
		PQ_FIELD_task, PQ_FIELD_ksymbol, PQ_FIELD_bpf_event, PQ_FIELD_build_id,
	};

	for (size_t i = 0; i < COUNT(fields); i++)
		pq_preset_set(p, first, fields[i], 1, NULL);
	if (!p->is_hybrid)
		return;
	pq_preset_set(p, first, PQ_FIELD_disabled, 0, NULL);
	pq_preset_set(p, first, PQ_FIELD_enable_on_exec, 0, NULL);
}

/* With several events, or if it reads the group, each sample has an id; at a fixed offset if the
 * samples of the events differ. */
static void identify(struct pq_preset *p)
{
	struct pmuq_encodings *result = p->result;
	bool differs = false;
	uint64_t first = p->tracker ? p->tracker->attr.sample_type : DUMMY_SAMPLE;

	if (result->n < 2 && p->tracker) {
		for (size_t i = 0; i < result->n; i++)
			if (result->v[i].attr.sample_type & PQ_SAMPLE_READ)
				pq_preset_add(p, &result->v[i], PQ_FIELD_sample_type, PQ_SAMPLE_ID,
					      NULL);
		return;
	}
	for (size_t i = 0; i < result->n; i++)
		differs |= result->v[i].attr.sample_type != first;
	for (size_t i = 0; i < result->n; i++)
		pq_preset_add(p, &result->v[i], PQ_FIELD_sample_type,
			      differs ? PQ_SAMPLE_IDENTIFIER : PQ_SAMPLE_ID, NULL);
}

/* Events of a group follow its sampler after all events have their own values, and ids come last:
 * they depend on the sample types of all events. */
static void sample_all(struct pq_preset *p)
{
	struct pmuq_encodings *result = p->result;
	bool may_track = result->n && !p->is_running &&
			 (!p->is_hybrid || is_software(&result->v[0], PQ_SOFTWARE_DUMMY));

	p->tracker = may_track ? &result->v[0] : NULL;
	for (size_t i = 0; i < result->n; i++)
		sample(p, &result->v[i]);
	for (size_t i = 0; i < result->n; i++)
		if (result->v[i].record.n_members)
			follow_sampler(p, &result->v[i]);
	if (p->tracker)
		track(p, &result->v[0]);
	if (!p->is_running)
		identify(p);
	for (size_t i = 0; p->is_running && i < result->n; i++)
		pq_preset_add(p, &result->v[i], PQ_FIELD_sample_type, PQ_SAMPLE_IDENTIFIER, NULL);
}

static bool is_applied(const struct pq_tool_term *term, enum pmuq_preset preset)
{
	for (size_t i = 0; i < COUNT(tool_terms); i++)
		if (strcmp(term->record.name.p, tool_terms[i].name) == 0)
			return tool_terms[i].is_for_stat || preset != PMUQ_PRESET_STAT;
	return false;
}

/* Makes a new list, because PMU instances share theirs. */
static void drop_applied(struct pq_preset *p, struct pq_encoding *encoding)
{
	struct pq_tool_terms all = encoding->tool_terms;

	encoding->tool_terms = (struct pq_tool_terms){ 0 };
	for (size_t i = 0; i < all.n; i++) {
		const struct pq_tool_term *term = &all.v[i];

		if (!is_applied(term, p->e->options->preset))
			pq_add_tool_term(p->e, encoding, term->record.name.p, term->record.text,
					 term->at, term->record.is_number);
	}
}

int pq_apply_preset(const struct pq_encoder *e)
{
	static const struct pmuq_str names[] = {
		[PMUQ_PRESET_STAT] = STR("stat"),
		[PMUQ_PRESET_RECORD] = STR("record"),
		[PMUQ_PRESET_SAMPLE] = STR("sample"),
	};
	bool is_stat = e->options->preset == PMUQ_PRESET_STAT;
	struct pmuq_encodings *result = e->result;
	struct pq_preset p = { .e = e,
			       .result = result,
			       .tool = names[e->options->preset],
			       .is_running = e->options->preset == PMUQ_PRESET_SAMPLE,
			       .is_on_cpus = is_stat && all_are_uncore(result) };
	struct pq_pmu_list core = { 0 };
	int r = is_stat ? pq_leave_groups(e) : pq_query(e, fact, PQ_CLASS_ARCH, &p.arch);

	if (r == 0 && !is_stat)
		r = pq_core_pmus(e, &core);
	if (r < 0)
		return r;
	p.is_hybrid = core.n > 1;
	for (size_t i = 0; is_stat && i < result->n; i++)
		count(&p, &result->v[i]);
	if (!is_stat)
		sample_all(&p);
	for (size_t i = 0; i < result->n; i++) {
		drop_applied(&p, &result->v[i]);
		result->v[i].attr.size = pq_attr_fit_size(&result->v[i].attr);
	}
	return p.r;
}
