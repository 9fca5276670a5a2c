/* SPDX-License-Identifier: MIT */
#include "cli/hosts/audit.h"
#include "cli/events/encode_forms.h"
#include <string.h>

/* Makes room for one more in a vector that doubles; NULL when out of memory. */
static void *grow(void *v, size_t n, size_t each_bytes)
{
	if (n & (n - 1))
		return v;
	return reallocarray(v, n ? 2 * n : 1, each_bytes);
}

bool gate_add(struct gate *gate, const char *text, const char *file, size_t line)
{
	struct gate_string *strings = grow(gate->strings, gate->n_strings, sizeof(*strings));
	struct gate_string string = { .input = strdup(text), .line = line };

	if (strings)
		gate->strings = strings;
	if (file)
		string.file = strdup(file);
	if (!strings || !string.input || (file && !string.file)) {
		free(string.input);
		free(string.file);
		gate->status = report_failed("out of memory");
		return false;
	}
	gate->strings[gate->n_strings++] = string;
	return true;
}

/* Kept once however many say so; NULL for NULL, and when out of memory. */
static const char *keep_text(struct gate *gate, const char *text)
{
	char **texts;

	for (size_t i = 0; text && i < gate->n_texts; i++)
		if (strcmp(gate->texts[i], text) == 0)
			return gate->texts[i];
	texts = text ? grow(gate->texts, gate->n_texts, sizeof(*texts)) : NULL;
	if (!texts)
		return NULL;
	gate->texts = texts;
	texts[gate->n_texts] = strdup(text);
	return texts[gate->n_texts] ? texts[gate->n_texts++] : NULL;
}

/* The outcome of that text, which is taken over; NULL when out of memory. */
static struct gate_outcome *find_outcome(struct gate_string *string, char *text)
{
	struct gate_outcome *outcomes;

	for (size_t i = 0; i < string->n_outcomes; i++)
		if (strcmp(string->outcomes[i].text, text) == 0) {
			free(text);
			return &string->outcomes[i];
		}
	outcomes = grow(string->outcomes, string->n_outcomes, sizeof(*outcomes));
	if (!outcomes) {
		free(text);
		return NULL;
	}
	string->outcomes = outcomes;
	outcomes[string->n_outcomes] = (struct gate_outcome){ .text = text };
	return &outcomes[string->n_outcomes++];
}

static bool add_member(struct gate_outcome *outcome, const struct gate_member *member)
{
	struct gate_member *members = grow(outcome->members, outcome->n_members, sizeof(*members));

	if (!members)
		return false;
	outcome->members = members;
	members[outcome->n_members++] = *member;
	return true;
}

static bool add_opens(struct gate_string *string, const struct gate_opens *opens)
{
	struct gate_opens *all = grow(string->opens, string->n_opens, sizeof(*all));

	if (!all)
		return false;
	string->opens = all;
	all[string->n_opens++] = *opens;
	return true;
}

/* A kind while its strings are asked. */
struct asking {
	struct gate *gate;
	struct fleet_kind kind;
	struct pmuq_encode_options options;
	struct pmuq_check **checks; /* NULL-terminated room for all of the kind's */
	size_t n_checks;
	bool has_unchecked; /* some of its hosts were never checked */
};

static struct gate_opens find_opens(const struct asking *asking, size_t check,
				    const struct pmuq_encodings *encodings)
{
	struct gate_opens opens = { .check = check };
	const struct pmuq_check_result *answer = NULL;

	if (check == PMUQ_NOT_KNOWN)
		return opens;
	opens.opens = opens_find(asking->kind.source, asking->checks[check], encodings, &answer);
	if (!answer)
		return opens;
	opens.errnum = answer->open->errnum;
	opens.errno_name = pmuq_errno_name(opens.errnum);
	opens.reason = keep_text(asking->gate, answer->open->reason.p);
	opens.hint = keep_text(asking->gate, answer->open->hint.p);
	return opens;
}

