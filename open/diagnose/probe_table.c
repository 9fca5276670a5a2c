/* SPDX-License-Identifier: MIT */
/*
 * The table of probes: each changes one thing of a refused call. probe_search.c tries them
 * in this order; a new probe is one row here and one row in tests/unit/test_open_reasons.c.
 */
#include "core/flags.h"
#include "open/diagnose/probe.h"

#define BP_RW (PQ_BREAKPOINT_R | PQ_BREAKPOINT_W)

static void drop_hv(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	const struct pmuq_attr *attr = &refusal->call.attr;

	if (attr->exclude_user || attr->exclude_kernel)
		ret->attr.exclude_hv = 0;
}

/* ':u', or ':u' instead of ':k'; useless for an event that would open and count 0. */
static void count_user_only(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	if (refusal->call.attr.exclude_kernel || pq_refusal_is(refusal, PQ_IF_KERNEL_ONLY))
		return;
	ret->attr.exclude_user = 0;
	ret->attr.exclude_kernel = ret->attr.exclude_hv = 1;
}

static bool lower_precise(const struct pq_refusal *refusal, unsigned step, struct pq_open_call *ret)
{
	unsigned precise = (unsigned)refusal->call.attr.precise_ip;

	if (step >= precise)
		return false;
	ret->attr.precise_ip = (precise - step - 1) & 3;
	return true;
}

static void lower_rate(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	const struct pmuq_attr *attr = &refusal->call.attr;
	uint64_t max = refusal->host->max_sample_rate;

	if (attr->freq && max && attr->sample_period > max)
		ret->attr.sample_period = max;
}

static void lower_frames(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	uint64_t max = refusal->host->max_stack;

	if (max && refusal->call.attr.sample_max_stack > max)
		ret->attr.sample_max_stack = (uint16_t)max;
}

static void drop_branches(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	(void)refusal;
	ret->attr.branch_sample_type = 0;
	ret->attr.sample_type &= ~(uint64_t)PQ_SAMPLE_BRANCH_STACK;
}

static void drop_sampling(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	if (!refusal->call.attr.sample_period)
		return;
	ret->attr.sample_period = 0;
	ret->attr.freq = 0;
}

/* False if config1 is an address, a pointer or a length: then no term set it. */
static bool has_plain_words(const struct pq_refusal *refusal)
{
	return refusal->call.attr.type != PQ_TYPE_BREAKPOINT && !refusal->request->text &&
	       !pq_refusal_is(refusal, PQ_IF_CODE_PROBE);
}

/* Word by word, the bits that no format of the PMU uses. */
static bool drop_unknown_bits(const struct pq_refusal *refusal, unsigned step,
			      struct pq_open_call *ret)
{
	const struct pq_pmu_view *pmu = &refusal->pmu;

	if (!has_plain_words(refusal) || !pmu->has_formats || pmu->type != refusal->call.attr.type)
		return false;
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		uint64_t *bits = pq_attr_config(&ret->attr, word);

		if (!(*bits & ~pmu->known[word]) || step--)
			continue;
		*bits &= pmu->known[word];
		return true;
	}
	return false;
}

static bool drop_word(const struct pq_refusal *refusal, unsigned step, struct pq_open_call *ret)
{
	for (unsigned word = 1; has_plain_words(refusal) && word < PQ_CONFIG_WORDS; word++) {
		uint64_t *bits = pq_attr_config(&ret->attr, word);

		if (!*bits || step--)
			continue;
		*bits = 0;
		return true;
	}
	return false;
}

static void drop_extended(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	if (pq_refusal_is(refusal, PQ_IF_EXTENDED_TYPE))
		ret->attr.config &= UINT32_MAX;
}

static void drop_new_fields(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	if (!pq_refusal_is(refusal, PQ_IF_NEW_FIELDS))
		return;
	for (unsigned i = 0; pmuq_attr_field(i); i++)
		if (pmuq_attr_field(i)->end_bytes > refusal->kernel_size)
			pq_attr_set_if_fits(&ret->attr, i, 0);
	ret->attr.size = pq_attr_fit_size(&ret->attr);
}

