/* SPDX-License-Identifier: MIT */
/*
 * A line is a count of an event. perf prints the name of an event as it was written, or with its
 * PMU; the value is already scaled: for the time without a counter, and by the scale of the event,
 * which formulas do not use. Rows that are parts of a whole (of CPUs, of sockets) are added up; of
 * rows that are a whole the first one counts.
 */
#include "cli/metrics/counts_read.h"
#include "cli/events/lines.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/num.h"
#include "core/text/json_read.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* A count as a line has it. */
struct row {
	struct pmuq_str event, unit;
	double value;	   /* NaN: not counted */
	double running_ns; /* NaN: the line has none */
	double percent;	   /* of the time, that a counter counted it */
	bool is_part;	   /* of a CPU, a socket … */
	bool is_raw;	   /* not multiplied by the scale of the event */
};

/* An event of a plan as one of its metrics counts it. */
struct counted {
	struct pmuq_str pmu;  /* the metric's core PMU, if that counts it; else "" */
	struct pmuq_str name; /* for tools: the value of the term `name` */
	double scale;
	struct pmuq_metric_count count; /* how many counts it is the sum of */
};

struct counts_file {
	struct metric_results *results;
	struct counted *counted; /* of each event, for each of the results' counts */
	size_t n_rows;
};

/* ---- which events a row is of */

/* "PMU/NAME/MODIFIERS" as the PMU and "NAME:MODIFIERS"; false for other names. */
static bool split_pmu(struct pmuq_str name, struct pmuq_str *pmu, struct pmuq_str *terms,
		      struct pmuq_str *modifiers)
{
	const char *first = memchr(name.p, '/', name.n), *last;

	if (!first)
		return false;
	last = memrchr(name.p, '/', name.n);
	*pmu = str_part(name, 0, (size_t)(first - name.p));
	*terms = str_part(name, (size_t)(first + 1 - name.p), (size_t)(last - name.p));
	*modifiers = str_part(name, (size_t)(last + 1 - name.p), name.n);
	return last > first;
}

/* "NAME:MODIFIERS" without its modifiers. */
static struct pmuq_str before_colon(struct pmuq_str name, struct pmuq_str *modifiers)
{
	const char *colon = memrchr(name.p, ':', name.n);

	*modifiers = STR("");
	if (!colon || memchr(name.p, '/', name.n))
		return name;
	*modifiers = str_part(name, (size_t)(colon + 1 - name.p), name.n);
	return str_part(name, 0, (size_t)(colon - name.p));
}

/* Whether the row is of the event, on that PMU if it is not "". */
static bool is_event(const struct row *row, struct pmuq_str event, struct pmuq_str pmu)
{
	struct pmuq_str of, terms, modifiers, own;

	if (!pmu.n && str_eq_nocase(row->event, event))
		return true;
	if (!split_pmu(row->event, &of, &terms, &modifiers))
		return false;
	if (str_eq_nocase(row->event, event))
		return true;
	event = before_colon(event, &own);
	return (!pmu.n || str_eq(of, pmu)) && str_eq_nocase(terms, event) && str_eq(modifiers, own);
}

static size_t count_cpus(const char *text)
{
	struct pmuq_cpu_list *list = NULL;
	size_t n = 0;

	if (optional_or_die(pmuq_cpu_list_from_text(text, &list, NULL)) == 0)
		n = list->n_numbers;
	pmuq_cpu_list_free(list);
	return n;
}

static struct counted inspect(const struct pmuq_metric_plan *plan, size_t event,
			      const struct metric_counts *counts)
{
	struct counted ret = { .pmu = STR(""), .name = STR(""), .scale = 1 };
	size_t list = pmuq_metric_plan_event(plan, event)->list;
	const struct pmuq_encodings *encodings = pmuq_metric_plan_list(plan, list)->encodings;
	const struct pmuq_encoding *encoding;

	for (size_t i = 0; (encoding = pmuq_encodings_get(encodings, i)); i++) {
		if (!pmuq_metric_plan_counts(plan, counts->index, event, encoding))
			continue;
		if (counts->pmu.n && str_eq(encoding->pmu, counts->pmu))
			ret.pmu = counts->pmu;
		ret.name = encoding->name;
		ret.scale = pq_num_scale(encoding->scale);
		ret.count.n_pmus++;
		ret.count.n_counts +=
			encoding->needs_cpu ? (uint32_t)count_cpus(encoding->cpus.p) : 1;
	}
	return ret;
}

