/* SPDX-License-Identifier: MIT */
/*
 * Reads a file and cuts it into documents, one at a time: YAML at its separator lines, JSON by
 * brackets and quotes. The parser finds out whether a document is valid. Cutting first limits the
 * parser's input to one document (PQ_DOCUMENT_MAX_BYTES), so a file of any length can be a pipe,
 * and an error can quote the line from memory.
 */
#include "document/tree/document_input.h"
#include "core/io.h"
#include <errno.h>
#include <fcntl.h>

/* As large as a pipe is on Linux. */
#define READ_BYTES ((size_t)64 << 10)

static int fail_errno(const struct pq_doc_input *input, const char *what, int errnum,
		      struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_DOCUMENT_UNREADABLE, "%s: %s (errno %d)", what,
			pq_errno_text(errnum), errnum);

	pq_error_origin(reterr, str_of(input->origin));
	pq_error_errno(reterr, errnum);
	return r;
}

int pq_doc_input_begin(struct pq_doc_input *input, const char *origin, struct pmuq_error **reterr)
{
	input->location = (struct pq_doc_location){ .line = 1, .column = 1 };
	input->origin = strdup(origin);
	if (!input->origin)
		return pq_fail_memory(reterr);
	if (!input->opens_file)
		return 0;
	input->fd = open(origin, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return input->fd < 0 ? fail_errno(input, "cannot open it", errno, reterr) : 0;
}

void pq_doc_input_close(struct pq_doc_input *input)
{
	if (input->opens_file && input->fd >= 0)
		close(input->fd);
	free(input->origin);
	pq_vec_free(&input->memory);
	*input = PQ_DOC_INPUT_NULL;
}

/* ------------------------------------------------------------------------------------- reading */

/* Makes space for more bytes: moves the remaining ones to the start of the memory, and enlarges it
 * if that is not enough. */
static bool make_space(struct pq_doc_input *input)
{
	if (input->bytes.n && input->bytes.p != input->memory.v)
		memmove(input->memory.v, input->bytes.p, input->bytes.n);
	input->memory.n = input->bytes.n;
	if (!pq_vec_reserve(&input->memory, input->memory.capacity ? 1 : READ_BYTES))
		return false;
	input->bytes.p = input->memory.v;
	return true;
}

static void read_more(struct pq_doc_input *input, struct pq_doc *doc)
{
	ssize_t n;

	if (!make_space(input)) {
		pq_doc_fail_memory(doc);
		return;
	}
	n = pq_read(input->fd, input->memory.v + input->memory.n,
		    input->memory.capacity - input->memory.n);
	if (n < 0) {
		doc->r = fail_errno(input, "cannot read it", errno, doc->reterr);
		return;
	}
	input->is_at_end = n == 0;
	input->bytes.n += (size_t)n;
}

/* Skips n bytes. */
static void pass(struct pq_doc_input *input, size_t n)
{
	input->location = pq_doc_pass(input->location, str_part(input->bytes, 0, n));
	input->bytes = str_part(input->bytes, n, input->bytes.n);
}

/* ------------------------------------------------------------------------------------- cutting */

/* The point at which the search for the end of an incomplete document stopped, to continue
 * there. */
struct cut {
	size_t at, depth;
	bool is_in_string, is_escaped;
};

/* "---" and "..." are separators at the start of a line, if nothing or a blank follows. */
static bool is_mark(struct pmuq_str line, struct pmuq_str mark)
{
	return str_starts(line, mark) &&
	       (line.n == mark.n || char_is_space(line.p[mark.n]) || line.p[mark.n] == '\0');
}

/* Searches for a separator line. True if the end was found; the next document begins there. */
static bool cut_yaml(struct pmuq_str text, bool is_all, struct cut *cut, size_t *ret)
{
	while (cut->at < text.n) {
		const char *newline = memchr(text.p + cut->at, '\n', text.n - cut->at);
		size_t end = newline ? (size_t)(newline - text.p) + 1 : text.n;
		struct pmuq_str line = str_part(text, cut->at, end);

		if (!newline && !is_all)
			return false;
		if (cut->at && is_mark(line, STR("---"))) {
			*ret = cut->at;
			return true;
		}
		cut->at = end;
		if (is_mark(line, STR("..."))) {
			*ret = end;
			return true;
		}
	}
	*ret = text.n;
	return is_all;
}

/* How many bytes neither begin nor end a string or a value: most of a document. */
static size_t plain_length(struct pmuq_str text)
{
	static const bool is_special[256] = {
		['"'] = true, ['\\'] = true, ['{'] = true, ['}'] = true, ['['] = true, [']'] = true
	};
	const unsigned char *start = (const unsigned char *)text.p, *p = start;

	while (p < start + text.n && !is_special[*p])
		p++;
	return (size_t)(p - start);
}

/* Searches for the end of the value by its brackets and quotes. It does not check that the types of
 * brackets match: the parser does. */
static bool cut_json(struct pmuq_str text, bool is_all, struct cut *cut, size_t *ret)
{
	for (; cut->at < text.n; cut->at++) {
		char c;

		if (cut->depth && !cut->is_escaped)
			cut->at += plain_length(str_part(text, cut->at, text.n));
		if (cut->at == text.n)
			break;
		c = text.p[cut->at];
		if (cut->is_escaped)
			cut->is_escaped = false;
		else if (cut->is_in_string && c == '\\')
			cut->is_escaped = true;
		else if (c == '"')
			cut->is_in_string = !cut->is_in_string;
		else if (!cut->is_in_string && (c == '{' || c == '['))
			cut->depth++;
		else if (!cut->is_in_string && (c == '}' || c == ']') && cut->depth)
			cut->depth--;
		else if (cut->depth)
			continue;
		/* A value without brackets ends at the end of its line, or before a comma. */
		if (cut->depth == 0 && c && strchr(",]}\n", c)) {
			*ret = cut->at + (c == ']' || c == '}');
			if (*ret)
				return true;
		}
	}
	*ret = text.n;
	return is_all;
}

static void fail_size(const struct pq_doc_input *input, struct pq_doc *doc)
{
	doc->text = input->bytes;
	pq_doc_fail(doc, input->location, PMUQ_E_DOCUMENT_LIMIT,
		    "a document of more than %zu MiB begins here", PQ_DOCUMENT_MAX_BYTES >> 20);
}

/* Sets doc->text to the next document, which begins with the bytes. */
static void cut_document(struct pq_doc_input *input, struct pq_doc *doc)
{
	bool (*cut_one)(struct pmuq_str, bool, struct cut *, size_t *) =
		input->is_json ? cut_json : cut_yaml;
	struct cut cut = { 0 };
	size_t n = 0;

	while (doc->r == 0 && !cut_one(input->bytes, input->is_at_end, &cut, &n)) {
		if (input->bytes.n > PQ_DOCUMENT_MAX_BYTES)
			fail_size(input, doc);
		else
			read_more(input, doc);
	}
	if (n > PQ_DOCUMENT_MAX_BYTES)
		fail_size(input, doc);
	if (doc->r == 0)
		doc->text = str_part(input->bytes, 0, n);
}

/* ---------------------------------------------------------------------------- between documents */

/* Skips to the first byte that is not a blank, and returns it; '\0' at the end, and after an error.
 */
static char skip_blanks(struct pq_doc_input *input, struct pq_doc *doc)
{
	for (;;) {
		size_t i = 0;

		while (i < input->bytes.n && input->bytes.p[i] &&
		       strchr(" \t\r\n", input->bytes.p[i]))
			i++;
		pass(input, i);
		if (input->bytes.n)
			return input->bytes.p[0];
		if (input->is_at_end || doc->r < 0)
			return '\0';
		read_more(input, doc);
	}
}

static void fail_here(const struct pq_doc_input *input, struct pq_doc *doc, const char *what)
{
	doc->text = input->bytes;
	doc->start = input->location;
	pq_doc_fail(doc, input->location, PMUQ_E_BAD_DOCUMENT, "%s", what);
}

/* Within the list of documents, at the byte c: skips the comma before an item. False after the
 * list.
 */
static bool enter_item(struct pq_doc_input *input, struct pq_doc *doc, char c)
{
	if (c == ']') {
		input->is_in_array = false;
		pass(input, 1);
		return false;
	}
	if (!c)
		fail_here(input, doc, "the text ends within the list of documents");
	if (doc->r < 0 || input->n_items++ == 0)
		return true;
	if (c != ',') {
		fail_here(input, doc, "a comma or ']' is missing after the document");
		return true;
	}
	pass(input, 1);
	c = skip_blanks(input, doc);
	if (!c || strchr(",]", c))
		fail_here(input, doc, "a document is missing here");
	return true;
}

/* Skips to the first byte of a value; false at the end of the file. */
static bool enter_json(struct pq_doc_input *input, struct pq_doc *doc)
{
	for (;;) {
		char c = skip_blanks(input, doc);

		if (!input->is_in_array && c == '[') {
			input->is_in_array = true;
			input->n_items = 0;
			pass(input, 1);
			continue;
		}
		if (!input->is_in_array)
			return input->bytes.n;
		if (enter_item(input, doc, c))
			return true;
	}
}

bool pq_doc_input_next(struct pq_doc_input *input, struct pq_doc *doc)
{
	bool is_document = true;

	pass(input, input->n_taken);
	input->n_taken = 0;
	doc->origin = str_of(input->origin);
	doc->text = STR("");
	doc->start = input->location;
	if (!input->is_known) {
		char c = skip_blanks(input, doc);

		input->is_json = c == '{' || c == '[';
		input->is_known = true;
	}
	doc->is_json = input->is_json;
	doc->start = input->location;
	if (input->is_json)
		is_document = enter_json(input, doc);
	if (doc->r < 0 || !is_document)
		return false;
	doc->start = input->location;
	cut_document(input, doc);
	input->n_taken = doc->text.n;
	return doc->r == 0 && doc->text.n;
}