/* One verdict for the string on the kind: the worst of its hosts. */
static bool note_opens(struct asking *asking, struct gate_string *string,
		       const struct pmuq_encodings *encodings, struct gate_member *member)
{
	struct gate_verdict *verdict = &asking->gate->verdicts[asking->kind.index];
	bool is_refused = false, is_unknown = false;

	member->first_opens = string->n_opens;
	for (size_t i = 0; i < asking->n_checks + asking->has_unchecked; i++) {
		size_t check = i < asking->n_checks ? i : PMUQ_NOT_KNOWN;
		struct gate_opens opens = find_opens(asking, check, encodings);

		is_refused |= opens.opens == OPENS_NO;
		is_unknown |= opens.opens == OPENS_UNKNOWN;
		if (!add_opens(string, &opens))
			return false;
		member->n_opens++;
	}
	verdict->n_refused += is_refused;
	verdict->n_unknown += !is_refused && is_unknown;
	verdict->n_opened += !is_refused && !is_unknown;
	if (is_refused)
		asking->gate->status = status_worse(asking->gate->status, STATUS_REFUSED);
	return true;
}

static void note_hint(struct gate *gate, struct gate_outcome *outcome, const char *hint)
{
	if (!outcome->n_members)
		outcome->hint = keep_text(gate, hint);
	else if (!hint || !outcome->hint || strcmp(hint, outcome->hint) != 0)
		outcome->hint = NULL;
}

static bool note_answer(struct asking *asking, struct gate_string *string,
			const struct answer *answer)
{
	struct gate *gate = asking->gate;
	struct gate_member member = { .kind = asking->kind.index };
	char *text = gate->is_json ? gate_json_of(answer) : gate_text_of(answer);
	struct gate_outcome *outcome = text ? find_outcome(string, text) : NULL;

	if (!outcome)
		return false;
	outcome->is_valid = answer->encodings != NULL;
	if (!outcome->is_valid) {
		note_hint(gate, outcome, answer->error.hint);
		gate->verdicts[member.kind].n_invalid++;
		gate->status = status_worse(gate->status, report_status(answer->error.code));
		return add_member(outcome, &member);
	}
	gate->verdicts[member.kind].n_valid++;
	if (gate->wants_opens && !note_opens(asking, string, answer->encodings, &member))
		return false;
	return add_member(outcome, &member);
}

static bool ask_string(struct asking *asking, struct gate_string *string)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct answer answer = {
		.input = string->input,
		.file = string->file,
		.line = string->line,
		.source = asking->kind.source,
	};

	if (pmuq_source_encode(asking->kind.source, string->input, &asking->options, &encodings,
			       &error) < 0)
		answer.error = diagnosis_of(error);
	answer.encodings = encodings;
	return note_answer(asking, string, &answer);
}