static void add(struct pmuq_metric_count *sum, const struct pmuq_metric_count *count)
{
	if (isnan(sum->value)) {
		*sum = *count;
		return;
	}
	sum->value += count->value;
	sum->enabled_ns += count->enabled_ns;
	sum->running_ns += count->running_ns;
}

static struct pmuq_metric_count time_of(const struct row *row)
{
	bool is_ns = !row->unit.n || str_eq(row->unit, STR("ns"));

	return (struct pmuq_metric_count){ .value = row->value * (is_ns ? 1e-9 : 1),
					   .n_counts = 1,
					   .n_pmus = 1 };
}

/* A file can have many lines, and an event many encodings: they are looked at once. */
static void inspect_all(struct counts_file *from)
{
	const struct metric_results *results = from->results;
	const struct pmuq_metric_plan *plan = results->planned->plan;
	size_t n_events = pmuq_metric_plan_event_count(plan), n = results->counts.n;

	from->counted = or_die(calloc(n_events * n + 1, sizeof(*from->counted)));
	for (size_t i = 0; i < n_events; i++)
		for (size_t k = 0; k < n; k++)
			if (pmuq_metric_plan_event(plan, i)->type == PMUQ_METRIC_COUNT)
				from->counted[i * n + k] = inspect(plan, i, &results->counts.v[k]);
}

/* The row as a count of an event of the plan; false if it is of another event or core PMU. */
static bool count_of(const struct pmuq_metric_event *event, const struct counted *counted,
		     const struct row *row, struct pmuq_metric_count *ret)
{
	double part = row->percent > 0 && row->percent < 100 ? row->percent / 100 : 1;

	if (event->type != PMUQ_METRIC_COUNT) {
		*ret = time_of(row);
		return event->type != PMUQ_METRIC_LATENCY && is_event(row, event->name, STR(""));
	}
	if (!is_event(row, event->name, counted->pmu) &&
	    (counted->pmu.n || !str_eq_nocase(row->event, counted->name)))
		return false;
	*ret = counted->count;
	ret->value = row->value * part / (row->is_raw ? 1 : counted->scale);
	if (row->running_ns > 0) {
		ret->running_ns = (uint64_t)row->running_ns;
		ret->enabled_ns = (uint64_t)(row->running_ns / part);
	}
	return true;
}

static void take_row(struct counts_file *from, const struct row *row)
{
	const struct pmuq_metric_plan *plan = from->results->planned->plan;
	const struct pmuq_metric_event *event;
	size_t n = from->results->counts.n;
	struct pmuq_metric_count count;

	from->n_rows++;
	for (size_t i = 0; (event = pmuq_metric_plan_event(plan, i)); i++)
		for (size_t k = 0; k < n; k++) {
			struct pmuq_metric_count *sum = &from->results->counts.v[k].v[i];

			if (count_of(event, &from->counted[i * n + k], row, &count) &&
			    (row->is_part || isnan(sum->value)))
				add(sum, &count);
		}
}

/* ---- lines of JSON */

static double number(const struct pq_json_value *object, const char *key)
{
	const struct pq_json_value *member = pq_json_get(object, key);
	double value;
	size_t n;

	if (!member || (member->type != PQ_JSON_IS_BARE && member->type != PQ_JSON_IS_TEXT))
		return NAN;
	return pq_num_real(member->text.p, &value, &n) != PQ_NUM_NONE ? value : NAN;
}

static struct pmuq_str text(const struct pq_json_value *object, const char *key)
{
	const struct pq_json_value *member = pq_json_get(object, key);

