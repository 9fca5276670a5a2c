/* SPDX-License-Identifier: MIT */
#include "cli/cli_library.h"
#include "cli/events/decode_output.h"
#include <jansson.h>
#include <string.h>

#define LIBRARY "libjansson.so.4"
#define LIBRARY_PACKAGE "libjansson4"

#define FUNCTIONS(X)                                                                               \
	X(json_loads)                                                                              \
	X(json_delete)                                                                             \
	X(json_object_get)                                                                         \
	X(json_object_iter)                                                                        \
	X(json_object_iter_next)                                                                   \
	X(json_object_iter_key)                                                                    \
	X(json_object_iter_value)                                                                  \
	X(json_array_size)                                                                         \
	X(json_array_get)                                                                          \
	X(json_string_value)                                                                       \
	X(json_integer_value)

struct library {
	FUNCTIONS(LIBRARY_POINTER)
};

struct reading {
	struct library json;
	struct givens *givens;
	char **ret_message;
};

/* The name of what is missing, or NULL. The library stays loaded. */
static const char *load(struct library *ret)
{
	return LIBRARY_LOAD(FUNCTIONS, LIBRARY, ret);
}

const char *decode_json_info(void)
{
	static const char *const found[] = { "jansson: not found", "jansson: found" };
	struct library library;

	return found[!load(&library)];
}

static bool fail(struct reading *in, const char *format, ...) PRINTF_LIKE(2, 3);
static bool fail(struct reading *in, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vasprintf(in->ret_message, format, args) < 0)
		*in->ret_message = NULL;
	va_end(args);
	return false;
}

static bool is_text(const json_t *value)
{
	return value && json_is_string(value);
}

static const char *text_of(struct reading *in, const json_t *object, const char *key)
{
	const json_t *value = in->json.json_object_get(object, key);

	return is_text(value) ? in->json.json_string_value(value) : NULL;
}

/* KEY=VALUE as text; what is to be read again must be one word. */
static bool print_member(struct reading *in, FILE *to, const char *key, const json_t *value,
			 bool is_field)
{
	static const char separators[] = " ,\t\n\v\f\r=";
	const char *text = is_text(value) ? in->json.json_string_value(value) : NULL;

	if (is_field && (strpbrk(key, separators) || (text && strpbrk(text, separators))))
		return fail(in, "a field of the attr is not one word and its value another");
	if (text)
		fprintf(to, "%s=%s ", key, text);
	else if (json_is_integer(value))
		fprintf(to, "%s=%lld ", key, (long long)in->json.json_integer_value(value));
	else if (json_is_boolean(value))
		fprintf(to, "%s=%d ", key, json_is_true(value));
	else
		return fail(in, "'%s' is neither a number nor a text", key);
	return true;
}

/* All members of an object, in their order; NULL when that failed. */
static char *print_members(struct reading *in, json_t *object, bool are_fields)
{
	char *text = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&text, &n);
	bool is_whole = to;

	for (void *at = to ? in->json.json_object_iter(object) : NULL; is_whole && at;
	     at = in->json.json_object_iter_next(object, at))
		is_whole = print_member(in, to, in->json.json_object_iter_key(at),
					in->json.json_object_iter_value(at), are_fields);
	if (to && fclose(to) != 0)
		is_whole = false;
	if (n)
		text[n - 1] = '\0';
	if (is_whole)
		return text;
	free(text);
	return NULL;
}

/* {"type": 4, "config": "0x3c", …} */
static bool read_fields(struct reading *in, json_t *fields, struct given *given,
			struct given_attr **ret)
{
	struct given_attr *attr;

	if (!json_is_object(fields))
		return fail(in, "'attr' is no object of fields");
	attr = given_add(given);
	if (!attr)
		return fail(in, "out of memory");
	attr->text = print_members(in, fields, true);
	*ret = attr;
	return attr->text;
}

static bool read_group(struct reading *in, const json_t *group, struct given_attr *attr)
{
	const json_t *leader = in->json.json_object_get(group, "leader");
	const char *name = text_of(in, group, "name");

	if (!leader || !json_is_integer(leader) || in->json.json_integer_value(leader) < 0)
		return fail(in, "'group' has no leader");
	attr->is_grouped = true;
	attr->leader = (size_t)in->json.json_integer_value(leader);
	attr->group_name = name ? strdup(name) : NULL;
	return true;
}

