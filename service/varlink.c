/* SPDX-License-Identifier: MIT */
#include "service/varlink.h"
#include "cli/or_die.h"
#include "core/text/sink.h"

/* "io.pmuq.Encode": the interface is what is before the last dot. */
static bool split(struct pmuq_str name, struct varlink_call *ret)
{
	size_t n = name.n;

	while (n && name.p[n - 1] != '.')
		n--;
	if (n < 2 || n == name.n || memchr(name.p, 0, name.n))
		return false;
	ret->interface = str_part(name, 0, n - 1);
	ret->method = str_part(name, n, name.n);
	return true;
}

static bool is_true(const struct pq_json_value *value)
{
	return value->type == PQ_JSON_IS_BARE && str_eq(value->text, STR("true"));
}

static bool is_bool(const struct pq_json_value *value)
{
	return is_true(value) ||
	       (value->type == PQ_JSON_IS_BARE && str_eq(value->text, STR("false")));
}

/* False: a value of another type than the protocol has. Unknown members are left alone, as the
 * protocol demands. */
static bool take_member(const struct pq_json_value *value, struct varlink_call *ret)
{
	if (str_eq(value->key, STR("parameters"))) {
		if (value->type == PQ_JSON_IS_OBJECT)
			ret->parameters = value;
		return value->type == PQ_JSON_IS_OBJECT ||
		       (value->type == PQ_JSON_IS_BARE && str_eq(value->text, STR("null")));
	}
	if (str_eq(value->key, STR("oneway"))) {
		ret->is_oneway = is_true(value);
		return is_bool(value);
	}
	if (str_eq(value->key, STR("more"))) {
		ret->wants_more = is_true(value);
		return is_bool(value);
	}
	return !str_eq(value->key, STR("upgrade")) || (is_bool(value) && !is_true(value));
}

bool varlink_parse(struct pq_arena *arena, struct pmuq_str text, struct varlink_call *ret,
		   const char **ret_problem)
{
	struct pq_json_reader reader = { .text = text };
	struct pq_json_value *root = NULL;
	const struct pq_json_value *method;
	enum pq_json_result result = pq_json_parse(&reader, arena, &root);

	pq_json_clear(&reader);
	*ret = (struct varlink_call){ 0 };
	*ret_problem = result == PQ_JSON_MEMORY ? "it has too many values" : "it is not JSON";
	if (result != PQ_JSON_OK)
		return false;
	method = pq_json_get(root, "method");
	*ret_problem = "it names no method";
	if (!method || method->type != PQ_JSON_IS_TEXT || !split(method->text, ret))
		return false;
	for (const struct pq_json_value *value = root->first; value; value = value->next) {
		*ret_problem = "a member has a type that varlink does not have";
		if (!take_member(value, ret))
			return false;
	}
	return true;
}

void varlink_reply(struct pq_buf *to, struct pmuq_str parameters, bool continues)
{
	pq_buf_add(to, STR("{\"parameters\": "));
	pq_buf_add(to, parameters);
	pq_buf_add(to, continues ? STR(", \"continues\": true}") : STR("}"));
	pq_buf_char(to, 0, 1);
}

void varlink_error(struct pq_buf *to, const char *name, struct pmuq_str parameters)
{
	pq_buf_print(to, "{\"error\": \"%s\", \"parameters\": ", name);
	pq_buf_add(to, parameters);
	pq_buf_char(to, '}', 1);
	pq_buf_char(to, 0, 1);
}

void varlink_error_about(struct pq_buf *to, const char *name, const char *key, struct pmuq_str text)
{
	cleanup(pq_buf_free) struct pq_buf parameters = PQ_BUF_NULL;
	struct pq_sink *sink = or_die(pq_sink_json(&parameters, 0));

	pq_sink_open(sink, '{');
	pq_sink_key(sink, str_of(key));
	pq_sink_text(sink, text);
	pq_sink_close(sink, '}');
	done_or_die(!sink->failed && !parameters.failed);
	pq_sink_free(sink);
	varlink_error(to, name, pq_buf_str(&parameters));
}