static void raise_size(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	if (pq_refusal_is(refusal, PQ_IF_SMALL_SIZE))
		ret->attr.size = pq_attr_fit_size(&ret->attr);
}

static bool is_length(uint64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static void align(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	const struct pmuq_attr *attr = &refusal->call.attr;

	if (attr->type == PQ_TYPE_BREAKPOINT && is_length(attr->config2))
		ret->attr.config1 &= ~(attr->config2 - 1);
}

static void watch_both(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	const struct pmuq_attr *attr = &refusal->call.attr;

	if (attr->type == PQ_TYPE_BREAKPOINT && attr->bp_type & BP_RW)
		ret->attr.bp_type = BP_RW;
}

static bool change_length(const struct pq_refusal *refusal, unsigned step, struct pq_open_call *ret)
{
	static const uint8_t lengths_bytes[] = { 4, 8, 2, 1 };

	if (refusal->call.attr.type != PQ_TYPE_BREAKPOINT)
		return false;
	for (size_t i = 0; i < COUNT(lengths_bytes); i++) {
		if (lengths_bytes[i] == refusal->call.attr.config2 || step--)
			continue;
		ret->attr.config2 = lengths_bytes[i];
		return true;
	}
	return false;
}

/* A single-bit field that no other row changes. */
static bool is_plain_flag(unsigned field)
{
	static const uint8_t others[] = {
		PQ_FIELD_disabled,	PQ_FIELD_exclude_user, PQ_FIELD_exclude_kernel,
		PQ_FIELD_exclude_hv,	PQ_FIELD_exclude_idle, PQ_FIELD_exclude_host,
		PQ_FIELD_exclude_guest, PQ_FIELD_freq,	       PQ_FIELD_precise_ip,
	};

	return pq_attr_is_flag(field) && !memchr(others, (int)field, sizeof(others));
}

static bool drop_flag(const struct pq_refusal *refusal, unsigned step, struct pq_open_call *ret)
{
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		if (!is_plain_flag(i) || !pmuq_attr_get(&refusal->call.attr, i) || step--)
			continue;
		pq_attr_set_if_fits(&ret->attr, i, 0);
		return true;
	}
	return false;
}

static void leave_group(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	(void)refusal;
	ret->group_fd = -1;
}

/* At the very start of the function or file: if that opens, the offset is wrong. */
static void drop_offset(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	if (pq_refusal_is(refusal, PQ_IF_CODE_PROBE) && refusal->request->text)
		ret->attr.config2 = 0;
}

static void count_own_task(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	const struct pq_open_call *call = &refusal->call;

	if (!call->is_cgroup && call->pid > 0 && call->group_fd < 0)
		ret->pid = 0;
}

static void leave_cgroup(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	if (!refusal->call.is_cgroup || refusal->call.group_fd >= 0)
		return;
	ret->is_cgroup = false;
	ret->pid = -1;
}

static void open_per_cpu(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	const struct pq_open_call *call = &refusal->call;

	if (call->is_cgroup || call->pid == -1 || call->group_fd >= 0)
		return;
	ret->pid = -1;
	ret->cpu = pq_open_first_cpu(refusal->request, refusal->host->cpus_online);
}

static void open_per_task(const struct pq_refusal *refusal, struct pq_open_call *ret)
{
	const struct pq_open_call *call = &refusal->call;

	if (refusal->request->needs_cpu || refusal->scope->cpus || call->pid != -1 ||
	    call->group_fd >= 0)
		return;
	ret->pid = 0;
	ret->cpu = -1;
}

