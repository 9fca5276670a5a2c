/* SPDX-License-Identifier: MIT */
#include "remote/remote_call.h"
#include "core/text/json_read.h"

/* Of a reply that is not as expected, in its error. */
#define SHOWN_BYTES 200

/* --------------------------------------------------------------------------------------- calls */

/* PQ_RECEIVED_END: the connection was closed, and no byte of a reply came. */
static int call(struct pq_remote *remote, const char *method, bool more, struct pmuq_error **reterr)
{
	if (remote->fd < 0)
		return PQ_RECEIVED_END;
	/* If it cannot be sent, the daemon may have sent the reason before it closed. */
	(void)pq_remote_send(remote, method, more);
	return pq_remote_receive(remote, true, reterr);
}

int pq_remote_call(struct pq_remote *remote, const char *method, bool more,
		   struct pmuq_error **reterr)
{
	int r = call(remote, method, more, reterr);

	if (r != PQ_RECEIVED_END)
		return r;
	r = pq_remote_connect(remote, true, reterr);
	if (r == 0)
		r = call(remote, method, more, reterr);
	return r == PQ_RECEIVED_END
		       ? pq_remote_fail(remote, "the connection ended without a reply", reterr)
		       : r;
}

/* ------------------------------------------------------------------------------------- replies */

/* The text of a value whose first token was read; false: it is not complete. */
static bool whole_value(struct pq_json_reader *json, enum pq_json_token token, struct pmuq_str *ret)
{
	unsigned depth = json->depth;
	size_t start = json->start;

	if (token == PQ_JSON_OPEN_OBJECT || token == PQ_JSON_OPEN_LIST)
		while (token != PQ_JSON_BAD && token != PQ_JSON_END && json->depth >= depth)
			token = pq_json_next(json);
	if (token == PQ_JSON_BAD || token == PQ_JSON_END)
		return false;
	*ret = str_part(json->text, start, json->at);
	return true;
}

/* Finds the member of the object whose first token was read. */
static bool find_member(struct pq_json_reader *json, const char *name, enum pq_json_token *ret)
{
	struct pmuq_str skipped;

	while (pq_json_next(json) == PQ_JSON_KEY) {
		bool is_wanted = str_eq(json->value, str_of(name));

		*ret = pq_json_next(json);
		if (is_wanted)
			return true;
		if (!whole_value(json, *ret, &skipped))
			return false;
	}
	return false;
}

/* A text of a reply that is an error: its name, or the message in its parameters. */
static bool find_text(struct pq_json_reader *json, const char *name, bool is_parameter)
{
	enum pq_json_token token = pq_json_next(json);

	if (is_parameter &&
	    (token != PQ_JSON_OPEN_OBJECT || !find_member(json, "parameters", &token)))
		return false;
	return token == PQ_JSON_OPEN_OBJECT && find_member(json, name, &token) &&
	       token == PQ_JSON_TEXT;
}

static struct pmuq_str begin_of(struct pmuq_str text)
{
	return str_part(text, 0, text.n < SHOWN_BYTES ? text.n : SHOWN_BYTES);
}

/* What the daemon reports. PQ_NONE: the reply is not an error. */
static int fail_reported(const struct pq_remote *remote, struct pmuq_error **reterr)
{
	struct pq_json_reader error = { .text = remote->message, .text_max_bytes = SHOWN_BYTES };
	struct pq_json_reader parameters = error;
	struct pmuq_str name, message = { 0 };
	int r = PQ_NONE;

	if (find_text(&error, "error", false)) {
		name = begin_of(error.value);
		if (find_text(&parameters, "message", true))
			message = begin_of(parameters.value);
		r = pq_fail(reterr, PMUQ_E_BAD_SERVICE, "the daemon reports %.*s%s%.*s",
			    STR_ARG(name), message.n ? ": " : "", STR_ARG(message));
	}
	pq_json_clear(&error);
	pq_json_clear(&parameters);
	return r;
}

/* An error of the daemon; otherwise the service is not pmuqd, or another version. */
static int fail_member(const struct pq_remote *remote, const char *what, struct pmuq_error **reterr)
{
	int r = fail_reported(remote, reterr);

	if (r == PQ_NONE) {
		r = pq_fail(reterr, PMUQ_E_BAD_SERVICE, "the reply has no '%s'", what);
		pq_error_input(reterr, begin_of(remote->message));
	}
	pq_error_origin(reterr, str_of(remote->path));
	return r;
}

int pq_remote_find(const struct pq_remote *remote, const char *parameter, struct pmuq_str *ret,
		   struct pmuq_error **reterr)
{
	struct pq_json_reader json = { .text = remote->message };
	enum pq_json_token token = pq_json_next(&json);
	bool is_found = token == PQ_JSON_OPEN_OBJECT && find_member(&json, "parameters", &token) &&
			token == PQ_JSON_OPEN_OBJECT && find_member(&json, parameter, &token) &&
			whole_value(&json, token, ret);

	pq_json_clear(&json);
	return is_found ? 0 : fail_member(remote, parameter, reterr);
}

int pq_remote_get(struct pq_remote *remote, const char *method, const char *parameter,
		  struct pmuq_str *ret, struct pmuq_error **reterr)
{
	int r = pq_remote_call(remote, method, false, reterr);

	return r < 0 ? r : pq_remote_find(remote, parameter, ret, reterr);
}

int pq_remote_continues(const struct pq_remote *remote, struct pmuq_error **reterr)
{
	struct pq_json_reader json = { .text = remote->message };
	enum pq_json_token token = pq_json_next(&json);
	bool continues = token == PQ_JSON_OPEN_OBJECT && find_member(&json, "continues", &token) &&
			 token == PQ_JSON_BARE && str_eq(json.value, STR("true"));

	pq_json_clear(&json);
	return continues ? 0 : fail_member(remote, "continues", reterr);
}
