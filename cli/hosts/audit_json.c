/* SPDX-License-Identifier: MIT */
/* `pmuq encode --all-hosts --json`: schemas/fleet.schema.json. */
#include "cli/events/encode_forms.h"
#include "cli/hosts/audit.h"
#include "cli/hosts/host_names.h"
#include <string.h>

/* Whether it opens is said beside, since hosts of one kind may differ in it. */
static void write_nothing(struct pq_sink *doc, const struct answer *answer, size_t index)
{
	(void)doc;
	(void)answer;
	(void)index;
}

char *gate_json_of(const struct answer *answer)
{
	static const struct answer_kind kind = { .write_more = write_nothing };
	struct pq_buf buf = PQ_BUF_NULL;
	struct pq_sink *sink = pq_sink_json(&buf, 0);

	if (!sink)
		return NULL;
	encode_write_document(sink, answer, &kind);
	pq_sink_free(sink);
	return pq_buf_take(&buf);
}

struct writing {
	const struct gate *gate;
	struct pq_sink *doc;
	const char **names; /* room for those of all hosts */
};

static void write_names(struct writing *writing, const char *key, size_t n)
{
	qsort(writing->names, n, sizeof(*writing->names), names_compare);
	doc_key(writing->doc, key);
	doc_open(writing->doc, '[');
	for (size_t i = 0; i < n; i++)
		doc_string(writing->doc, writing->names[i]);
	doc_close(writing->doc, ']');
}

static void write_number(struct pq_sink *doc, const char *key, size_t number)
{
	doc_key(doc, key);
	pq_sink_number(doc, (int64_t)number);
}

/* The kernels that run on hosts of the kind, each once. */
static void write_kernels(struct writing *writing, size_t kind)
{
	const struct pmuq_hosts *hosts = writing->gate->fleet.hosts;
	size_t n = 0, n_all = 0;

	for (size_t i = 0; i < pmuq_hosts_class(hosts, kind)->n_hosts; i++) {
		const char *kernel = pmuq_snapshot_find_fact(
			pmuq_hosts_snapshot(hosts, pmuq_hosts_class(hosts, kind)->hosts[i], 0),
			"kernel");

		if (kernel)
			writing->names[n_all++] = kernel;
	}
	qsort(writing->names, n_all, sizeof(*writing->names), names_compare);
	for (size_t i = 0; i < n_all; i++)
		if (n == 0 || strcmp(writing->names[n - 1], writing->names[i]) != 0)
			writing->names[n++] = writing->names[i];
	write_names(writing, "kernels", n);
}

static void write_verdict(struct writing *writing, size_t kind)
{
	const struct gate_verdict *verdict = &writing->gate->verdicts[kind];
	struct pq_sink *doc = writing->doc;

	doc_key(doc, "ok");
	pq_sink_bool(doc, gate_is_fine(verdict));
	write_number(doc, "valid", verdict->n_valid);
	write_number(doc, "invalid", verdict->n_invalid);
	if (!writing->gate->wants_opens)
		return;
	write_number(doc, "opened", verdict->n_opened);
	write_number(doc, "refused", verdict->n_refused);
	write_number(doc, "unknown", verdict->n_unknown);
}

static void write_kind(struct writing *writing, size_t kind)
{
	const struct pmuq_hosts *hosts = writing->gate->fleet.hosts;
	size_t host = pmuq_hosts_class(hosts, kind)->hosts[0];
	struct pq_sink *doc = writing->doc;

	doc_open(doc, '{');
	doc_text(doc, "kind", pmuq_hosts_class(hosts, kind)->name.p);
	write_verdict(writing, kind);
	doc_text_if(doc, "arch",
		    pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, host, 0), "arch"));
	doc_text_if(doc, "cpuid",
		    pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, host, 0), "cpuid"));
	doc_text_if(doc, "incomplete",
		    pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, host, 0), "incomplete"));
	write_kernels(writing, kind);
	write_names(writing, "hosts", gate_all_hosts(writing->gate, kind, writing->names));
	doc_close(doc, '}');
}

static void write_opens(struct writing *writing, size_t kind, const struct gate_opens *opens)
{
	static const char *const words[] = {
		[OPENS_UNKNOWN] = "unknown",
		[OPENS_YES] = "opened",
		[OPENS_NO] = "refused",
	};
	struct pq_sink *doc = writing->doc;

	doc_open(doc, '{');
	doc_text(doc, "kind", pmuq_hosts_class(writing->gate->fleet.hosts, kind)->name.p);
	doc_text(doc, "status", words[opens->opens]);
	if (opens->opens == OPENS_NO) {
		write_number(doc, "errno", (size_t)opens->errnum);
		doc_text_if(doc, "reason", opens->reason);
		doc_text_if(doc, "hint", opens->hint);
	}
	write_names(writing, "hosts",
		    gate_hosts(writing->gate, kind, opens->check, writing->names));
	doc_close(doc, '}');
}

static void write_outcome(struct writing *writing, const struct gate_string *string,
			  const struct gate_outcome *outcome)
{
	struct pq_sink *doc = writing->doc;

	doc_open(doc, '{');
	doc_key(doc, "kinds");
	doc_open(doc, '[');
	for (size_t i = 0; i < outcome->n_members; i++)
		doc_string(doc,
			   pmuq_hosts_class(writing->gate->fleet.hosts, outcome->members[i].kind)
				   ->name.p);
	doc_close(doc, ']');
	doc_key(doc, "answer");
	pq_sink_bare(doc, str_of(outcome->text));
	if (writing->gate->wants_opens && outcome->is_valid) {
		doc_key(doc, "opens");
		doc_open(doc, '[');
		for (size_t i = 0; i < outcome->n_members; i++) {
			const struct gate_member *member = &outcome->members[i];

			for (size_t k = 0; k < member->n_opens; k++)
				write_opens(writing, member->kind,
					    &string->opens[member->first_opens + k]);
		}
		doc_close(doc, ']');
	}
	doc_close(doc, '}');
}

static void write_string(struct writing *writing, const struct gate_string *string)
{
	struct pq_sink *doc = writing->doc;
	auto_free char *at = NULL;

	doc_open(doc, '{');
	doc_text(doc, "input", string->input);
	if (string->file && asprintf(&at, "%s:%zu", string->file, string->line) >= 0)
		doc_text(doc, "at", at);
	doc_key(doc, "outcomes");
	doc_open(doc, '[');
	for (size_t i = 0; i < string->n_outcomes; i++)
		write_outcome(writing, string, &string->outcomes[i]);
	doc_close(doc, ']');
	doc_close(doc, '}');
}

int gate_print_json(const struct gate *gate)
{
	auto_free const char **names =
		calloc(pmuq_hosts_count(gate->fleet.hosts) + 1, sizeof(*names));
	struct writing writing = { .gate = gate, .names = names };
	struct document document;
	int status = names ? document_begin(&document, DOCUMENT_JSON, "pmuq.fleet/1")
			   : report_failed("out of memory");

	if (status != STATUS_OK)
		return status;
	writing.doc = document.sink;
	document_begin_rows(&document, "kinds");
	for (size_t i = 0; i < pmuq_hosts_class_count(gate->fleet.hosts); i++) {
		document_begin_row(&document);
		write_kind(&writing, i);
		document_end_row(&document);
	}
	document_end_rows(&document);
	document_begin_rows(&document, "inputs");
	for (size_t i = 0; i < gate->n_strings; i++) {
		document_begin_row(&document);
		write_string(&writing, &gate->strings[i]);
		document_end_row(&document);
	}
	document_end_rows(&document);
	return document_end(&document);
}
