/* SPDX-License-Identifier: MIT */
/*
 * The error object: building, enriching and printing it, and the texts of the codes, which are
 * generated from schemas/messages.toml.
 */
#include "core/error.h"
#include "core/caret.h"
#include "core/messages.h"
#include <pmuq/pmuq.h>
#include <stdarg.h>
#include <stdio.h>

/* The texts of a record that belong to its error and are freed with it; NULL: static, or shared. */
struct error {
	struct pmuq_error record; /* first: callers see this */
	char *message, *hint, *input, *origin;
	bool has_span;
	bool is_plain; /* all texts are static, and the error is in an arena */
};

static struct error memory_error = {
	.record = {
		.size = sizeof(memory_error.record),
		.code = PMUQ_E_MEMORY,
		.message = { .p = "out of memory", .n = sizeof("out of memory") - 1 },
	},
};

static const struct pq_message *find_message(unsigned code)
{
	size_t low = 0, high = pq_messages_count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (pq_messages[mid].number == code)
			return &pq_messages[mid];
		if (pq_messages[mid].number < code)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* A text of the code's message: `offset` is that of a member of struct pq_message. NULL if there is
 * no such code. */
static const char *text_of(unsigned code, size_t offset)
{
	const struct pq_message *message = find_message(code);
	uint16_t at = 0;

	if (message)
		memcpy(&at, (const char *)message + offset, sizeof(at));
	return message ? pq_message_texts + at : NULL;
}

/* A message may quote a file or a user, and so contain bytes that control a terminal. */
static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

static bool has_control(const char *text)
{
	while (*text && !is_control(*text))
		text++;
	return *text;
}

static void add_safe(struct pq_buf *buf, char c)
{
	if (is_control(c))
		pq_buf_print(buf, "\\x%02x", (unsigned)c);
	else
		pq_buf_char(buf, c, 1);
}

/* Frees the text; NULL when out of memory. */
static char *disarm_text(char *text)
{
	struct pq_buf safe = PQ_BUF_NULL;

	if (!text || !has_control(text))
		return text;
	for (const char *p = text; *p; p++)
		add_safe(&safe, *p);
	free(text);
	return pq_buf_take(&safe);
}

static char *print_args(const char *format, va_list args)
{
	char *text = NULL;

	return vasprintf(&text, format, args) < 0 ? NULL : disarm_text(text);
}

int pq_fail_memory(struct pmuq_error **reterr)
{
	if (reterr)
		*reterr = &memory_error.record;
	return -PMUQ_E_MEMORY;
}

bool pq_is_resource_error(int r)
{
	return r == -PMUQ_E_MEMORY || r == -PMUQ_E_TOO_MANY_FILES;
}

int pq_fail_resource(struct pmuq_error **reterr, int r)
{
	if (r == -PMUQ_E_MEMORY)
		return pq_fail_memory(reterr);
	r = pq_fail(reterr, PMUQ_E_TOO_MANY_FILES,
		    "the machine cannot be read: too many files are open");
	pq_error_hint(reterr, "close files, or raise the limit (ulimit -n), and try again");
	return r;
}

static const struct pmuq_str cut_hint = STR("out of memory: a part of this message is missing");

/* Takes ownership of the text, and frees an owned text of the field. If the text is NULL its
 * allocation failed; the hint then reports that. */
static void own_text(struct error *error, struct pmuq_str *field, char **own, char *text)
{
	if (error->record.hint.p == cut_hint.p && own == &error->hint)
		free(move(text));
	if (!text) {
		field = &error->record.hint;
		own = &error->hint;
	}
	free(*own);
	*own = text;
	*field = text ? str_of(text) : cut_hint;
}

int pq_fail_args(struct pmuq_error **reterr, enum pmuq_code code, const char *format, va_list args)
{
	struct error *error;
	char *message;

	if (!reterr)
		return -(int)code;
	error = calloc(1, sizeof(*error));
	message = error ? print_args(format, args) : NULL;
	if (!message) {
		free(error);
		return pq_fail_memory(reterr);
	}
	error->record.size = sizeof(error->record);
	error->record.code = code;
	own_text(error, &error->record.message, &error->message, message);
	*reterr = &error->record;
	return -(int)code;
}

int pq_fail(struct pmuq_error **reterr, enum pmuq_code code, const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = pq_fail_args(reterr, code, format, args);
	va_end(args);
	return r;
}

struct pmuq_error *pq_error_plain(struct pq_arena *arena, enum pmuq_code code, struct pq_span at)
{
	struct error *error = pq_arena_zero(arena, sizeof(*error));

	if (!error)
		return NULL;
	error->record = (struct pmuq_error){
		.size = sizeof(error->record),
		.code = code,
		.offset = at.offset,
		.length = at.length,
		.message = str_of(pmuq_code_meaning(code)),
		.hint = str_of(pmuq_code_remedy(code)),
	};
	error->has_span = at.offset || at.length;
	error->is_plain = true;
	return &error->record;
}

/* The error, if there is one and it may be changed. */
static struct error *open_to_change(struct pmuq_error **reterr)
{
	return reterr && *reterr && *reterr != &memory_error.record ? (struct error *)*reterr
								    : NULL;
}

void pq_error_at(struct pmuq_error **reterr, struct pq_span at)
{
	struct error *error = open_to_change(reterr);

	if (!error || error->has_span)
		return;
	error->record.offset = at.offset;
	error->record.length = at.length;
	error->has_span = true;
}

int pq_fail_span(struct pmuq_error **reterr, struct pq_span at, enum pmuq_code code,
		 const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = pq_fail_args(reterr, code, format, args);
	va_end(args);
	pq_error_at(reterr, at);
	return r;
}

/* A line of a file may contain a NUL, which becomes a blank: spans stay inside the input. */
static char *copy_input(struct pmuq_str text)
{
	char *copy = malloc(text.n + 1);

	if (!copy)
		return NULL;
	for (size_t i = 0; i < text.n; i++)
		copy[i] = text.p[i] ? text.p[i] : ' ';
	copy[text.n] = '\0';
	return copy;
}

void pq_error_input(struct pmuq_error **reterr, struct pmuq_str input)
{
	struct error *error = open_to_change(reterr);

	if (error && !error->record.input.p && !error->is_plain)
		own_text(error, &error->record.input, &error->input, copy_input(input));
}

void pq_error_share_input(struct pmuq_error **reterr, struct pmuq_str input)
{
	struct error *error = open_to_change(reterr);

	if (error && !error->record.input.p)
		error->record.input = input;
}

void pq_error_origin(struct pmuq_error **reterr, struct pmuq_str origin)
{
	struct error *error = open_to_change(reterr);

	if (error && !error->is_plain)
		own_text(error, &error->record.origin, &error->origin,
			 strndup(origin.p ? origin.p : "", origin.n));
}

void pq_error_origin_buf(struct pmuq_error **reterr, struct pq_buf *origin)
{
	struct error *error = open_to_change(reterr);

	if (error && !error->is_plain)
		own_text(error, &error->record.origin, &error->origin, pq_buf_take(origin));
	pq_buf_free(origin);
}

bool pq_error_make_warning(struct pmuq_error **reterr)
{
	struct error *error = open_to_change(reterr);

	if (error)
		error->record.is_warning = true;
	return !error || error->record.hint.p != cut_hint.p;
}

void pq_error_errno(struct pmuq_error **reterr, int errnum)
{
	struct error *error = open_to_change(reterr);

	if (error)
		error->record.errnum = errnum;
}

void pq_error_hint(struct pmuq_error **reterr, const char *format, ...)
{
	struct error *error = open_to_change(reterr);
	va_list args;
	char *text;

	if (!error || error->is_plain)
		return;
	va_start(args, format);
	text = print_args(format, args);
	va_end(args);
	own_text(error, &error->record.hint, &error->hint, text);
}

void pq_error_hint_buf(struct pmuq_error **reterr, struct pq_buf *hint)
{
	struct error *error = open_to_change(reterr);

	if (error && !error->is_plain && (hint->n || hint->failed))
		own_text(error, &error->record.hint, &error->hint, disarm_text(pq_buf_take(hint)));
	pq_buf_free(hint);
}

void pq_error_in(struct pmuq_error **reterr, const char *format, ...)
{
	struct error *error = open_to_change(reterr);
	auto_free char *where = NULL;
	va_list args;
	char *text;

	if (!error || error->is_plain)
		return;
	va_start(args, format);
	where = print_args(format, args);
	va_end(args);
	if (!where || asprintf(&text, "%s%s", where, error->record.message.p) < 0)
		text = NULL;
	own_text(error, &error->record.message, &error->message, text);
}

PQ_API void pmuq_error_free(struct pmuq_error *record)
{
	struct error *error = open_to_change(&record);

	if (!error || error->is_plain)
		return;
	free(error->message);
	free(error->hint);
	free(error->input);
	free(error->origin);
	free(error);
}

PQ_API const char *pmuq_code_name(unsigned code)
{
	return text_of(code, offsetof(struct pq_message, name));
}

PQ_API const char *pmuq_code_meaning(unsigned code)
{
	return text_of(code, offsetof(struct pq_message, meaning));
}

PQ_API const char *pmuq_code_example(unsigned code)
{
	return text_of(code, offsetof(struct pq_message, example));
}

PQ_API const char *pmuq_code_remedy(unsigned code)
{
	return text_of(code, offsetof(struct pq_message, remedy));
}

PQ_API unsigned pmuq_code_at(size_t index)
{
	return index < pq_messages_count ? pq_messages[index].number : 0;
}

PQ_API char *pmuq_error_format(const struct pmuq_error *error)
{
	struct pq_buf buf = PQ_BUF_NULL;

	pq_buf_print(&buf, "%s[PMUQ-%03u] %s: %s", error->is_warning ? "warning" : "error",
		     (unsigned)error->code, pmuq_code_name(error->code), error->message.p);
	if (error->input.p && ((const struct error *)error)->has_span) {
		pq_buf_char(&buf, '\n', 1);
		pq_caret_draw(&buf, (struct pq_caret){ .input = error->input,
						       .offset = error->offset,
						       .length = error->length });
	}
	if (error->origin.p) {
		pq_buf_add(&buf, STR("\nin: "));
		for (const char *p = error->origin.p; *p; p++)
			add_safe(&buf, *p);
	}
	if (error->hint.p)
		pq_buf_print(&buf, "\nhint: %s", error->hint.p);
	return pq_buf_take(&buf);
}
