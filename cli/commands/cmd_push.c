/* SPDX-License-Identifier: MIT */
/*
 * `pmuq push`: hands in this machine to the inbox of a server. With --spool it is kept while the
 * server is away, and delivered before the machine is the next time, so that no state is lost.
 */
#include "cli/clock.h"
#include "cli/cmd.h"
#include "cli/hosts/spool.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/report.h"
#include <string.h>

/* Without a spool: what the server did not take is not kept. */
enum push_result { PUSH_HEARTBEAT, PUSH_FACTS, PUSH_DOCUMENT, PUSH_KEPT };

static const char *const result_words[] = {
	[PUSH_HEARTBEAT] = "heartbeat",
	[PUSH_FACTS] = "facts",
	[PUSH_DOCUMENT] = "document",
	[PUSH_KEPT] = "kept",
	NULL,
};
static_assert((int)PUSH_HEARTBEAT == PMUQ_PUSH_HEARTBEAT && (int)PUSH_FACTS == PMUQ_PUSH_FACTS &&
		      (int)PUSH_DOCUMENT == PMUQ_PUSH_DOCUMENT,
	      "the values are those of the library");

struct push_run {
	const char *to;
	const struct pmuq_catalog *catalog;
	int64_t time_s;
	struct spool *spool; /* NULL: none */
	enum push_result result;
	size_t n_sent, n_waiting, n_lost; /* of the spool */
	bool has_failed;		  /* a file of the spool is lost */
};

#define PUSH ((const struct push_run *)of)

static bool get_result(const void *of, struct cell *cell)
{
	return cell_set_text(cell, result_words[PUSH->result]);
}

// clang-format off
static const struct field push_fields[] = {
	{ .name = STR("result"),   .type = FIELD_TEXT,  .get = get_result, WORDS(result_words),
	  .help = "heartbeat: nothing has changed; facts, document: what was sent; kept: the server is away" },
	{ .name = STR("sent"),     .type = FIELD_COUNT, MEMBER(struct push_run, n_sent), .help = "number of machines of the spool that were sent" },
	{ .name = STR("waiting"),  .type = FIELD_COUNT, MEMBER(struct push_run, n_waiting), .help = "number of machines that the spool keeps" },
	{ .name = STR("lost"),     .type = FIELD_COUNT, MEMBER(struct push_run, n_lost), .help = "number of machines that the spool could not keep" },
};
// clang-format on

static const struct record_type push_record = { .name = "push", FIELDS(push_fields) };

static const struct document_type push_document = {
	.name = "push",
	.title = "pmuq push",
	.head = &push_record,
};

static void print_text(const struct push_run *push)
{
	static const char *const sentences[] = {
		[PUSH_HEARTBEAT] = "unchanged: sent a heartbeat",
		[PUSH_FACTS] = "sent the facts of this host; the server has the rest",
		[PUSH_DOCUMENT] = "sent the document of this host",
		[PUSH_KEPT] = "kept this host in the spool",
	};

	printf("%s", sentences[push->result]);
	if (push->n_sent)
		printf("; %zu of the spool %s sent", push->n_sent,
		       push->n_sent == 1 ? "was" : "were");
	if (push->n_waiting)
		printf(" (%zu wait there)", push->n_waiting);
	putchar('\n');
}

/* Another attempt can succeed without a change of this machine. */
static bool is_away(int r)
{
	return r == -PMUQ_E_STORE_OPEN || r == -PMUQ_E_STORE_BUSY || r == -PMUQ_E_STORE_WRITE ||
	       r == -PMUQ_E_INBOX_FULL;
}

/* ---- the spool */

