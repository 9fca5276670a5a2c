/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode`: event strings to attrs, each asked of the machine as it comes and opened where it
 * is this one. Never reads the whole machine. How an answer looks: encode_forms.h.
 */
#include "cli/events/encode_forms.h"
#include "cli/events/event_strings.h"
#include "cli/hosts/audit.h"

enum {
	KEY_NO_OPEN = ASK_OWN,
	KEY_ALL_HOSTS,
	KEY_FORM, /* and an enum form */
};

static const struct option_row encode_options[] = {
	{ KEY_FORM + FORM_JSON, "json", NULL, "one JSON document" },
	{ KEY_FORM + FORM_JSONL, "jsonl", NULL,
	  "a line of JSON for each string, as soon as it is answered" },
	{ KEY_FORM + FORM_YAML, "yaml", NULL, "one YAML document, the same as --json" },
	{ KEY_FORM + FORM_C, "c", NULL, "C: a struct perf_event_attr for each encoding" },
	{ KEY_FORM + FORM_HEX, "hex", NULL, "the attr's bytes in hex, a line for each encoding" },
	{ KEY_FORM + FORM_RAW, "raw", NULL, "the bytes themselves, attr after attr" },
	{ KEY_NO_OPEN, "no-open", NULL, "do not ask the kernel" },
	{ KEY_ALL_HOSTS, "all-hosts", "[=GLOB]",
	  "on every kind of host in the database: text, --json" },
	ASK_OPTIONS,
};

struct encode {
	struct ask ask;
	struct gate gate;    /* of --all-hosts */
	const char *skipped; /* why nothing is opened; NULL: it is */
	struct output output;
};

static struct encode *encode_of(struct ask *ask)
{
	return (struct encode *)ask;
}

static int open_status(const struct pmuq_open_results *verdicts)
{
	for (size_t i = 0; i < pmuq_open_results_count(verdicts); i++)
		if (pmuq_open_results_get(verdicts, i)->status == PMUQ_REFUSED)
			return STATUS_REFUSED;
	return STATUS_OK;
}

static void answer_one(struct ask *ask, struct answer *answer)
{
	cleanup(verdicts_freep) struct pmuq_open_results *verdicts = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct encode *encode = encode_of(ask);

	if (ask->gather) {
		encode_report_error(answer); /* a line that is no string at all */
		return;
	}
	answer->skipped = encode->skipped;
	if (answer->encodings && !encode->skipped) {
		if (pmuq_encodings_test_open(answer->encodings, NULL, &verdicts, &error) < 0)
			ask_refuse(ask, answer, diagnosis_of(error));
		else
			ask->status = status_worse(ask->status, open_status(verdicts));
	}
	answer->verdicts = verdicts;
	output_answer(&encode->output, answer);
}

static void gather(struct ask *ask, const char *text, const char *file, size_t line)
{
	gate_add(&encode_of(ask)->gate, text, file, line);
}

static void take_all_hosts(struct encode *encode)
{
	encode->gate.glob = optarg;
	encode->ask.gather = gather;
}

static int take(struct ask *ask, int key)
{
	if (key == KEY_NO_OPEN)
		encode_of(ask)->skipped = "--no-open was given";
	else if (key == KEY_ALL_HOSTS)
		take_all_hosts(encode_of(ask));
	else
		encode_of(ask)->output.form = (enum form)(key - KEY_FORM);
	return STATUS_OK;
}

/* Before any string is read, so that a wrong call fails at once. */
static int begin_gate(struct encode *encode)
{
	enum form form = encode->output.form;

	if (form != FORM_TEXT && form != FORM_JSON)
		return usage_error(encode->ask.command,
				   "--all-hosts answers as text or with --json");
	if (encode->gate.cli->host || encode->gate.cli->sysroot)
		return usage_error(encode->ask.command,
				   "--all-hosts are those of the database; --db names another");
	encode->gate.is_json = form == FORM_JSON;
	encode->gate.wants_opens = !encode->skipped;
	encode->gate.is_quiet = encode->ask.has_files;
	encode->gate.vendor = encode->ask.vendor;
	encode->gate.options = encode->ask.options;
	return STATUS_OK;
}

static int begin(struct ask *ask)
{
	struct encode *encode = encode_of(ask);

	if (ask->gather)
		return begin_gate(encode);
	if (!encode->skipped && !pmuq_source_is_live(ask->source))
		encode->skipped = "the source is not this machine";
	return output_begin(&encode->output);
}

static int end(struct ask *ask)
{
	/* No host is found fine by a list that could not be read. */
	if (ask->gather)
		return ask->status == STATUS_FAILED ? ask->status : gate_run(&encode_of(ask)->gate);
	return output_end(&encode_of(ask)->output);
}

static int run_encode(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct encode encode = {
		.ask = {
			.command = command,
			.take = take,
			.begin = begin,
			.end = end,
			.answer = answer_one,
		},
		.gate = { .command = command, .cli = cli },
		.output = { .command = command, .kind = &encode_kind },
	};
	int status = ask_run(&encode.ask, cli, argc, argv);

	gate_clear(&encode.gate);
	return status;
}

const struct command cmd_encode = {
	.name = "encode",
	.arguments = "EVENT...",
	.summary = "event strings to perf_event_attrs, opened on this machine",
	.text = ASK_TEXT
	"the exit status is the worst: 1 invalid, 3 refused by the kernel, 4 unreadable\n"
	"input.\n\n"
	"Examples:\n"
	"  pmuq encode cycles:u\n"
	"  pmuq encode --json --no-open 'cpu/event=0x3c,umask=0x1/u'\n"
	"  pmuq --sysroot TREE encode --jsonl -f events.txt\n"
	"  pmuq encode --all-hosts -f events.txt  # a gate: a line for each kind of host\n",
	.options = encode_options,
	.n_options = COUNT(encode_options),
	.run = run_encode,
};