	return member && member->type == PQ_JSON_IS_TEXT ? member->text : STR("");
}

/* perf stat -j. */
static void take_perf(struct counts_file *from, const struct pq_json_value *line)
{
	static const char *const parts[] = { "cpu", "core",   "cache", "cluster",
					     "die", "socket", "node",  "thread" };
	struct row row = {
		.event = text(line, "event"),
		.unit = text(line, "unit"),
		.value = number(line, "counter-value"),
		.running_ns = number(line, "event-runtime"),
		.percent = number(line, "pcnt-running"),
	};

	for (size_t i = 0; i < COUNT(parts); i++)
		row.is_part |= pq_json_get(line, parts[i]) != NULL;
	if (row.event.n)
		take_row(from, &row);
}

/* An input of pmuq check --count: each encoding has its count. The values are not scaled. */
static void take_input(struct counts_file *from, const struct pq_json_value *input)
{
	const struct pq_json_value *encodings = pq_json_get(input, "encodings");

	for (const struct pq_json_value *one = encodings ? encodings->first : NULL; one;
	     one = one->next) {
		const struct pq_json_value *count = pq_json_get(one, "count");
		double enabled = count ? number(count, "time_enabled_ns") : NAN;
		struct row row = {
			.event = text(one, "name"), .unit = STR(""), .is_part = true, .is_raw = true
		};

		if (!count || !row.event.n)
			continue;
		row.value = number(count, "scaled");
		row.running_ns = number(count, "time_running_ns");
		row.percent = enabled > 0 ? 100 * row.running_ns / enabled : NAN;
		take_row(from, &row);
	}
}

static void take_object(struct counts_file *from, const struct pq_json_value *object)
{
	const struct pq_json_value *inputs = pq_json_get(object, "inputs");

	if (!inputs && !pq_json_get(object, "encodings")) {
		take_perf(from, object);
		return;
	}
	if (!inputs)
		take_input(from, object);
	for (const struct pq_json_value *one = inputs ? inputs->first : NULL; one; one = one->next)
		take_input(from, one);
}

/* ---- lines of perf stat -x */

/* The first number of a text; NaN for "<not counted>". */
static double field_number(struct pmuq_str field)
{
	auto_free char *copy = or_die(strndup(field.p, field.n));
	double value;
	size_t n;

	return pq_num_real(copy, &value, &n) != PQ_NUM_NONE ? value : NAN;
}

/* The row of an event that is at that place of the line, with the separator before and after it:
 * its own name may contain commas. The fields before it are value and unit; a row of a CPU has
 * more. After it: time in ns, and how much of it in percent. */
static bool take_fields(struct counts_file *from, struct pmuq_str line, size_t at, size_t length)
{
	struct row row = { .event = str_part(line, at, at + length),
			   .running_ns = NAN,
			   .percent = NAN };
	struct pmuq_str head = str_part(line, 0, at - 1), fields[8], part, rest;
	char separator = line.p[at - 1];
	size_t n = 0;

	while (n < COUNT(fields) && str_next(&head, separator, &part))
		fields[n++] = part;
	if (n < 2)
		return false;
	row.value = field_number(fields[n - 2]);
	row.unit = fields[n - 1];
	row.is_part = n > 2;
	rest = str_part(line, at + length, line.n);
	rest = str_part(rest, 1, rest.n);
	if (str_next(&rest, separator, &part))
		row.running_ns = field_number(part);
	if (str_next(&rest, separator, &part))
		row.percent = field_number(part);
	take_row(from, &row);
	return true;
}

/* Whether the name is there, up to that separator or the end of the line. */
static bool is_at(struct pmuq_str line, size_t at, struct pmuq_str name, char separator)
{
	return name.n && line.n - at >= name.n && memcmp(line.p + at, name.p, name.n) == 0 &&
	       (at + name.n == line.n || line.p[at + name.n] == separator);
}

