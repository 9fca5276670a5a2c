/* SPDX-License-Identifier: MIT */
/*
 * The experiments: each makes one kind of change to what was refused. A row with several variations
 * (which word, how much less precise) makes them step by step.
 */
#include "core/flags.h"
#include "open/diagnose/open_probe.h"

#define BP_RW 3u

static bool is_filtered(const struct pmuq_attr *attr)
{
	return attr->exclude_user || attr->exclude_kernel || attr->exclude_hv;
}

static bool drop_hv(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	const struct pmuq_attr *attr = &c->trial.attr;

	if (step || !attr->exclude_hv || !(attr->exclude_user || attr->exclude_kernel))
		return false;
	ret->attr.exclude_hv = 0;
	return true;
}

static bool drop_idle(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !c->trial.attr.exclude_idle)
		return false;
	ret->attr.exclude_idle = 0;
	return true;
}

static bool drop_guest(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !(c->trial.attr.exclude_host || c->trial.attr.exclude_guest))
		return false;
	ret->attr.exclude_host = ret->attr.exclude_guest = 0;
	return true;
}

static bool drop_filter(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !is_filtered(&c->trial.attr))
		return false;
	ret->attr.exclude_user = ret->attr.exclude_kernel = ret->attr.exclude_hv = 0;
	return true;
}

/* ':u', be it in place of ':k'; no help where it would open what never counts. */
static bool keep_user_only(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || c->trial.attr.exclude_kernel || pq_case_is(c, PQ_IS_KERNELS_OWN))
		return false;
	ret->attr.exclude_user = 0;
	ret->attr.exclude_kernel = ret->attr.exclude_hv = 1;
	return true;
}

static bool lower_precise(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	unsigned precise = (unsigned)c->trial.attr.precise_ip;

	if (step >= precise)
		return false;
	ret->attr.precise_ip = (precise - step - 1) & 3;
	return true;
}

static bool lower_rate(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	uint64_t most = c->host->max_sample_rate;

	if (step || !c->trial.attr.freq || !most || c->trial.attr.sample_period <= most)
		return false;
	ret->attr.sample_period = most;
	return true;
}

static bool lower_frames(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	uint64_t most = c->host->max_stack;

	if (step || !most || c->trial.attr.sample_max_stack <= most)
		return false;
	ret->attr.sample_max_stack = (uint16_t)most;
	return true;
}

static bool drop_branches(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	const struct pmuq_attr *attr = &c->trial.attr;

	if (step || !(attr->branch_sample_type || attr->sample_type & PQ_SAMPLE_BRANCH_STACK))
		return false;
	ret->attr.branch_sample_type = 0;
	ret->attr.sample_type &= ~(uint64_t)PQ_SAMPLE_BRANCH_STACK;
	return true;
}

static bool drop_sampling(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !c->trial.attr.sample_period)
		return false;
	ret->attr.sample_period = 0;
	ret->attr.freq = 0;
	return true;
}

/* The lowest bit of a mask but `step` of them; 0 when there are not as many. */
static uint64_t nth_bit(uint64_t mask, unsigned step)
{
	while (mask && step--)
		mask &= mask - 1;
	return mask & -mask;
}

static bool drop_sample_type(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	uint64_t bit = nth_bit(c->trial.attr.sample_type, step);

	ret->attr.sample_type &= ~bit;
	return bit != 0;
}

static bool drop_read_format(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	uint64_t bit = nth_bit(c->trial.attr.read_format, step);

	ret->attr.read_format &= ~bit;
	return bit != 0;
}

/* Where config1 is an address, a pointer or a length, it is not a filter to be left away. */
static bool has_plain_words(const struct pq_case *c)
{
	return c->trial.attr.type != PQ_TYPE_BREAKPOINT && !c->request->text &&
	       !pq_case_is(c, PQ_IS_PROBE);
}

/* The bits of a word that no format of its PMU takes. */
static bool drop_unknown_bits(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (!has_plain_words(c) || !c->pmu.has_formats || c->pmu.type != c->trial.attr.type)
		return false;
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		uint64_t *bits = pq_attr_config(&ret->attr, word);

		if (!(*bits & ~c->pmu.known[word]) || step--)
			continue;
		*bits &= c->pmu.known[word];
		return true;
	}
	return false;
}

