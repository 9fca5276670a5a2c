/* SPDX-License-Identifier: MIT */
/*
 * The error object: building, enriching and printing it, and the texts of the codes, which are
 * generated from schemas/messages.toml.
 */
#include "core/error.h"
#include "core/messages.h"
#include <pmuq/pmuq.h>
#include <stdarg.h>
#include <stdio.h>

/* What is shown, and what of it is to be freed. */
struct text {
	const char *p;
	char *owned;
};

struct pmuq_error {
	enum pmuq_code code;
	struct pq_span at;
	int errnum;
	bool has_span, is_warning;
	bool is_plain; /* of static texts, and in the arena of another object */
	struct text message, hint, input, origin;
};

static struct pmuq_error memory_error = {
	.code = PMUQ_E_MEMORY,
	.message = { .p = "out of memory" },
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

static const char *text_at(uint16_t place)
{
	return pq_message_texts + place;
}

/* A message may quote a file or a user, and so contain bytes that control a terminal. */
static char disarmed(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f ? '.' : c;
}

static char *print_args(const char *format, va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, format, args) < 0)
		return NULL;
	for (char *p = text; *p; p++)
		*p = disarmed(*p);
	return text;
}

/* Takes the text over; NULL, out of memory, changes nothing. */
static void set_text(struct text *field, char *text)
{
	if (!text)
		return;
	free(field->owned);
	*field = (struct text){ .p = text, .owned = text };
}

int pq_fail_memory(struct pmuq_error **reterr)
{
	if (reterr)
		*reterr = &memory_error;
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
	pq_fail(reterr, PMUQ_E_TOO_MANY_FILES,
		"the machine cannot be read: too many files are open");
	pq_error_hint(reterr, "close files, or raise the limit (ulimit -n), and try again");
	return r;
}

int pq_fail_args(struct pmuq_error **reterr, enum pmuq_code code, const char *format, va_list args)
{
	struct pmuq_error *error;

	if (!reterr)
		return -(int)code;
	error = calloc(1, sizeof(*error));
	if (!error)
		return pq_fail_memory(reterr);
	error->code = code;
	set_text(&error->message, print_args(format, args));
	if (!error->message.p) {
		free(error);
		return pq_fail_memory(reterr);
	}
	*reterr = error;
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
	const struct pq_message *message = find_message(code);
	struct pmuq_error *error = pq_arena_zero(arena, sizeof(*error));

	if (!error)
		return NULL;
	error->code = code;
	error->at = at;
	error->has_span = at.offset || at.length;
	error->is_plain = true;
	error->message.p = message ? text_at(message->meaning) : "";
	error->hint.p = message ? text_at(message->remedy) : NULL;
	return error;
}

static struct pmuq_error *open_to_change(struct pmuq_error **reterr)
{
	return reterr && *reterr && *reterr != &memory_error ? *reterr : NULL;
}

void pq_error_at(struct pmuq_error **reterr, struct pq_span at)
{
	struct pmuq_error *error = open_to_change(reterr);

	if (!error || error->has_span)
		return;
	error->at = at;
	error->has_span = true;
}

static void copy_text(struct text *field, struct pmuq_str text)
{
	set_text(field, strndup(text.p ? text.p : "", text.n));
}

bool pq_error_has_input(struct pmuq_error *const *reterr)
{
	return reterr && *reterr && (*reterr)->input.p;
}

void pq_error_input(struct pmuq_error **reterr, struct pmuq_str input)
{
	struct pmuq_error *error = open_to_change(reterr);

	if (error && !error->input.p && !error->is_plain)
		copy_text(&error->input, input);
}

void pq_error_share_input(struct pmuq_error **reterr, struct pmuq_str input)
{
	struct pmuq_error *error = open_to_change(reterr);

	if (error && !error->input.p)
		error->input.p = input.p;
}

void pq_error_origin(struct pmuq_error **reterr, struct pmuq_str origin)
{
	struct pmuq_error *error = open_to_change(reterr);

	if (error && !error->is_plain)
		copy_text(&error->origin, origin);
}

void pq_error_is_warning(struct pmuq_error **reterr)
{
	struct pmuq_error *error = open_to_change(reterr);

	if (error)
		error->is_warning = true;
}

void pq_error_errno(struct pmuq_error **reterr, int errnum)
{
	struct pmuq_error *error = open_to_change(reterr);

	if (error)
		error->errnum = errnum;
}

void pq_error_hint(struct pmuq_error **reterr, const char *format, ...)
{
	struct pmuq_error *error = open_to_change(reterr);
	va_list args;

	if (!error || error->is_plain)
		return;
	va_start(args, format);
	set_text(&error->hint, print_args(format, args));
	va_end(args);
}

void pq_error_hint_buf(struct pmuq_error **reterr, struct pq_buf *hint)
{
	if (hint->n && !hint->failed)
		pq_error_hint(reterr, "%.*s", (int)hint->n, hint->p);
	pq_buf_free(hint);
}