/* Oldest first. What the server will never take is removed with a warning. */
static enum status send_oldest(struct push_run *push, bool *ret_is_away)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	int64_t time_s = 0;
	int r;

	if (spool_read_oldest(push->spool, &catalog, &time_s) != STATUS_OK) {
		spool_remove_oldest(push->spool);
		push->n_lost++;
		push->has_failed = true;
		return STATUS_OK;
	}
	r = pmuq_catalog_push(catalog, push->to, time_s, NULL, &error);
	*ret_is_away = is_away(r);
	if (r == -PMUQ_E_INBOX_MISSING || r == -PMUQ_E_NO_LIBRARY || r == -PMUQ_E_MEMORY)
		return report_error(error, NULL);
	if (*ret_is_away) {
		report(REPORT_NOTE, "%s", error->message.p);
		return STATUS_OK;
	}
	push->n_sent += r == 0;
	push->n_lost += r < 0;
	push->has_failed |= r < 0;
	if (r < 0)
		report(REPORT_WARNING, "%s/%s is removed: %s", push->spool->path,
		       push->spool->names.v[0], error->message.p);
	spool_remove_oldest(push->spool);
	return STATUS_OK;
}

static enum status send_spool(struct push_run *push, bool *ret_is_away)
{
	enum status status = STATUS_OK;

	*ret_is_away = false;
	while (push->spool && push->spool->names.n && status == STATUS_OK && !*ret_is_away)
		status = send_oldest(push, ret_is_away);
	return status;
}

/* What no server takes must not wait for one. */
static enum status check(const struct push_run *push)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	return pmuq_catalog_push(push->catalog, NULL, push->time_s, NULL, &error) < 0
		       ? report_error(error, NULL)
		       : STATUS_OK;
}

static enum status keep(struct push_run *push)
{
	size_t n_lost = 0;
	enum status status = check(push);

	if (status == STATUS_OK)
		status = spool_add(push->spool, push->catalog, push->time_s, &n_lost);
	if (n_lost)
		report(REPORT_WARNING, "%s is full: the oldest state of this host was removed",
		       push->spool->path);
	push->n_lost += n_lost;
	push->result = PUSH_KEPT;
	return status;
}

/* ---- this machine */

static enum status send_machine(struct push_run *push)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_pushed pushed = { .size = sizeof(pushed) };
	int r = pmuq_catalog_push(push->catalog, push->to, push->time_s, &pushed, &error);

	push->result = (enum push_result)pushed.result;
	if (r == 0)
		return STATUS_OK;
	if (!push->spool || !is_away(r))
		return report_error(error, NULL);
	report(REPORT_NOTE, "%s", error->message.p);
	return keep(push);
}

static enum status send_all(struct push_run *push)
{
	bool is_away = false;
	enum status status = send_spool(push, &is_away);

	if (status != STATUS_OK)
		return status;
	if (!is_away)
		return send_machine(push);
	return keep(push);
}

static enum status push_machine(struct push_run *push, const struct options *options)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	enum status status = source_read(&options->cli, &catalog);

	if (status != STATUS_OK)
		return status;
	push->catalog = catalog;
	push->time_s = clock_now_s();
	status = send_all(push);
	if (status != STATUS_OK)
		return status;
	push->n_waiting = push->spool ? push->spool->names.n : 0;
	if (options->output.form != DOCUMENT_NONE)
		status = document_print(options->output.form, &push_document, push);
	else
		print_text(push);
	return push->has_failed ? STATUS_FAILED : status;
}

static enum status run_push(const struct options *options)
{
	const char *path = option_value(options, OPTION_SPOOL);
	struct push_run push = { .to = option_value(options, OPTION_TO) };
	enum status status = STATUS_OK;
	struct spool spool;

	if (!push.to)
		return usage_error("push needs --to SERVER");
	if (path) {
		status = spool_open(&spool, path);
		push.spool = &spool;
	}
	if (status == STATUS_OK)
		status = push_machine(&push, options);
	if (path)
		spool_close(&spool);
	return status;
}

const struct command cmd_push = {
	.name = "push",
	.summary = "push this machine to a server",
	.text = "Sends what changed since the last push: facts of this host, or the document if\n"
		"no host has pushed such a machine before; otherwise a heartbeat. `pmuq ingest`\n"
		"stores it under the name of the role that SERVER logs in (--to). With --spool,\n"
		"pmuq keeps the machine in DIR while the server is away, and sends it the\n"
		"next time.\n\n"
		"Examples:\n"
		"  pmuq push --to postgresql://web01@db.example.org/hosts\n"
		"  pmuq push --to service=pmuq --spool /var/lib/pmuq/spool\n",
	.options = OPTION_LIST(OPTION_TO, OPTION_SPOOL, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&push_document),
	.run = run_push,
};
