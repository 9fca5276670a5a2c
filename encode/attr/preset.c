/* SPDX-License-Identifier: MIT */
/*
 * What a counting or a sampling tool adds to attrs: the bits with which `perf stat COMMAND` and
 * `perf record COMMAND` open them. The terms and modifiers that only such a tool applies (period,
 * call-graph, …) are applied here, and are deferred no longer.
 */
#include "core/attr/attr.h"
#include "core/flags.h"
#include "core/num.h"
#include "encode/encoder.h"

/* User code, the hardware's call stack, without flags and cycles, with the hardware's index. */
#define BRANCH_CALL_STACK                                                                          \
	(PQ_BRANCH_USER | PQ_BRANCH_CALL_STACK | PQ_BRANCH_NO_FLAGS | PQ_BRANCH_NO_CYCLES |        \
	 PQ_BRANCH_HW_INDEX)
#define READ_TOTAL_TIMES (PQ_READ_TOTAL_TIME_ENABLED | PQ_READ_TOTAL_TIME_RUNNING)

#define DEFAULT_FREQUENCY_HZ 4000u
#define DEFAULT_STACK_BYTES 8192u
#define STACK_BYTES_MAX 65528u
#define MOST_PRECISE 3u

/* aux_action is bitfields of the kernel, which begin at the byte order's own end. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define AUX_ACTION(n) (UINT32_C(0x80000000) >> (n))
#else
#define AUX_ACTION(n) (UINT32_C(1) << (n))
#endif

struct preset {
	struct pq_encoder *e;
	struct pmuq_str arch;
};

static const struct pq_deferred *find(const struct pmuq_encoding *encoding, const char *name)
{
	for (const struct pq_deferred *d = encoding->deferred; d; d = d->next)
		if (!strcmp(d->name, name))
			return d;
	return NULL;
}

static uint64_t number_of(const struct pq_deferred *deferred, uint64_t otherwise)
{
	uint64_t value;

	if (!deferred || pq_num_decimal(str_of(deferred->text), &value) != PQ_NUM_OK)
		return otherwise;
	return value;
}

static bool is_leader(const struct pmuq_encodings *result, const struct pmuq_encoding *encoding)
{
	return !encoding->members || &result->v[encoding->leader] == encoding;
}

/* Started by the exec of the command; a member follows its leader. */
static void start_on_exec(const struct pmuq_encodings *result, struct pmuq_encoding *encoding)
{
	encoding->attr.inherit = number_of(find(encoding, "inherit"), 1) != 0;
	if (!is_leader(result, encoding))
		return;
	encoding->attr.disabled = 1;
	encoding->attr.enable_on_exec = 1;
}

static void count(const struct pmuq_encodings *result, struct pmuq_encoding *encoding)
{
	struct pmuq_attr *attr = &encoding->attr;

	start_on_exec(result, encoding);
	attr->read_format |= READ_TOTAL_TIMES;
	if (encoding->members)
		attr->read_format |= PQ_READ_ID | PQ_READ_GROUP;
	attr->sample_type = PQ_SAMPLE_IDENTIFIER;
	attr->sample_period = 0;
}

/* The last of period= and freq= counts. Those that come with a period (tracepoints, breakpoints)
 * take each event. */
static void set_period(struct pmuq_encoding *encoding)
{
	struct pmuq_attr *attr = &encoding->attr;
	const struct pq_deferred *said = NULL;

	for (const struct pq_deferred *d = encoding->deferred; d; d = d->next)
		if (!strcmp(d->name, "period") || !strcmp(d->name, "freq"))
			said = d;
	if (!said && (attr->type == PQ_TYPE_TRACEPOINT || attr->type == PQ_TYPE_BREAKPOINT)) {
		attr->sample_period = 1;
		return;
	}
	attr->sample_period = number_of(said, DEFAULT_FREQUENCY_HZ);
	if (said && !strcmp(said->name, "period"))
		return;
	attr->freq = 1;
	attr->sample_type |= PQ_SAMPLE_PERIOD;
}

/* All registers that unwinding by DWARF may ask for: asm/perf_regs.h of each architecture; x86-64
 * keeps the segment registers for itself. */
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