// clang-format off
static const struct pq_probe probes[] = {
	{ .name = "new-fields",  .vary = drop_new_fields,        .proves = PQ_IF_OPENS_WITHOUT_FLAG,
	  .text = "without {fields}" },
	{ .name = "size",        .vary = raise_size,             .proves = PQ_IF_OPENS_WITHOUT_FLAG,
	  .text = "with attr.size {new_size}" },
	{ .name = "hv",          .vary = drop_hv,                .proves = PQ_IF_OPENS_WITH_HV,
	  .text = "without exclude_hv" },
	{ .name = "idle",        .clears = { PQ_FIELD_exclude_idle }, .proves = PQ_IF_OPENS_WITH_IDLE,
	  .text = "without :{letter not when idle}" },
	{ .name = "guest",       .clears = { PQ_FIELD_exclude_host, PQ_FIELD_exclude_guest }, .proves = PQ_IF_OPENS_WITH_GUEST,
	  .text = "without {guest_change}" },
	{ .name = "filter",      .clears = { PQ_FIELD_exclude_user, PQ_FIELD_exclude_kernel, PQ_FIELD_exclude_hv },
	  .proves = PQ_IF_OPENS_UNFILTERED,
	  .text = "without :{letters}" },
	{ .name = "user-only",   .vary = count_user_only,        .proves = PQ_IF_OPENS_USER_ONLY,
	  .text = "{user_only}" },
	{ .name = "precise",     .vary_step = lower_precise,     .proves = PQ_IF_OPENS_LESS_PRECISE,
	  .text = "{less_precise}" },
	{ .name = "rate",        .vary = lower_rate,
	  .text = "with freq={freq}" },
	{ .name = "frames",      .vary = lower_frames,           .proves = PQ_IF_OPENS_WITHOUT_SAMPLE_TYPE,
	  .text = "with max-stack={max_stack}" },
	{ .name = "branches",    .vary = drop_branches,          .proves = PQ_IF_OPENS_WITHOUT_BRANCHES,
	  .text = "without branch_type" },
	{ .name = "bits",        .vary_step = drop_unknown_bits, .proves = PQ_IF_OPENS_WITHOUT_BITS,
	  .text = "without the bits {bits}" },
	{ .name = "aligned",     .vary = align,                  .proves = PQ_IF_OPENS_ALIGNED,
	  .text = "at {address}" },
	{ .name = "read-write",  .vary = watch_both,             .proves = PQ_IF_OPENS_READ_WRITE,
	  .text = "with access rw" },
	{ .name = "length",      .vary_step = change_length,     .proves = PQ_IF_OPENS_OTHER_LENGTH,
	  .text = "with length {length}" },
	{ .name = "flag",        .vary_step = drop_flag,         .proves = PQ_IF_OPENS_WITHOUT_FLAG,
	  .text = "without {fields}" },
	{ .name = "sample-type", .clears_bit = PQ_FIELD_sample_type, .proves = PQ_IF_OPENS_WITHOUT_SAMPLE_TYPE,
	  .text = "without {sample_bits} in sample_type" },
	{ .name = "read-format", .clears_bit = PQ_FIELD_read_format, .proves = PQ_IF_OPENS_WITHOUT_READ_FORMAT,
	  .text = "without {read_bits} in read_format" },
	{ .name = "sampling",    .vary = drop_sampling,          .proves = PQ_IF_OPENS_UNSAMPLED,
	  .text = "without {sampling}" },
	{ .name = "extended",    .vary = drop_extended,
	  .text = "without the PMU's type in config" },
	{ .name = "word",        .vary_step = drop_word,         .proves = PQ_IF_OPENS_WITHOUT_WORD,
	  .text = "without {bits}" },
	{ .name = "offset",      .vary = drop_offset,            .proves = PQ_IF_OPENS_AT_START,
	  .text = "at offset 0" },
	{ .name = "group",       .vary = leave_group,            .proves = PQ_IF_OPENS_ALONE,
	  .text = "outside the group" },
	{ .name = "own-task",    .vary = count_own_task,         .proves = PQ_IF_OPENS_OWN_TASK,
	  .text = "for this process itself" },
	{ .name = "cgroup",      .vary = leave_cgroup,           .proves = PQ_IF_OPENS_WITHOUT_CGROUP,
	  .text = "for the whole CPU instead of the cgroup" },
	{ .name = "per-task",    .vary = open_per_task,          .proves = PQ_IF_OPENS_PER_TASK,
	  .text = "per task (pid 0)" },
	{ .name = "per-cpu",     .vary = open_per_cpu,           .proves = PQ_IF_OPENS_PER_CPU,
	  .text = "per CPU (pid -1, CPU {cpu})" },
};
// clang-format on

const struct pq_probe *pq_probe_at(size_t index)
{
	return index < COUNT(probes) ? &probes[index] : NULL;
}