static bool drop_word(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	for (unsigned word = 1; has_plain_words(c) && word < PQ_CONFIG_WORDS; word++) {
		uint64_t *bits = pq_attr_config(&ret->attr, word);

		if (!*bits || step--)
			continue;
		*bits = 0;
		return true;
	}
	return false;
}

static bool drop_extended(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !pq_case_is(c, PQ_IS_EXTENDED) || !(c->trial.attr.config >> 32))
		return false;
	ret->attr.config &= UINT32_MAX;
	return true;
}

static bool drop_new_fields(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !pq_case_is(c, PQ_HAS_NEW_FIELDS))
		return false;
	for (unsigned i = 0; pmuq_attr_field_name(i); i++)
		if (pmuq_attr_field_end(i) > c->kernel_size)
			pmuq_attr_field_set(&ret->attr, i, 0);
	ret->attr.size = pq_attr_fit_size(&ret->attr);
	return true;
}

static bool raise_size(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !pq_case_is(c, PQ_HAS_SMALL_SIZE))
		return false;
	ret->attr.size = pq_attr_fit_size(&ret->attr);
	return true;
}

static bool is_length(uint64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static bool align(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	const struct pmuq_attr *attr = &c->trial.attr;
	uint64_t below = attr->config2 - 1;

	if (step || attr->type != PQ_TYPE_BREAKPOINT || !is_length(attr->config2) ||
	    !(attr->config1 & below))
		return false;
	ret->attr.config1 &= ~below;
	return true;
}

static bool watch_both(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	const struct pmuq_attr *attr = &c->trial.attr;

	if (step || attr->type != PQ_TYPE_BREAKPOINT || !(attr->bp_type & BP_RW) ||
	    attr->bp_type == BP_RW)
		return false;
	ret->attr.bp_type = BP_RW;
	return true;
}

static bool change_length(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	static const uint8_t lengths_bytes[] = { 4, 8, 2, 1 };

	if (c->trial.attr.type != PQ_TYPE_BREAKPOINT)
		return false;
	for (size_t i = 0; i < COUNT(lengths_bytes); i++) {
		if (lengths_bytes[i] == c->trial.attr.config2 || step--)
			continue;
		ret->attr.config2 = lengths_bytes[i];
		return true;
	}
	return false;
}

/* Single flags that no other row deals with. */
static bool is_plain_flag(const char *name)
{
	static const char *const others[] = {
		"disabled",	"exclude_user",	 "exclude_kernel", "exclude_hv", "exclude_idle",
		"exclude_host", "exclude_guest", "freq",	   "precise_ip",
	};

	for (size_t i = 0; i < COUNT(others); i++)
		if (strcmp(name, others[i]) == 0)
			return false;
	return true;
}

static bool drop_flag(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	const unsigned flags_end = 48;
	const char *name;

	for (unsigned i = 0; (name = pmuq_attr_field_name(i)); i++) {
		if (pmuq_attr_field_end(i) != flags_end || !is_plain_flag(name) ||
		    !pmuq_attr_field_get(&c->trial.attr, i) || step--)
			continue;
		pmuq_attr_field_set(&ret->attr, i, 0);
		return true;
	}
	return false;
}

static bool leave_group(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || c->trial.group_fd < 0)
		return false;
	ret->group_fd = -1;
	return true;
}

/* A probe at the very start of what it names: then it is the offset that is wrong. */
static bool drop_offset(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !pq_case_is(c, PQ_IS_PROBE) || !c->request->text || !c->trial.attr.config2)
		return false;
	ret->attr.config2 = 0;
	return true;
}

static bool count_own_task(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || c->trial.is_cgroup || c->trial.pid <= 0 || c->trial.group_fd >= 0)
		return false;
	ret->pid = 0;
	return true;
}