static int unwind_by_dwarf(const struct preset *preset, struct pmuq_encoding *encoding)
{
	struct pmuq_attr *attr = &encoding->attr;
	uint64_t stack = number_of(find(encoding, "stack-size"), DEFAULT_STACK_BYTES);

	attr->sample_type |= PQ_SAMPLE_CALLCHAIN | PQ_SAMPLE_ADDR | PQ_SAMPLE_REGS_USER |
			     PQ_SAMPLE_STACK_USER | PQ_SAMPLE_DATA_SRC;
	attr->sample_regs_user = unwinding_registers(preset->arch);
	attr->sample_stack_user =
		stack > STACK_BYTES_MAX ? STACK_BYTES_MAX : (uint32_t)(stack + 7) / 8 * 8;
	attr->mmap_data = 1;
	attr->exclude_callchain_user = 1;
	return 0;
}

static int unknown_word(const struct preset *preset, const struct pq_deferred *said,
			const char *words)
{
	/* A sysfs event may say it, too, and its text is not the input. */
	bool is_input = said->at.offset + (size_t)said->at.length <= preset->e->input.n;
	int r = pq_fail_at(preset->e, is_input ? said->at : (struct pq_span){ 0 }, PMUQ_E_BAD_VALUE,
			   "'%s' is no %s", said->text, said->name);

	pq_error_hint(preset->e->reterr, "it is one of: %s", words);
	return r;
}

static int set_call_graph(const struct preset *preset, struct pmuq_encoding *encoding)
{
	const struct pq_deferred *said = find(encoding, "call-graph");
	const struct pq_deferred *depth = find(encoding, "max-stack");
	struct pmuq_attr *attr = &encoding->attr;

	attr->sample_max_stack = (uint16_t)number_of(depth, 0);
	if (!said && !depth)
		return 0;
	if (said && !strcmp(said->text, "no"))
		return 0;
	if (said && !strcmp(said->text, "dwarf"))
		return unwind_by_dwarf(preset, encoding);
	attr->sample_type |= PQ_SAMPLE_CALLCHAIN;
	if (!said || !strcmp(said->text, "fp"))
		return 0;
	if (strcmp(said->text, "lbr"))
		return unknown_word(preset, said, "fp, dwarf, lbr, no");
	attr->branch_sample_type |= BRANCH_CALL_STACK;
	return 0;
}

static int set_aux(const struct preset *preset, struct pmuq_encoding *encoding)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} actions[] = {
		{ "start-paused", AUX_ACTION(0) },
		{ "pause", AUX_ACTION(1) },
		{ "resume", AUX_ACTION(2) },
	};
	const struct pq_deferred *action = find(encoding, "aux-action");
	struct pmuq_attr *attr = &encoding->attr;

	attr->aux_output = number_of(find(encoding, "aux-output"), 0) != 0;
	attr->aux_sample_size = (uint32_t)number_of(find(encoding, "aux-sample-size"), 0);
	if (attr->aux_sample_size)
		attr->sample_type |= PQ_SAMPLE_AUX;
	if (!action)
		return 0;
	for (size_t i = 0; i < COUNT(actions); i++)
		if (!strcmp(actions[i].name, action->text)) {
			attr->aux_action |= actions[i].bit;
			return 0;
		}
	return unknown_word(preset, action, "start-paused, pause, resume");
}

static int sample(const struct preset *preset, struct pmuq_encoding *encoding)
{
	const struct pmuq_encodings *result = preset->e->result;
	struct pmuq_attr *attr = &encoding->attr;
	int r;

	start_on_exec(result, encoding);
	attr->read_format |= PQ_READ_ID | PQ_READ_LOST;
	attr->sample_type |= PQ_SAMPLE_IP | PQ_SAMPLE_TID;
	attr->sample_id_all = 1;
	if (number_of(find(encoding, "time"), 1))
		attr->sample_type |= PQ_SAMPLE_TIME;
	if (attr->type == PQ_TYPE_TRACEPOINT)
		attr->sample_type |=
			PQ_SAMPLE_TIME | PQ_SAMPLE_CPU | PQ_SAMPLE_PERIOD | PQ_SAMPLE_RAW;
	set_period(encoding);
	if (find(encoding, "sample_read")) {
		attr->sample_type |= PQ_SAMPLE_READ;
		attr->read_format |= encoding->members ? PQ_READ_GROUP : 0;
	}
	if (find(encoding, "precise_max"))
		attr->precise_ip = MOST_PRECISE;
	attr->write_backward = number_of(find(encoding, "overwrite"), 0) != 0;
	r = set_call_graph(preset, encoding);
	if (r == 0)
		r = set_aux(preset, encoding);
	if (attr->branch_sample_type)
		attr->sample_type |= PQ_SAMPLE_BRANCH_STACK;
	return r;
}

