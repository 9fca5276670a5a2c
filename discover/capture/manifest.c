/* SPDX-License-Identifier: MIT */
#include "discover/capture/manifest.h"
#include "core/num.h"

#define HEAD "pmuq-capture"
#define VERSION 1u
/* More marks than a machine of 10,000 PMUs has files would be no capture's. */
#define MARKS_MAX_BYTES ((size_t)256 << 20)
#define MARKS_MAX ((size_t)500000)

static const struct pmuq_str kinds[] = {
	[PQ_KIND_NONE] = STR(""),     [PQ_KIND_FILE] = STR("file"),   [PQ_KIND_DIR] = STR("dir"),
	[PQ_KIND_LINK] = STR("link"), [PQ_KIND_OTHER] = STR("other"),
};

struct manifest {
	struct pq_root *root;
	size_t line;
	const char *wrong; /* what, of that line */
};

static struct pmuq_str word(struct pmuq_str *rest)
{
	struct pmuq_str head;

	str_cut(*rest, ' ', &head, rest);
	return head;
}

static int hex_digit(char c)
{
	return char_is_digit(c) ? c - '0' : char_is_hex(c) ? char_lower(c) - 'a' + 10 : -1;
}

/* Of a path as it is written. False when a "%" has no two digits behind it. */
static bool unescape(struct pmuq_str text, struct pq_buf *ret)
{
	for (size_t i = 0; i < text.n; i++) {
		int high, low;

		if (text.p[i] != '%') {
			pq_buf_char(ret, text.p[i], 1);
			continue;
		}
		if (text.n - i < 3)
			return false;
		high = hex_digit(text.p[i + 1]);
		low = hex_digit(text.p[i + 2]);
		if (high < 0 || low < 0)
			return false;
		pq_buf_char(ret, (char)(high * 16 + low), 1);
		i += 2;
	}
	return true;
}

/* A path that stays in the tree, and is not the tree itself. */
static bool is_path(struct pmuq_str path)
{
	struct pmuq_str part;
	bool more = path.n > 0;

	if (!path.n || memchr(path.p, '\0', path.n))
		return false;
	while (more) {
		more = str_cut(path, '/', &part, &path);
		if (!part.n || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return false;
	}
	return true;
}

static enum pq_kind kind_of(struct pmuq_str text)
{
	for (size_t i = PQ_KIND_FILE; i < COUNT(kinds); i++)
		if (str_eq(text, kinds[i]))
			return (enum pq_kind)i;
	return PQ_KIND_NONE;
}

/* What is no file and no directory need not have been tried. */
static bool is_code(uint64_t code, enum pq_kind kind)
{
	return code == PMUQ_E_UNREADABLE || code == PMUQ_E_REFUSED_FILE ||
	       code == PMUQ_E_TOO_LARGE_FILE ||
	       (code == 0 && (kind == PQ_KIND_LINK || kind == PQ_KIND_OTHER));
}

static const char *mark(struct pq_root *root, struct pmuq_str rest)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	enum pq_kind kind = kind_of(word(&rest));
	uint64_t code, errnum;
	struct pq_node *node;

	if (kind == PQ_KIND_NONE)
		return "no kind of file (file, dir, link, other) behind 'unread'";
	if (pq_num_decimal(word(&rest), &code) != PQ_NUM_OK || !is_code(code, kind))
		return "no code that reading a file gives";
	if (pq_num_decimal(word(&rest), &errnum) != PQ_NUM_OK || errnum > 4095)
		return "no errno";
	if (!unescape(rest, &path) || !is_path(pq_buf_str(&path)))
		return "no path in the tree";
	node = pq_memory_make(&root->memory, root->memory.top, pq_buf_str(&path));
	root->memory.failed |= path.failed;
	if (!node)
		return NULL;
	node->kind = kind;
	node->is_known = true;
	node->ret = -(int)code;
	node->errnum = (int)errnum;
	node->text = STR("");
	return NULL;
}

