/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode --all-hosts` for people: of each string what it is on which hosts, then a line for
 * each kind of host. What several kinds have alike is said once.
 */
#include "cli/events/attr_text.h"
#include "cli/hosts/audit.h"
#include "cli/hosts/host_names.h"

/* So many ranges of names are shown. */
#define NAMES_SHOWN 6

static void put_attr(FILE *to, const struct pmuq_attr *attr)
{
	struct attr_text field = { .next = ATTR_CONFIG };

	while (attr_text_next(&field, attr))
		fprintf(to, " %s", field.text);
	putc('\n', to);
}

/* A line for each encoding, one for boxes that are alike. */
static void put_encodings(FILE *to, const struct pmuq_encodings *encodings)
{
	struct fold fold = { .encodings = encodings };
	size_t n = pmuq_encodings_count(encodings);

	for (; fold.first < n; fold.first += fold.n) {
		auto_free char *pmus = NULL, *types = NULL;

		fold_grow(&fold);
		pmus = fold_pmus(&fold);
		types = fold_types(&fold);
		fputs("    ", to);
		print_safe(to, pmus && *pmus ? pmus : "no PMU");
		fprintf(to, ", type%s %s:", fold.n > 1 ? "s" : "", types ? types : "?");
		put_attr(to, fold_get(&fold, 0)->attr);
	}
}

char *gate_text_of(const struct answer *answer)
{
	struct diagnosis error = answer->error;
	char *text = NULL;
	size_t n_text;
	FILE *to = open_memstream(&text, &n_text);

	if (!to)
		return NULL;
	error.hint = NULL; /* kinds that fail alike may have hints of their own */
	if (answer->encodings)
		put_encodings(to, answer->encodings);
	else
		report_draw(to, REPORT_ERROR, &error, answer->input, "    ");
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

struct telling {
	const struct gate *gate;
	const char **names; /* room for those of all hosts */
};

/* "12 hosts: web[1-12]" */
static void put_hosts(const struct telling *telling, size_t n)
{
	auto_free char *folded = names_fold(telling->names, n, NAMES_SHOWN);

	printf("%zu host%s: ", n, n == 1 ? "" : "s");
	print_safe(stdout, folded ? folded : "?");
}

static size_t gather_hosts(const struct telling *telling, const struct gate_outcome *outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < outcome->n_members; i++)
		n += gate_all_hosts(telling->gate, outcome->members[i].kind, telling->names + n);
	return n;
}

static bool is_same(const struct gate_opens *a, const struct gate_opens *b)
{
	return a->opens == b->opens && a->errnum == b->errnum && a->reason == b->reason;
}

/* The hosts that gave the answer, of all kinds of the outcome; 0 when `opens` is not the first of
 * its like. */
static size_t gather_alike(const struct telling *telling, const struct gate_string *string,
			   const struct gate_outcome *outcome, const struct gate_opens *opens)
{
	bool is_found = false;
	size_t n = 0;

	for (size_t i = 0; i < outcome->n_members; i++) {
		const struct gate_member *member = &outcome->members[i];

		for (size_t k = 0; k < member->n_opens; k++) {
			const struct gate_opens *other = &string->opens[member->first_opens + k];

			if (!is_same(other, opens))
				continue;
			if (!is_found && other != opens)
				return 0;
			is_found = true;
			n += gate_hosts(telling->gate, member->kind, other->check,
					telling->names + n);
		}
	}
	return n;
}

static void put_opens(const struct telling *telling, const struct gate_opens *opens, size_t n)
{
	static const char *const words[] = {
		[OPENS_UNKNOWN] = "not tried on ",
		[OPENS_YES] = "opened on ",
		[OPENS_NO] = "refused on ",
	};

	printf("    %s", words[opens->opens]);
	put_hosts(telling, n);
	putchar('\n');
	if (opens->opens != OPENS_NO)
		return;
	printf("      %s (%d), ", opens->errno_name ? opens->errno_name : "?", opens->errnum);
	print_safe(stdout, opens->reason ? opens->reason : "for no known reason");
	if (opens->hint) {
		fputs("\n      hint: ", stdout);
		print_safe(stdout, opens->hint);
	}
	putchar('\n');
}

static void put_all_opens(const struct telling *telling, const struct gate_string *string,
			  const struct gate_outcome *outcome)
{
	for (size_t i = 0; i < outcome->n_members; i++) {
		const struct gate_member *member = &outcome->members[i];

		for (size_t k = 0; k < member->n_opens; k++) {
			const struct gate_opens *opens = &string->opens[member->first_opens + k];
			size_t n = gather_alike(telling, string, outcome, opens);

			if (n)
				put_opens(telling, opens, n);
		}
	}
}

static void put_outcome(const struct telling *telling, const struct gate_string *string,
			const struct gate_outcome *outcome)
{
	enum style style = outcome->is_valid ? STYLE_GOOD : STYLE_ERROR;

	printf("  %s%s%s on ", style_code(stdout, style), outcome->is_valid ? "valid" : "invalid",
	       style_code(stdout, STYLE_NONE));
	put_hosts(telling, gather_hosts(telling, outcome));
	printf("\n%s", outcome->text);
	if (outcome->hint) {
		fputs("    hint: ", stdout);
		print_safe(stdout, outcome->hint);
		putchar('\n');
	}
	put_all_opens(telling, string, outcome);
}

static bool is_fine(const struct gate_string *string, const struct gate_outcome *outcome)
{
	for (size_t i = 0; i < outcome->n_members; i++) {
		const struct gate_member *member = &outcome->members[i];

		for (size_t k = 0; k < member->n_opens; k++)
			if (string->opens[member->first_opens + k].opens == OPENS_NO)
				return false;
	}
	return outcome->is_valid;
}

/* How many of its outcomes are told: where it is quiet, the faults. */
static size_t count_told(const struct gate *gate, const struct gate_string *string)
{
	size_t n = 0;

	for (size_t i = 0; i < string->n_outcomes; i++)
		n += !gate->is_quiet || !is_fine(string, &string->outcomes[i]);
	return n;
}

static void put_string(const struct telling *telling, const struct gate_string *string)
{
	if (!count_told(telling->gate, string))
		return;
	if (string->file)
		printf("%s:%zu: ", string->file, string->line);
	fputs(style_code(stdout, STYLE_NAME), stdout);
	print_safe(stdout, string->input);
	printf("%s\n", style_code(stdout, STYLE_NONE));
	for (size_t i = 0; i < string->n_outcomes; i++)
		if (!telling->gate->is_quiet || !is_fine(string, &string->outcomes[i]))
			put_outcome(telling, string, &string->outcomes[i]);
	putchar('\n');
}

static void put_part(size_t n, const char *what)
{
	if (n)
		printf(", %zu %s", n, what);
}

/* One line: what a gate in a build log is read for. */
static void put_verdict(const struct telling *telling, size_t kind)
{
	const struct gate_verdict *verdict = &telling->gate->verdicts[kind];
	const struct pmuq_hosts *hosts = telling->gate->fleet.hosts;
	size_t host = pmuq_hosts_class(hosts, kind)->hosts[0];
	const char *cpuid = pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, host, 0), "cpuid");
	bool is_good = gate_is_fine(verdict);

	printf("%s%-6s%s %s  %zu of %zu valid",
	       style_code(stdout, is_good ? STYLE_GOOD : STYLE_ERROR), is_good ? "ok" : "FAILED",
	       style_code(stdout, STYLE_NONE), pmuq_hosts_class(hosts, kind)->name.p,
	       verdict->n_valid, verdict->n_valid + verdict->n_invalid);
	put_part(verdict->n_opened, "opened");
	put_part(verdict->n_refused, "refused");
	put_part(verdict->n_unknown, "not tried");
	printf("; ");
	if (cpuid) {
		print_safe(stdout, cpuid);
		printf("; ");
	}
	put_hosts(telling, gate_all_hosts(telling->gate, kind, telling->names));
	putchar('\n');
}

int gate_print_text(const struct gate *gate)
{
	auto_free const char **names =
		calloc(pmuq_hosts_count(gate->fleet.hosts) + 1, sizeof(*names));
	const struct telling telling = { .gate = gate, .names = names };

	if (!names)
		return report_failed("out of memory");
	for (size_t i = 0; i < gate->n_strings; i++)
		put_string(&telling, &gate->strings[i]);
	for (size_t i = 0; i < pmuq_hosts_class_count(gate->fleet.hosts); i++)
		put_verdict(&telling, i);
	return STATUS_OK;
}