/* {"attr": {…}, "group": …, "probe": …, "deferred": …} */
static bool read_encoding(struct reading *in, json_t *encoding, struct given *given)
{
	json_t *fields = in->json.json_object_get(encoding, "attr");
	json_t *group = in->json.json_object_get(encoding, "group");
	json_t *probe = in->json.json_object_get(encoding, "probe");
	json_t *deferred = in->json.json_object_get(encoding, "deferred");
	struct given_attr *attr = NULL;
	const char *text;

	if (!fields)
		return fail(in, "an encoding has no 'attr'");
	if (!read_fields(in, fields, given, &attr))
		return false;
	text = probe && json_is_object(probe) ? text_of(in, probe, "text") : NULL;
	attr->probe = text ? strdup(text) : NULL;
	if (deferred && json_is_object(deferred)) {
		attr->deferred = print_members(in, deferred, false);
		if (!attr->deferred)
			return false;
	}
	return group && json_is_object(group) ? read_group(in, group, attr) : true;
}

/* The element of a string that was refused holds its error. */
static bool read_refusal(struct reading *in, const json_t *element, struct given *given)
{
	const json_t *error = in->json.json_object_get(element, "error");
	const char *message = error ? text_of(in, error, "message") : NULL;

	if (asprintf(&given->refused, "it was no event when it was encoded%s%s",
		     message ? ": " : "", message ? message : "") < 0)
		given->refused = NULL;
	return given->refused;
}

/* {"input": "cycles", "ok": true, "encodings": […]} */
static bool read_element(struct reading *in, const json_t *element, json_t *encodings,
			 struct given *given)
{
	const char *input = text_of(in, element, "input");

	given->input = input ? strdup(input) : NULL;
	if (!encodings)
		return read_refusal(in, element, given);
	if (!json_is_array(encodings))
		return fail(in, "'encodings' is no list");
	for (size_t i = 0; i < in->json.json_array_size(encodings); i++)
		if (!read_encoding(in, in->json.json_array_get(encodings, i), given))
			return false;
	return given_link(given) || fail(in, "out of memory");
}

static bool read_object(struct reading *in, json_t *object)
{
	json_t *encodings = in->json.json_object_get(object, "encodings");
	bool is_element = encodings || in->json.json_object_get(object, "error");
	struct given *given = givens_add(in->givens);
	struct given_attr *attr;

	if (!given)
		return fail(in, "out of memory");
	if (is_element)
		return read_element(in, object, encodings, given);
	if (in->json.json_object_get(object, "attr"))
		return read_encoding(in, object, given);
	return read_fields(in, object, given, &attr);
}

static bool read_list(struct reading *in, const json_t *list)
{
	for (size_t i = 0; i < in->json.json_array_size(list); i++) {
		json_t *item = in->json.json_array_get(list, i);

		if (!json_is_object(item))
			return fail(in, "an element of the list is no object");
		if (!read_object(in, item))
			return false;
	}
	return true;
}

/* A document, a list of elements, or one. */
static bool read_root(struct reading *in, json_t *root)
{
	json_t *inputs;

	if (json_is_array(root))
		return read_list(in, root);
	inputs = in->json.json_object_get(root, "inputs");
	if (inputs && !json_is_array(inputs))
		return fail(in, "'inputs' is no list");
	return inputs ? read_list(in, inputs) : read_object(in, root);
}

bool decode_read_json(const char *text, struct givens *ret, struct diagnosis *reterr,
		      char **ret_message)
{
	struct reading in = { .givens = ret, .ret_message = ret_message };
	const char *missing = load(&in.json);
	json_error_t error;
	json_t *root;
	bool is_read;

	*ret_message = NULL;
	*reterr = (struct diagnosis){ .code = PMUQ_E_BAD_JSON };
	if (missing) {
		reterr->code = PMUQ_E_NO_LIBRARY;
		reterr->hint = "install " LIBRARY_PACKAGE "; hex and fields are read without it";
		fail(&in, "JSON needs the library %s", missing);
		reterr->message = *ret_message;
		return false;
	}
	root = in.json.json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!root) {
		fail(&in, "%s", error.text);
		reterr->offset = (size_t)error.position;
	}
	is_read = root && read_root(&in, root);
	if (root && --root->refcount == 0)
		in.json.json_delete(root);
	reterr->message = *ret_message ? *ret_message : "out of memory";
	return is_read;
}