/* Where the leader's sample reads the group, its members take none of their own. */
static void follow_leader(const struct pmuq_encodings *result, struct pmuq_encoding *encoding)
{
	const struct pmuq_encoding *leader = &result->v[encoding->leader];
	struct pmuq_attr *attr = &encoding->attr;

	if (is_leader(result, encoding) || !find(leader, "sample_read"))
		return;
	attr->freq = 0;
	attr->sample_period = number_of(find(encoding, "period"), 0);
	attr->sample_type = leader->attr.sample_type;
}

/* The first event reports what the addresses of all samples mean. */
static void track(struct pmuq_attr *attr)
{
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = 1;
	attr->ksymbol = attr->bpf_event = attr->build_id = 1;
}

/* Several events are told apart by an id in each sample: at a fixed place where their samples
 * differ. */
static void identify(struct pmuq_encodings *result)
{
	bool differs = false;

	if (result->n < 2)
		return;
	for (size_t i = 1; i < result->n; i++)
		differs |= result->v[i].attr.sample_type != result->v[0].attr.sample_type;
	for (size_t i = 0; i < result->n; i++)
		result->v[i].attr.sample_type |= differs ? PQ_SAMPLE_IDENTIFIER : PQ_SAMPLE_ID;
}

static int sample_all(const struct preset *preset)
{
	struct pmuq_encodings *result = preset->e->result;
	int r = 0;

	for (size_t i = 0; r == 0 && i < result->n; i++)
		r = sample(preset, &result->v[i]);
	for (size_t i = 0; r == 0 && i < result->n; i++)
		follow_leader(result, &result->v[i]);
	if (r == 0 && result->n)
		track(&result->v[0].attr);
	identify(result);
	return r;
}

static bool is_applied(const struct pq_deferred *deferred, enum pmuq_preset preset)
{
	static const char *const by_both[] = { "inherit", "sample_read" };
	static const char *const by_record[] = {
		"period",     "freq",	    "call-graph",      "stack-size",
		"max-stack",  "time",	    "precise_max",     "overwrite",
		"aux-output", "aux-action", "aux-sample-size", "branch_type",
	};

	for (size_t i = 0; i < COUNT(by_both); i++)
		if (!strcmp(deferred->name, by_both[i]))
			return true;
	for (size_t i = 0; preset == PMUQ_PRESET_RECORD && i < COUNT(by_record); i++)
		if (!strcmp(deferred->name, by_record[i]))
			return true;
	return false;
}

/* A list anew: boxes of one kind share theirs. */
static int drop_applied(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	const struct pq_deferred *all = encoding->deferred;

	encoding->deferred = NULL;
	for (const struct pq_deferred *d = all; d; d = d->next) {
		int r = is_applied(d, e->options.preset)
				? 0
				: pq_defer(e, encoding, d->name, str_of(d->text), d->at,
					   d->is_number);
		if (r < 0)
			return r;
	}
	return 0;
}

int pq_apply_preset(struct pq_encoder *e)
{
	struct preset preset = { .e = e };
	struct pmuq_encodings *result = e->result;
	int r = 0;

	if (e->options.preset == PMUQ_PRESET_STAT) {
		for (size_t i = 0; i < result->n; i++)
			count(result, &result->v[i]);
	} else {
		r = e->lookup.ops->fact(e->lookup.self, PQ_CLASS_ARCH, &preset.arch, e->reterr);
		if (r >= 0)
			r = sample_all(&preset);
	}
	for (size_t i = 0; r >= 0 && i < result->n; i++) {
		r = drop_applied(e, &result->v[i]);
		result->v[i].attr.size = pq_attr_fit_size(&result->v[i].attr);
	}
	return r < 0 ? r : 0;
}
