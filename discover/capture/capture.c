/* SPDX-License-Identifier: MIT */
/*
 * Takes a capture. The walk (../read/walk.c) reads the machine while the root records everything it
 * reads, so that a capture contains exactly the files that pmuq reads. Then it reads the files of
 * PMUs that the walk does not open. The order of the other steps matters: the manifest lists what
 * was redacted, and the list of files includes the manifest.
 */
#include "discover/capture/capture.h"
#include "core/freep.h"
#include "core/limits.h"
#include "core/sized.h"
#include "core/text/time.h"
#include "discover/lazy/lazy.h"
#include "discover/tar/tar.h"

PQ_API void pmuq_capture_free(struct pmuq_capture *capture)
{
	if (!capture)
		return;
	pmuq_catalog_free(capture->catalog);
	pq_memory_free(&capture->memory);
	free(capture);
}

struct pq_inode *pq_capture_find(struct pmuq_capture *capture, const char *path)
{
	struct pq_inode *node = capture->memory.top;
	struct pmuq_str part, rest = str_of(path);

	while (node && str_next(&rest, '/', &part))
		node = pq_memory_child(&capture->memory, node, part);
	return node && node->type != PQ_FILE_NONE ? node : NULL;
}

static int read_devices(struct pmuq_capture *capture, struct pq_root *root,
			struct pmuq_error **reterr)
{
	auto_handle struct pq_handle devices = PQ_NO_HANDLE;
	int r = pq_root_enter(root, root->top, PQ_DEVICES, PQ_WITHIN_ROOT, &devices);

	if (root->resource_errnum)
		return pq_root_check(root, reterr);
	if (r != 0)
		return pq_fail(reterr, PMUQ_E_NO_ROOT, "the machine no longer has %s", PQ_DEVICES);
	return pq_walk(root, devices, PQ_PART_ALL, &capture->catalog, reterr);
}

/* The walk needs only the existence of these files, or nothing; a bug report may need their
 * content. */
static void read_rest(struct pmuq_capture *capture, struct pq_root *root)
{
	struct pq_inode *top = pq_capture_find(capture, PQ_DEVICES);

	for (struct pq_inode *node = top; node; node = pq_memory_next(top, node)) {
		cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
		struct pmuq_str text;

		if (node->type != PQ_FILE_REGULAR || node->is_known)
			continue;
		pq_memory_path(node, &path);
		pq_buf_char(&path, '\0', 1);
		capture->memory.failed |= path.failed;
		if (!path.failed)
			pq_root_read(root, path.p, PQ_FILE_MAX_BYTES, &text);
	}
}

/* The root records from here on; it must stop before later queries of the source. */
static int record(struct pmuq_capture *capture, struct pq_root *root, struct pmuq_error **reterr)
{
	int r;

	root->record = &capture->memory;
	root->top.record = capture->memory.top;
	r = read_devices(capture, root, reterr);
	if (r == 0)
		read_rest(capture, root);
	root->record = NULL;
	root->top.record = NULL;
	if (r == 0)
		r = pq_root_check(root, reterr);
	return r == 0 && capture->memory.failed ? pq_fail_memory(reterr) : r;
}

/* Removes files that were listed but neither read nor entered, unless a problem of the catalog
 * names them, such as a symbolic link instead of a file. */
static void prune(struct pmuq_capture *capture)
{
	const struct pmuq_catalog *catalog = capture->catalog;
	struct pq_inode *top = capture->memory.top;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_problems; i++) {
		struct pq_inode *node =
			pq_capture_find(capture, pmuq_catalog_problem(catalog, i)->path.p);

		if (node)
			node->is_known = true;
	}
	for (struct pq_inode *node = top; node; node = pq_memory_next(top, node))
		if (!node->is_known && !node->first && node->parent)
			node->type = PQ_FILE_NONE;
}

static int compare_nodes(const void *a, const void *b)
{
	return str_cmp((*(struct pq_inode *const *)a)->name, (*(struct pq_inode *const *)b)->name);
}

static bool sort_dir(struct pq_inode *dir)
{
	auto_free struct pq_inode **v = NULL;
	size_t n = 0;

	for (const struct pq_inode *node = dir->first; node; node = node->next)
		n++;
	v = reallocarray(NULL, n + 1, sizeof(struct pq_inode *));
	if (!v)
		return false;
	n = 0;
	for (struct pq_inode *node = dir->first; node; node = node->next)
		v[n++] = node;
	qsort(v, n, sizeof(struct pq_inode *), compare_nodes);
	v[n] = NULL;
	for (size_t i = 0; i < n; i++)
		v[i]->next = v[i + 1];
	dir->first = v[0];
	dir->last = v[n - 1];
	return true;
}

/* The kernel lists a directory in any order; two captures of a machine should be the same. */
static void sort(struct pmuq_capture *capture)
{
	struct pq_inode *top = capture->memory.top;

	for (struct pq_inode *node = top; node; node = pq_memory_next(top, node))
		if (node->first && !sort_dir(node))
			capture->memory.failed = true;
}

static void print_facts(const struct pmuq_capture *capture, struct pq_buf *manifest)
{
	enum pq_fact fact;

	for (size_t i = 0; (fact = pq_manifest_fact(i)) != PQ_FACT_COUNT; i++) {
		struct pmuq_str name = pq_fact_name(fact);
		const char *text = pmuq_catalog_find_fact(capture->catalog, name.p);

		if (text)
			pq_manifest_add_fact(manifest, name, str_of(text));
	}
}

