/* SPDX-License-Identifier: MIT */
/*
 * Each record is a type, which is named after the record. If two records have one name, the second
 * is named after its method, too. Fields that are not always there have a question mark.
 */
#include "service/interface.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/output/error_record.h"
#include "cli/watched.h"
#include "core/attr/attr.h"
#include "core/text/sink.h"
#include "service/info.h"
#include "service/method.h"
#include "service/varlink.h"
#include "service/words.h"
#include <ctype.h>

#define TYPES_MAX 64

struct named_type {
	const struct record_type *record;
	const char *method; /* whose name precedes that of the record; NULL: none */
};

struct interface {
	struct pq_buf *to;
	const struct method *method; /* whose types are defined */
	struct named_type types[TYPES_MAX];
	size_t n_types, n_defined;
	bool has_attr, has_defined_attr;
};

/* ------------------------------------------------------------------------------- names */

/* "check-budget" is "CheckBudget". */
static void add_camel(struct pq_buf *to, const char *name)
{
	bool is_first = true;

	for (; *name; name++) {
		bool is_letter = isalnum((unsigned char)*name);

		if (is_letter)
			pq_buf_char(to, (char)(is_first ? toupper((unsigned char)*name) : *name),
				    1);
		is_first = !is_letter;
	}
}

static bool is_taken(const struct interface *interface, const char *name)
{
	for (size_t i = 0; i < interface->n_types; i++)
		if (strcmp(interface->types[i].record->name, name) == 0)
			return true;
	return false;
}

static const struct named_type *type_of(struct interface *interface,
					const struct record_type *record)
{
	for (size_t i = 0; i < interface->n_types; i++)
		if (interface->types[i].record == record)
			return &interface->types[i];
	assert(interface->n_types < TYPES_MAX);
	interface->types[interface->n_types] = (struct named_type){
		.record = record,
		.method = is_taken(interface, record->name) ? interface->method->name : NULL,
	};
	return &interface->types[interface->n_types++];
}

static void add_type_name(struct interface *interface, const struct record_type *record)
{
	const struct named_type *type = type_of(interface, record);

	if (type->method)
		pq_buf_add(interface->to, str_of(type->method));
	add_camel(interface->to, record->name);
}

/* A comment on lines of its own. */
static void add_comment(struct interface *interface, const char *indent, const char *text,
			const char *unit)
{
	pq_buf_print(interface->to, "%s# %s%s%s%s\n", indent, text, unit ? " (" : "",
		     unit ? unit : "", unit ? ")" : "");
}

/* ------------------------------------------------------------------------------- fields */

static bool is_identifier(const char *word)
{
	for (const char *at = word; *at; at++)
		if (!(isalpha((unsigned char)*at) ||
		      (at > word && (isdigit((unsigned char)*at) || *at == '_'))))
			return false;
	return *word;
}

/* Whether all words of the field can be the names of an enumeration. */
static bool is_enumeration(const struct field *field)
{
	unsigned n = 0;

	for (const char *word; (word = field_word(field, n)); n++)
		if (!is_identifier(word))
			return false;
	return n > 0;
}

static void add_enumeration(struct interface *interface, const struct field *field)
{
	const char *word;

	for (unsigned i = 0; (word = field_word(field, i)); i++)
		pq_buf_print(interface->to, "%s%s", i ? ", " : "(", word);
	pq_buf_char(interface->to, ')', 1);
}

/* By enum field_type; a record has a type of its own. */
static const char *const plain_types[] = {
	[FIELD_TEXT] = "string",   [FIELD_NUMBER] = "int",  [FIELD_COUNT] = "int",
	[FIELD_LITERAL] = "float", [FIELD_WORD] = "string", [FIELD_BOOL] = "bool",
	[FIELD_TIME] = "string",   [FIELD_ATTR] = "Attr",   [FIELD_HEX] = "string",
};

static void add_type(struct interface *interface, const struct field *field)
{
	interface->has_attr |= field->type == FIELD_ATTR;
	if (field->flags & FIELD_MIXED)
		pq_buf_add(interface->to, STR("object"));
	else if (field_record(field))
		add_type_name(interface, field_record(field));
	else if (is_enumeration(field))
		add_enumeration(interface, field);
	else
		pq_buf_add(interface->to, str_of(plain_types[field->type]));
}

static void add_field(struct interface *interface, const struct record_type *of,
		      const struct field *field, const char *indent)
{
	bool is_tag = record_is_tag(of, field);
	struct field as_tag = { .type = FIELD_TEXT, WORDS(of->variants) };
	bool is_optional = field->in || field->flags & (FIELD_NULLABLE | record_optional_flags(of));

	if (field->help)
		add_comment(interface, indent, field->help, field->unit);
	pq_buf_print(interface->to, "%s%s: %s%s%s", indent, field->name.p, is_optional ? "?" : "",
		     field->flags & FIELD_LIST ? "[]" : "",
		     field->flags & FIELD_MAP ? "[string]" : "");
	add_type(interface, is_tag && field->type == FIELD_TEXT ? &as_tag : field);
}

