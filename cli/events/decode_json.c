/* SPDX-License-Identifier: MIT */
/*
 * Reads attrs to decode from JSON: the output of `pmuq encode`, or an attr as an object of its
 * fields. Accepts a whole document, its list of inputs, one input, one encoding, or the fields
 * alone; ignores keys that it does not need. Values are passed on as text, so that only one
 * function parses numbers (pmuq_attr_parse()).
 */
#include "cli/events/decode_output.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/limits.h"
#include "core/text/json_read.h"
#include <string.h>

/* Shared by all readers of parts. */
struct json_input {
	struct decode_inputs *inputs;
	char **ret_message;
	size_t at; /* where the error is */
};

/* Sets the message of the error, and its location; false. */
static bool fail(struct json_input *in, size_t at, const char *format, ...) PQ_PRINTF(3, 4);
static bool fail(struct json_input *in, size_t at, const char *format, ...)
{
	va_list args;

	in->at = at;
	va_start(args, format);
	*in->ret_message = print_args_or_die(format, args);
	va_end(args);
	return false;
}

/* The member if it is a text, or NULL. */
static const char *text_of(const struct pq_json_value *object, const char *key)
{
	const struct pq_json_value *value = pq_json_get(object, key);

	return value && value->type == PQ_JSON_IS_TEXT ? value->text.p : NULL;
}

static bool is_object(const struct pq_json_value *value)
{
	return value && value->type == PQ_JSON_IS_OBJECT;
}

static bool is_list(const struct pq_json_value *value)
{
	return value && value->type == PQ_JSON_IS_LIST;
}

/* A number, a boolean as a number, or a text; NULL: none of them. */
static const char *integer_of(const struct pq_json_value *value)
{
	const char *text = value->text.p;

	if (strcmp(text, "true") == 0)
		return "1";
	if (strcmp(text, "false") == 0)
		return "0";
	return text[*text == '-'] && !text[strspn(text, "-0123456789")] ? text : NULL;
}

/* The members of an object as "KEY=VALUE KEY=VALUE"; NULL on failure. The fields of an attr are
 * parsed again as text, so each key and value must be one word. */
static char *print_members(struct json_input *in, const struct pq_json_value *object,
			   bool are_fields)
{
	static const char separators[] = " ,\t\n\v\f\r=";
	cleanup(pq_buf_free) struct pq_buf to = PQ_BUF_NULL;

	for (const struct pq_json_value *member = object->first; member; member = member->next) {
		const char *key = member->key.p, *text = NULL;

		if (member->type == PQ_JSON_IS_TEXT)
			text = member->text.p;
		else if (member->type == PQ_JSON_IS_BARE)
			text = integer_of(member);
		if (!text)
			fail(in, member->at, "'%s' is neither an integer nor a string", key);
		else if (are_fields && (strpbrk(key, separators) || strpbrk(text, separators)))
			fail(in, member->at,
			     "a field of the attr, or its value, is not a single word");
		if (*in->ret_message)
			return NULL;
		pq_buf_print(&to, "%s%s=%s", to.n ? " " : "", key, text);
	}
	return or_die(pq_buf_take(&to));
}

/* {"type": 4, "config": "0x3c", …} */
static bool read_fields(struct json_input *in, const struct pq_json_value *fields,
			struct decode_input *input, struct attr_input **ret)
{
	struct attr_input *attr;

	if (!is_object(fields))
		return fail(in, fields->at, "'attr' is not an object of fields");
	attr = or_die(pq_vec_add(input));
	attr->text = print_members(in, fields, true);
	*ret = attr;
	return attr->text;
}

/* Members of a group are found by the index of their leader (decode_input_link()). */
static bool read_group(struct json_input *in, const struct pq_json_value *group,
		       struct attr_input *attr)
{
	const struct pq_json_value *leader = pq_json_get(group, "leader");
	const char *name = text_of(group, "name");
	uint64_t index;

	if (!pq_json_count(leader, &index))
		return fail(in, group->at, "'group' has no leader");
	attr->is_grouped = true;
	attr->leader = index;
	attr->group_name = name ? or_die(strdup(name)) : NULL;
	return true;
}

/* The fields of an encoding's attr, or its bytes: a compact document has no fields. */
static bool read_attr(struct json_input *in, const struct pq_json_value *encoding,
		      struct decode_input *input, struct attr_input **ret)
{
	const struct pq_json_value *fields = pq_json_get(encoding, "attr");
	const char *hex = text_of(encoding, "attr_hex");

	if (fields)
		return read_fields(in, fields, input, ret);
	if (!hex)
		return fail(in, encoding->at, "an encoding has neither 'attr' nor 'attr_hex'");
	*ret = or_die(pq_vec_add(input));
	(*ret)->text = or_die(strdup(hex));
	return true;
}

