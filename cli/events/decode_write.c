/* SPDX-License-Identifier: MIT */
/* What came of attrs, for people and as JSON (schemas/decode.schema.json). */
#include "cli/events/decode_output.h"
#include <ctype.h>
#include <string.h>

void givens_clear(struct givens *givens)
{
	for (size_t i = 0; i < givens->n; i++) {
		struct given *given = &givens->v[i];

		for (size_t j = 0; j < given->n; j++) {
			free(given->v[j].text);
			free(given->v[j].probe);
			free(given->v[j].deferred);
			free(given->v[j].group_name);
			free(given->v[j].about);
			pmuq_decoding_free(given->v[j].decoding);
		}
		free(given->v);
		free(given->input);
		free(given->refused);
	}
	free(givens->v);
	*givens = (struct givens){ 0 };
}

/* Room for one more of `each` bytes, zeroed, at the powers of two. */
static void *grow(void *v, size_t n, size_t each)
{
	char *grown = v;

	if ((n & (n - 1)) == 0)
		grown = reallocarray(v, n ? 2 * n : 1, each);
	if (grown)
		memset(grown + n * each, 0, each);
	return grown;
}

struct given *givens_add(struct givens *givens)
{
	struct given *v = grow(givens->v, givens->n, sizeof(*v));

	if (!v)
		return NULL;
	givens->v = v;
	return &v[givens->n++];
}

struct given_attr *given_add(struct given *given)
{
	struct given_attr *v = grow(given->v, given->n, sizeof(*v));

	if (!v)
		return NULL;
	given->v = v;
	return &v[given->n++];
}

/* ----------------------------------------------------------------------------------- strings */

/* By leader, those of a group as they stand. */
static int compare_groups(const void *a, const void *b)
{
	const struct given_attr *x = *(struct given_attr *const *)a;
	const struct given_attr *y = *(struct given_attr *const *)b;

	if (x->leader != y->leader)
		return x->leader < y->leader ? -1 : 1;
	return x < y ? -1 : x > y;
}

bool given_link(struct given *given)
{
	auto_free struct given_attr **grouped = calloc(given->n + 1, sizeof(struct given_attr *));
	size_t n = 0;

	if (!grouped)
		return false;
	for (size_t i = 0; i < given->n; i++)
		if (given->v[i].is_grouped)
			grouped[n++] = &given->v[i];
	qsort(grouped, n, sizeof(struct given_attr *), compare_groups);
	for (size_t i = 1; i < n; i++) {
		if (grouped[i]->leader != grouped[i - 1]->leader)
			continue;
		grouped[i - 1]->next = (size_t)(grouped[i] - given->v);
		grouped[i]->is_later = true;
	}
	return true;
}

static const struct given_attr *next_of(const struct given *given, const struct given_attr *attr)
{
	return attr->next ? &given->v[attr->next] : NULL;
}

static bool is_modifier(char c)
{
	char letter;

	for (size_t i = 0; pmuq_modifier_meaning(i, &letter); i++)
		if (letter == c)
			return true;
	return false;
}

/* A group's name, in quotes if it could be something else, such as modifiers or a raw event; left
 * out if quotes cannot hold it. */
static void print_group_name(FILE *to, const char *name)
{
	bool is_word = isalpha((unsigned char)*name) && *name != 'r';
	bool are_modifiers = true;

	for (const char *at = name; *at; at++) {
		is_word &= isalnum((unsigned char)*at) || *at == '_';
		are_modifiers &= is_modifier(*at);
		if (!isalnum((unsigned char)*at) && !strchr("_*?.[]!-:,=", *at))
			return;
	}
	fprintf(to, is_word && !are_modifiers ? "%s" : "'%s'", name);
}

/* The event string of an attr, and of its whole group in braces. */
static void print_string(FILE *to, const struct given *given, size_t index)
{
	const struct given_attr *attr = &given->v[index];
	const char *comma = "";

	if (!attr->is_grouped) {
		fputs(attr->decoding->text.p, to);
		return;
	}
	if (attr->group_name && *attr->group_name)
		print_group_name(to, attr->group_name);
	putc('{', to);
	for (; attr; attr = next_of(given, attr)) {
		fprintf(to, "%s%s", comma, attr->decoding->text.p);
		comma = ",";
	}
	putc('}', to);
}

/* -------------------------------------------------------------------------------------- text */

static void print_left(const struct pmuq_decoding *decoding, bool is_event, const char *label,
		       const char **before)
{
	bool is_first = true;

	for (size_t i = 0; i < decoding->n_left; i++) {
		bool is_word = pmuq_decoding_left(decoding, i)->format == PMUQ_FIELD_WORD;
		unsigned long long value = pmuq_decoding_left(decoding, i)->value;

		if (pmuq_decoding_left(decoding, i)->is_event != is_event)
			continue;
		if (is_first)
			printf("%s%s", *before, label);
		printf(is_word ? " %s=0x%llx" : " %s=%lld", pmuq_decoding_left(decoding, i)->name.p,
		       value);
		is_first = false;
		*before = "; ";
	}
}