/* The fields of the record, each after a comma. */
static void add_fields(struct interface *interface, const struct record_type *type,
		       const char *indent, bool *is_first)
{
	const struct field *field;

	if (!type)
		return;
	add_fields(interface, type->base, indent, is_first);
	for (size_t i = 0; (field = record_field(type, i)); i++) {
		if (!record_has_field(type, field, ALL_VARIANTS))
			continue;
		pq_buf_add(interface->to, *is_first ? STR("\n") : STR(",\n"));
		*is_first = false;
		add_field(interface, type, field, indent);
	}
}

/* ------------------------------------------------------------------------------- types */

static void define_attr(struct interface *interface)
{
	const struct pmuq_field *field;

	add_comment(interface, "",
		    "struct perf_event_attr: the fields that are not 0, by the kernel's "
		    "names; type, size and config always",
		    NULL);
	pq_buf_add(interface->to, STR("type Attr ("));
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		pq_buf_print(interface->to, "%s\n  %s: %s%s", i ? "," : "", field->name.p,
			     i <= PQ_FIELD_config ? "" : "?",
			     field->format == PMUQ_FIELD_WORD ? "string" : "int");
	pq_buf_add(interface->to, STR("\n)\n\n"));
	interface->has_defined_attr = true;
}

/* Those that were referred to, and those that they refer to. */
static void define_types(struct interface *interface)
{
	while (interface->n_defined < interface->n_types) {
		const struct record_type *record = interface->types[interface->n_defined++].record;
		bool is_first = true;

		if (record->help)
			add_comment(interface, "", record->help, NULL);
		pq_buf_add(interface->to, STR("type "));
		add_type_name(interface, record);
		pq_buf_add(interface->to, STR(" ("));
		add_fields(interface, record, "  ", &is_first);
		pq_buf_add(interface->to, STR("\n)\n\n"));
	}
	if (interface->has_attr && !interface->has_defined_attr)
		define_attr(interface);
}

/* ------------------------------------------------------------------------------- methods */

static void add_parameter(struct interface *interface, bool *is_first, const char *help)
{
	pq_buf_add(interface->to, *is_first ? STR("\n") : STR(",\n"));
	*is_first = false;
	if (help)
		add_comment(interface, "  ", help, NULL);
}

static void add_option(struct interface *interface, enum option option)
{
	auto_free char *name = words_option_name(option);
	const struct option_row *row = option_row(option);

	pq_buf_print(interface->to, "  %s: ?", name);
	if (!row->argument || row->most) {
		pq_buf_add(interface->to, row->argument ? STR("int") : STR("bool"));
		return;
	}
	if (!row->is_choice) {
		pq_buf_add(interface->to, STR("string"));
		return;
	}
	pq_buf_char(interface->to, '(', 1);
	for (const char *at = row->argument; *at; at++)
		pq_buf_add(interface->to,
			   *at == '|' ? STR(", ") : (struct pmuq_str){ .p = at, .n = 1 });
	pq_buf_char(interface->to, ')', 1);
}

static void add_parameters(struct interface *interface, const struct method *method)
{
	const struct method_word *word = method->words;
	const enum option *option = method->options;
	bool is_first = true;

	pq_buf_print(interface->to, "method %s(", method->name);
	for (; word && word->name; word++) {
		add_parameter(interface, &is_first, word->help);
		pq_buf_print(interface->to, "  %s: ?%s", word->name,
			     word->is_number ? "int" : "string");
	}
	if (method->operands) {
		add_parameter(interface, &is_first, NULL);
		pq_buf_print(interface->to, "  %s: %s[]string", method->operands,
			     method->needs_operands ? "" : "?");
	}
	for (; option && *option != OPTION_END; option++) {
		add_parameter(interface, &is_first, option_row(*option)->help);
		add_option(interface, *option);
	}
	pq_buf_add(interface->to, is_first ? STR(") -> (") : STR("\n) -> ("));
}

/* A command may have several documents, of which a reply is one. */
static void add_document(struct interface *interface, const struct document_type *type,
			 bool is_only, bool *is_first)
{
	add_fields(interface, type->head, "  ", is_first);
	if (type->rows) {
		add_parameter(interface, is_first, NULL);
		pq_buf_print(interface->to, "  %s: %s[]", type->rows, is_only ? "" : "?");
		add_type_name(interface, type->row);
	}
	add_fields(interface, type->tail, "  ", is_first);
}

static void add_documents(struct interface *interface, const struct document_type *const *documents,
			  bool *is_first)
{
	add_parameter(interface, is_first,
		      "name of the JSON Schema of the reply without generation and notes");
	pq_buf_add(interface->to, STR("  schema: string"));
	for (size_t i = 0; documents[i]; i++)
		add_document(interface, documents[i], !documents[1], is_first);
}

/* The documents of a reply, up to NULL. An audit is one of many hosts, which a daemon has none of.
 */
static const struct document_type *const *documents_of(const struct method *method)
{
	static const struct document_type *const watch[] = { &watch_document, NULL };
	static const struct document_type *first[2];

	if (method->task == METHOD_SUBSCRIBE)
		return watch;
	if (!method->command || !method->command->documents || method->words)
		return method->command ? method->command->documents : NULL;
	first[0] = method->document ? method->document : method->command->documents[0];
	return first;
}

