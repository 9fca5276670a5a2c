/* SPDX-License-Identifier: MIT */
#include "remote/remote_call.h"
#include "core/text/json_read.h"

/* Of a reply that is not as expected, in its error. */
#define SHOWN_BYTES 200

/* --------------------------------------------------------------------------------------- calls */

/* PQ_RECEIVED_END: the connection was closed, and no byte of a reply came. */
static int call(struct pq_remote *remote, const char *method, bool more, struct pmuq_error **reterr)
{
	if (remote->fd < 0 || !pq_remote_send(remote, method, more))
		return PQ_RECEIVED_END;
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

/* A service that is not pmuqd, or another version. */
static int fail_member(const struct pq_remote *remote, const char *what, struct pmuq_error **reterr)
{
	struct pmuq_str shown = remote->message;
	int r = pq_fail(reterr, PMUQ_E_BAD_SERVICE, "the reply has no '%s'", what);

	if (shown.n > SHOWN_BYTES)
		shown.n = SHOWN_BYTES;
	pq_error_input(reterr, shown);
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