void pq_error_in(struct pmuq_error **reterr, const char *format, ...)
{
	struct pmuq_error *error = open_to_change(reterr);
	auto_free char *where = NULL;
	va_list args;
	char *text;

	if (!error || error->is_plain)
		return;
	va_start(args, format);
	where = print_args(format, args);
	va_end(args);
	if (!where || asprintf(&text, "%s%s", where, error->message.p) < 0)
		return;
	set_text(&error->message, text);
}

PQ_API void pmuq_error_free(struct pmuq_error *error)
{
	if (!error || error == &memory_error || error->is_plain)
		return;
	free(error->message.owned);
	free(error->hint.owned);
	free(error->input.owned);
	free(error->origin.owned);
	free(error);
}

PQ_API enum pmuq_code pmuq_error_code(const struct pmuq_error *error)
{
	return error->code;
}

PQ_API const char *pmuq_error_name(const struct pmuq_error *error)
{
	return pmuq_code_name(error->code);
}

PQ_API const char *pmuq_error_message(const struct pmuq_error *error)
{
	return error->message.p;
}

PQ_API const char *pmuq_error_hint(const struct pmuq_error *error)
{
	return error->hint.p;
}

PQ_API const char *pmuq_error_input(const struct pmuq_error *error)
{
	return error->input.p;
}

PQ_API size_t pmuq_error_offset(const struct pmuq_error *error)
{
	return error->at.offset;
}

PQ_API size_t pmuq_error_length(const struct pmuq_error *error)
{
	return error->at.length;
}

PQ_API const char *pmuq_error_origin(const struct pmuq_error *error)
{
	return error->origin.p;
}

PQ_API int pmuq_error_errno(const struct pmuq_error *error)
{
	return error->errnum;
}

PQ_API const char *pmuq_code_name(unsigned code)
{
	const struct pq_message *message = find_message(code);

	return message ? text_at(message->name) : NULL;
}

PQ_API const char *pmuq_code_meaning(unsigned code)
{
	const struct pq_message *message = find_message(code);

	return message ? text_at(message->meaning) : NULL;
}

PQ_API const char *pmuq_code_example(unsigned code)
{
	const struct pq_message *message = find_message(code);

	return message ? text_at(message->example) : NULL;
}

PQ_API const char *pmuq_code_remedy(unsigned code)
{
	const struct pq_message *message = find_message(code);

	return message ? text_at(message->remedy) : NULL;
}

PQ_API unsigned pmuq_code_at(size_t index)
{
	return index < pq_messages_count ? pq_messages[index].number : 0;
}

/* Of a longer input, only the part around the span is printed. */
#define SHOWN_BYTES 100
#define SHOWN_BEFORE_BYTES 40

/* One column for each byte: bytes that are not printable ASCII become dots. */
static void add_visible(struct pq_buf *buf, struct pmuq_str s)
{
	for (size_t i = 0; i < s.n; i++)
		pq_buf_char(buf, s.p[i] >= ' ' && s.p[i] < 0x7f ? s.p[i] : '.', 1);
}

static void add_caret(struct pq_buf *buf, const struct pmuq_error *error)
{
	struct pmuq_str input = str_of(error->input.p);
	size_t offset = error->at.offset < input.n ? error->at.offset : input.n;
	size_t length = error->at.length < input.n - offset ? error->at.length : input.n - offset;
	size_t from = 0, to = input.n;

	if (input.n > SHOWN_BYTES) {
		from = offset > SHOWN_BEFORE_BYTES ? offset - SHOWN_BEFORE_BYTES : 0;
		to = from + SHOWN_BYTES < input.n ? from + SHOWN_BYTES : input.n;
		length = length < to - offset ? length : to - offset;
	}
	pq_buf_add(buf, STR("\n  "));
	pq_buf_add(buf, from ? STR("...") : STR(""));
	add_visible(buf, str_part(input, from, to));
	pq_buf_add(buf, to < input.n ? STR("...") : STR(""));
	pq_buf_add(buf, STR("\n  "));
	pq_buf_char(buf, ' ', offset - from + (from ? 3 : 0));
	pq_buf_char(buf, '^', length ? length : 1);
}

PQ_API char *pmuq_error_format(const struct pmuq_error *error)
{
	struct pq_buf buf = PQ_BUF_NULL;

	pq_buf_print(&buf, "%s[PMUQ-%03u] %s: %s", error->is_warning ? "warning" : "error",
		     (unsigned)error->code, pmuq_error_name(error), error->message.p);
	if (error->input.p && error->has_span)
		add_caret(&buf, error);
	if (error->origin.p) {
		pq_buf_add(&buf, STR("\nin: "));
		for (const char *p = error->origin.p; *p; p++)
			pq_buf_char(&buf, disarmed(*p), 1);
	}
	if (error->hint.p)
		pq_buf_print(&buf, "\nhint: %s", error->hint.p);
	return pq_buf_take(&buf);
}
