/* SPDX-License-Identifier: MIT */
/*
 * The attr as a designated initializer of C. The table contains the Linux version that added each
 * field: output that was written on a new machine must compile with an older header, or name the
 * field that this header does not have.
 */
#include "cli/events/attr_c.h"
#include "cli/output/shown_attr.h"
#include "core/flags.h"
#include <inttypes.h>
#include <string.h>

void attr_c_comment(FILE *to, const char *text)
{
	char before = 0;

	for (; *text; before = *text++) {
		char c = *text;

		/* Contains no end or beginning of a comment and no trigraph, and no backslash ends
		 * a line. */
		if ((before == '*' && c == '/') || (before == '/' && c == '*') ||
		    (before == '?' && c == '?'))
			fprintf(to, "\\%c", c);
		else if (c < ' ' || c > '~' || c == '\\')
			fprintf(to, "\\x%02x", (unsigned char)c);
		else
			putc(c, to);
	}
}

/* ------------------------------------------------------------------ meaning of values */

/* "PERF_SAMPLE_IP | PERF_SAMPLE_TID"; a bit without a name by its number. */
static void write_bits(FILE *to, const struct pq_flags *flags, uint64_t value)
{
	const char *between = "";

	for (unsigned bit = 0; bit < 64; bit++) {
		const char *name = pq_flag_name(flags, bit);

		if (!(value >> bit & 1))
			continue;
		if (name)
			fprintf(to, "%s%s%s", between, flags->prefix, name);
		else
			fprintf(to, "%sbit %u", between, bit);
		between = " | ";
	}
}

static const struct {
	const char *name;
	const char *config;
} types[] = {
	{ "PERF_TYPE_HARDWARE", "generic event; its upper half: the PMU's type" },
	{ "PERF_TYPE_SOFTWARE", "software event" },
	{ "PERF_TYPE_TRACEPOINT", "id of the tracepoint" },
	{ "PERF_TYPE_HW_CACHE", "cache, operation, result; its upper half: the PMU's type" },
	{ "PERF_TYPE_RAW", "by the formats of the PMU" },
	{ "PERF_TYPE_BREAKPOINT", "unused by breakpoints" },
};

/* The kernel's constant, if the type has one, and the PMU. */
static void comment_type(FILE *to, const struct pmuq_attr *attr, const char *pmu)
{
	if (attr->type < COUNT(types))
		fprintf(to, "%s%s", types[attr->type].name, pmu ? ", " : "");
	if (!pmu) {
		fprintf(to, "%s", attr->type < COUNT(types) ? "" : "unknown PMU");
		return;
	}
	fprintf(to, "PMU ");
	attr_c_comment(to, pmu);
	if (attr->type >= COUNT(types))
		fprintf(to, ", numbered at boot");
}

static void comment_size(FILE *to, const struct pmuq_attr *attr, const char *pmu)
{
	unsigned version;

	(void)pmu;
	if (pq_attr_size_version(attr->size, &version))
		fprintf(to, "PERF_ATTR_SIZE_VER%u", version);
}

/* What config means depends on the type. */
static void comment_config(FILE *to, const struct pmuq_attr *attr, const char *pmu)
{
	(void)pmu;
	fprintf(to, "%s",
		attr->type < COUNT(types) ? types[attr->type].config : "by the formats of the PMU");
}

static void comment_precision(FILE *to, const struct pmuq_attr *attr, const char *pmu)
{
	static const char *const skids[] = { "any skid", "constant skid", "no skid, if it can",
					     "no skid at all" };

	(void)pmu;
	fprintf(to, "%s", skids[attr->precise_ip]);
}

static bool is_breakpoint(const struct pmuq_attr *attr)
{
	return attr->type == PQ_TYPE_BREAKPOINT;
}

static bool is_by_frequency(const struct pmuq_attr *attr)
{
	return attr->freq;
}

static bool is_by_bytes(const struct pmuq_attr *attr)
{
	return attr->watermark;
}

/* ------------------------------------------------------------------------------ the table */

struct attr_row {
	const char *name;
	const char *meaning; /* or, if it depends on the value: */
	void (*comment)(FILE *to, const struct pmuq_attr *attr, const char *pmu);
	const struct pq_flags *bits; /* of a field of named bits */
	/* The other member of the field's union, and when that member applies. */
	bool (*is_other)(const struct pmuq_attr *attr);
	const char *other, *other_meaning;
	const char *guard; /* NULL: in every header since Linux 4.1 */
	bool is_by_version;
};

/* In headers that have an attr of that size or, for a bit, since that Linux version. */
#define SINCE_SIZE(version) .guard = "defined(PERF_ATTR_SIZE_VER" #version ")"
#define SINCE(major, minor)                                                                        \
	.guard = "LINUX_VERSION_CODE >= KERNEL_VERSION(" #major ", " #minor ", 0)",                \
	.is_by_version = true
#define OTHER(when, member, what) .is_other = when, .other = member, .other_meaning = what

