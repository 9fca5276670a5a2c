/* SPDX-License-Identifier: MIT */
/*
 * Events of the formulas in Intel's repository → events of formulas in the kernel's notation.
 * "UOPS_RETIRED.MS:c1:e1" is "cpu@UOPS_RETIRED.MS\,cmask\=1\,edge\=1@". Options are not documented
 * there: these terms are what the kernel's PMUs have for the bits that the options name.
 */
#include "core/num.h"
#include "vendor/import/vendor_metric.h"

/* Events that are in no table, and what Linux counts instead. */
static const struct special_event {
	struct pmuq_str name, text;
} specials[] = {
	{ STR("tsc"), STR("msr@tsc@") },
	/* The kernel has no codes for parts of the metrics register, but events in sysfs, and the
	 * register counts only with slots. */
	{ STR("topdown.slots:perf_metrics"), STR("slots") },
	{ STR("perf_metrics.retiring"), STR("topdown\\-retiring") },
	{ STR("perf_metrics.bad_speculation"), STR("topdown\\-bad\\-spec") },
	{ STR("perf_metrics.frontend_bound"), STR("topdown\\-fe\\-bound") },
	{ STR("perf_metrics.backend_bound"), STR("topdown\\-be\\-bound") },
	{ STR("perf_metrics.heavy_operations"), STR("topdown\\-heavy\\-ops") },
	{ STR("perf_metrics.branch_mispredicts"), STR("topdown\\-br\\-mispredict") },
	{ STR("perf_metrics.fetch_latency"), STR("topdown\\-fetch\\-lat") },
	{ STR("perf_metrics.memory_bound"), STR("topdown\\-mem\\-bound") },
	/* Intel's formulas have the unit of the register: 61 and 15.6 uJ, which are 2^-14 and
	 * 2^-16 J. Linux counts in 2^-32 J. */
	{ STR("unc_pkg_energy_status"), STR("(power@energy\\-pkg@ / 262144)") },
	{ STR("freerun_pkg_energy_status"), STR("(power@energy\\-pkg@ / 262144)") },
	{ STR("freerun_dram_energy_status"), STR("(power@energy\\-ram@ / 65536)") },
};

static const struct event_option {
	struct pmuq_str start; /* before a number; or the whole option */
	enum {
		OPTION_TERM,
		OPTION_THRESHOLD, /* a term whose name depends on the PMU */
		OPTION_FILTER1,	  /* the upper half of config1 */
		OPTION_FLAG,	  /* a term without a number */
		OPTION_MODIFIER,
		OPTION_UNIT,	/* one instance */
		OPTION_LATENCY, /* not a count */
		OPTION_NOTHING,
	} effect;
	struct pmuq_str text; /* the term or modifier */
} event_options[] = {
	{ STR("c"), OPTION_THRESHOLD, STR("") },
	{ STR("e"), OPTION_TERM, STR("edge") },
	{ STR("i"), OPTION_TERM, STR("inv") },
	{ STR("u"), OPTION_TERM, STR("umask") },
	{ STR("eq"), OPTION_TERM, STR("eq") },
	{ STR("opc="), OPTION_TERM, STR("filter_opc") },
	{ STR("tid="), OPTION_TERM, STR("filter_tid") },
	{ STR("ocr_msr_val="), OPTION_TERM, STR("offcore_rsp") },
	{ STR("filter1="), OPTION_FILTER1, STR("config1") },
	{ STR("percore"), OPTION_FLAG, STR("percore") },
	{ STR("sup"), OPTION_MODIFIER, STR("k") },
	{ STR("user"), OPTION_MODIFIER, STR("u") },
	{ STR("one_unit"), OPTION_UNIT, STR("") },
	{ STR("retire_latency"), OPTION_LATENCY, STR("") },
	{ STR("perf_metrics"), OPTION_NOTHING, STR("") },
};

struct event_writing {
	struct pq_buf terms, modifiers; /* terms begin with a comma each */
	struct pmuq_str name, pmu;	/* as the file has it; of the tables */
	bool is_unit, is_latency;
};

