/* SPDX-License-Identifier: MIT */
/*
 * `pmuq ingest`: takes what hosts pushed out of the inbox, a batch at a time: each is one
 * transaction, so an interrupt or a kill keeps what is stored, and leaves the rest in the inbox.
 */
#include "cli/clock.h"
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/report.h"
#include <poll.h>

/* How often the inbox is queried if it is empty. */
#define INTERVAL_MS 1000
/* A batch that another process disturbed is tried again so often. */
#define BUSY_TRIES 10

#define OF(name) MEMBER(struct pmuq_ingested, name)

// clang-format off
static const struct field ingest_fields[] = {
	{ .name = STR("hosts"),      .type = FIELD_COUNT, OF(n_hosts), .help = "number of deliveries that were stored" },
	{ .name = STR("snapshots"),  .type = FIELD_COUNT, OF(n_snapshots), .help = "of them, those that are a new snapshot" },
	{ .name = STR("rejected"),   .type = FIELD_COUNT, OF(n_rejected), .help = "number of deliveries that could not be stored" },
	{ .name = STR("heartbeats"), .type = FIELD_COUNT, OF(n_heartbeats), .help = "number of unchanged hosts whose time was updated" },
};
// clang-format on

static const struct record_type ingest_record = { .name = "ingest", FIELDS(ingest_fields) };

static const struct document_type ingest_document = {
	.name = "ingest",
	.title = "pmuq ingest",
	.head = &ingest_record,
};

static void print_text(const struct pmuq_ingested *sum)
{
	print_plural("ingested ", sum->n_hosts, "host");
	print_plural(": ", sum->n_snapshots, "new snapshot");
	printf(", %zu rejected", sum->n_rejected);
	print_plural(", ", sum->n_heartbeats, "heartbeat");
	putchar('\n');
}

static void add(struct pmuq_ingested *sum, const struct pmuq_ingested *batch)
{
	sum->n_hosts += batch->n_hosts;
	sum->n_snapshots += batch->n_snapshots;
	sum->n_rejected += batch->n_rejected;
	sum->n_heartbeats += batch->n_heartbeats;
}

static size_t work_of(const struct pmuq_ingested *ingested)
{
	return ingested->n_hosts + ingested->n_rejected + ingested->n_heartbeats;
}

static enum status ingest_batch(struct pmuq_store *store, struct pmuq_ingested *ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	int r = -PMUQ_E_STORE_BUSY;

	for (int i = 0; r == -PMUQ_E_STORE_BUSY && i < BUSY_TRIES && !interrupt_came(); i++) {
		pmuq_error_free(move(error));
		*ret = (struct pmuq_ingested){ .size = sizeof(*ret) };
		r = pmuq_store_ingest(store, ret, &error);
	}
	return r < 0 ? report_error(error, NULL) : STATUS_OK;
}

/* Until the inbox is empty, and after that until the time has come. */
static enum status ingest_all(struct pmuq_store *store, int64_t until_ms, struct pmuq_ingested *sum)
{
	enum status status = STATUS_OK;
	struct pmuq_ingested batch;
	struct progress progress;

	progress_begin(&progress);
	while (status == STATUS_OK && !interrupt_came()) {
		status = ingest_batch(store, &batch);
		if (status != STATUS_OK)
			break;
		add(sum, &batch);
		progress_show(&progress, work_of(sum), work_of(sum) + batch.n_waiting,
			      "deliveries");
		if (work_of(&batch))
			continue;
		if (clock_running_ms() >= until_ms)
			break;
		poll(NULL, 0, INTERVAL_MS); /* Ctrl-C ends it */
	}
	progress_end(&progress);
	return status;
}

static enum status run_ingest(const struct options *options)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	struct pmuq_ingested sum = { .size = sizeof(sum) };
	int64_t until_ms =
		clock_running_ms() + 1000 * (int64_t)option_number(options, OPTION_FOR, 0);
	struct interrupt interrupt;
	enum status status = database_open(&options->cli, PMUQ_STORE_WRITE, &store);

	if (status != STATUS_OK)
		return status;
	interrupt_begin(&interrupt);
	status = ingest_all(store, until_ms, &sum);
	interrupt_end(&interrupt);
	if (options->output.form != DOCUMENT_NONE)
		status = status_worse(status,
				      document_print(options->output.form, &ingest_document, &sum));
	else
		print_text(&sum);
	if (interrupt_came()) {
		report(REPORT_NOTE, "interrupted: what is not stored yet stays in the inbox");
		return STATUS_INTERRUPTED;
	}
	if (sum.n_rejected)
		report(REPORT_NOTE, "`pmuq db rejected` shows why deliveries could not be stored");
	return status;
}

const struct command cmd_ingest = {
	.name = "ingest",
	.no_host = "it stores what hosts pushed",
	.no_sysroot = "it stores what hosts pushed",
	.summary = "store what hosts pushed to a server",
	.text = "Takes deliveries of `pmuq push` out of the inbox of a database on a PostgreSQL\n"
		"server, a thousand in a transaction, until it is empty, and updates the times of\n"
		"hosts that sent a heartbeat. With --for it goes on for that time. Several may\n"
		"run at once. A delivery that cannot be stored stays in the inbox with its error\n"
		"(`pmuq db rejected`), and stops no other.\n\n"
		"Examples:\n"
		"  pmuq --db service=pmuq ingest\n"
		"  pmuq --db service=pmuq ingest --for 3600\n",
	.options = OPTION_LIST(OPTION_FOR, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&ingest_document),
	.run = run_ingest,
};
