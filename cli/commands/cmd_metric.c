/* SPDX-License-Identifier: MIT */
/*
 * `pmuq metric`: computes metrics of counts that were counted before. With --formula: evaluates a
 * formula with the values of the command line, or a formula of each line of a file, which is JSON.
 */
#include "cli/cmd.h"
#include "cli/events/event_strings.h"
#include "cli/events/lines.h"
#include "cli/machine_word.h"
#include "cli/metrics/counts_read.h"
#include "cli/metrics/formula_run.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/caret.h"
#include "core/num.h"
#include "core/text/json_read.h"
#include <errno.h>
#include <math.h>
#include <string.h>

struct metric {
	const struct options *options;
	struct document document;
	PQ_VEC(struct named_value) values; /* of the command line */
	enum status status;
};

/* ------------------------------------------------------------------------------------ numbers */

/* A number of C, "nan" or "inf", in every locale. */
static bool read_number(const char *text, double *ret)
{
	size_t n;

	return pq_num_real(text, ret, &n) != PQ_NUM_NONE && !text[n];
}

static struct pmuq_formula_input plain_input(double value)
{
	return (struct pmuq_formula_input){ value, 1, 1 };
}

/* ------------------------------------------------------------------------------- command line */

/* "NAME=VALUE"; the last = is the one, because names of events contain others. */
static enum status read_operand(struct metric *metric, char *word)
{
	char *equals = strrchr(word, '=');
	double value;

	if (!equals || equals == word || !read_number(equals + 1, &value))
		return usage_error("'%s' is not NAME=NUMBER", word);
	*equals = '\0';
	push_or_die(&metric->values, ((struct named_value){ word, plain_input(value) }));
	return STATUS_OK;
}

/* ----------------------------------------------------------------------------------- results */

static void print_result(const struct formula_run *run)
{
	const char *reason = formula_reason_text(run->result.reason);
	cleanup(pq_buf_free) struct pq_buf caret = PQ_BUF_NULL;

	if (!reason) {
		printf("%.17g\n", run->result.value);
		return;
	}
	pq_caret_draw(&caret, (struct pq_caret){ .input = str_of(run->text),
						 .offset = run->result.offset,
						 .length = run->result.length,
						 .indent = "  " });
	printf("%s: %s\n%s\n", isnan(run->result.value) ? "not known" : "infinite", reason,
	       text_or_die(&caret));
}

static void finish(struct metric *metric, struct formula_run *run)
{
	formula_run(run);
	if (run->error)
		metric->status = status_worse(metric->status, report_status(run->error->code));
	if (metric->options->output.form != DOCUMENT_NONE)
		document_row(&metric->document, run);
	else if (run->error)
		report_error(run->error, run->where);
	else
		print_result(run);
	formula_run_clear(run);
}

static struct formula_run begin_run(const struct metric *metric, const char *text)
{
	struct formula_run run = {
		.text = text,
		.options = { .size = sizeof(run.options),
			     .dialect = strings_dialect(metric->options) },
	};

	for (size_t i = 0; i < metric->values.n; i++)
		push_or_die(&run.values, metric->values.v[i]);
	return run;
}

/* --------------------------------------------------------------------------------------- files */

/* The member as a number; NaN if it has none. */
static double number_of(const struct pq_json_value *object, const char *key)
{
	const struct pq_json_value *member = key ? pq_json_get(object, key) : object;
	double value;

	if (!member || (member->type != PQ_JSON_IS_BARE && member->type != PQ_JSON_IS_TEXT) ||
	    !read_number(member->text.p, &value))
		return NAN;
	return value;
}

/* A number, or an object of the three numbers of an input. */
static struct pmuq_formula_input input_of(const struct pq_json_value *value)
{
	if (value->type != PQ_JSON_IS_OBJECT)
		return plain_input(number_of(value, NULL));
	return (struct pmuq_formula_input){ number_of(value, "value"),
					    number_of(value, "source_count"),
					    number_of(value, "aggr_nr") };
}

/* perf's recordings have these facts in one number: whether all CPUs were counted. */
static void add_system_wide(struct formula_run *run, const struct pq_json_value *line)
{
	double value = number_of(line, "system_wide");

	if (isnan(value))
		return;
	push_or_die(&run->values, ((struct named_value){ "#core_wide", plain_input(value) }));
	push_or_die(&run->values, ((struct named_value){ "#target_cpu", plain_input(value) }));
}

static void add_members(struct formula_run *run, const struct pq_json_value *line)
{
	const struct pq_json_value *values = pq_json_get(line, "values");
	const struct pq_json_value *formulas = pq_json_get(line, "metric_refs");
	const struct pq_json_value *cpuid = pq_json_get(line, "cpuid");
	double parameter = number_of(line, "runtime");

	for (const struct pq_json_value *one = values ? values->first : NULL; one; one = one->next)
		push_or_die(&run->values, ((struct named_value){ one->key.p, input_of(one) }));
	for (const struct pq_json_value *one = formulas ? formulas->first : NULL; one;
	     one = one->next)
		push_or_die(&run->formulas, ((struct named_formula){ one->key.p, one->text.p }));
	add_system_wide(run, line);
	run->cpuid = cpuid ? cpuid->text.p : NULL;
	if (parameter >= 0 && parameter <= 1e6)
		run->options.parameter = (unsigned)parameter;
}

static void refuse_line(struct metric *metric, const char *where, const char *problem)
{
	report(REPORT_ERROR, "%s: the line is not an object of JSON with the member 'expr'%s%s",
	       where, problem ? ": " : "", problem ? problem : "");
	metric->status = status_worse(metric->status, STATUS_INVALID);
}