bool pq_vendor_know_events(const struct pq_vendor_drafts *drafts, struct pmuq_str core_pmu,
			   struct pq_arena *arena, struct pq_vendor_aliases *ret)
{
	*ret = (struct pq_vendor_aliases){ 0 };
	/* A look-up finds the first. */
	for (int is_other = 0; is_other < 2; is_other++)
		for (size_t i = 0; i < drafts->n; i++) {
			const struct pq_vendor_draft *draft = &drafts->v[i];

			if (draft->name.n && str_eq(draft->pmu, core_pmu) == !is_other &&
			    !pq_vec_push_in(arena, ret,
					    (struct pq_vendor_alias){ .name = draft->name,
								      .text = draft->pmu }))
				return false;
		}
	return pq_vendor_aliases_finish(arena, ret);
}

static struct pmuq_str find_nocase(const struct pq_vendor_aliases *aliases, struct pq_arena *arena,
				   struct pmuq_str name)
{
	struct pmuq_str key = pq_arena_lower(arena, name);
	const struct pq_vendor_alias *found = key.p ? pq_vendor_find_alias(aliases, key) : NULL;

	return found ? found->text : (struct pmuq_str){ 0 };
}

struct pmuq_str pq_vendor_pmu_of(const struct pq_vendor_known *known, struct pq_arena *arena,
				 struct pmuq_str event)
{
	return find_nocase(&known->events, arena, event);
}

/* Counters of the cores and of client uncores compare with "cmask", those of server uncores with
 * "thresh". */
static struct pmuq_str threshold_term(const struct event_writing *event)
{
	bool is_server = str_starts(event->pmu, STR("uncore_")) &&
			 !str_eq(event->pmu, STR("uncore_arb")) &&
			 !str_starts(event->name, STR("UNC_CBO_"));

	return is_server ? STR("thresh") : STR("cmask");
}

static void add_term(struct event_writing *event, struct pmuq_str term, struct pmuq_str number,
		     uint64_t value, bool is_upper)
{
	if (is_upper)
		pq_buf_print(&event->terms, "\\,%.*s\\=0x%llx", STR_ARG(term),
			     (unsigned long long)value << 32);
	else
		pq_buf_print(&event->terms, "\\,%.*s\\=%.*s", STR_ARG(term), STR_ARG(number));
}

/* False: Linux has nothing for the option. */
static bool apply(struct event_writing *event, const struct event_option *option,
		  struct pmuq_str number)
{
	uint64_t value = 0;
	bool is_number = option->effect <= OPTION_FILTER1;

	if (is_number ? pq_num_any(number, &value) != PQ_NUM_OK : number.n > 0)
		return false;
	switch (option->effect) {
	case OPTION_TERM:
		add_term(event, option->text, number, value, false);
		return true;
	case OPTION_THRESHOLD:
		add_term(event, threshold_term(event), number, value, false);
		return true;
	case OPTION_FILTER1:
		add_term(event, option->text, number, value, true);
		return value <= UINT32_MAX;
	case OPTION_FLAG:
		pq_buf_print(&event->terms, "\\,%.*s", STR_ARG(option->text));
		return true;
	case OPTION_MODIFIER:
		pq_buf_add(&event->modifiers, option->text);
		return true;
	case OPTION_UNIT:
		event->is_unit = true;
		return str_starts(event->pmu, STR("uncore_"));
	case OPTION_LATENCY:
		event->is_latency = true;
		return true;
	case OPTION_NOTHING:
		break;
	}
	return true;
}

static bool starts_nocase(struct pmuq_str text, struct pmuq_str start)
{
	return text.n >= start.n && str_eq_nocase(str_part(text, 0, start.n), start);
}

static bool read_option(struct event_writing *event, struct pmuq_str option)
{
	for (size_t i = 0; i < COUNT(event_options); i++) {
		struct pmuq_str start = event_options[i].start;

		if (starts_nocase(option, start) &&
		    apply(event, &event_options[i], str_part(option, start.n, option.n)))
			return true;
	}
	return false;
}

/* "cpu" is the core PMU of every machine that is not a hybrid. */
static struct pmuq_str pmu_of_machine(struct pmuq_str pmu)
{
	return str_eq(pmu, STR("default_core")) ? STR("cpu") : pmu;
}

static struct pmuq_str print(struct pq_arena *arena, const char *format, ...) PQ_PRINTF(2, 3);
static struct pmuq_str print(struct pq_arena *arena, const char *format, ...)
{
	struct pq_buf buf = PQ_BUF_IN(arena);
	va_list args;