static const char *fact(struct pq_root *root, struct pmuq_str rest)
{
	struct pmuq_str name = word(&rest), *to;

	if (str_eq(name, STR("extended_type")))
		to = &root->told.extended_type;
	else if (str_eq(name, STR("machine_id")))
		to = &root->told.machine_id;
	else
		return "no fact that a capture tells so";
	*to = pq_arena_str(&root->memory.arena, rest);
	root->memory.failed |= !to->p;
	return NULL;
}

static const char *take_line(struct manifest *manifest, struct pmuq_str line)
{
	struct pmuq_str rest = line, key = word(&rest);
	uint64_t version;

	if (manifest->line == 1) {
		if (!str_eq(key, STR(HEAD)) || pq_num_decimal(rest, &version) != PQ_NUM_OK)
			return "not '" HEAD "' and a version";
		return version == VERSION ? NULL : "of a version that this pmuq does not know";
	}
	if (str_eq(key, STR("unread")))
		return mark(manifest->root, rest);
	return str_eq(key, STR("fact")) ? fact(manifest->root, rest) : NULL;
}

static int take_lines(struct manifest *manifest, struct pmuq_str text, const char *origin,
		      struct pmuq_error **reterr)
{
	struct pmuq_str line;
	bool more = true;

	while (more) {
		more = str_cut(text, '\n', &line, &text);
		manifest->line++;
		manifest->wrong = take_line(manifest, line);
		if (manifest->root->memory.failed)
			return pq_fail_memory(reterr);
		if (!manifest->wrong)
			continue;
		pq_fail(reterr, PMUQ_E_BAD_MANIFEST, "%s/%s:%zu: %s", origin, PQ_MANIFEST_FILE,
			manifest->line, manifest->wrong);
		pq_error_origin(reterr, str_of(origin));
		return -PMUQ_E_BAD_MANIFEST;
	}
	return 0;
}

int pq_manifest_read(struct pq_root *root, const char *origin, struct pmuq_error **reterr)
{
	struct manifest manifest = { .root = root };
	uint64_t opens = *root->opens;
	struct pmuq_str text;
	int r = pq_root_read(root, PQ_MANIFEST_FILE, PQ_MANIFEST_MAX_BYTES, &text);

	/* It is no part of the machine. */
	*root->opens = opens;
	if (r == PQ_NONE)
		return 0;
	if (root->lack)
		return pq_root_check(root, reterr);
	if (r < 0) {
		pq_fail(reterr, PMUQ_E_BAD_MANIFEST, "%s/%s: %s", origin, PQ_MANIFEST_FILE,
			pq_root_why(r, root->errnum));
		pq_error_origin(reterr, str_of(origin));
		return -PMUQ_E_BAD_MANIFEST;
	}
	if (!root->is_memory) {
		if (!pq_memory_init(&root->memory, MARKS_MAX_BYTES, MARKS_MAX))
			return pq_fail_memory(reterr);
		root->top.node = root->memory.top;
	}
	return take_lines(&manifest, text, origin, reterr);
}

void pq_manifest_add_head(struct pq_buf *manifest)
{
	pq_buf_print(manifest, HEAD " %u\n", VERSION);
}

/* A fact is the first line of something: no newline is in it. */
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

static bool is_mark(const struct pq_node *node)
{
	return node->ret || node->kind == PQ_KIND_LINK || node->kind == PQ_KIND_OTHER;
}

void pq_manifest_add_marks(struct pq_buf *manifest, const struct pq_memory *memory)
{
	for (struct pq_node *node = memory->top; node; node = pq_memory_next(memory->top, node)) {
		cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

		if (!is_mark(node))
			continue;
		pq_memory_path(node, &path);
		pq_buf_print(manifest, "unread %s %d %d ", kinds[node->kind].p, -node->ret,
			     node->errnum);
		escape(manifest, pq_buf_str(&path));
		pq_buf_char(manifest, '\n', 1);
		manifest->failed |= path.failed;
	}
}
