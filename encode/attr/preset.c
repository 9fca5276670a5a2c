/* SPDX-License-Identifier: MIT */
/*
 * What a counting or a sampling tool adds to attrs: the bits with which `perf stat COMMAND` and
 * `perf record COMMAND` open events. The tool terms that such a tool applies (period, call-graph,
 * …) are applied here and removed from the encoding's list.
 */
#include "core/flags.h"
#include "core/num.h"
#include "encode/attr/apply.h"
#include "encode/encode_lookup.h"
#include "encode/group/regroup.h"
#include "encode/words/generic.h"

/* User code, the hardware's call stack, without flags and cycles, with the hardware's index. */
#define BRANCH_CALL_STACK                                                                          \
	(PQ_BRANCH_USER | PQ_BRANCH_CALL_STACK | PQ_BRANCH_NO_FLAGS | PQ_BRANCH_NO_CYCLES |        \
	 PQ_BRANCH_HW_INDEX)
/* The times by which a tool scales the count of an event that shared its counter. */
#define READ_TOTAL_TIMES (PQ_READ_TOTAL_TIME_ENABLED | PQ_READ_TOTAL_TIME_RUNNING)

#define DEFAULT_FREQUENCY_HZ 4000u
#define DEFAULT_STACK_BYTES 8192u
/* The kernel takes less than 16 bits, and multiples of 8. */
#define STACK_BYTES_MAX 65528u
#define MOST_PRECISE 3u
/* The samples of the dummy that perf record adds. */
#define DUMMY_SAMPLE (PQ_SAMPLE_IP | PQ_SAMPLE_TID | PQ_SAMPLE_TIME)

/* aux_action consists of bitfields in the kernel: their order depends on the byte order. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define AUX_ACTION(n) (UINT32_C(0x80000000) >> (n))
#else
#define AUX_ACTION(n) (UINT32_C(1) << (n))
#endif

/* The tool terms that a preset applies, by the name that an encoding has for them. */
enum tool_term {
	TERM_INHERIT,
	TERM_SAMPLE_READ,
	TERM_PERIOD,
	TERM_FREQ,
	TERM_CALL_GRAPH,
	TERM_STACK_SIZE,
	TERM_MAX_STACK,
	TERM_TIME,
	TERM_PRECISE_MAX,
	TERM_OVERWRITE,
	TERM_AUX_OUTPUT,
	TERM_AUX_ACTION,
	TERM_AUX_SAMPLE_SIZE,
	TERM_BRANCH_TYPE,
};

static const struct {
	const char *name;
	bool is_for_stat; /* all of them are for record */
} tool_terms[] = {
	[TERM_INHERIT] = { .name = "inherit" },
	[TERM_SAMPLE_READ] = { .name = "sample_read", .is_for_stat = true },
	[TERM_PERIOD] = { .name = "period" },
	[TERM_FREQ] = { .name = "freq" },
	[TERM_CALL_GRAPH] = { .name = "call-graph" },
	[TERM_STACK_SIZE] = { .name = "stack-size" },
	[TERM_MAX_STACK] = { .name = "max-stack" },
	[TERM_TIME] = { .name = "time" },
	[TERM_PRECISE_MAX] = { .name = "precise_max" },
	[TERM_OVERWRITE] = { .name = "overwrite" },
	[TERM_AUX_OUTPUT] = { .name = "aux-output" },
	[TERM_AUX_ACTION] = { .name = "aux-action" },
	[TERM_AUX_SAMPLE_SIZE] = { .name = "aux-sample-size" },
	[TERM_BRANCH_TYPE] = { .name = "branch_type" },
};

/* One run over the result. */
struct preset {
	const struct pq_encoder *e;
	struct pmuq_encodings *result;
	struct pmuq_str tool, arch;
	bool is_on_cpus; /* no event counts a task */
	bool is_hybrid;
	const struct pq_encoding *tracker; /* reports mappings; NULL: an event of the tool does */
	int r;				   /* the first failure */
};

static const struct pq_tool_term *find(const struct pq_encoding *encoding, enum tool_term term)
{
	return pq_tool_term_find(&encoding->tool_terms, tool_terms[term].name);
}

static uint64_t number_of(const struct pq_tool_term *term, uint64_t otherwise)
{
	uint64_t value;

	if (!term || pq_num_decimal(term->record.text, &value) != PQ_NUM_OK)
		return otherwise;
	return value;
}

/* A tool term of the event string, or (NULL) the tool itself. */
static struct pq_cause cause_of(const struct preset *p, const struct pq_tool_term *by)
{
	return (struct pq_cause){ .type = PMUQ_CAUSE_PRESET,
				  .term = by ? by->record.name : p->tool,
				  .at = by ? by->at : (struct pq_span){ 0 } };
}