/* {"attr": {…}, "group": …, "probe": …, "tool_terms": …} */
static bool read_encoding(struct json_input *in, const struct pq_json_value *encoding,
			  struct decode_input *input)
{
	const struct pq_json_value *group = pq_json_get(encoding, "group");
	const struct pq_json_value *probe = pq_json_get(encoding, "probe");
	const struct pq_json_value *tool_terms = pq_json_get(encoding, "tool_terms");
	struct attr_input *attr = NULL;
	const char *text;

	if (!read_attr(in, encoding, input, &attr))
		return false;
	text = is_object(probe) ? text_of(probe, "text") : NULL;
	attr->probe = text ? or_die(strdup(text)) : NULL;
	if (is_object(tool_terms)) {
		attr->tool_terms = print_members(in, tool_terms, false);
		if (!attr->tool_terms)
			return false;
	}
	return is_object(group) ? read_group(in, group, attr) : true;
}

/* The element of a string that encode refused contains the error. */
static void read_refusal(const struct pq_json_value *element, struct decode_input *input)
{
	const struct pq_json_value *error = pq_json_get(element, "error");
	const char *message = error ? text_of(error, "message") : NULL;

	input->refused =
		print_or_die("encode refused it%s%s", message ? ": " : "", message ? message : "");
}

/* {"input": "cycles", "ok": true, "encodings": […]} */
static bool read_element(struct json_input *in, const struct pq_json_value *element,
			 const struct pq_json_value *encodings, struct decode_input *input)
{
	const char *string = text_of(element, "input");

	input->input = string ? or_die(strdup(string)) : NULL;
	if (!encodings) {
		read_refusal(element, input);
		return true;
	}
	if (!is_list(encodings))
		return fail(in, encodings->at, "'encodings' is not a list");
	for (const struct pq_json_value *at = encodings->first; at; at = at->next)
		if (!read_encoding(in, at, input))
			return false;
	decode_input_link(input);
	return true;
}

/* The keys show which of the forms it is. */
static bool read_object(struct json_input *in, const struct pq_json_value *object)
{
	const struct pq_json_value *encodings = pq_json_get(object, "encodings");
	bool is_element = encodings || pq_json_get(object, "error");
	struct decode_input *input = or_die(pq_vec_add(in->inputs));
	struct attr_input *attr;

	if (is_element)
		return read_element(in, object, encodings, input);
	if (pq_json_get(object, "attr") || pq_json_get(object, "attr_hex"))
		return read_encoding(in, object, input);
	return read_fields(in, object, input, &attr);
}

static bool read_list(struct json_input *in, const struct pq_json_value *list)
{
	for (const struct pq_json_value *item = list->first; item; item = item->next) {
		if (!is_object(item))
			return fail(in, item->at, "an element of the list is not an object");
		if (!read_object(in, item))
			return false;
	}
	return true;
}

/* A document, a list of elements, or a single element. */
static bool read_root(struct json_input *in, const struct pq_json_value *root)
{
	const struct pq_json_value *inputs;

	if (is_list(root))
		return read_list(in, root);
	inputs = pq_json_get(root, "inputs");
	if (inputs && !is_list(inputs))
		return fail(in, inputs->at, "'inputs' is not a list");
	return inputs ? read_list(in, inputs) : read_object(in, root);
}

bool decode_read_json(const char *text, struct decode_inputs *ret, struct pmuq_error *reterr,
		      char **ret_message)
{
	struct json_input in = { .inputs = ret, .ret_message = ret_message };
	struct pq_json_reader reader = { .text = str_of(text) };
	struct pq_json_value *root;
	enum pq_json_result result;
	struct pq_arena arena = PQ_ARENA(PQ_DECODE_TREE_MAX_BYTES);
	bool is_read;

	*ret_message = NULL;
	*reterr = error_of(PMUQ_E_BAD_JSON, NULL, NULL);
	result = pq_json_parse(&reader, &arena, &root);
	if (result == PQ_JSON_WRONG) {
		fail(&in, reader.start, "%s%s",
		     reader.start == reader.text.n ? "the text ends: " : "", reader.problem);
	}
	done_or_die(!arena.is_refused);
	if (result == PQ_JSON_MEMORY) {
		fail(&in, 0, "the document needs more than %zu MiB of memory",
		     PQ_DECODE_TREE_MAX_BYTES >> 20);
		reterr->hint = STR("split it into documents of fewer attrs");
	}
	is_read = result == PQ_JSON_OK && read_root(&in, root);
	pq_arena_clear(&arena);
	reterr->offset = in.at;
	reterr->message = str_of(*ret_message ? *ret_message : "");
	return is_read;
}
