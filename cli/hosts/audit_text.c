/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode --all-hosts` for people: for each string its outcome on the hosts, then a summary
 * line for each host class. Facts that several classes share are printed once.
 */
#include "cli/hosts/audit.h"
#include "cli/hosts/host_names.h"
#include "cli/or_die.h"
#include "cli/output/shown_attr.h"
#include "cli/output/text_stream.h"

/* Further ranges of names are only counted. */
#define NAMES_SHOWN 6

/* A line for each encoding; sibling instances share a line. */
static void put_encodings(FILE *to, const struct pmuq_encodings *encodings)
{
	struct fold fold = { .encodings = encodings };

	while (encodings && fold_next(&fold)) {
		auto_free char *pmus = fold_pmus(&fold), *types = fold_types(&fold);
		cleanup(pq_buf_free) struct pq_buf attr = PQ_BUF_NULL;

		attr_print(&attr, fold_get(&fold, 0)->attr, PQ_FIELD_config);
		fputs("    ", to);
		print_safe(to, *pmus ? pmus : "no PMU");
		fprintf(to, ", type%s %s: %s\n", fold.n > 1 ? "s" : "", types, text_or_die(&attr));
	}
}

char *audit_text_of(const struct result *result)
{
	struct pmuq_error error;
	struct text_stream stream;

	text_stream_open(&stream);
	if (!result->error) {
		put_encodings(stream.to, result->encodings);
	} else {
		/* Classes with the same error may have different hints. */
		error = *result->error;
		error.hint = (struct pmuq_str){ 0 };
		report_draw(stream.to, REPORT_ERROR, &error, result->input, "    ");
	}
	return text_stream_close(&stream);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* "12 hosts: web[1-12]" */
static void put_hosts(const struct audit *audit, size_t n)
{
	auto_free char *folded = names_fold(audit->names, n, NAMES_SHOWN);

	printf("%zu host%s: ", n, plural(n));
	print_safe(stdout, folded);
}

/* Hosts with the same error may have different hints: similar names on each of them. */
static void put_hints(const struct audit *audit, const struct audit_outcome *outcome)
{
	size_t n_all = audit_gather_hosts(audit, outcome);

	for (size_t i = 0; i < outcome->n; i++) {
		size_t n = outcome->v[i].hint ? audit_gather_hinted(audit, outcome, i) : 0;

		if (!n)
			continue;
		printf("    hint");
		if (n < n_all) {
			printf(" on ");
			put_hosts(audit, n);
		}
		print_safe_line(stdout, ": %s", outcome->v[i].hint);
	}
}

static void put_opens(const struct audit *audit, const struct audit_opens *opens, size_t n)
{
	static const char *const words[] = {
		[OPENS_UNCHECKED] = "never checked: ",
		[OPENS_UNKNOWN] = "not tried on ",
		[OPENS_YES] = "opened on ",
		[OPENS_NO] = "refused on ",
	};

	printf("    %s", words[opens->opens]);
	put_hosts(audit, n);
	putchar('\n');
	if (opens->opens != OPENS_NO)
		return;
	print_safe_line(stdout, "      %s (%d), %s", opens->errno_name ? opens->errno_name : "?",
			opens->errnum, opens->reason ? opens->reason : "for no known reason");
	if (opens->hint)
		print_safe_line(stdout, "      hint: %s", opens->hint);
}

static void put_outcome(const struct audit *audit, const struct audit_string *string, size_t index)
{
	const struct audit_outcome *outcome = &string->outcomes.v[index];
	enum style style = outcome->is_valid ? STYLE_GOOD : STYLE_ERROR;

	printf("  %s%s%s on ", style_code(stdout, style), outcome->is_valid ? "valid" : "invalid",
	       style_code(stdout, STYLE_NONE));
	put_hosts(audit, audit_gather_hosts(audit, outcome));
	printf("\n%s", outcome->text);
	put_hints(audit, outcome);
	for (size_t i = 0; i < string->opens.n; i++) {
		const struct audit_opens *opens = &string->opens.v[i];
		size_t n = opens->outcome == index ? audit_gather_same(audit, string, opens) : 0;

		if (n)
			put_opens(audit, opens, n);
	}
}

/* True for an outcome with an error, and for every outcome unless the audit is quiet. */
static bool is_printed(const struct audit *audit, const struct audit_string *string, size_t index)
{
	if (!audit->is_quiet || !string->outcomes.v[index].is_valid)
		return true;
	for (size_t i = 0; i < string->opens.n; i++)
		if (string->opens.v[i].outcome == index && string->opens.v[i].opens == OPENS_NO)
			return true;
	return false;
}

static void put_input(const struct audit_string *string)
{
	if (string->file)
		print_location(stdout, string->file, string->line);
	fputs(style_code(stdout, STYLE_NAME), stdout);
	print_safe(stdout, string->input);
	printf("%s\n", style_code(stdout, STYLE_NONE));
}

static void put_string(const struct audit *audit, const struct audit_string *string)
{
	size_t n = 0;

	for (size_t i = 0; i < string->outcomes.n; i++) {
		if (!is_printed(audit, string, i))
			continue;
		if (n++ == 0)
			put_input(string);
		put_outcome(audit, string, i);
	}
	if (n)
		putchar('\n');
}

static void put_part(size_t n, const char *what)
{
	if (n)
		printf(", %zu %s", n, what);
}

/* At the end of a summary; it has the names unless they are those of the whole class. */
static void put_unchecked(const struct audit *audit, size_t host_class)
{
	size_t n_all = pmuq_hosts_class(audit->list.hosts, host_class)->n_hosts;
	size_t n = audit_gather_class(audit, host_class, PMUQ_NOT_KNOWN);

	if (!audit->wants_opens || !n)
		return;
	printf("; never checked");
	if (n < n_all) {
		printf(": ");
		put_hosts(audit, n);
	}
}

/* One summary line per host class, for build logs. */
static void put_totals(const struct audit *audit, size_t host_class)
{
	const struct audit_totals *totals = &audit->totals[host_class];
	const struct pmuq_hosts *hosts = audit->list.hosts;
	size_t host = pmuq_hosts_class(hosts, host_class)->hosts[0];
	const char *cpuid = pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, host, 0), "cpuid");
	bool is_good = audit_is_good(audit, host_class);

	printf("%s%-6s%s %s  %zu of %zu valid",
	       style_code(stdout, is_good ? STYLE_GOOD : STYLE_ERROR), is_good ? "ok" : "FAILED",
	       style_code(stdout, STYLE_NONE), pmuq_hosts_class(hosts, host_class)->name.p,
	       totals->n_valid, totals->n_valid + totals->n_invalid);
	put_part(totals->n_opened, "opened");
	put_part(totals->n_refused, "refused");
	/* Without any check, "never checked" at the end is enough. */
	if (totals->n_unchecked < pmuq_hosts_class(hosts, host_class)->n_hosts)
		put_part(totals->n_unknown, "not tried");
	printf("; ");
	if (cpuid) {
		print_safe(stdout, cpuid);
		printf("; ");
	}
	put_hosts(audit, audit_gather_class(audit, host_class, HOSTS_ANY_CHECK));
	put_unchecked(audit, host_class);
	putchar('\n');
}

/* "12 strings on 3 hosts: 2 strings fail on 1 host" */
static void put_summary(const struct audit *audit)
{
	size_t n_hosts = pmuq_hosts_count(audit->list.hosts);
	size_t n_strings = 0, n_failed = 0, n_unchecked = 0;

	for (size_t i = 0; i < audit->strings.n; i++)
		n_strings += audit->strings.v[i].is_failed;
	for (size_t i = 0; i < n_hosts; i++)
		n_failed += audit->is_failed[i];
	for (size_t i = 0; i < pmuq_hosts_class_count(audit->list.hosts); i++)
		n_unchecked += audit->totals[i].n_unchecked;
	printf("%zu string%s on %zu host%s: ", audit->strings.n, plural(audit->strings.n), n_hosts,
	       plural(n_hosts));
	if (n_strings)
		printf("%zu string%s fail%s on %zu host%s", n_strings, plural(n_strings),
		       n_strings == 1 ? "s" : "", n_failed, plural(n_failed));
	else
		printf("no string fails");
	if (audit->wants_opens && n_unchecked)
		printf("; %zu host%s %s never checked (`pmuq scan --check`)", n_unchecked,
		       plural(n_unchecked), n_unchecked == 1 ? "was" : "were");
	putchar('\n');
}

void audit_print_text(const struct audit *audit)
{
	for (size_t i = 0; i < audit->strings.n; i++)
		put_string(audit, &audit->strings.v[i]);
	for (size_t i = 0; i < pmuq_hosts_class_count(audit->list.hosts); i++)
		put_totals(audit, i);
	put_summary(audit);
}