static void add_method(struct interface *interface, const struct method *method)
{
	const struct document_type *const *documents = documents_of(method);
	bool is_first = true;

	interface->method = method;
	add_comment(interface, "", method->help, NULL);
	add_parameters(interface, method);
	if (documents)
		add_documents(interface, documents, &is_first);
	else if (method->task == METHOD_GET_INFO)
		add_fields(interface, &info_record, "  ", &is_first);
	else
		pq_buf_add(interface->to, STR("\n  document: object"));
	if (method->task != METHOD_SUBSCRIBE)
		pq_buf_add(interface->to,
			   STR(",\n  # number of the state of the machine\n  generation: int"
			       ",\n  # what a command would print on stderr\n  notes: ?[]string"));
	pq_buf_add(interface->to, STR("\n)\n\n"));
	define_types(interface);
}

/* Those without a code of pmuq. */
static const struct {
	const char *name, *help;
} plain_errors[] = {
	{ "BadRequest",
	  "Parameters contradict each other, or one has a value that it cannot have" },
	{ "NotFound", "Nothing has that name" },
	{ "Failed", "The machine or the database could not be read" },
	{ "ReplyTooLarge", "Pass fewer strings, or globs that match less" },
	{ "TooManyStrings", "The call would keep other clients waiting. Pass fewer strings" },
	{ "RequestTooLarge", "A request may have 1 MiB. The connection is closed" },
	{ "BadMessage", "It is not a call of varlink. The connection is closed" },
	{ "TooSlow", "The client did not read its replies. The connection is closed" },
	{ "TooManyClients", "The daemon, or this user, has too many connections. It is closed" },
};

static void add_errors(struct interface *interface)
{
	bool is_first = true;

	add_comment(interface, "", "What pmuq found wrong, with its place and what to do", NULL);
	/* Types and errors share their names, and Error is the type of the same record. For an
	 * error of that name, the generator of the Go library makes code that does not compile. */
	pq_buf_add(interface->to, STR("error PmuqError ("));
	add_fields(interface, &error_record, "  ", &is_first);
	pq_buf_add(interface->to, STR("\n)\n"));
	for (size_t i = 0; i < COUNT(plain_errors); i++) {
		pq_buf_char(interface->to, '\n', 1);
		add_comment(interface, "", plain_errors[i].help, NULL);
		pq_buf_print(interface->to, "error %s (message: string, notes: ?[]string)\n",
			     plain_errors[i].name);
	}
}

void interface_print(struct pq_buf *to)
{
	struct interface interface = { .to = to };

	add_comment(&interface, "", "PMUs, events and their encodings: see io.pmuq(7)", NULL);
	pq_buf_add(to, STR("interface " INTERFACE_NAME "\n\n"));
	for (const struct method *method = methods; method->name; method++)
		add_method(&interface, method);
	add_errors(&interface);
	done_or_die(!to->failed);
}

/* -------------------------------------------------------------------------- introspection */

static const char service_interface[] =
	"# The interface that every varlink service has\n"
	"interface org.varlink.service\n\n"
	"method GetInfo() -> (vendor: string, product: string, version: string, url: string, "
	"interfaces: []string)\n\n"
	"method GetInterfaceDescription(interface: string) -> (description: string)\n\n"
	"error InterfaceNotFound (interface: string)\n"
	"error MethodNotFound (method: string)\n"
	"error MethodNotImplemented (method: string)\n"
	"error InvalidParameter (parameter: string)\n"
	"error PermissionDenied ()\n"
	"error ExpectedMore ()\n";

void interface_reply_info(struct pq_buf *to)
{
	cleanup(pq_buf_free) struct pq_buf parameters = PQ_BUF_NULL;

	pq_buf_print(&parameters,
		     "{\"vendor\": \"pmuq\", \"product\": \"pmuqd\", \"version\": \"%s\", \"url\": "
		     "\"\", \"interfaces\": [\"org.varlink.service\", \"" INTERFACE_NAME "\"]}",
		     pmuq_version());
	done_or_die(!parameters.failed);
	varlink_reply(to, pq_buf_str(&parameters), false);
}

bool interface_reply_description(struct pmuq_str name, struct pq_buf *to)
{
	cleanup(pq_buf_free) struct pq_buf parameters = PQ_BUF_NULL, text = PQ_BUF_NULL;
	struct pq_sink *sink;

	if (str_eq(name, STR("org.varlink.service")))
		pq_buf_add(&text, str_of(service_interface));
	else if (str_eq(name, STR(INTERFACE_NAME)))
		interface_print(&text);
	else
		return false;
	sink = or_die(pq_sink_json(&parameters, 0));
	pq_sink_open(sink, '{');
	pq_sink_key(sink, STR("description"));
	pq_sink_text(sink, pq_buf_str(&text));
	pq_sink_close(sink, '}');
	done_or_die(!sink->failed && !parameters.failed);
	pq_sink_free(sink);
	varlink_reply(to, pq_buf_str(&parameters), false);
	return true;
}