static void take_line(void *of, char *text, size_t n_bytes, const char *file, size_t line)
{
	struct metric *metric = of;
	auto_free char *where = print_or_die("%s:%zu", file, line);
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_FORMULA_LINE_MAX_BYTES);
	struct pq_json_reader reader = { .text = { .p = text, .n = n_bytes } };
	const struct pq_json_value *expr;
	struct pq_json_value *root = NULL;
	enum pq_json_result result;

	if (!text[strspn(text, " \t\r")])
		return;
	result = pq_json_parse(&reader, &arena, &root);
	expr = result == PQ_JSON_OK ? pq_json_get(root, "expr") : NULL;
	if (!expr || expr->type != PQ_JSON_IS_TEXT) {
		refuse_line(metric, where, result == PQ_JSON_OK ? NULL : reader.problem);
	} else {
		struct formula_run run = begin_run(metric, expr->text.p);

		run.where = where;
		add_members(&run, root);
		finish(metric, &run);
	}
	pq_json_clear(&reader);
}

static enum status evaluate_all(struct metric *metric)
{
	const struct options *options = metric->options;
	const char *path = option_value(options, OPTION_FILE);
	enum status status = STATUS_OK;

	if (options->output.form != DOCUMENT_NONE)
		status = document_begin(&metric->document, options->output.form, &metric_document,
					NULL);
	if (status == STATUS_OK && path) {
		status = lines_read(path, PQ_LINE_MAX_BYTES, take_line, NULL, metric);
	} else if (status == STATUS_OK) {
		struct formula_run run = begin_run(metric, options->operands[0]);

		finish(metric, &run);
	}
	if (options->output.form != DOCUMENT_NONE)
		status = status_worse(status, document_end(&metric->document, NULL));
	return status_worse(status, metric->status);
}

/* --------------------------------------------------------------------------------------- counts */

static enum status compute(const struct options *options, struct planned *planned)
{
	const char *path = option_value(options, OPTION_FILE);
	struct metric_results results = { 0 };
	enum status status, computed;

	metric_results_begin(&results, planned);
	status = counts_read(path ? path : "-", &results);
	if (status == STATUS_OK) {
		status = planned_report(planned);
		computed = metric_results_evaluate(&results);
		status = status_worse(status, computed);
		status = status_worse(status, metric_results_print(&results, &options->output));
	}
	metric_results_clear(&results);
	return status;
}

/* The values of metrics, of counts that were counted before, maybe on another machine. */
static enum status run_counts(const struct options *options)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	const struct pmuq_encode_options encode = { .size = sizeof(encode),
						    .dialect = strings_dialect(options),
						    .is_system_wide = option_is_set(
							    options, OPTION_SYSTEM_WIDE) };
	const struct pmuq_metric_options plan = {
		.size = sizeof(plan),
	};
	struct planned planned = { 0 };
	enum status status = source_open(&options->cli, &source);

	if (status == STATUS_OK)
		status = planned_open(&planned, &options->cli, source,
				      option_value(options, OPTION_VENDOR), options->operands[0],
				      encode, &plan);
	if (status == STATUS_OK)
		status = compute(options, &planned);
	planned_close(&planned);
	return status;
}

/* ------------------------------------------------------------------------------------- command */

static enum status run_formula(const struct options *options)
{
	struct metric metric = { .options = options };
	bool has_file = option_is_set(options, OPTION_FILE);
	enum status status = STATUS_OK;

	if (options->cli.host || options->cli.sysroot || options->cli.via)
		return usage_error("--formula needs no machine");
	if (!has_file && !options->n_operands)
		return usage_error("metric --formula needs a formula, or -f FILE");
	for (size_t i = has_file ? 0 : 1; status == STATUS_OK && i < options->n_operands; i++)
		status = read_operand(&metric, options->operands[i]);
	if (status == STATUS_OK)
		status = evaluate_all(&metric);
	pq_vec_free(&metric.values);
	return status;
}

static enum status run_metric(const struct options *options)
{
	if (option_is_set(options, OPTION_FORMULA))
		return run_formula(options);
	if (options->n_operands != 1)
		return usage_error("metric needs the names of metrics, separated by commas, or "
				   "--formula");
	return run_counts(options);
}

const struct command cmd_metric = {
	.name = "metric",
	.arguments = "NAMES|--formula FORMULA [NAME=VALUE...]",
	.summary = "compute metrics of counts, and evaluate formulas",
	.text = "NAMES are metrics, metric groups and patterns, separated by commas. The counts\n"
		"are those of FILE, by default of stdin: the output of `perf stat -j` or `-x,`,\n"
		"or of `pmuq check --count --jsonl`.\n\n"
		"A FORMULA is that of a metric in the tables of the kernel. Each NAME is an\n"
		"event, or a literal such as #smt_on; one without a VALUE is not known, and\n"
		"neither is what depends on it. A line of a FILE is an object of JSON: expr,\n"
		"values, and metric_refs for the formulas that it names.\n\n"
		"Examples:\n"
		"  perf stat -j -M TopdownL1 -o counts.json -- make\n"
		"  pmuq metric TopdownL1 -f counts.json\n"
		"  pmuq metric --formula 'instructions / cycles' instructions=3e9 cycles=2e9\n"
		"  pmuq metric --formula --jsonl -f formulas.jsonl '#smt_on=1'\n",
	.options = OPTION_LIST(OPTION_FORMULA, OPTION_SYSTEM_WIDE, OPTION_VENDOR, OPTION_DIALECT,
			       OPTION_FILE, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&metrics_document, &metric_document),
	.run = run_metric,
};
