/* SPDX-License-Identifier: MIT */
/*
 * Reads the manifest of a captured tree, and prints the lines that it reads. capture/capture.c
 * prints the lines for people.
 */
#include "discover/files/manifest.h"
#include "core/num.h"
#include "core/text/utf8.h"

#define HEAD "pmuq-capture"
#define VERSION 1u

static const struct pmuq_str type_names[] = {
	[PQ_FILE_NONE] = STR(""),     [PQ_FILE_REGULAR] = STR("file"), [PQ_FILE_DIR] = STR("dir"),
	[PQ_FILE_LINK] = STR("link"), [PQ_FILE_OTHER] = STR("other"),
};

struct manifest_reader {
	struct pq_root *root;
	size_t line;
};

static struct pmuq_str take_word(struct pmuq_str *rest)
{
	struct pmuq_str head;

	str_cut(*rest, ' ', &head, rest);
	return head;
}

/* False if a "%" is not followed by two hex digits. */
static bool unescape(struct pmuq_str text, struct pq_buf *ret)
{
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] != '%') {
			pq_buf_char(ret, text.p[i], 1);
			continue;
		}
		if (text.n - i < 3 || !char_is_hex(text.p[i + 1]) || !char_is_hex(text.p[i + 2]))
			return false;
		pq_buf_char(ret, (char)(char_hex(text.p[i + 1]) << 4 | char_hex(text.p[i + 2])), 1);
		i += 2;
	}
	return true;
}

/* A path that stays in the tree and is not its top. */
static bool is_path(struct pmuq_str path)
{
	struct pmuq_str part;

	if (!path.n || memchr(path.p, '\0', path.n))
		return false;
	while (str_next(&path, '/', &part)) {
		if (!part.n || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return false;
	}
	return true;
}

static enum pq_file_type type_of(struct pmuq_str text)
{
	for (size_t i = PQ_FILE_REGULAR; i < COUNT(type_names); i++)
		if (str_eq(text, type_names[i]))
			return (enum pq_file_type)i;
	return PQ_FILE_NONE;
}

/* Only files and directories must have been opened: other types are marked without a failure. */
static bool is_code(uint64_t code, enum pq_file_type type)
{
	return code == PMUQ_E_UNREADABLE || code == PMUQ_E_REFUSED_FILE ||
	       code == PMUQ_E_TOO_LARGE_FILE ||
	       (code == 0 && (type == PQ_FILE_LINK || type == PQ_FILE_OTHER));
}

/* These three return NULL, or what is wrong with the line. An errno is at most 4095, as in the
 * kernel (MAX_ERRNO). Out of memory is in memory.failed. */
static const char *read_mark(struct pq_root *root, struct pmuq_str rest)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	enum pq_file_type type = type_of(take_word(&rest));
	uint64_t code, errnum;
	struct pq_inode *node;

	if (type == PQ_FILE_NONE)
		return "'unread' takes a file type: file, dir, link or other";
	if (pq_num_decimal(take_word(&rest), &code) != PQ_NUM_OK || !is_code(code, type))
		return "not a code of a file that could not be read";
	if (pq_num_decimal(take_word(&rest), &errnum) != PQ_NUM_OK || errnum > 4095)
		return "not an errno";
	if (!unescape(rest, &path) || !is_path(pq_buf_str(&path)))
		return "not a path in the tree";
	node = pq_memory_make(&root->memory, root->memory.top, pq_buf_str(&path));
	root->memory.failed |= path.failed;
	if (!node)
		return NULL;
	node->type = type;
	node->is_known = true;
	node->ret = -(int)code;
	node->errnum = (int)errnum;
	node->text = STR("");
	return NULL;
}

enum pq_fact pq_manifest_fact(size_t i)
{
	static const enum pq_fact facts[] = { PQ_FACT_EXTENDED_TYPE, PQ_FACT_MACHINE_ID,
					      PQ_FACT_TSC_HZ, PQ_FACT_PMEM };

	return i < COUNT(facts) ? facts[i] : PQ_FACT_COUNT;
}

static bool can_have(enum pq_fact fact)
{
	for (size_t i = 0; pq_manifest_fact(i) != PQ_FACT_COUNT; i++)
		if (pq_manifest_fact(i) == fact)
			return true;
	return false;
}

