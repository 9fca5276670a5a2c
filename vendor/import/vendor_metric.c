/* SPDX-License-Identifier: MIT */
/*
 * The files of metrics in Intel's repository, and those of latencies. A metric there has a formula
 * over aliases of its events and constants, and a threshold over aliases of other metrics. Each
 * becomes the draft of a metric in the kernel's notation; what cannot be expressed is a problem.
 */
#include "vendor/import/vendor_metric.h"
#include "core/limits.h"
#include "core/num.h"

/* What a constant is on a machine. The README there has the units, but SYSTEM_TSC_FREQ is in Hz. */
static const struct pmuq_pair constants[] = {
	{ .name = STR("SYSTEM_TSC_FREQ"), .text = STR("#SYSTEM_TSC_FREQ") },
	{ .name = STR("DURATIONTIMEINSECONDS"), .text = STR("duration_time") },
	{ .name = STR("DURATIONTIMEINMILLISECONDS"), .text = STR("(duration_time * 1000)") },
	{ .name = STR("HYPERTHREADING_ON"), .text = STR("#SMT_on") },
	{ .name = STR("THREADS_PER_CORE"), .text = STR("(#num_cpus_online / #num_cores)") },
	{ .name = STR("CORES_PER_SOCKET"), .text = STR("(#num_cores / #num_packages)") },
	{ .name = STR("SOCKET_COUNT"), .text = STR("#num_packages") },
	{ .name = STR("system.sockets[0].cpus.count * system.socket_count"),
	  .text = STR("#num_cpus_online") },
};

/* A file of metrics. */
struct metric_file {
	const struct pq_vendor_known *known;
	struct pq_vendor_aliases legacy; /* LegacyName → the metric's name, for thresholds */
	struct pq_vendor_drafts *drafts;
	struct pq_vendor_import *import;
};

/* The metric that is read now. */
struct metric_import {
	const struct metric_file *file;
	const struct pq_vendor_converter *converter;
	struct pq_vendor_aliases own; /* of its events and constants */
	struct pmuq_str agents;	      /* what CHAS_PER_SOCKET is, once it was needed */
	struct pq_arena arena;	      /* of the aliases and the trees */
	bool is_ok;		      /* memory did not run out */
};

static bool has_failed(const struct metric_import *m)
{
	return !m->is_ok || m->converter->draft->problem.p || m->converter->at->tree->r < 0;
}

static struct pmuq_str text_of(const struct pq_vendor_elements *at, const char *key)
{
	struct pmuq_str text = pq_vendor_element_text(at, key);

	return text.p ? str_trim(text) : STR("");
}

static bool is_top_down(const struct pq_vendor_elements *at)
{
	return str_eq(text_of(at, "Category"), STR("TMA"));
}

/* A node of the top-down tree, not a figure that was computed along with it. */
static bool is_node(const struct pq_vendor_elements *at)
{
	return is_top_down(at) && str_ends(text_of(at, "LegacyName"), STR("(%)"));
}

/* The names in "BaseFormula", and those in the kernel's tables, are "tma_" and lower case. */
static struct pmuq_str metric_name(const struct pq_vendor_elements *at, struct pq_arena *arena)
{
	struct pmuq_str name = text_of(at, "MetricName");
	struct pq_buf buf = PQ_BUF_IN(arena);

	if (!is_top_down(at))
		return pq_arena_str(arena, name);
	pq_buf_add(&buf, STR("tma_"));
	for (size_t i = 0; i < name.n; i++)
		pq_buf_char(&buf, char_lower(name.p[i]), 1);
	return pq_buf_take_str(&buf);
}

/* ---- aliases */

static struct pmuq_str member_text(const struct pq_json_value *object, const char *key)
{
	const struct pq_json_value *value = pq_json_get(object, key);

	return value && value->type == PQ_JSON_IS_TEXT ? value->text : STR("");
}

static void add_alias(struct metric_import *m, struct pq_vendor_alias alias)
{
	m->is_ok &= pq_vec_push_in(&m->arena, &m->own, alias);
}

