/* SPDX-License-Identifier: MIT */
/* A call becomes a command line, the command runs, and its document becomes the reply. */
#include "service/calls.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/watched.h"
#include "core/num.h"
#include "core/text/sink.h"
#include "service/interface.h"
#include "service/words.h"
#include <string.h>

/* What nothing announces is at most this old, or 2 s where a read is slow. */
#define FRESH_MS 500

/* ---------------------------------------------------------------------------- the machine */

static struct service *service_of(struct served *of)
{
	return (struct service *)((char *)of - offsetof(struct service, served));
}

static enum status no_generation(const struct service *service)
{
	report(REPORT_ERROR, "there is no such generation: the daemon has %llu to %llu",
	       (unsigned long long)states_oldest(&service->states),
	       (unsigned long long)service->states.follower.generation);
	return STATUS_INVALID;
}

/* "live", or "generation:3". */
static enum status find_machine(struct served *of, const char *word, struct pmuq_source **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const struct service *service = service_of(of);
	struct pmuq_str text = str_of(word), before = STR("generation:");
	uint64_t generation = service->states.follower.generation;
	int r;

	if (str_starts(text, before) &&
	    pq_num_decimal(str_part(text, before.n, text.n), &generation) != PQ_NUM_OK)
		return no_generation(service);
	r = states_source(&service->states, generation, ret, &error);
	if (r < 0)
		return report_error(error, NULL);
	return r == PQ_NONE ? no_generation(service) : STATUS_OK;
}

enum status service_begin(struct service *service, const struct cli *cli)
{
	*service = (struct service){
		.served = {
			.find_machine = find_machine,
			.db = cli->db,
			.document_max_bytes = PQ_SERVICE_REPLY_MAX_BYTES,
			.searches_max = PQ_SERVICE_SEARCHES_MAX,
		},
	};
	return states_begin(&service->states, cli);
}

void service_clear(struct service *service)
{
	served_clear(&service->served);
	states_clear(&service->states);
}

/* ------------------------------------------------------------------------------- replies */

/* "notes" of a reply or an error, if there are any. */
static void add_notes(struct pq_sink *sink, const struct served *of, size_t first)
{
	if (of->reports.n <= first)
		return;
	pq_sink_key(sink, STR("notes"));
	pq_sink_open(sink, '[');
	for (size_t i = first; i < of->reports.n; i++)
		pq_sink_text(sink, str_of(of->reports.v[i]));
	pq_sink_close(sink, ']');
}

static void cut_last(struct pq_buf *text, char last)
{
	while (text->n && text->p[text->n - 1] == last)
		text->n--;
}

/* A large reply is moved, not copied. */
static void move_to(struct pq_buf *to, struct pq_buf *from)
{
	struct pq_buf old = *to;

	if (to->n) {
		pq_buf_add(to, pq_buf_str(from));
		return;
	}
	*to = *from;
	*from = old;
}

/* The document is written after the beginning of its message, */
static void begin_reply(struct service *service, const char *before)
{
	served_clear_output(&service->served);
	pq_buf_print(&service->served.document, "{\"parameters\": %s", before);
}

/* and the members that each reply has follow its own: its last bracket is cut off for them. */
static void end_reply(struct service *service, struct pq_buf *to)
{
	cleanup(pq_buf_free) struct pq_buf common = PQ_BUF_NULL;
	struct pq_buf *text = &service->served.document;
	struct pq_sink *sink = or_die(pq_sink_json(&common, 0));
	bool is_long;

	cut_last(text, '\n');
	is_long = memchr(text->p, '\n', text->n);
	text->n--;
	cut_last(text, '\n');
	pq_sink_open(sink, '{');
	pq_sink_key(sink, STR("generation"));
	pq_sink_count(sink, service->states.follower.generation);
	add_notes(sink, &service->served, 0);
	pq_sink_close(sink, '}');
	done_or_die(!sink->failed && !common.failed);
	pq_sink_free(sink);
	pq_buf_add(text, is_long ? STR(",\n  ") : STR(", "));
	pq_buf_add(text, str_part(pq_buf_str(&common), 1, common.n - is_long));
	pq_buf_add(text, is_long ? STR("\n}}") : STR("}"));
	pq_buf_char(text, 0, 1);
	done_or_die(!text->failed);
	move_to(to, text);
}

