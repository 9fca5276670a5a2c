/* SPDX-License-Identifier: MIT */
/*
 * mapfile.csv: the CPUs that a folder is for. Both layouts have such a file with the same columns
 * (pattern, version, folder or file, type); lines of comments and the heading are skipped.
 * core/vendor/vendor_match.c matches patterns.
 */
#include "vendor/import/vendor_mapfile.h"
#include "core/limits.h"
#include "core/vendor/vendor_match.h"
#include <pmuq/error.h>

/* The columns of Intel's file; the kernel's has the first four. Pattern, version, file, type, core
 * type, model ID of the core, and role of the core. */
#define COLUMNS 7u
#define ROLE_COLUMN 6u

/* A cell ends at a comma, unless it is quoted. */
static struct pmuq_str cut_cell(struct pmuq_str *line)
{
	struct pmuq_str cell;
	size_t end = 0;

	if (line->n && line->p[0] == '"') {
		for (end = 1; end < line->n && line->p[end] != '"';)
			end++;
		cell = str_part(*line, 1, end);
		end += end < line->n;
		*line = str_part(*line, end, line->n);
		str_cut(*line, ',', &(struct pmuq_str){ 0 }, line);
		return cell;
	}
	str_cut(*line, ',', &cell, line);
	return str_trim(cell);
}

/* Not a comment, not the heading, not empty. */
static bool is_row(struct pmuq_str line)
{
	return line.n && line.p[0] != '#' &&
	       !(line.n >= 12 && str_eq_nocase(str_part(line, 0, 12), STR("Family-model")));
}

/* The error has a span of the pattern, or is about all of it. */
static void locate_mistake(const struct pq_vendor_tree *tree,
			   const struct pq_vendor_mapfile *mapfile,
			   const struct pq_vendor_mapfile_row *row)
{
	const struct pmuq_error *error = tree->reterr ? *tree->reterr : NULL;
	bool has_span = error && error->input.n;

	pq_vendor_error_at(tree, &mapfile->file, row->offset + (has_span ? error->offset : 0),
			   has_span ? error->length : row->pattern.n);
}

/* Adds a row. Errors have its location in the file. */
static void read_row(struct pq_vendor_tree *tree, struct pq_vendor_mapfile *mapfile,
		     struct pmuq_str line, struct pmuq_str arch, struct pq_arena *arena)
{
	struct pq_vendor_mapfile_row row;
	size_t offset = (size_t)(line.p - mapfile->file.text.p);
	struct pmuq_str cells[COLUMNS], rest = line;

	if (mapfile->n == PQ_MAPFILE_ROWS_MAX)
		pq_vendor_fail_at(tree, &mapfile->file, offset, line.n,
				  "the file has more than %u rows", PQ_MAPFILE_ROWS_MAX);
	for (size_t i = 0; i < COLUMNS; i++)
		cells[i] = rest.n ? cut_cell(&rest) : STR("");
	if (!cells[0].n || !cells[2].n)
		pq_vendor_fail_at(tree, &mapfile->file, offset, line.n,
				  "a row must be: pattern, version, folder, type");
	if (tree->r < 0)
		return;
	row = (struct pq_vendor_mapfile_row){
		.pattern = cells[0],
		.version = cells[1],
		.target = cells[2],
		.type = cells[3],
		.role = cells[ROLE_COLUMN],
		.offset = (size_t)(cells[0].p - mapfile->file.text.p),
		.target_offset = (size_t)(cells[2].p - mapfile->file.text.p),
	};
	tree->r = pq_vendor_check_pattern(arch, row.pattern, tree->reterr);
	if (tree->r < 0)
		locate_mistake(tree, mapfile, &row);
	else if (!pq_vec_push_in(arena, mapfile, row))
		pq_vendor_fail_memory(tree);
}

bool pq_vendor_read_mapfile(struct pq_vendor_tree *tree, struct pmuq_str path, struct pmuq_str arch,
			    struct pq_arena *arena, struct pq_vendor_mapfile *ret)
{
	struct pmuq_str text, line;

	*ret = (struct pq_vendor_mapfile){ 0 };
	if (!pq_vendor_read(tree, path, &ret->file))
		return false;
	ret->file.text = text = pq_arena_str(arena, ret->file.text);
	if (!text.p)
		pq_vendor_fail_memory(tree);
	/* A byte order mark. */
	if (str_starts(text, STR("\xef\xbb\xbf")))
		text = str_part(text, 3, text.n);
	while (tree->r == 0 && text.n) {
		str_cut(text, '\n', &line, &text);
		line = str_trim(line);
		if (is_row(line))
			read_row(tree, ret, line, arch, arena);
	}
	return tree->r == 0;
}