static void add_events(struct metric_import *m)
{
	const struct pq_json_value *events =
		pq_vendor_element_tree(m->converter->at, "Events", &m->arena);

	for (events = events ? events->first : NULL; events && !has_failed(m);
	     events = events->next) {
		struct pq_vendor_alias alias = { .name = member_text(events, "Alias") };

		m->is_ok &= pq_vendor_write_event(m->converter, m->file->known,
						  member_text(events, "Name"), &alias);
		add_alias(m, alias);
	}
}

static bool is_cache_agent(struct pmuq_str pmu)
{
	return str_eq(pmu, STR("uncore_cha")) || str_eq(pmu, STR("uncore_cbox"));
}

/* How many cache agents a package has: the instances that an event of theirs is counted on. */
static void find_agents(struct metric_import *m)
{
	struct pq_buf text = PQ_BUF_IN(&m->arena);

	for (size_t i = 0; i < m->own.n && !text.n; i++) {
		struct pmuq_str event = m->own.v[i].text;

		if (is_cache_agent(pq_vendor_pmu_of(m->file->known, event)))
			pq_buf_print(&text, "source_count(%.*s)", STR_ARG(event));
	}
	if (!text.n)
		m->is_ok &= pq_vendor_draft_problem(
			m->converter,
			"CHAS_PER_SOCKET needs an event of these PMUs in the formula");
	m->agents = pq_buf_take_str(&text);
	m->is_ok &= m->agents.p != NULL;
}

static void add_agents(struct metric_import *m, struct pmuq_str alias)
{
	if (!m->agents.n)
		find_agents(m);
	add_alias(m, (struct pq_vendor_alias){ .name = alias, .text = m->agents });
}

static bool is_number(struct pmuq_str text)
{
	return text.n > 0 && pq_num_digits_end(text, 0) == text.n;
}

/* In the formulas of the top-down method, SYSTEM_TSC_FREQ is what "BaseFormula" calls `tsc`: the
 * cycles of one CPU in the time that was measured. */
static struct pmuq_str text_of_constant(const struct metric_import *m,
					const struct pmuq_pair *constant)
{
	return is_top_down(m->converter->at) && str_eq(constant->name, STR("SYSTEM_TSC_FREQ"))
		       ? STR("(#SYSTEM_TSC_FREQ * duration_time)")
		       : constant->text;
}

static void add_constant(struct metric_import *m, struct pmuq_str name, struct pmuq_str alias)
{
	if (str_eq(name, STR("CHAS_PER_SOCKET"))) {
		add_agents(m, alias);
		return;
	}
	for (size_t i = 0; i < COUNT(constants); i++)
		if (str_eq(constants[i].name, name)) {
			add_alias(m, (struct pq_vendor_alias){
					     .name = alias,
					     .text = text_of_constant(m, &constants[i]),
				     });
			return;
		}
	if (is_number(name))
		add_alias(m, (struct pq_vendor_alias){ .name = alias, .text = name });
	else
		m->is_ok &= pq_vendor_draft_problem(m->converter,
						    "Linux has no value for the constant '%.*s'",
						    (int)(name.n < 80 ? name.n : 80), name.p);
}

static void add_constants(struct metric_import *m)
{
	const struct pq_json_value *list =
		pq_vendor_element_tree(m->converter->at, "Constants", &m->arena);

	for (list = list ? list->first : NULL; list && !has_failed(m); list = list->next)
		add_constant(m, member_text(list, "Name"), member_text(list, "Alias"));
	/* Formulas use this one without a declaration. */
	for (size_t i = 0; i < COUNT(constants); i++)
		if (str_eq(constants[i].name, STR("DURATIONTIMEINSECONDS")))
			add_constant(m, constants[i].name, constants[i].name);
}

/* ---- formulas */

static bool contains(struct pmuq_str text, struct pmuq_str part)
{
	return text.n && memmem(text.p, text.n, part.p, part.n);
}

