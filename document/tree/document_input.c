/* SPDX-License-Identifier: MIT */
/*
 * Reads a file and cuts it into documents, one at a time: YAML at its separator lines, JSON by
 * brackets and quotes. Whether a document is valid is for its parser to find out.
 */
#include "document/tree/document_input.h"
#include <errno.h>
#include <fcntl.h>

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

static int begin(struct pq_doc_input *input, const char *origin, struct pmuq_error **reterr)
{
	*input = PQ_DOC_INPUT_NULL;
	input->location = (struct pq_doc_location){ .line = 1, .column = 1 };
	input->origin = strdup(origin);
	return input->origin ? 0 : pq_fail_memory(reterr);
}

int pq_doc_input_open(struct pq_doc_input *input, const char *path, struct pmuq_error **reterr)
{
	int r = begin(input, path, reterr);

	if (r < 0)
		return r;
	input->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	input->owns_fd = input->fd >= 0;
	return input->fd < 0 ? fail_errno(input, "cannot open it", errno, reterr) : 0;
}

int pq_doc_input_open_fd(struct pq_doc_input *input, int fd, const char *origin,
			 struct pmuq_error **reterr)
{
	int r = begin(input, origin, reterr);

	input->fd = fd;
	return r;
}

int pq_doc_input_open_bytes(struct pq_doc_input *input, struct pmuq_str bytes, const char *origin,
			    struct pmuq_error **reterr)
{
	int r = begin(input, origin, reterr);

	input->bytes = bytes;
	input->is_at_end = true;
	return r;
}

void pq_doc_input_close(struct pq_doc_input *input)
{
	if (input->owns_fd)
		close(input->fd);
	free(input->origin);
	pq_vec_free(&input->memory);
	*input = PQ_DOC_INPUT_NULL;
}

/* ------------------------------------------------------------------------------------- reading */

/* Makes space for more bytes: moves those that are left to the start of the memory, and enlarges it
 * if that is not enough. */
static bool make_space(struct pq_doc_input *input)
{
	if (input->bytes.n && input->bytes.p != input->memory.v)
		memmove(input->memory.v, input->bytes.p, input->bytes.n);
	input->memory.n = input->bytes.n;
	if (!pq_vec_reserve(&input->memory, READ_BYTES))
		return false;
	input->bytes.p = input->memory.v;
	return true;
}

static int read_more(struct pq_doc_input *input, struct pmuq_error **reterr)
{
	ssize_t n;

	if (!make_space(input))
		return pq_fail_memory(reterr);
	do
		n = read(input->fd, input->memory.v + input->memory.n,
			 input->memory.capacity - input->memory.n);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return fail_errno(input, "cannot read it", errno, reterr);
	input->is_at_end = n == 0;
	input->bytes.n += (size_t)n;
	return 0;
}

/* Skips n bytes. */
static void pass(struct pq_doc_input *input, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		input->location.column++;
		if (input->bytes.p[i] != '\n')
			continue;
		input->location.line++;
		input->location.column = 1;
	}
	input->bytes = str_part(input->bytes, n, input->bytes.n);
}

/* ------------------------------------------------------------------------------------- cutting */

/* Where the search for the end of an incomplete document stopped, so that it continues there. */
struct cut {
	size_t at, depth;
	bool is_in_string, is_escaped;
};

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

/* Searches for the end of the value by its brackets and quotes. */
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

static int fail_size(const struct pq_doc_input *input, struct pq_doc *doc,
		     struct pmuq_error **reterr)
{
	doc->text = input->bytes;
	return pq_doc_fail(doc, input->location, reterr, PMUQ_E_DOCUMENT_LIMIT,
			   "a document of more than %zu MiB begins here",
			   PQ_DOCUMENT_MAX_BYTES >> 20);
}

