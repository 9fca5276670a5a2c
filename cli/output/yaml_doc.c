/* SPDX-License-Identifier: MIT */
#include "cli/output/yaml_doc.h"
#include "cli/cli_library.h"
#include "cli/output/utf8.h"
#include "cli/report.h"
#include <string.h>
#include <strings.h>
#include <yaml.h>

#define LIBRARY "libyaml-0.so.2"
#define LIBRARY_PACKAGE "libyaml-0-2"

#define FUNCTIONS(X)                                                                               \
	X(yaml_emitter_initialize)                                                                 \
	X(yaml_emitter_delete)                                                                     \
	X(yaml_emitter_set_output)                                                                 \
	X(yaml_emitter_set_unicode)                                                                \
	X(yaml_emitter_set_width)                                                                  \
	X(yaml_emitter_emit)                                                                       \
	X(yaml_stream_start_event_initialize)                                                      \
	X(yaml_stream_end_event_initialize)                                                        \
	X(yaml_document_start_event_initialize)                                                    \
	X(yaml_document_end_event_initialize)                                                      \
	X(yaml_mapping_start_event_initialize)                                                     \
	X(yaml_mapping_end_event_initialize)                                                       \
	X(yaml_sequence_start_event_initialize)                                                    \
	X(yaml_sequence_end_event_initialize)                                                      \
	X(yaml_scalar_event_initialize)                                                            \
	X(yaml_get_version_string)

struct library {
	FUNCTIONS(LIBRARY_POINTER)
};

struct yaml {
	struct doc doc;
	struct library library;
	yaml_emitter_t emitter;
	bool has_failed; /* what comes after is dropped; yaml_end() says so */
};

/* The name of what is missing, or NULL. The library stays loaded. */
static const char *load(struct library *ret)
{
	return LIBRARY_LOAD(FUNCTIONS, LIBRARY, ret);
}

const char *yaml_library_info(void)
{
	static char text[64];
	struct library library;
	const char *missing = load(&library);

	snprintf(text, sizeof(text), "libyaml: %s",
		 missing ? "not found" : library.yaml_get_version_string());
	return text;
}

/* Passes the event on, which takes it over, if it could be made. */
static void emit(struct yaml *yaml, yaml_event_t *event, int is_made)
{
	if (!is_made || !yaml->library.yaml_emitter_emit(&yaml->emitter, event))
		yaml->has_failed = true;
}

static struct yaml *yaml_of(struct doc *doc)
{
	return (struct yaml *)doc;
}

static void write_open(struct doc *doc, char bracket)
{
	struct yaml *yaml = yaml_of(doc);
	yaml_event_t event;

	if (yaml->has_failed)
		return;
	if (bracket == '{')
		emit(yaml, &event,
		     yaml->library.yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
								       YAML_BLOCK_MAPPING_STYLE));
	else
		emit(yaml, &event,
		     yaml->library.yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
									YAML_BLOCK_SEQUENCE_STYLE));
}

static void write_close(struct doc *doc, char bracket)
{
	struct yaml *yaml = yaml_of(doc);
	yaml_event_t event;

	if (yaml->has_failed)
		return;
	if (bracket == '}')
		emit(yaml, &event, yaml->library.yaml_mapping_end_event_initialize(&event));
	else
		emit(yaml, &event, yaml->library.yaml_sequence_end_event_initialize(&event));
}

static void put_scalar(struct yaml *yaml, const char *text, size_t n, yaml_scalar_style_t style)
{
	yaml_event_t event;

	if (yaml->has_failed)
		return;
	emit(yaml, &event,
	     yaml->library.yaml_scalar_event_initialize(
		     &event, NULL, NULL, (const yaml_char_t *)text, (int)n, 1, 1, style));
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Words that are no strings to a reader of YAML 1.1 or 1.2. */
static const char *const other_words[] = { "y",	  "n",	  "yes",   "no",  "on",
					   "off", "true", "false", "null" };

/*
 * Whether every reader takes the bare text for a string: it begins with a letter, as no number or
 * date does, has nothing in it that means something, and is no word of YAML's.
 */
static bool is_plain(const char *text)
{
	const char *at = text;

	if (!is_letter(*at))
		return false;
	while (is_letter(*at) || (*at >= '0' && *at <= '9') || (*at && strchr("_-./", *at)))
		at++;
	if (*at)
		return false;
	for (size_t i = 0; i < COUNT(other_words); i++)
		if (strcasecmp(text, other_words[i]) == 0)
			return false;
	return true;
}

static void write_string(struct doc *doc, const char *text)
{
	struct yaml *yaml = yaml_of(doc);
	auto_free char *copy = utf8_copy(text);

	if (!copy) {
		yaml->has_failed = true;
		return;
	}
	put_scalar(yaml, copy, strlen(copy),
		   is_plain(copy) ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

static void write_literal(struct doc *doc, const char *text, size_t n)
{
	put_scalar(yaml_of(doc), text, n, YAML_PLAIN_SCALAR_STYLE);
}

static void write_digits(struct doc *doc, const char *text, size_t n)
{
	put_scalar(yaml_of(doc), text, n, YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

static const struct doc_ops yaml_ops = {
	.open = write_open,
	.close = write_close,
	.key = write_string,
	.string = write_string,
	.literal = write_literal,
	.digits = write_digits,
};

/* Whether stdout took it all is asked once, when the command ends. */
static int write_out(void *to, unsigned char *bytes, size_t n)
{
	fwrite(bytes, 1, n, to);
	return 1;
}

static void begin(struct yaml *yaml, FILE *to)
{
	const struct library *library = &yaml->library;
	yaml_event_t event;

	library->yaml_emitter_set_output(&yaml->emitter, write_out, to);
	library->yaml_emitter_set_unicode(&yaml->emitter, 1);
	library->yaml_emitter_set_width(&yaml->emitter, -1);
	emit(yaml, &event, library->yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
	if (!yaml->has_failed)
		emit(yaml, &event,
		     library->yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
}

struct yaml *yaml_new(FILE *to)
{
	struct yaml *yaml = calloc(1, sizeof(*yaml));
	const char *missing = yaml ? load(&yaml->library) : NULL;

	if (missing) {
		report_failed("YAML needs %s of the package %s: %s not found", LIBRARY,
			      LIBRARY_PACKAGE, missing);
		free(yaml);
		return NULL;
	}
	if (!yaml || !yaml->library.yaml_emitter_initialize(&yaml->emitter)) {
		report_failed("out of memory");
		free(yaml);
		return NULL;
	}
	yaml->doc.ops = &yaml_ops;
	begin(yaml, to);
	return yaml;
}

struct doc *yaml_doc(struct yaml *yaml)
{
	return &yaml->doc;
}

bool yaml_end(struct yaml *yaml)
{
	const struct library *library = &yaml->library;
	yaml_event_t event;

	if (!yaml->has_failed)
		emit(yaml, &event, library->yaml_document_end_event_initialize(&event, 1));
	if (!yaml->has_failed)
		emit(yaml, &event, library->yaml_stream_end_event_initialize(&event));
	if (yaml->has_failed)
		report_failed("the YAML is not complete: %s",
			      yaml->emitter.problem ? yaml->emitter.problem : "out of memory");
	return !yaml->has_failed;
}

void yaml_free(struct yaml *yaml)
{
	if (!yaml)
		return;
	yaml->library.yaml_emitter_delete(&yaml->emitter);
	free(yaml);
}