static void print_comment(const struct given_attr *attr, const char **before)
{
	print_left(attr->decoding, true, "no string says:", before);
	/* Where the whole attr stands below, that is enough. */
	if (attr->about)
		return;
	print_left(attr->decoding, false, "left to a tool:", before);
	if (attr->deferred && *attr->deferred) {
		printf("%sdeferred: ", *before);
		print_safe(stdout, attr->deferred);
		*before = "; ";
	}
}

/* In comments, so that what was printed can be encoded again. */
static void print_below(const struct given_attr *attr, bool with_readings)
{
	const struct pmuq_decoding *decoding = attr->decoding;

	if (attr->about) {
		printf("#   ");
		print_safe(stdout, attr->about);
		putchar('\n');
	}
	for (size_t i = 0; with_readings && i < decoding->n_alternatives; i++)
		printf("#   or %s\n", decoding->alternatives[i].p);
}

void decode_write_text(const struct given *given, bool with_readings)
{
	for (size_t i = 0; i < given->n; i++) {
		const struct given_attr *attr = &given->v[i];
		const char *before = "  # ";

		if (attr->is_later)
			continue;
		print_string(stdout, given, i);
		for (; attr; attr = next_of(given, attr))
			print_comment(attr, &before);
		putchar('\n');
		for (attr = &given->v[i]; attr; attr = next_of(given, attr))
			print_below(attr, with_readings);
	}
}

/* -------------------------------------------------------------------------------------- JSON */

static void write_left(struct pq_sink *doc, const struct pmuq_decoding *decoding, bool is_event)
{
	doc_open(doc, '{');
	for (size_t i = 0; i < decoding->n_left; i++) {
		uint64_t value = pmuq_decoding_left(decoding, i)->value;

		if (pmuq_decoding_left(decoding, i)->is_event != is_event)
			continue;
		doc_key(doc, pmuq_decoding_left(decoding, i)->name.p);
		if (pmuq_decoding_left(decoding, i)->format == PMUQ_FIELD_WORD)
			pq_sink_word(doc, value);
		else
			pq_sink_number(doc, (int64_t)value);
	}
	doc_close(doc, '}');
}

static void write_decoding(struct pq_sink *doc, const struct given_attr *attr)
{
	const struct pmuq_decoding *decoding = attr->decoding;

	doc_open(doc, '{');
	doc_text(doc, "string", decoding->text.p);
	doc_key(doc, "pmu");
	doc_string_or_null(doc, decoding->pmu.p);
	doc_text(doc, "source", pmuq_origin_name(decoding->origin));
	doc_key(doc, "exact");
	pq_sink_bool(doc, decoding->is_exact);
	doc_key(doc, "unsaid");
	write_left(doc, decoding, true);
	doc_key(doc, "left");
	write_left(doc, decoding, false);
	doc_key(doc, "readings");
	doc_open(doc, '[');
	for (size_t i = 0; i < decoding->n_alternatives; i++)
		doc_string(doc, decoding->alternatives[i].p);
	doc_close(doc, ']');
	doc_close(doc, '}');
}

static void write_string(struct pq_sink *doc, const struct given *given, size_t index)
{
	auto_free char *text = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		return;
	print_string(to, given, index);
	if (fclose(to) == 0)
		doc_string(doc, text);
}

void decode_write_members(struct pq_sink *doc, const struct given *given)
{
	doc_key(doc, "strings");
	doc_open(doc, '[');
	for (size_t i = 0; i < given->n; i++)
		if (!given->v[i].is_later)
			write_string(doc, given, i);
	doc_close(doc, ']');
	doc_key(doc, "decodings");
	doc_open(doc, '[');
	for (size_t i = 0; i < given->n; i++)
		write_decoding(doc, &given->v[i]);
	doc_close(doc, ']');
}

void decode_write_document(struct pq_sink *doc, const char *input, const struct given *given)
{
	doc_open(doc, '{');
	doc_text(doc, "input", input);
	doc_key(doc, "ok");
	pq_sink_bool(doc, true);
	decode_write_members(doc, given);
	doc_close(doc, '}');
}

void decode_write_error(struct pq_sink *doc, const char *input, const struct diagnosis *error,
			const char *where)
{
	char code[16];

	snprintf(code, sizeof(code), "PMUQ-%03d", error->code);
	doc_open(doc, '{');
	doc_text(doc, "input", input);
	doc_key(doc, "ok");
	pq_sink_bool(doc, false);
	doc_key(doc, "error");
	doc_open(doc, '{');
	doc_text(doc, "code", code);
	doc_text(doc, "name", pmuq_code_name(error->code));
	doc_text(doc, "message", error->message);
	doc_key(doc, "offset");
	pq_sink_number(doc, (int64_t)error->offset);
	doc_key(doc, "length");
	pq_sink_number(doc, (int64_t)error->length);
	doc_text_if(doc, "hint", error->hint);
	if (error->input && strcmp(error->input, input) != 0)
		doc_text(doc, "text", error->input);
	doc_text_if(doc, "at", where);
	doc_close(doc, '}');
	doc_close(doc, '}');
}