/* An error without a code: the first report is its message. */
static void refuse(const struct served *of, enum status status, struct pq_buf *to)
{
	cleanup(pq_buf_free) struct pq_buf parameters = PQ_BUF_NULL;
	struct pq_sink *sink = or_die(pq_sink_json(&parameters, 0));

	pq_sink_open(sink, '{');
	pq_sink_key(sink, STR("message"));
	pq_sink_text(sink, str_of(of->reports.n ? of->reports.v[0] : "it failed"));
	add_notes(sink, of, 1);
	pq_sink_close(sink, '}');
	done_or_die(!sink->failed && !parameters.failed);
	pq_sink_free(sink);
	varlink_error(to,
		      status == STATUS_USAGE	 ? INTERFACE_NAME ".BadRequest"
		      : status == STATUS_INVALID ? INTERFACE_NAME ".NotFound"
						 : INTERFACE_NAME ".Failed",
		      pq_buf_str(&parameters));
}

/* A command may refuse some of its operands; that is a part of its document. */
static void reply_with(struct service *service, enum status status, struct pq_buf *to)
{
	const struct served *of = &service->served;

	if (of->is_too_large)
		varlink_error_about(to, INTERFACE_NAME ".ReplyTooLarge", "message",
				    STR("pass fewer strings, or globs that match less"));
	else if (of->n_searches > of->searches_max)
		varlink_error_about(to, INTERFACE_NAME ".TooManyStrings", "message",
				    STR("at most 1,000 strings of a call may be invalid, and it "
					"decodes at most 1,000 attrs: pass fewer"));
	else if (of->error.n)
		varlink_error(to, INTERFACE_NAME ".PmuqError", pq_buf_str(&of->error));
	else if (status != STATUS_OK && !of->n_rows)
		refuse(of, status, to);
	else
		end_reply(service, to);
}

/* ------------------------------------------------------------------------------- methods */

/* The help of a parameter that is one of some words, or excludes others. */
static const char *help_of(const struct method *method, struct pmuq_str parameter)
{
	const struct method_word *word = method->words;

	while (!str_eq(str_of(word->name), parameter))
		word++;
	return word->help;
}

static void refuse_parameter(const struct method *method, enum words_result result,
			     struct pmuq_str parameter, struct pq_buf *to)
{
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	const char *error = INTERFACE_NAME ".BadRequest";

	if (result == WORDS_INVALID) {
		varlink_error_about(to, "org.varlink.service.InvalidParameter", "parameter",
				    parameter);
		return;
	}
	if (result == WORDS_TOO_MANY) {
		error = INTERFACE_NAME ".TooManyStrings";
		pq_buf_print(&message, "'%.*s' has at most %zu strings: pass fewer",
			     STR_ARG(parameter), method->operands_max);
	} else if (result == WORDS_UNKNOWN) {
		pq_buf_print(&message, "'%.*s' is one of %s", STR_ARG(parameter),
			     help_of(method, parameter));
	} else {
		pq_buf_print(&message, "'%s' and '%.*s' exclude each other", method->words->name,
			     STR_ARG(parameter));
	}
	done_or_die(!message.failed);
	varlink_error_about(to, error, "message", pq_buf_str(&message));
}

static void run(struct service *service, const struct method *method, const struct words *words,
		struct pq_buf *to)
{
	cleanup(options_clear) struct options options = { 0 };
	enum status status;

	begin_reply(service, method->before ? method->before : "");
	served = &service->served;
	status = options_read(&options, method->command, words->n, words->v);
	options.cli.db = service->served.db;
	if (status == STATUS_OK)
		status = method->command->run(&options);
	served = NULL;
	if (method->before)
		pq_buf_char(&service->served.document, '}', 1);
	reply_with(service, status, to);
}