/* The kernel opens parts of the metrics register only in a group with the event slots. */
static void add_slots(struct metric_import *m, struct pmuq_str *formula)
{
	struct pq_buf buf = PQ_BUF_IN(m->converter->arena);
	bool has_slots = false;

	for (size_t i = 0; i < m->own.n; i++)
		has_slots |= str_eq(m->own.v[i].text, STR("slots"));
	if (has_slots || !contains(*formula, STR("topdown\\-")))
		return;
	pq_buf_print(&buf, "(%.*s) + 0 * slots", STR_ARG(*formula));
	*formula = pq_buf_take_str(&buf);
	m->is_ok &= formula->p != NULL;
}

static void read_formula(struct metric_import *m)
{
	struct pq_vendor_draft *draft = m->converter->draft;

	m->is_ok &= pq_vendor_aliases_finish(&m->arena, &m->own);
	if (!has_failed(m))
		m->is_ok &= pq_vendor_translate(m->converter, &m->own, NULL,
						text_of(m->converter->at, "Formula"),
						&draft->expression);
	if (!has_failed(m))
		add_slots(m, &draft->expression);
	if (!has_failed(m))
		m->is_ok &= pq_vendor_check_formula(m->converter, draft->expression);
}

/* "a > 20" where the alias is of the metric's LegacyName. */
static void add_metrics(struct metric_import *m, const struct pq_json_value *list)
{
	for (list = list ? list->first : NULL; list && !has_failed(m); list = list->next) {
		struct pmuq_str value = member_text(list, "Value");
		const struct pq_vendor_alias *metric =
			pq_vendor_find_alias(&m->file->legacy, value);

		if (metric)
			add_alias(m, (struct pq_vendor_alias){ .name = member_text(list, "Alias"),
							       .text = metric->unit });
		else
			m->is_ok &= pq_vendor_draft_problem(
				m->converter, "its threshold needs '%.*s', which is not a metric",
				(int)(value.n < 80 ? value.n : 80), value.p);
	}
}

/* A metric with a wrong threshold is still a metric. */
static void drop_threshold(struct metric_import *m)
{
	struct pq_vendor_draft *draft = m->converter->draft;

	draft->threshold = STR("");
	if (!m->is_ok || !draft->problem.p)
		return;
	pq_vendor_save_problem(m->file->import, draft);
	draft->problem = (struct pmuq_str){ 0 };
}

static void read_threshold(struct metric_import *m)
{
	struct pq_vendor_draft *draft = m->converter->draft;
	const struct pq_json_value *threshold =
		pq_vendor_element_tree(m->converter->at, "Threshold", &m->arena);
	struct pmuq_str formula = member_text(threshold, "Formula");

	if (has_failed(m) || !formula.n)
		return;
	m->own = (struct pq_vendor_aliases){ 0 };
	add_metrics(m, pq_json_get(threshold, "ThresholdMetrics"));
	m->is_ok &= pq_vendor_aliases_finish(&m->arena, &m->own);
	if (!has_failed(m))
		m->is_ok &= pq_vendor_translate(m->converter, &m->own, &m->file->legacy, formula,
						&draft->threshold);
	if (!has_failed(m))
		m->is_ok &= pq_vendor_check_formula(m->converter, draft->threshold);
	if (has_failed(m))
		drop_threshold(m);
}

/* ---- texts */

static struct pmuq_str keep(struct metric_import *m, struct pmuq_str text)
{
	struct pmuq_str kept = pq_arena_str(m->converter->arena, text);

	m->is_ok &= kept.p != NULL;
	return kept;
}

static void add_group(struct pq_buf *groups, struct pmuq_str group)
{
	if (group.n)
		pq_buf_print(groups, "%s%.*s", groups->n ? ";" : "", STR_ARG(group));
}

/* The level and the parent are groups, as in the kernel's tables: TopdownL2,
 * tma_backend_bound_group. */