static void assign(struct preset *p, struct pq_encoding *encoding, enum pq_attr_field field,
		   enum pq_assign_how how, uint64_t value, const struct pq_tool_term *by)
{
	pq_assign(p->e, encoding, field, how, how == PQ_ASSIGN_ORS ? value : PQ_WHOLE_FIELD, value,
		  cause_of(p, by));
}

/* A field that is 0 already is not set to 0. */
static void set(struct preset *p, struct pq_encoding *encoding, enum pq_attr_field field,
		uint64_t value, const struct pq_tool_term *by)
{
	if (value || pmuq_attr_get(&encoding->attr, field))
		assign(p, encoding, field, PQ_ASSIGN_REPLACES, value, by);
}

static void add(struct preset *p, struct pq_encoding *encoding, enum pq_attr_field field,
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

/* The exec of the command starts it; a member follows its leader. */
static void start_on_exec(struct preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *inherit = find(encoding, TERM_INHERIT);

	set(p, encoding, PQ_FIELD_inherit, number_of(inherit, 1) != 0, inherit);
	if (!is_leader(p->result, encoding))
		return;
	set(p, encoding, PQ_FIELD_disabled, 1, NULL);
	if (!p->is_on_cpus)
		set(p, encoding, PQ_FIELD_enable_on_exec, 1, NULL);
}

/* perf stat gives each event an identifier although it takes no samples, and removes the period
 * that tracepoints have. */
static void count(struct preset *p, struct pq_encoding *encoding)
{
	start_on_exec(p, encoding);
	add(p, encoding, PQ_FIELD_read_format, READ_TOTAL_TIMES, NULL);
	if (encoding->record.n_members)
		add(p, encoding, PQ_FIELD_read_format, PQ_READ_ID | PQ_READ_GROUP, NULL);
	set(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_IDENTIFIER, NULL);
	set(p, encoding, PQ_FIELD_sample_period, 0, NULL);
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
	const struct pq_tool_term *period = find(encoding, TERM_PERIOD);
	const struct pq_tool_term *freq = find(encoding, TERM_FREQ);

	return !freq || (period && period > freq) ? period : freq;
}

/* Tracepoints, BPF output and breakpoints sample every occurrence. */
static void set_period(struct preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *by = rate_of(encoding);

	if (!by && (samples_data(encoding) || encoding->attr.type == PQ_TYPE_BREAKPOINT)) {
		set(p, encoding, PQ_FIELD_sample_period, 1, NULL);
		return;
	}
	set(p, encoding, PQ_FIELD_sample_period, number_of(by, DEFAULT_FREQUENCY_HZ), by);
	if (by && by == find(encoding, TERM_PERIOD))
		return;
	/* With a frequency the kernel changes the period, so each sample contains it. */
	set(p, encoding, PQ_FIELD_freq, 1, by);
	add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_PERIOD, by);
}

/* All registers that unwinding by DWARF may need: asm/perf_regs.h of each architecture; without the
 * segment registers of x86-64, which the kernel does not sample. */
static uint64_t unwinding_registers(struct pmuq_str arch)
{
	static const struct {
		struct pmuq_str arch;
		uint64_t mask;
	} masks[] = {
		{ .arch = STR("x86_64"), .mask = 0xff0fff },
		{ .arch = STR("i686"), .mask = 0xfff },
		{ .arch = STR("aarch64"), .mask = 0x1ffffffff },
		{ .arch = STR("ppc64le"), .mask = 0x1fffffffffff },
		{ .arch = STR("ppc64"), .mask = 0x1fffffffffff },
		{ .arch = STR("riscv64"), .mask = 0xffffffff },
		{ .arch = STR("s390x"), .mask = 0x3ffffffff },
		{ .arch = STR("loongarch64"), .mask = 0x1ffffffff },
	};

	for (size_t i = 0; i < COUNT(masks); i++)
		if (str_eq(masks[i].arch, arch))
			return masks[i].mask;
	return 0;
}

/* perf reads 32 bits, 0 is its default, and it rounds up. */
static uint64_t stack_bytes(struct preset *p, const struct pq_tool_term *size)
{
	uint64_t bytes = number_of(size, 0);

	if (bytes > STACK_BYTES_MAX && !pq_is_perf(p->e) && p->r == 0)
		p->r = pq_fail_at(p->e, size->at, PMUQ_E_BAD_VALUE,
				  "'stack-size' takes at most %u bytes", STACK_BYTES_MAX);
	bytes &= UINT32_MAX;
	return bytes ? (bytes + 7) / 8 * 8 & UINT32_MAX : DEFAULT_STACK_BYTES;
}

/* The tool unwinds user code itself, from a copy of the stack and the registers; the kernel only
 * collects the callers in the kernel. */