static void get_info(struct service *service, struct pq_buf *to)
{
	cleanup(pq_buf_free) struct pq_buf scratch = PQ_BUF_NULL;
	struct info info = info_of(&service->states, &service->clients);
	struct pq_sink *sink = or_die(pq_sink_json(&service->served.document, 0));

	begin_reply(service, "");
	record_write(sink, &info_record, &info, &scratch);
	done_or_die(!sink->failed);
	pq_sink_free(sink);
	end_reply(service, to);
}

/* Of what event strings refer to, tracepoints alone change without an announcement: a probe that
 * was made again has another number. */
static bool has_tracepoints(const struct service *service)
{
	return pmuq_catalog_machine(service->states.follower.catalog)->n_tracepoints > 0;
}

static enum call_result call_method(struct service *service, const struct method *method,
				    const struct varlink_call *call, struct pq_buf *to)
{
	struct pmuq_str parameter = { 0 };
	cleanup(words_clear) struct words words;
	enum words_result result = words_read(method, call->parameters, &words, &parameter);

	if (result != WORDS_OK) {
		refuse_parameter(method, result, parameter, to);
		return CALL_DONE;
	}
	if ((method->refreshes || has_tracepoints(service)) &&
	    follower_refresh(&service->states.follower, FRESH_MS) != STATUS_OK) {
		varlink_error_about(
			to, INTERFACE_NAME ".Failed", "message",
			STR("the machine cannot be read; the log of the daemon has the reason"));
		return CALL_DONE;
	}
	switch (method->task) {
	case METHOD_RUNS:
		run(service, method, &words, to);
		return CALL_DONE;
	case METHOD_GET_INFO:
		get_info(service, to);
		return CALL_DONE;
	case METHOD_SUBSCRIBE:
		break;
	}
	if (!call->wants_more) {
		varlink_error(to, "org.varlink.service.ExpectedMore", STR("{}"));
		return CALL_DONE;
	}
	service_add_state(service, NULL, to);
	return CALL_SUBSCRIBED;
}

void service_add_state(struct service *service, const struct follower_change *change,
		       struct pq_buf *to)
{
	const struct watched watched = watched_of(&service->states.follower, change);
	struct pmuq_str line;

	served_clear_output(&service->served);
	served = &service->served;
	document_print(DOCUMENT_JSONL, &watch_document, &watched);
	served = NULL;
	line = pq_buf_str(&service->served.document);
	varlink_reply(to, str_part(line, 0, line.n ? line.n - 1 : 0), true);
}

/* ------------------------------------------------------------------------------ dispatch */

static void introspect(const struct varlink_call *call, struct pq_buf *to)
{
	const struct pq_json_value *name =
		call->parameters ? pq_json_get(call->parameters, "interface") : NULL;

	if (str_eq(call->method, STR("GetInfo")))
		interface_reply_info(to);
	else if (!str_eq(call->method, STR("GetInterfaceDescription")))
		varlink_error_about(to, "org.varlink.service.MethodNotFound", "method",
				    call->method);
	else if (!name || name->type != PQ_JSON_IS_TEXT)
		varlink_error_about(to, "org.varlink.service.InvalidParameter", "parameter",
				    STR("interface"));
	else if (!interface_reply_description(name->text, to))
		varlink_error_about(to, "org.varlink.service.InterfaceNotFound", "interface",
				    name->text);
}

enum call_result service_call(struct service *service, const struct varlink_call *call,
			      struct pq_buf *to)
{
	const struct method *method;

	if (str_eq(call->interface, STR("org.varlink.service"))) {
		introspect(call, to);
		return CALL_DONE;
	}
	if (!str_eq(call->interface, STR(INTERFACE_NAME))) {
		varlink_error_about(to, "org.varlink.service.InterfaceNotFound", "interface",
				    call->interface);
		return CALL_DONE;
	}
	method = method_find(call->method);
	if (!method) {
		varlink_error_about(to, "org.varlink.service.MethodNotFound", "method",
				    call->method);
		return CALL_DONE;
	}
	return call_method(service, method, call, to);
}