static bool leave_cgroup(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || !c->trial.is_cgroup || c->trial.group_fd >= 0)
		return false;
	ret->is_cgroup = false;
	ret->pid = -1;
	return true;
}

static bool open_per_cpu(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || c->trial.is_cgroup || c->trial.pid == -1 || c->trial.group_fd >= 0)
		return false;
	ret->pid = -1;
	ret->cpu = pq_request_first_cpu(c->request, c->host->cpus_online);
	return true;
}

static bool open_per_task(const struct pq_case *c, unsigned step, struct pq_trial *ret)
{
	if (step || c->request->needs_cpu || c->target->cpus || c->trial.pid != -1 ||
	    c->trial.group_fd >= 0)
		return false;
	ret->pid = 0;
	ret->cpu = -1;
	return true;
}

// clang-format off
static const struct pq_experiment experiments[] = {
	{ "new-fields",   drop_new_fields,   "without {fields}",          PQ_OPENS_WITHOUT_FLAG },
	{ "size",         raise_size,        "with attr.size {new_size}",         PQ_OPENS_WITHOUT_FLAG },
	{ "hv",           drop_hv,           "without exclude_hv",            PQ_OPENS_WITH_HV },
	{ "idle",         drop_idle,         "without :I",                    PQ_OPENS_WITH_IDLE },
	{ "guest",        drop_guest,        "without :{guest_letter}",       PQ_OPENS_WITH_GUEST },
	{ "filter",       drop_filter,       "without :{letters}",            PQ_OPENS_UNFILTERED },
	{ "user-only",    keep_user_only,    "{user_only}",                   PQ_OPENS_USER_ONLY },
	{ "precise",      lower_precise,     "{less_precise}",                PQ_OPENS_LESS_PRECISE },
	{ "rate",         lower_rate,        "with freq={freq}",              PQ_OPENS_SLOWER },
	{ "frames",       lower_frames,      "with max-stack={max_stack}",       PQ_OPENS_WITHOUT_SAMPLE_TYPE },
	{ "branches",     drop_branches,     "without branch_type",           PQ_OPENS_WITHOUT_BRANCHES },
	{ "bits",         drop_unknown_bits, "without the bits {bits}",       PQ_OPENS_WITHOUT_BITS },
	{ "aligned",      align,             "at {address}",                  PQ_OPENS_ALIGNED },
	{ "read-write",   watch_both,        "with access rw",                PQ_OPENS_READ_WRITE },
	{ "length",       change_length,     "with length {length}",          PQ_OPENS_OTHER_LENGTH },
	{ "flag",         drop_flag,         "without {fields}",                PQ_OPENS_WITHOUT_FLAG },
	{ "sample-type",  drop_sample_type,  "without {sample_bits} in sample_type", PQ_OPENS_WITHOUT_SAMPLE_TYPE },
	{ "read-format",  drop_read_format,  "without {read_bits} in read_format", PQ_OPENS_WITHOUT_READ_FORMAT },
	{ "sampling",     drop_sampling,     "without {sampling}",            PQ_OPENS_UNSAMPLED },
	{ "extended",     drop_extended,     "without the PMU's type in config", PQ_OPENS_UNEXTENDED },
	{ "word",         drop_word,         "without {bits}",                PQ_OPENS_WITHOUT_WORD },
	{ "offset",       drop_offset,       "at offset 0",                   PQ_OPENS_AT_START },
	{ "group",        leave_group,       "outside the group",             PQ_OPENS_ALONE },
	{ "own-task",     count_own_task,    "for this process itself",       PQ_OPENS_OWN_TASK },
	{ "cgroup",       leave_cgroup,      "without the cgroup, for all that the CPU does", PQ_OPENS_WITHOUT_CGROUP },
	{ "per-task",     open_per_task,     "per task (pid 0)",              PQ_OPENS_PER_TASK },
	{ "per-cpu",      open_per_cpu,      "per CPU (pid -1, CPU {cpu})",   PQ_OPENS_PER_CPU },
};
// clang-format on

const struct pq_experiment *pq_experiment_at(size_t index)
{
	return index < COUNT(experiments) ? &experiments[index] : NULL;
}