static void unwind_by_dwarf(struct preset *p, struct pq_encoding *encoding,
			    const struct pq_tool_term *by)
{
	const struct pq_tool_term *size = find(encoding, TERM_STACK_SIZE);
	uint64_t stack = stack_bytes(p, size);

	add(p, encoding, PQ_FIELD_sample_type,
	    PQ_SAMPLE_CALLCHAIN | PQ_SAMPLE_ADDR | PQ_SAMPLE_REGS_USER | PQ_SAMPLE_STACK_USER |
		    PQ_SAMPLE_DATA_SRC,
	    by);
	set(p, encoding, PQ_FIELD_sample_regs_user, unwinding_registers(p->arch), by);
	set(p, encoding, PQ_FIELD_sample_stack_user, stack, size ? size : by);
	set(p, encoding, PQ_FIELD_mmap_data, encoding == p->tracker, by);
	set(p, encoding, PQ_FIELD_exclude_callchain_user, 1, by);
}

static void fail_word(struct preset *p, const struct pq_tool_term *term, const char *words)
{
	if (p->r < 0)
		return;
	p->r = pq_fail_at(p->e, term->at, PMUQ_E_BAD_VALUE, "'%s' is not a value of '%s'",
			  term->record.text.p, term->record.name.p);
	pq_error_hint(p->e->reterr, "values: %s", words);
}

/* max-stack= alone means a call graph by frame pointers, unless it is 0. */
static void set_call_graph(struct preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *graph = find(encoding, TERM_CALL_GRAPH);
	const struct pq_tool_term *depth = find(encoding, TERM_MAX_STACK);

	if (graph ? strcmp(graph->record.text.p, "no") == 0 : !number_of(depth, 0))
		return;
	set(p, encoding, PQ_FIELD_sample_max_stack, (uint16_t)number_of(depth, 0), depth);
	if (graph && strcmp(graph->record.text.p, "dwarf") == 0) {
		unwind_by_dwarf(p, encoding, graph);
		return;
	}
	add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_CALLCHAIN, graph ? graph : depth);
	if (!graph || strcmp(graph->record.text.p, "fp") == 0)
		return;
	if (strcmp(graph->record.text.p, "lbr") != 0)
		fail_word(p, graph, "fp, dwarf, lbr, no");
	else
		set(p, encoding, PQ_FIELD_branch_sample_type, BRANCH_CALL_STACK, graph);
}

/* Sampling of an AUX area trace, next to the event's own samples. */
static void set_aux(struct preset *p, struct pq_encoding *encoding)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} actions[] = {
		{ .name = "start-paused", .bit = AUX_ACTION(0) },
		{ .name = "pause", .bit = AUX_ACTION(1) },
		{ .name = "resume", .bit = AUX_ACTION(2) },
	};
	const struct pq_tool_term *output = find(encoding, TERM_AUX_OUTPUT);
	const struct pq_tool_term *size = find(encoding, TERM_AUX_SAMPLE_SIZE);
	const struct pq_tool_term *action = find(encoding, TERM_AUX_ACTION);
	uint32_t bytes = (uint32_t)number_of(size, 0);

	set(p, encoding, PQ_FIELD_aux_output, number_of(output, 0) != 0, output);
	set(p, encoding, PQ_FIELD_aux_sample_size, bytes, size);
	if (bytes)
		add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_AUX, size);
	for (size_t i = 0; action && i < COUNT(actions); i++)
		if (strcmp(actions[i].name, action->record.text.p) == 0) {
			add(p, encoding, PQ_FIELD_aux_action, actions[i].bit, action);
			return;
		}
	if (action)
		fail_word(p, action, "start-paused, pause, resume");
}

/* The contents of a sample. */
static void set_sample_type(struct preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *time = find(encoding, TERM_TIME);
	const struct pq_tool_term *read = find(encoding, TERM_SAMPLE_READ);

	add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_IP | PQ_SAMPLE_TID, NULL);
	if (number_of(time, 1))
		add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_TIME, time);
	if (samples_data(encoding))
		add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_TRACEPOINT, NULL);
	if (read)
		add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_READ, read);
	if (read && encoding->record.n_members)
		add(p, encoding, PQ_FIELD_read_format, PQ_READ_GROUP, read);
}