static int cut_document(struct pq_doc_input *input, struct pq_doc *doc, struct pmuq_error **reterr)
{
	bool (*cut_one)(struct pmuq_str, bool, struct cut *, size_t *) =
		input->is_json ? cut_json : cut_yaml;
	struct cut cut = { 0 };
	size_t n = 0;
	int r;

	while (!cut_one(input->bytes, input->is_at_end, &cut, &n)) {
		if (input->bytes.n > PQ_DOCUMENT_MAX_BYTES)
			return fail_size(input, doc, reterr);
		r = read_more(input, reterr);
		if (r < 0)
			return r;
	}
	if (n > PQ_DOCUMENT_MAX_BYTES)
		return fail_size(input, doc, reterr);
	doc->text = str_part(input->bytes, 0, n);
	return 0;
}

/* ---------------------------------------------------------------------------- between documents */

/* Skips to the first byte that is not a blank; '\0' at the end. */
static int skip_blanks(struct pq_doc_input *input, char *ret, struct pmuq_error **reterr)
{
	*ret = '\0';
	for (;;) {
		size_t i = 0;
		int r;

		while (i < input->bytes.n && input->bytes.p[i] &&
		       strchr(" \t\r\n", input->bytes.p[i]))
			i++;
		if (i < input->bytes.n) {
			*ret = input->bytes.p[i];
			pass(input, i);
			return 0;
		}
		pass(input, i);
		if (input->is_at_end)
			return 0;
		r = read_more(input, reterr);
		if (r < 0)
			return r;
	}
}

static int fail_here(const struct pq_doc_input *input, struct pq_doc *doc,
		     struct pmuq_error **reterr, const char *what)
{
	doc->text = input->bytes;
	doc->start = input->location;
	return pq_doc_fail(doc, input->location, reterr, PMUQ_E_BAD_DOCUMENT, "%s", what);
}

/* In an array: skips the comma before an item. PQ_END after the array. */
static int enter_item(struct pq_doc_input *input, struct pq_doc *doc, char c,
		      struct pmuq_error **reterr)
{
	int r;

	if (c == ']') {
		input->is_in_array = false;
		pass(input, 1);
		return PQ_END;
	}
	if (!c)
		return fail_here(input, doc, reterr, "the text ends within the list of documents");
	if (input->n_items++ == 0)
		return 0;
	if (c != ',')
		return fail_here(input, doc, reterr,
				 "a comma or ']' is missing after the document");
	pass(input, 1);
	r = skip_blanks(input, &c, reterr);
	if (r == 0 && (!c || strchr(",]", c)))
		return fail_here(input, doc, reterr, "a document is missing here");
	return r;
}

/* Skips to the first byte of a value; PQ_END at the end of the file. */
static int enter_json(struct pq_doc_input *input, struct pq_doc *doc, struct pmuq_error **reterr)
{
	for (;;) {
		char c;
		int r = skip_blanks(input, &c, reterr);

		if (r < 0)
			return r;
		if (!input->is_in_array && c == '[') {
			input->is_in_array = true;
			input->n_items = 0;
			pass(input, 1);
			continue;
		}
		if (!input->is_in_array)
			return input->bytes.n ? 0 : PQ_END;
		r = enter_item(input, doc, c, reterr);
		if (r != PQ_END)
			return r;
	}
}

static int sniff(struct pq_doc_input *input, struct pmuq_error **reterr)
{
	char c;
	int r = skip_blanks(input, &c, reterr);

	input->is_json = c == '{' || c == '[';
	input->is_known = true;
	return r;
}

int pq_doc_input_next(struct pq_doc_input *input, struct pq_doc *doc, struct pmuq_error **reterr)
{
	int r = 0;

	pass(input, input->n_taken);
	input->n_taken = 0;
	if (!input->is_known)
		r = sniff(input, reterr);
	doc->origin = str_of(input->origin);
	doc->is_json = input->is_json;
	doc->start = input->location;
	doc->text = STR("");
	if (r == 0 && input->is_json)
		r = enter_json(input, doc, reterr);
	if (r != 0)
		return r;
	doc->start = input->location;
	r = cut_document(input, doc, reterr);
	input->n_taken = r == 0 ? doc->text.n : 0;
	return r == 0 && !doc->text.n ? PQ_END : r;
}