static void add_manifest(struct pmuq_capture *capture)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_manifest_add_head(&text);
	pq_buf_print(&text, "# A machine as pmuq reads it. To inspect it: pmuq "
			    "--sysroot HERE list\n");
	pq_buf_print(&text, "version %s\n", pmuq_version());
	if (capture->options.time_s) {
		pq_buf_add(&text, STR("time "));
		pq_time_print(&text, capture->options.time_s);
		pq_buf_char(&text, '\n', 1);
	}
	pq_buf_print(&text, "machine %s\n", capture->is_live ? "live" : "captured before");
	pq_capture_print_redactions(capture, &text);
	print_facts(capture, &text);
	pq_manifest_add_marks(&text, &capture->memory);
	capture->memory.failed |= text.failed;
	pq_memory_put(&capture->memory, capture->memory.top, STR(PQ_MANIFEST_FILE),
		      pq_buf_str(&text));
}

static struct pmuq_str path_of(struct pmuq_capture *capture, const struct pq_inode *node)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	struct pmuq_str kept;

	pq_memory_path(node, &path);
	kept = pq_arena_str(&capture->memory.arena, pq_buf_str(&path));
	capture->memory.failed |= path.failed || !kept.p;
	return kept;
}

/* A link instead of a file was not tried, and is refused when it is read. */
static struct pmuq_problem unread(struct pmuq_capture *capture, const struct pq_inode *node)
{
	int code = node->ret ? -node->ret : PMUQ_E_REFUSED_FILE;

	return (struct pmuq_problem){
		.size = sizeof(struct pmuq_problem),
		.path = path_of(capture, node),
		.message = str_of(pq_root_reason(-code, node->errnum)),
		.code = (enum pmuq_code)code,
		.errnum = node->errnum,
	};
}

/* The lists that the records count. */
static void list(struct pmuq_capture *capture)
{
	struct pq_memory *memory = &capture->memory;
	size_t n = memory->n_nodes;

	capture->files = pq_arena_array(&memory->arena, n, sizeof(*capture->files));
	capture->unread = pq_arena_array(&memory->arena, n, sizeof(*capture->unread));
	memory->failed |= !capture->files || !capture->unread;
	for (struct pq_inode *node = memory->top; node && !memory->failed;
	     node = pq_memory_next(memory->top, node)) {
		if (node->type == PQ_FILE_REGULAR && !node->ret)
			capture->files[capture->content.n_files++] = (struct pq_captured_file){
				.record = { .size = sizeof(capture->files->record),
					    .path = path_of(capture, node),
					    .n_bytes = node->text.n },
				.node = node,
			};
		else if (node->ret || node->type == PQ_FILE_LINK || node->type == PQ_FILE_OTHER)
			capture->unread[capture->content.n_unread++] = unread(capture, node);
	}
}

static int take_options(const struct pmuq_capture_options *options,
			struct pmuq_capture_options *ret, struct pmuq_error **reterr)
{
	int r = pq_sized_take(options, ret, sizeof(*ret), reterr);

	if (r < 0)
		return r;
	if (ret->hostname && strchr(ret->hostname, '\n'))
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the hostname has several lines");
	return 0;
}

PQ_API int pmuq_capture_take(struct pmuq_source *source, const struct pmuq_capture_options *options,
			     struct pmuq_capture **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_capture_freep) struct pmuq_capture *capture = calloc(1, sizeof(*capture));
	struct pq_root *root = source ? pq_lazy_root(source) : NULL;
	int r;

	if (!root)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "only this machine or a captured one has files to capture");
	if (!capture ||
	    !pq_memory_init(&capture->memory, PQ_CAPTURE_MAX_BYTES, PQ_CAPTURE_FILES_MAX))
		return pq_fail_memory(reterr);
	r = take_options(options, &capture->options, reterr);
	if (r == 0)
		r = record(capture, root, reterr);
	if (r < 0)
		return r;
	capture->is_live = root->is_live;
	prune(capture);
	pq_capture_redact(capture, root);
	r = pq_root_check(root, reterr);
	if (r < 0)
		return r;
	capture->options.hostname = NULL; /* the caller's */
	add_manifest(capture);
	sort(capture);
	list(capture);
	if (capture->memory.failed)
		return pq_fail_memory(reterr);
	capture->content.size = sizeof(capture->content);
	capture->content.catalog = capture->catalog;
	capture->content.n_tracepoints = pmuq_catalog_machine(capture->catalog)->n_tracepoints;
	capture->content.redactions = capture->redactions;
	*ret = move(capture);
	return 0;
}

PQ_API char *pmuq_capture_library_info(void)
{
	cleanup(pq_buf_free) struct pq_buf info = PQ_BUF_NULL;
	int r;

	pq_buf_add(&info, STR("libarchive: "));
	r = pq_tar_version(&info);
	if (r == -PMUQ_E_MEMORY)
		return NULL;
	if (r < 0)
		pq_buf_add(&info, STR("not found (package libarchive13): no tar"));
	return pq_buf_take(&info);
}

PQ_API const struct pmuq_captured *pmuq_capture_content(const struct pmuq_capture *capture)
{
	return &capture->content;
}

PQ_API const struct pmuq_captured_file *pmuq_capture_file(const struct pmuq_capture *capture,
							  size_t index)
{
	return index < capture->content.n_files ? &capture->files[index].record : NULL;
}

PQ_API const struct pmuq_problem *pmuq_capture_unread(const struct pmuq_capture *capture,
						      size_t index)
{
	return index < capture->content.n_unread ? &capture->unread[index] : NULL;
}