/* One event of perf record, by itself. */
static void sample(struct preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *precise = find(encoding, TERM_PRECISE_MAX);
	const struct pq_tool_term *overwrite = find(encoding, TERM_OVERWRITE);

	start_on_exec(p, encoding);
	add(p, encoding, PQ_FIELD_read_format, PQ_READ_ID | PQ_READ_LOST, NULL);
	set(p, encoding, PQ_FIELD_sample_id_all, 1, NULL);
	set_sample_type(p, encoding);
	set_period(p, encoding);
	if (precise)
		set(p, encoding, PQ_FIELD_precise_ip, MOST_PRECISE, precise);
	set(p, encoding, PQ_FIELD_write_backward, number_of(overwrite, 0) != 0, overwrite);
	set_call_graph(p, encoding);
	set_aux(p, encoding);
	/* branch_type= is already in the attr; this adds the branches to the samples. */
	if (encoding->attr.branch_sample_type && !is_software(encoding, PQ_SOFTWARE_DUMMY))
		add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_BRANCH_STACK,
		    find(encoding, TERM_BRANCH_TYPE));
}

/* The event whose samples read the group: the leader, or the event after a leader that writes a
 * trace or counts slots, because that takes no samples. */
static const struct pq_encoding *sampler_of(const struct preset *p, size_t leader)
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
static void follow_sampler(struct preset *p, struct pq_encoding *encoding)
{
	size_t leader = encoding->record.leader;
	const struct pq_encoding *sampler = sampler_of(p, leader);
	const struct pq_tool_term *read = find(&p->result->v[leader], TERM_SAMPLE_READ);
	uint64_t types = p->result->v[leader].attr.sample_type | sampler->attr.sample_type;

	if (!read || encoding == sampler)
		return;
	if (!rate_of(encoding)) {
		set(p, encoding, PQ_FIELD_freq, 0, read);
		set(p, encoding, PQ_FIELD_sample_period, 0, read);
	}
	set(p, encoding, PQ_FIELD_sample_type, types, read);
}

/* The first event reports what the addresses of all samples mean. With several core PMUs only a
 * dummy event can: perf record adds one if the string has none. */
static void track(struct preset *p, struct pq_encoding *first)
{
	static const enum pq_attr_field fields[] = {
		PQ_FIELD_mmap, PQ_FIELD_mmap2,	 PQ_FIELD_comm,	     PQ_FIELD_comm_exec,
		PQ_FIELD_task, PQ_FIELD_ksymbol, PQ_FIELD_bpf_event, PQ_FIELD_build_id,
	};

	for (size_t i = 0; i < COUNT(fields); i++)
		set(p, first, fields[i], 1, NULL);
	if (!p->is_hybrid)
		return;
	set(p, first, PQ_FIELD_disabled, 0, NULL);
	set(p, first, PQ_FIELD_enable_on_exec, 0, NULL);
}

/* With several events, or if it reads the group, each sample has an id; at a fixed offset if the
 * samples of the events differ. */
static void identify(struct preset *p)
{
	struct pmuq_encodings *result = p->result;
	bool differs = false;
	uint64_t first = p->tracker ? p->tracker->attr.sample_type : DUMMY_SAMPLE;

	if (result->n < 2 && p->tracker) {
		for (size_t i = 0; i < result->n; i++)
			if (result->v[i].attr.sample_type & PQ_SAMPLE_READ)
				add(p, &result->v[i], PQ_FIELD_sample_type, PQ_SAMPLE_ID, NULL);
		return;
	}
	for (size_t i = 0; i < result->n; i++)
		differs |= result->v[i].attr.sample_type != first;
	for (size_t i = 0; i < result->n; i++)
		add(p, &result->v[i], PQ_FIELD_sample_type,
		    differs ? PQ_SAMPLE_IDENTIFIER : PQ_SAMPLE_ID, NULL);
}

/* Events of a group follow its sampler after all events have their own values, and ids come last:
 * they depend on the sample types of all events. */
static void sample_all(struct preset *p)
{
	struct pmuq_encodings *result = p->result;
	bool may_track =
		result->n && (!p->is_hybrid || is_software(&result->v[0], PQ_SOFTWARE_DUMMY));

	p->tracker = may_track ? &result->v[0] : NULL;
	for (size_t i = 0; i < result->n; i++)
		sample(p, &result->v[i]);
	for (size_t i = 0; i < result->n; i++)
		if (result->v[i].record.n_members)
			follow_sampler(p, &result->v[i]);
	if (p->tracker)
		track(p, &result->v[0]);
	identify(p);
}

static bool is_applied(const struct pq_tool_term *term, enum pmuq_preset preset)
{
	for (size_t i = 0; i < COUNT(tool_terms); i++)
		if (strcmp(term->record.name.p, tool_terms[i].name) == 0)
			return tool_terms[i].is_for_stat || preset == PMUQ_PRESET_RECORD;
	return false;
}

/* Makes a new list, because PMU instances share theirs. */
static void drop_applied(struct preset *p, struct pq_encoding *encoding)
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
	bool is_stat = e->options->preset == PMUQ_PRESET_STAT;
	struct pmuq_encodings *result = e->result;
	struct preset p = { .e = e,
			    .result = result,
			    .tool = is_stat ? STR("stat") : STR("record"),
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