static void read_groups(struct metric_import *m)
{
	const struct pq_vendor_elements *at = m->converter->at;
	struct pmuq_str level = text_of(at, "Level"), parent = text_of(at, "ParentCategory"), part;
	struct pmuq_str categories = text_of(at, "Category"), own = text_of(at, "MetricGroup");
	struct pq_buf groups = PQ_BUF_IN(m->converter->arena);

	if (is_node(at) && level.n)
		pq_buf_print(&groups, "TopdownL%.*s;tma_L%.*s_group", STR_ARG(level),
			     STR_ARG(level));
	if (is_node(at) && parent.n) {
		pq_buf_add(&groups, STR(";tma_"));
		for (size_t i = 0; i < parent.n; i++)
			pq_buf_char(&groups, char_lower(parent.p[i]), 1);
		pq_buf_add(&groups, STR("_group"));
	}
	while (own.n && str_next(&own, ';', &part))
		add_group(&groups, str_trim(part));
	while (categories.n && str_next(&categories, ',', &part))
		add_group(&groups, str_trim(part));
	m->converter->draft->groups = pq_buf_take_str(&groups);
	m->is_ok &= m->converter->draft->groups.p != NULL;
}

/* Percentages are already multiplied by 100 in the formulas. */
static void read_unit(struct metric_import *m)
{
	struct pmuq_str unit = text_of(m->converter->at, "UnitOfMeasure");
	struct pq_buf buf = PQ_BUF_IN(m->converter->arena);

	if (str_eq(unit, STR("percent")))
		unit = STR("%");
	pq_buf_print(&buf, "%s%.*s", unit.n ? "1" : "", STR_ARG(unit));
	m->converter->draft->scale_unit = pq_buf_take_str(&buf);
	m->is_ok &= m->converter->draft->scale_unit.p != NULL;
}

/* The description, and how the value can be used, which the kernel's tables do not have. */
static void read_use(struct metric_import *m)
{
	const struct pq_vendor_elements *at = m->converter->at;
	struct pmuq_str levels = text_of(at, "ResolutionLevels"), with = text_of(at, "LocateWith");
	struct pmuq_str brief = m->converter->draft->description;
	struct pq_buf buf = PQ_BUF_IN(m->converter->arena);

	if (str_eq(with, STR("#NA")))
		with = STR("");
	if (levels.n || with.n)
		pq_buf_print(&buf, "%.*s%s", STR_ARG(brief), str_ends(brief, STR(".")) ? "" : ".");
	if (levels.n)
		pq_buf_print(&buf, " Valid for: %.*s.", STR_ARG(levels));
	if (with.n)
		pq_buf_print(&buf, " Sample with: %.*s.", STR_ARG(with));
	m->converter->draft->long_description = pq_buf_take_str(&buf);
	m->is_ok &= m->converter->draft->long_description.p != NULL;
}

/* ---- metrics */

static bool is_metric_name(struct pmuq_str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!char_is(name.p[i], CHAR_ALPHA | CHAR_DIGIT) && name.p[i] != '_' &&
		    name.p[i] != '.')
			return false;
	return name.n > 0 && name.n <= PQ_NAME_MAX_BYTES;
}

static void read_metric(struct metric_import *m)
{
	const struct pq_vendor_elements *at = m->converter->at;
	struct pq_vendor_draft *draft = m->converter->draft;

	*draft = pq_vendor_empty_draft(m->converter);
	draft->metric = metric_name(at, m->converter->arena);
	m->is_ok &= draft->metric.p != NULL;
	draft->description = keep(m, text_of(at, "BriefDescription"));
	if (!is_metric_name(draft->metric))
		m->is_ok &= pq_vendor_draft_problem(
			m->converter, "its name is not one that formulas could refer to");
	read_groups(m);
	read_unit(m);
	read_use(m);
	add_events(m);
	add_constants(m);
	read_formula(m);
	read_threshold(m);
}

static void gather_metric(const struct metric_file *file,
			  const struct pq_vendor_converter *converter)
{
	struct metric_import m = { .file = file, .converter = converter, .is_ok = true };
	struct pq_vendor_draft *draft = converter->draft;

	if (!text_of(converter->at, "MetricName").n)
		return;
	m.arena = PQ_ARENA(PQ_VENDOR_FOLDER_MAX_BYTES);
	read_metric(&m);
	pq_arena_clear(&m.arena);
	if (!m.is_ok)
		pq_vendor_fail_memory(&file->import->tree);
	else if (draft->problem.p)
		pq_vendor_save_problem(file->import, draft);
	else
		pq_vendor_add_draft(file->import, draft, file->drafts);
}