// clang-format off
static const struct attr_row rows[] = {
	{ "type",                     .comment = comment_type },
	{ "size",                     .comment = comment_size },
	{ "config",                   .comment = comment_config },
	{ "sample_period",            "events between two samples", OTHER(is_by_frequency, "sample_freq", "samples a second") },
	{ "sample_type",              .bits = &pq_sample_flags },
	{ "read_format",              .bits = &pq_read_flags },
	{ "disabled",                 "off until it is enabled" },
	{ "inherit",                  "children are counted, too" },
	{ "pinned",                   "always on the PMU" },
	{ "exclusive",                "alone on the PMU" },
	{ "exclude_user",             "not in user space" },
	{ "exclude_kernel",           "not in the kernel" },
	{ "exclude_hv",               "not in the hypervisor" },
	{ "exclude_idle",             "not when idle" },
	{ "mmap",                     "records of executable mappings" },
	{ "comm",                     "records of new names" },
	{ "freq",                     "a frequency, not a period" },
	{ "inherit_stat",             "counts of children are kept apart" },
	{ "enable_on_exec",           "the next exec enables it" },
	{ "task",                     "records of forks and exits" },
	{ "watermark",                "wake up by bytes, not by samples" },
	{ "precise_ip",               .comment = comment_precision },
	{ "mmap_data",                "records of data mappings" },
	{ "sample_id_all",            "ids in all records" },
	{ "exclude_host",             "not in the host" },
	{ "exclude_guest",            "not in guests" },
	{ "exclude_callchain_kernel", "no call chains of the kernel" },
	{ "exclude_callchain_user",   "no call chains of user space" },
	{ "mmap2",                    "records of mappings with their inodes" },
	{ "comm_exec",                "new names by exec are marked" },
	{ "use_clockid",              "times by the clock of clockid" },
	{ "context_switch",           "records of context switches",              SINCE(4, 3) },
	{ "write_backward",           "the ring is filled from its end",          SINCE(4, 7) },
	{ "namespaces",               "records of namespaces",                    SINCE(4, 12) },
	{ "ksymbol",                  "records of kernel symbols",                SINCE(5, 1) },
	{ "bpf_event",                "records of BPF programs",                  SINCE(5, 1) },
	{ "aux_output",               "into the AUX area, not as records",        SINCE(5, 4) },
	{ "cgroup",                   "records of cgroups",                       SINCE(5, 7) },
	{ "text_poke",                "records of changes to kernel code",        SINCE(5, 9) },
	{ "build_id",                 "build ids in records of mappings",         SINCE(5, 12) },
	{ "inherit_thread",           "inherited by threads only",                SINCE(5, 13) },
	{ "remove_on_exec",           "ends with an exec",                        SINCE(5, 13) },
	{ "sigtrap",                  "SIGTRAP at each sample",                   SINCE(5, 13) },
	{ "defer_callchain",          "user call chains may come later",          SINCE(6, 19) },
	{ "defer_output",             "records of deferred call chains",          SINCE(6, 19) },
	{ "wakeup_events",            "samples between two wake-ups", OTHER(is_by_bytes, "wakeup_watermark", "bytes between two wake-ups") },
	{ "bp_type",                  .bits = &pq_breakpoint_flags },
	{ "config1",                  "more of config", OTHER(is_breakpoint, "bp_addr", "address") },
	{ "config2",                  "more of config", OTHER(is_breakpoint, "bp_len", "bytes that are watched") },
	{ "branch_sample_type",       .bits = &pq_branch_flags },
	{ "sample_regs_user",         "user registers in samples" },
	{ "sample_stack_user",        "bytes of the user stack in samples" },
	{ "clockid",                  "the clock of times" },
	{ "sample_regs_intr",         "registers at the interrupt in samples" },
	{ "aux_watermark",            "bytes of the AUX area between two wake-ups" },
	{ "sample_max_stack",         "frames of a call chain at most",           SINCE(4, 8) },
	{ "aux_sample_size",          "bytes of the AUX area in samples",         SINCE_SIZE(6) },
	{ "aux_action",               "start paused, pause or resume AUX",        SINCE(6, 13) },
	{ "sig_data",                 "what SIGTRAP passes on",                   SINCE_SIZE(7) },
	{ "config3",                  "more of config",                           SINCE_SIZE(8) },
	{ "config4",                  "more of config",                           SINCE_SIZE(9) },
};
// clang-format on

static const struct attr_row *find_row(const char *name)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

struct attr_c_needs attr_c_needs(const struct pmuq_attr *attr)
{
	struct attr_c_needs needs = { 0 };
	const struct pmuq_field *field;

	for (unsigned i = 0; (field = attr_next_shown(attr, &i)); i++) {
		const struct attr_row *row = find_row(field->name.p);

		needs.guard |= row && row->guard;
		needs.version |= row && row->is_by_version;
	}
	return needs;
}

/* Column of the comments, after the tab. */
#define COMMENT_COLUMN 32

static void write_row(FILE *to, const struct pmuq_attr *attr, const char *pmu,
		      const struct attr_row *row, unsigned index)
{
	bool is_other = row->is_other && row->is_other(attr);
	const char *name = is_other ? row->other : row->name;
	uint64_t value = pmuq_attr_get(attr, index);
	int n;

	if (pmuq_attr_field(index)->format == PMUQ_FIELD_WORD)
		n = fprintf(to, "\t.%s = 0x%" PRIx64 ",", name, value);
	else
		n = fprintf(to, "\t.%s = %" PRId64 ",", name, (int64_t)value);
	fprintf(to, "%*s/* ", n < COMMENT_COLUMN ? COMMENT_COLUMN - n : 1, "");
	if (row->comment)
		row->comment(to, attr, pmu);
	else if (row->bits)
		write_bits(to, row->bits, value);
	else
		fprintf(to, "%s", is_other ? row->other_meaning : row->meaning);
	fprintf(to, " */\n");
}

void attr_c_write(FILE *to, const struct pmuq_attr *attr, const char *pmu, const char *bytes)
{
	const struct pmuq_field *field;

	for (unsigned i = 0; (field = attr_next_shown(attr, &i)); i++) {
		const struct attr_row *row = find_row(field->name.p);

		if (!row)
			continue;
		if (row->guard)
			fprintf(to, "#if %s\n", row->guard);
		write_row(to, attr, pmu, row, i);
		if (row->guard)
			fprintf(to,
				"#else\n#error \"this needs a linux/perf_event.h with %s; "
				"the attr's bytes are in %s\"\n#endif\n",
				row->name, bytes);
	}
}