static int read_checks(struct asking *asking)
{
	struct gate *gate = asking->gate;
	size_t n = pmuq_hosts_class(gate->fleet.hosts, asking->kind.index)->n_checks;
	int status;

	if (!gate->wants_opens)
		return STATUS_OK;
	asking->checks = calloc(n + 1, sizeof(struct pmuq_check *));
	if (!asking->checks)
		return report_failed("out of memory");
	for (; asking->n_checks < n; asking->n_checks++) {
		status = fleet_read_check(&gate->fleet, asking->kind.index, asking->n_checks,
					  &asking->checks[asking->n_checks]);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static bool has_unchecked(const struct gate *gate, size_t kind)
{
	const struct pmuq_hosts *hosts = gate->fleet.hosts;

	for (size_t i = 0; i < pmuq_hosts_class(hosts, kind)->n_hosts; i++)
		if (pmuq_hosts_get(hosts, pmuq_hosts_class(hosts, kind)->hosts[i])->check ==
		    PMUQ_NOT_KNOWN)
			return true;
	return false;
}

static int ask_strings(struct asking *asking)
{
	struct gate *gate = asking->gate;
	int status = read_checks(asking);

	asking->has_unchecked = has_unchecked(gate, asking->kind.index);
	asking->options = gate->options;
	asking->options.pfm = gate->fleet.pfm;
	asking->options.vendor = asking->kind.vendor;
	for (size_t i = 0; status == STATUS_OK && i < gate->n_strings; i++)
		if (!ask_string(asking, &gate->strings[i]))
			status = report_failed("out of memory");
	for (size_t i = 0; i < asking->n_checks; i++)
		pmuq_check_free(asking->checks[i]);
	free(asking->checks);
	return status;
}

static int ask_kinds(struct gate *gate)
{
	size_t n = pmuq_hosts_class_count(gate->fleet.hosts);
	int status = STATUS_OK;

	gate->verdicts = calloc(n + 1, sizeof(*gate->verdicts));
	if (!gate->verdicts)
		return report_failed("out of memory");
	for (size_t i = 0; status == STATUS_OK && i < n; i++) {
		struct asking asking = { .gate = gate };

		status = fleet_open_kind(&gate->fleet, i, gate->vendor, &asking.kind);
		if (status == STATUS_OK)
			status = ask_strings(&asking);
		fleet_close_kind(&asking.kind);
	}
	return status;
}

int gate_run(struct gate *gate)
{
	int status;

	gate->filter = (struct pmuq_hosts_filter){
		.size = sizeof(gate->filter),
		.globs = &gate->glob,
		.n_globs = gate->glob != NULL,
		.is_newest_only = true,
	};
	status = fleet_open(&gate->fleet, gate->cli, &gate->filter);
	if (status == STATUS_OK)
		status = fleet_report_unmatched(gate->fleet.hosts, &gate->filter);
	if (status == STATUS_OK && pmuq_hosts_count(gate->fleet.hosts) == 0) {
		report(REPORT_ERROR, "the database has no host: `pmuq scan` keeps this one");
		status = STATUS_INVALID;
	}
	if (status == STATUS_OK)
		status = ask_kinds(gate);
	if (status == STATUS_OK)
		status = gate->is_json ? gate_print_json(gate) : gate_print_text(gate);
	return status_worse(status, gate->status);
}

static void clear_string(struct gate_string *string)
{
	for (size_t i = 0; i < string->n_outcomes; i++) {
		free(string->outcomes[i].text);
		free(string->outcomes[i].members);
	}
	free(string->outcomes);
	free(string->opens);
	free(string->input);
	free(string->file);
}

void gate_clear(struct gate *gate)
{
	for (size_t i = 0; i < gate->n_strings; i++)
		clear_string(&gate->strings[i]);
	for (size_t i = 0; i < gate->n_texts; i++)
		free(gate->texts[i]);
	free(gate->strings);
	free(gate->verdicts);
	free(gate->texts);
	fleet_close(&gate->fleet);
}

size_t gate_hosts(const struct gate *gate, size_t kind, size_t check, const char **names)
{
	const struct pmuq_hosts *hosts = gate->fleet.hosts;
	size_t n = 0;

	for (size_t i = 0; i < pmuq_hosts_class(hosts, kind)->n_hosts; i++) {
		size_t host = pmuq_hosts_class(hosts, kind)->hosts[i];

		if (pmuq_hosts_get(hosts, host)->check == check)
			names[n++] = pmuq_hosts_get(hosts, host)->name.p;
	}
	return n;
}

size_t gate_all_hosts(const struct gate *gate, size_t kind, const char **names)
{
	const struct pmuq_hosts *hosts = gate->fleet.hosts;
	size_t n = pmuq_hosts_class(hosts, kind)->n_hosts;

	for (size_t i = 0; i < n; i++)
		names[i] = pmuq_hosts_get(hosts, pmuq_hosts_class(hosts, kind)->hosts[i])->name.p;
	return n;
}
