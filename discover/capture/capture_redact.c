/* SPDX-License-Identifier: MIT */
/*
 * Removes from a capture the data that identifies the machine. In files that contain more than pmuq
 * reads, it keeps the lines that pmuq reads. The tables list the lines to keep, so that lines which
 * later kernels add are removed.
 */
#include "discover/capture/capture.h"

/* The text before the colon of a line that is kept. Only the first such line is kept, because pmuq
 * reads no other; keep_processors() keeps "processor" of each CPU. */
static const struct pmuq_str cpuinfo_keys[] = {
	/* x86 */
	STR("vendor_id"),
	STR("cpu family"),
	STR("model"),
	STR("model name"),
	STR("stepping"),
	STR("cpuid level"),
	STR("flags"),
	/* arm */
	STR("CPU implementer"),
	STR("CPU architecture"),
	STR("CPU variant"),
	STR("CPU part"),
	STR("CPU revision"),
	/* POWER */
	STR("cpu"),
	STR("revision"),
	/* RISC-V, LoongArch */
	STR("isa"),
	STR("mvendorid"),
	STR("marchid"),
	STR("mimpid"),
	/* s390 */
	STR("machine"),
};
static const struct pmuq_str sysinfo_keys[] = { STR("Manufacturer"), STR("Type"), STR("Model") };
static const struct pmuq_str level_keys[] = { STR("CPU-MF") };

static const struct {
	const char *path;
	const struct pmuq_str *keys;
	size_t n_keys;
} by_line[] = {
	{ .path = "proc/cpuinfo", .keys = cpuinfo_keys, .n_keys = COUNT(cpuinfo_keys) },
	{ .path = "proc/sysinfo", .keys = sysinfo_keys, .n_keys = COUNT(sysinfo_keys) },
	{ .path = "proc/service_levels", .keys = level_keys, .n_keys = COUNT(level_keys) },
};

static void note(struct pmuq_capture *capture, const char *path, const char *text)
{
	capture->redactions[capture->content.n_redactions++] =
		(struct pmuq_pair){ .name = str_of(path), .text = str_of(text) };
}

struct filter {
	const struct pmuq_str *keys;
	size_t n_keys, n_lines, n_kept;
	uint64_t seen; /* a bit for each key */
	struct pq_buf *to;
};
_Static_assert(COUNT(cpuinfo_keys) <= 64, "seen has a bit for each key");

static void keep_line(struct filter *filter, struct pmuq_str line)
{
	filter->n_kept++;
	pq_buf_add(filter->to, line);
	pq_buf_char(filter->to, '\n', 1);
}

static void filter_line(struct filter *filter, struct pmuq_str line)
{
	struct pmuq_str key, value;

	filter->n_lines += line.n > 0;
	if (!str_cut(line, ':', &key, &value))
		return;
	for (size_t i = 0; i < filter->n_keys; i++) {
		if (!str_eq(str_trim(key), filter->keys[i]) || filter->seen >> i & 1)
			continue;
		filter->seen |= UINT64_C(1) << i;
		keep_line(filter, line);
	}
}

static void filter_text(struct filter *filter, struct pmuq_str text)
{
	struct pmuq_str line;

	while (str_next(&text, '\n', &line))
		filter_line(filter, line);
}

/* "processor : 3"; of "processor 3: version = FF, identification = …" the number alone. */
static void keep_processors(struct filter *filter, struct pmuq_str text)
{
	struct pmuq_str line, key, value;

	while (str_next(&text, '\n', &line)) {
		if (!str_starts(line, STR("processor")) || !str_cut(line, ':', &key, &value))
			continue;
		if (str_eq(str_trim(key), STR("processor"))) {
			keep_line(filter, line);
			continue;
		}
		filter->n_kept++;
		pq_buf_print(filter->to, "%.*s:\n", STR_ARG(key));
	}
}

/* pmuq identifies the CPU by the beginning of the file; from the rest, if it has read it, it needs
 * only the numbers of the CPUs. */
static void filter_cpuinfo(struct filter *filter, struct pq_root *root, struct pmuq_str whole)
{
	struct pmuq_str head;
	int r = pq_root_read_head(root, "proc/cpuinfo", &head);

	if (r != 0 || head.n > whole.n)
		head = whole;
	filter_text(filter, head);
	keep_processors(filter, whole);
}

static bool is_there(const struct pq_inode *node)
{
	return node && node->type == PQ_FILE_REGULAR && !node->ret;
}