/* A node's threshold in a formula without aliases is a fraction: 0.2 is 20 %. The alias's `unit` is
 * the metric itself. */
static void add_legacy(struct metric_file *file, const struct pq_vendor_elements *at)
{
	struct pq_arena *arena = &file->drafts->arena;
	struct pq_vendor_alias alias = { .name = text_of(at, "LegacyName"),
					 .unit = metric_name(at, arena) };
	struct pq_buf fraction = PQ_BUF_IN(arena);

	alias.name = pq_arena_str(arena, alias.name);
	pq_buf_print(&fraction, "%.*s%s", STR_ARG(alias.unit), is_node(at) ? " / 100" : "");
	alias.text = pq_buf_take_str(&fraction);
	if (!alias.name.p || !alias.unit.p || !alias.text.p ||
	    !pq_vec_push_in(arena, &file->legacy, alias))
		pq_vendor_fail_memory(&file->import->tree);
}

static void gather_legacy(struct metric_file *file, const struct pq_vendor_file *read)
{
	cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };
	struct pq_arena *arena = &file->drafts->arena;

	pq_vendor_elements_begin(&at, &file->import->tree, read, arena, "Metrics");
	while (pq_vendor_elements_next(&at))
		add_legacy(file, &at);
	if (!pq_vendor_aliases_finish(arena, &file->legacy))
		pq_vendor_fail_memory(&file->import->tree);
}

void pq_vendor_take_metrics(struct pq_vendor_import *import, const struct pq_vendor_source *source,
			    const struct pq_vendor_file *read, const struct pq_vendor_known *known,
			    struct pq_vendor_drafts *drafts)
{
	cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };
	struct metric_file file = { .known = known, .drafts = drafts, .import = import };
	struct pq_vendor_draft draft;
	const struct pq_vendor_converter converter =
		pq_vendor_converter(import, source, &at, &draft, drafts);

	gather_legacy(&file, read);
	pq_vendor_begin_file(import, read, drafts);
	pq_vendor_elements_begin(&at, &import->tree, read, &drafts->arena, "Metrics");
	while (pq_vendor_elements_next(&at))
		gather_metric(&file, &converter);
}

bool pq_vendor_gather_metrics(struct pq_vendor_import *import,
			      const struct pq_vendor_source *source,
			      const struct pq_vendor_known *known, struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_file read;

	if (!pq_vendor_read(&import->tree, source->path, &read))
		return false;
	pq_vendor_take_metrics(import, source, &read, known, drafts);
	return import->tree.r == 0;
}

void pq_vendor_take_latencies(struct pq_vendor_tree *tree, const struct pq_vendor_file *read,
			      struct pq_vendor_aliases *latencies, struct pq_arena *arena)
{
	cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };

	pq_vendor_elements_begin(&at, tree, read, arena, "Data");
	while (pq_vendor_elements_next(&at)) {
		struct pmuq_str mean = pq_vendor_element_number(&at, "MEAN");
		struct pq_vendor_alias alias = { .name = pq_arena_lower(arena, at.key) };

		if (!mean.p)
			continue;
		alias.text = pq_arena_str(arena, mean);
		if (!alias.name.p || !alias.text.p || !pq_vec_push_in(arena, latencies, alias))
			pq_vendor_fail_memory(tree);
	}
}

bool pq_vendor_gather_latencies(struct pq_vendor_import *import, struct pmuq_str path,
				struct pq_vendor_aliases *latencies, struct pq_arena *arena)
{
	struct pq_vendor_file read;

	if (!pq_vendor_read(&import->tree, path, &read))
		return false;
	pq_vendor_take_latencies(&import->tree, &read, latencies, arena);
	return import->tree.r == 0;
}
