/* SPDX-License-Identifier: MIT */
/* The result of event strings on all hosts, as `pmuq encode --all-hosts` prints it. Strings that
 * fail somewhere are open at first. */
#include "cli/hosts/host_names.h"
#include "cli/or_die.h"
#include "cli/pages/pages.h"

/* Of hosts with many different names; their classes have all of them. */
#define RANGES_SHOWN 30

static void put_hosts(FILE *to, const struct audit *audit, size_t n)
{
	auto_free char *names = names_fold(audit->names, n, RANGES_SHOWN);

	page_put_count(to, n, "host");
	page_put(to, ": %s", names);
}

static void put_hints(FILE *to, const struct audit *audit, const struct audit_outcome *outcome)
{
	for (size_t i = 0; i < outcome->n; i++) {
		size_t n = outcome->v[i].hint ? audit_gather_hinted(audit, outcome, i) : 0;

		if (!n)
			continue;
		page_put(to, "<p>Hint: %s <span class=\"quiet\">(", outcome->v[i].hint);
		put_hosts(to, audit, n);
		fputs(")</span>\n", to);
	}
}

static void put_opens(FILE *to, const struct audit *audit, const struct audit_opens *opens,
		      size_t n)
{
	static const char *const words[] = {
		[OPENS_UNCHECKED] = "never checked on",
		[OPENS_UNKNOWN] = "not tried on",
		[OPENS_YES] = "opened on",
		[OPENS_NO] = "refused on",
	};

	page_put(to, "<p>%s ", words[opens->opens]);
	put_hosts(to, audit, n);
	putc('\n', to);
	if (opens->opens == OPENS_NO)
		page_put(to,
			 "<br><span class=\"bad\">%s</span> %s <span class=\"quiet\">%s</span>\n",
			 opens->errno_name, opens->reason, opens->hint);
}

static void put_outcome(FILE *to, const struct audit *audit, const struct audit_string *string,
			size_t index)
{
	const struct audit_outcome *outcome = &string->outcomes.v[index];

	page_put(to, "<h3 class=\"%s\">%s on ", outcome->is_valid ? "good" : "bad",
		 outcome->is_valid ? "valid" : "invalid");
	put_hosts(to, audit, audit_gather_hosts(audit, outcome));
	page_put(to, "</h3>\n<pre tabindex=\"0\">%s</pre>\n", outcome->text);
	put_hints(to, audit, outcome);
	for (size_t i = 0; i < string->opens.n; i++) {
		const struct audit_opens *opens = &string->opens.v[i];
		size_t n = opens->outcome == index ? audit_gather_same(audit, string, opens) : 0;

		if (n)
			put_opens(to, audit, opens, n);
	}
}

static void put_string(FILE *to, const struct audit *audit, const struct audit_string *string)
{
	page_put(to,
		 "<details%s>\n<summary><span class=\"%s\">%s</span> <code>%s</code></summary>\n",
		 string->is_failed ? " open" : "", string->is_failed ? "bad" : "good",
		 string->is_failed ? "fails" : "ok", string->input);
	for (size_t i = 0; i < string->outcomes.n; i++)
		put_outcome(to, audit, string, i);
	fputs("</details>\n", to);
}

void page_put_audit(FILE *to, const struct audit *audit)
{
	size_t n_failed = 0;

	for (size_t i = 0; i < audit->strings.n; i++)
		n_failed += audit->strings.v[i].is_failed;
	fputs("<section>\n<h2>Audit</h2>\n<p>", to);
	page_put_count(to, audit->strings.n, "event string");
	page_put(to, ", %zu of them fail%s on a host.\n", n_failed, n_failed == 1 ? "s" : "");
	for (size_t i = 0; i < audit->strings.n; i++)
		put_string(to, audit, &audit->strings.v[i]);
	fputs("</section>\n", to);
}