static void keep_lines(struct pmuq_capture *capture, struct pq_root *root, size_t row)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL, how = PQ_BUF_NULL;
	struct filter filter = { .keys = by_line[row].keys,
				 .n_keys = by_line[row].n_keys,
				 .to = &text };
	struct pq_inode *node = pq_capture_find(capture, by_line[row].path);
	struct pmuq_str kept_how;

	if (!is_there(node))
		return;
	if (by_line[row].keys == cpuinfo_keys)
		filter_cpuinfo(&filter, root, node->text);
	else
		filter_text(&filter, node->text);
	pq_buf_print(&how, "%zu of %zu lines kept, those that pmuq reads", filter.n_kept,
		     filter.n_lines);
	node->text = pq_arena_str(&capture->memory.arena, pq_buf_str(&text));
	kept_how = pq_arena_str(&capture->memory.arena, pq_buf_str(&how));
	note(capture, by_line[row].path, kept_how.p);
	capture->memory.failed |= text.failed || how.failed || !node->text.p || !kept_how.p;
}

/* Removes a file; false if it does not exist. */
static bool remove_file(struct pmuq_capture *capture, const char *path)
{
	struct pq_inode *node = pq_capture_find(capture, path);

	if (!is_there(node))
		return false;
	node->type = PQ_FILE_NONE;
	return true;
}

static void put_line(struct pmuq_capture *capture, const char *path, struct pmuq_str line)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_buf_add(&text, line);
	pq_buf_char(&text, '\n', 1);
	capture->memory.failed |= text.failed;
	pq_memory_put(&capture->memory, capture->memory.top, str_of(path), pq_buf_str(&text));
}

/* Stores the results of uname(2) for a live machine in the files that are read in a tree. */
static void put_names(struct pmuq_capture *capture)
{
	static const struct {
		const char *fact, *path;
	} rows[] = {
		{ .fact = "kernel", .path = "proc/sys/kernel/osrelease" },
		{ .fact = "arch", .path = "proc/sys/kernel/arch" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *text = pmuq_catalog_find_fact(capture->catalog, rows[i].fact);

		if (text)
			put_line(capture, rows[i].path, str_of(text));
	}
}

#define HOSTNAME_FILE "proc/sys/kernel/hostname"

static void redact_hostname(struct pmuq_capture *capture)
{
	const char *name = pmuq_catalog_find_fact(capture->catalog, "hostname");
	const char *other = capture->options.hostname;

	if (!other && capture->options.keeps_hostname) {
		if (name && capture->is_live)
			put_line(capture, HOSTNAME_FILE, str_of(name));
		return;
	}
	remove_file(capture, HOSTNAME_FILE);
	remove_file(capture, "etc/hostname");
	if (other)
		put_line(capture, HOSTNAME_FILE, str_of(other));
	if (name || other)
		note(capture, HOSTNAME_FILE, other ? "replaced by another name" : "removed");
}

/* The file names the user and the host that built the kernel. */
static void redact_version(struct pmuq_capture *capture)
{
	cleanup(pq_buf_free) struct pq_buf line = PQ_BUF_NULL;
	const char *kernel = pmuq_catalog_find_fact(capture->catalog, "kernel");

	if (!remove_file(capture, "proc/version"))
		return;
	pq_buf_print(&line, "Linux version %s", kernel ? kernel : "");
	capture->memory.failed |= line.failed;
	put_line(capture, "proc/version", pq_buf_str(&line));
	note(capture, "proc/version", "only the release kept");
}

void pq_capture_redact(struct pmuq_capture *capture, struct pq_root *root)
{
	for (size_t i = 0; i < COUNT(by_line); i++)
		keep_lines(capture, root, i);
	if (remove_file(capture, "etc/machine-id") ||
	    pmuq_catalog_find_fact(capture->catalog, "machine_id"))
		note(capture, "etc/machine-id", "replaced by a hash");
	redact_version(capture);
	redact_hostname(capture);
	if (capture->is_live)
		put_names(capture);
}

void pq_capture_print_redactions(const struct pmuq_capture *capture, struct pq_buf *manifest)
{
	for (size_t i = 0; i < capture->content.n_redactions; i++)
		pq_buf_print(manifest, "redacted %s: %s\n", capture->redactions[i].name.p,
			     capture->redactions[i].text.p ? capture->redactions[i].text.p : "");
}
