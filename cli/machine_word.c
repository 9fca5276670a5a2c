/* SPDX-License-Identifier: MIT */
#include "cli/machine_word.h"
#include "cli/database.h"
#include "cli/machine_file.h"
#include "cli/options.h"
#include "cli/report.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------- what it means */

static const char host_prefix[] = "host:";

static bool exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

/* "FILE", or "FILE#NAME" unless there is a file of that whole name. */
static enum status take_file(const char *word, struct machine_word *ret)
{
	const char *at = exists(word) ? NULL : strrchr(word, '#');

	if (at == word)
		at = NULL;
	ret->type = MACHINE_FILE;
	ret->path = at ? strndup(word, (size_t)(at - word)) : strdup(word);
	ret->name = at ? strdup(at + 1) : NULL;
	return ret->path && (!at || ret->name) ? STATUS_OK : report_failed("out of memory");
}

/* "HOST" or "HOST@SNAPSHOT" */
static enum status take_host(const char *word, struct machine_word *ret)
{
	const char *at = strrchr(word, '@');

	if (at && !at[1])
		return usage_error(NULL, "'%s': a number, date or kernel belongs after the @",
				   word);
	ret->type = MACHINE_HOST;
	ret->name = at ? strndup(word, (size_t)(at - word)) : strdup(word);
	ret->snapshot = at ? strdup(at + 1) : NULL;
	return ret->name && (!at || ret->snapshot) ? STATUS_OK : report_failed("out of memory");
}

static bool is_file(const char *word)
{
	const char *at = strrchr(word, '#');
	auto_free char *path = at && at > word ? strndup(word, (size_t)(at - word)) : NULL;

	return exists(word) || (path && exists(path));
}

static bool is_host(const struct cli *cli, const char *word)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(source_freep) struct pmuq_source *source = NULL;
	auto_free char *path = database_path_if_there(cli);
	auto_free char *name = strndup(word, strcspn(word, "@"));

	return path && name && pmuq_store_open(path, PMUQ_STORE_READ, &store, NULL) == 0 &&
	       pmuq_store_open_host(store, name, 0, &source, NULL) == 0;
}

/* By the ending of the name of a file that does not exist. */
static bool is_like_file(const char *word)
{
	static const char *const endings[] = { ".yaml", ".yml", ".json", ".data" };
	size_t n = strcspn(word, "#");

	for (size_t i = 0; i < COUNT(endings); i++) {
		size_t n_ending = strlen(endings[i]);

		if (n > n_ending && memcmp(word + n - n_ending, endings[i], n_ending) == 0)
			return true;
	}
	return strstr(word, ".tar");
}

enum status machine_word_read(const struct cli *cli, const char *word, struct machine_word *ret)
{
	*ret = (struct machine_word){ .type = MACHINE_LIVE };
	if (strcmp(word, "live") == 0)
		return STATUS_OK;
	if (strncmp(word, host_prefix, strlen(host_prefix)) == 0)
		return take_host(word + strlen(host_prefix), ret);
	if (strchr(word, '/') || strcmp(word, "-") == 0 || strncmp(word, "-#", 2) == 0)
		return take_file(word, ret);
	if (!is_file(word))
		return is_like_file(word) ? take_file(word, ret) : take_host(word, ret);
	if (is_host(cli, word))
		return usage_error(NULL, "'%s' is a host and a file: write host:%s or ./%s", word,
				   word, word);
	return take_file(word, ret);
}

void machine_word_clear(struct machine_word *word)
{
	free(word->path);
	free(word->name);
	free(word->snapshot);
	*word = (struct machine_word){ 0 };
}

/* ------------------------------------------------------------------------------------- reading */

static enum status open_live(struct pmuq_source **ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;

	return pmuq_source_open_live(ret, &error) < 0 ? report_error(error, NULL) : STATUS_OK;
}

static enum status open_host(const struct cli *cli, const struct machine_word *word,
			     struct pmuq_source **ret)
{
	auto_free char *path = database_path(cli);

	if (!path)
		return STATUS_FAILED;
	if (!cli->db && access(path, F_OK) < 0)
		return machine_fail(PMUQ_E_UNKNOWN_MACHINE,
				    "`pmuq scan` creates the database; --db names another",
				    "'%s' is not a file, and there is no database with hosts: %s "
				    "does not exist",
				    word->name, path);
	return database_open_host(path, word->name, word->snapshot, ret);
}

/* One of both: what is read as a whole anyway is a catalog. */
static enum status read_word(const struct cli *cli, const char *text,
			     struct pmuq_source **ret_source, struct pmuq_catalog **ret_catalog)
{
	cleanup(machine_word_clear) struct machine_word word;
	enum status status = machine_word_read(cli, text, &word);

	if (status != STATUS_OK)
		return status;
	switch (word.type) {
	case MACHINE_LIVE:
		return open_live(ret_source);
	case MACHINE_HOST:
		return open_host(cli, &word, ret_source);
	case MACHINE_FILE:
		break;
	}
	return machine_file_read(word.path, word.name, ret_source, ret_catalog);
}

/* The catalog, if there is one, becomes the source's. */
static enum status source_of(struct pmuq_catalog *catalog, struct pmuq_source **ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (!catalog || pmuq_source_open_catalog(catalog, ret, &error) == 0)
		return STATUS_OK;
	pmuq_catalog_free(catalog);
	return report_error(error, NULL);
}

enum status machine_open(const struct cli *cli, const char *word, struct pmuq_source **ret)
{
	struct pmuq_catalog *catalog = NULL;
	enum status status = read_word(cli, word, ret, &catalog);

	return status == STATUS_OK ? source_of(catalog, ret) : status;
}

enum status machine_open_file(const char *path, struct pmuq_source **ret)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };
	struct pmuq_catalog *catalog = NULL;
	enum status status = take_file(path, &word);

	if (status == STATUS_OK)
		status = machine_file_read(word.path, word.name, ret, &catalog);
	return status == STATUS_OK ? source_of(catalog, ret) : status;
}

enum status machine_read(const struct cli *cli, const char *word, struct pmuq_catalog **ret)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status = read_word(cli, word, &source, ret);

	if (status == STATUS_OK && source && pmuq_source_read_catalog(source, ret, &error) < 0)
		return report_error(error, NULL);
	return status;
}