	va_start(args, format);
	pq_buf_print_args(&buf, format, args);
	va_end(args);
	return pq_buf_take_str(&buf);
}

/* The mean of the CPU's table; without one the modifier R, whose value is not known. */
static struct pmuq_str write_latency(const struct pq_vendor_known *known, struct pq_arena *arena,
				     struct pmuq_str name)
{
	struct pmuq_str mean = find_nocase(&known->latencies, arena, name);

	return mean.p ? mean : print(arena, "%.*s:R", STR_ARG(name));
}

static struct pmuq_str print_event(const struct event_writing *event,
				   const struct pq_vendor_known *known, struct pq_arena *arena)
{
	struct pmuq_str terms = pq_buf_str(&event->terms);
	struct pmuq_str modifiers = pq_buf_str(&event->modifiers);
	struct pmuq_str pmu = pmu_of_machine(event->pmu);

	if (event->is_latency)
		return write_latency(known, arena, event->name);
	/* One instance of each package counts; the formula means one of the machine. */
	if (event->is_unit)
		return print(arena, "(%.*s_0@%.*s%.*s@%.*s / #num_packages)", STR_ARG(pmu),
			     STR_ARG(event->name), STR_ARG(terms), STR_ARG(modifiers));
	if (terms.n)
		return print(arena, "%.*s@%.*s%.*s@%.*s", STR_ARG(pmu), STR_ARG(event->name),
			     STR_ARG(terms), STR_ARG(modifiers));
	return print(arena, "%.*s%s%.*s", STR_ARG(event->name), modifiers.n ? ":" : "",
		     STR_ARG(modifiers));
}

/* Names of events are names of formulas, too. */
static bool is_name(struct pmuq_str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!char_is(name.p[i], CHAR_ALPHA | CHAR_DIGIT) && name.p[i] != '_' &&
		    name.p[i] != '.')
			return false;
	return name.n > 0;
}

static bool read_options(const struct pq_vendor_converter *converter, struct event_writing *event,
			 struct pmuq_str options)
{
	struct pmuq_str option;
	bool has_memory = true;

	while (options.n && str_next(&options, ':', &option))
		if (!read_option(event, option))
			has_memory &= pq_vendor_draft_problem(
				converter, "Linux has no term for the option '%.*s' of %.*s",
				(int)(option.n < 40 ? option.n : 40), option.p,
				STR_ARG(event->name));
	return has_memory && !event->terms.failed && !event->modifiers.failed;
}

static const struct special_event *find_special(struct pmuq_str name)
{
	for (size_t i = 0; i < COUNT(specials); i++)
		if (str_eq_nocase(specials[i].name, name))
			return &specials[i];
	return NULL;
}

/* The event in its PMU's table. */
static bool write_known(const struct pq_vendor_converter *converter,
			const struct pq_vendor_known *known, struct event_writing *event,
			struct pmuq_str options, struct pq_vendor_alias *ret)
{
	struct pq_arena *arena = converter->arena;

	event->terms = PQ_BUF_IN(arena);
	event->modifiers = PQ_BUF_IN(arena);
	if (!read_options(converter, event, options))
		return false;
	ret->text = print_event(event, known, arena);
	ret->unit = STR("");
	if (str_starts(event->pmu, STR("uncore_")))
		ret->unit = print(arena, "%.*s_0@%.*s@", STR_ARG(event->pmu), STR_ARG(event->name));
	return ret->text.p && ret->unit.p;
}

bool pq_vendor_write_event(const struct pq_vendor_converter *converter,
			   const struct pq_vendor_known *known, struct pmuq_str text,
			   struct pq_vendor_alias *ret)
{
	struct event_writing event = { .is_unit = false };
	const struct special_event *special = find_special(text);
	struct pmuq_str options;

	str_cut(text, ':', &event.name, &options);
	if (special) {
		ret->text = special->text;
		ret->unit = STR("");
		return true;
	}
	event.pmu = pq_vendor_pmu_of(known, converter->arena, event.name);
	ret->text = ret->unit = STR("");
	if (!event.pmu.p || !is_name(event.name))
		return pq_vendor_draft_problem(
			converter, "no table of its CPU has the event '%.*s'",
			(int)(event.name.n < 80 ? event.name.n : 80), event.name.p);
	return write_known(converter, known, &event, options, ret);
}