static bool has_pmu(const struct pmuq_metric_plan *plan, const struct pmuq_metric_event *event,
		    struct pmuq_str pmu)
{
	const struct pmuq_metric_list *list = pmuq_metric_plan_list(plan, event->list);
	const struct pmuq_encoding *encoding;

	for (size_t i = 0; list && (encoding = pmuq_encodings_get(list->encodings, i)); i++)
		if (encoding->event == event->event && str_eq(encoding->pmu, pmu))
			return true;
	return false;
}

/* The length of the event there as perf can print it: as it was written, by its term `name`, or
 * with its PMU; 0 if it is another one. */
static size_t event_at(const struct counts_file *from, size_t index, struct pmuq_str line,
		       size_t at)
{
	const struct pmuq_metric_plan *plan = from->results->planned->plan;
	const struct pmuq_metric_event *event = pmuq_metric_plan_event(plan, index);
	struct pmuq_str name = from->counted[index * from->results->counts.n].name;
	const char *slash;
	size_t end;

	if (is_at(line, at, event->name, line.p[at - 1]))
		return event->name.n;
	if (is_at(line, at, name, line.p[at - 1]))
		return name.n;
	slash = memchr(line.p + at, '/', line.n - at);
	if (!slash || !is_at(line, (size_t)(slash + 1 - line.p), event->name, '/'))
		return 0;
	end = (size_t)(slash + 1 - line.p) + event->name.n + 1;
	if (end > line.n || (end < line.n && line.p[end] != line.p[at - 1]) ||
	    !has_pmu(plan, event, str_part(line, at, (size_t)(slash - line.p))))
		return 0;
	return end - at;
}

static void take_columns(struct counts_file *from, struct pmuq_str line)
{
	size_t n = pmuq_metric_plan_event_count(from->results->planned->plan), length;

	for (size_t at = 1; at < line.n; at++) {
		/* Characters of numbers and names separate nothing. */
		if (!ispunct((unsigned char)line.p[at - 1]) || strchr("._/", line.p[at - 1]))
			continue;
		for (size_t i = 0; i < n; i++) {
			length = event_at(from, i, line, at);
			if (length && take_fields(from, line, at, length))
				return;
		}
	}
}

static void take_line(void *of, char *bytes, size_t n_bytes, const char *file, size_t line)
{
	struct counts_file *from = of;
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_FORMULA_LINE_MAX_BYTES);
	struct pq_json_reader reader = { .text = { .p = bytes, .n = n_bytes } };
	struct pq_json_value *root = NULL;
	enum pq_json_result result;

	if (bytes[strspn(bytes, " \t\r,[")] != '{') {
		take_columns(from, (struct pmuq_str){ bytes, n_bytes });
		return;
	}
	result = pq_json_parse(&reader, &arena, &root);
	done_or_die(result != PQ_JSON_MEMORY);
	if (result == PQ_JSON_OK)
		take_object(from, root);
	else
		report(REPORT_WARNING, "%s:%zu: the line is not JSON: %s", file, line,
		       reader.problem);
	pq_json_clear(&reader);
}

static enum status report_no_counts(const char *path, const struct pmuq_metric_plan *plan)
{
	report(REPORT_ERROR, "%s has no count of an event that is needed%s%s",
	       strcmp(path, "-") == 0 ? "stdin" : path,
	       pmuq_metric_plan_event_count(plan) ? ", such as " : "",
	       pmuq_metric_plan_event_count(plan) ? pmuq_metric_plan_event(plan, 0)->name.p : "");
	report(REPORT_NOTE, "it must be the output of `perf stat -j` or `-x,`, or of `pmuq check "
			    "--count --jsonl`, for these metrics");
	return STATUS_INVALID;
}

enum status counts_read(const char *path, struct metric_results *results)
{
	struct counts_file from = { .results = results };
	enum status status;

	inspect_all(&from);
	status = lines_read(path, PQ_LINE_MAX_BYTES, take_line, NULL, &from);
	free(from.counted);
	if (status == STATUS_OK && !from.n_rows)
		status = report_no_counts(path, results->planned->plan);
	return status;
}