static const char *read_fact(struct pq_root *root, struct pmuq_str rest)
{
	enum pq_fact fact = pq_fact_find(take_word(&rest));
	struct pmuq_str *to;

	if (!can_have(fact))
		return "not a fact that a manifest has";
	to = &root->manifest[fact];
	if (!pq_utf8_is_text(rest))
		return "a fact that is not text: UTF-8 without control characters";
	*to = pq_arena_str(&root->memory.arena, rest);
	root->memory.failed |= !to->p;
	return NULL;
}

static const char *read_line(struct manifest_reader *reader, struct pmuq_str line)
{
	struct pmuq_str rest = line, key = take_word(&rest);
	uint64_t version;

	if (reader->line == 1) {
		if (!str_eq(key, STR(HEAD)) || pq_num_decimal(rest, &version) != PQ_NUM_OK)
			return "not '" HEAD "' and a version";
		return version == VERSION ? NULL : "a version that this pmuq does not support";
	}
	if (str_eq(key, STR("unread")))
		return read_mark(reader->root, rest);
	return str_eq(key, STR("fact")) ? read_fact(reader->root, rest) : NULL;
}

static int read_lines(struct manifest_reader *reader, struct pmuq_str text, const char *origin,
		      struct pmuq_error **reterr)
{
	struct pmuq_str line;
	const char *wrong;
	int r;

	while (str_next(&text, '\n', &line)) {
		reader->line++;
		wrong = read_line(reader, line);
		if (reader->root->memory.failed)
			return pq_fail_memory(reterr);
		if (!wrong)
			continue;
		r = pq_fail(reterr, PMUQ_E_BAD_MANIFEST, "%s/%s:%zu: %s", origin, PQ_MANIFEST_FILE,
			    reader->line, wrong);
		pq_error_origin(reterr, str_of(origin));
		return r;
	}
	return 0;
}

int pq_manifest_read(struct pq_root *root, const char *origin, struct pmuq_error **reterr)
{
	struct manifest_reader reader = { .root = root };
	uint64_t opens = *root->opens;
	struct pmuq_str text;
	int r = pq_root_read(root, PQ_MANIFEST_FILE, PQ_MANIFEST_MAX_BYTES, &text);

	/* The manifest is not a file of the machine. */
	*root->opens = opens;
	if (r == PQ_NONE)
		return 0;
	if (root->resource_errnum)
		return pq_root_check(root, reterr);
	if (r < 0) {
		r = pq_fail(reterr, PMUQ_E_BAD_MANIFEST, "%s/%s: %s", origin, PQ_MANIFEST_FILE,
			    pq_root_reason(r, root->errnum));
		pq_error_origin(reterr, str_of(origin));
		return r;
	}
	if (!root->is_memory) {
		if (!pq_memory_init(&root->memory, PQ_MANIFEST_MEMORY_MAX_BYTES,
				    PQ_MANIFEST_ENTRIES_MAX))
			return pq_fail_memory(reterr);
		root->top.node = root->memory.top;
	}
	return read_lines(&reader, text, origin, reterr);
}

void pq_manifest_add_head(struct pq_buf *manifest)
{
	pq_buf_print(manifest, HEAD " %u\n", VERSION);
}

/* A fact has no newline: it is the first line of a file. */
void pq_manifest_add_fact(struct pq_buf *manifest, struct pmuq_str name, struct pmuq_str text)
{
	pq_buf_print(manifest, "fact %.*s ", STR_ARG(name));
	pq_buf_add(manifest, text);
	pq_buf_char(manifest, '\n', 1);
}

static void escape(struct pq_buf *manifest, struct pmuq_str path)
{
	for (size_t i = 0; i < path.n; i++) {
		unsigned char c = (unsigned char)path.p[i];

		if (c <= ' ' || c >= 0x7f || c == '%')
			pq_buf_print(manifest, "%%%02X", c);
		else
			pq_buf_char(manifest, (char)c, 1);
	}
}

static bool is_mark(const struct pq_inode *node)
{
	return node->ret || node->type == PQ_FILE_LINK || node->type == PQ_FILE_OTHER;
}

void pq_manifest_add_marks(struct pq_buf *manifest, const struct pq_memory *memory)
{
	for (struct pq_inode *node = memory->top; node; node = pq_memory_next(memory->top, node)) {
		cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

		if (!is_mark(node))
			continue;
		pq_memory_path(node, &path);
		pq_buf_print(manifest, "unread %s %d %d ", type_names[node->type].p, -node->ret,
			     node->errnum);
		escape(manifest, pq_buf_str(&path));
		pq_buf_char(manifest, '\n', 1);
		manifest->failed |= path.failed;
	}
}
