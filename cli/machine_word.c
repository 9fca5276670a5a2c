/* SPDX-License-Identifier: MIT */
/*
 * Decides what a word of the command line names, and opens it: this machine, a host of the
 * database, or a file (machine_file.c). Also finds what commands need with a machine: its check and
 * its vendor table.
 */
#include "cli/machine_word.h"
#include "cli/database.h"
#include "cli/machine_file.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/served.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------- what it means */

static const char host_prefix[] = "host:";

/* For every file type: a FIFO or a device is not a host either. */
static bool exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

/* The word up to the separator, and the text after it; NULL in *ret_rest without a separator. `at`
 * is the separator, or NULL. */
static void cut(const char *word, const char *at, char **ret_first, char **ret_rest)
{
	*ret_first = or_die(at ? strndup(word, (size_t)(at - word)) : strdup(word));
	*ret_rest = at ? or_die(strdup(at + 1)) : NULL;
}

/* "FILE", or "FILE#NAME" unless there is a file of that whole name. */
static void take_file(const char *word, struct machine_word *ret)
{
	const char *at = exists(word) ? NULL : strrchr(word, '#');

	ret->type = MACHINE_FILE;
	cut(word, at == word ? NULL : at, &ret->path, &ret->name);
}

/* "HOST" or "HOST@SNAPSHOT" */
static enum status take_host(const char *word, struct machine_word *ret)
{
	const char *at = strrchr(word, '@');

	if (at && !at[1])
		return usage_error("'%s': a number, date or kernel belongs after the @", word);
	ret->type = MACHINE_HOST;
	cut(word, at, &ret->name, &ret->snapshot);
	return STATUS_OK;
}

static bool is_file(const char *word)
{
	const char *at = strrchr(word, '#');
	auto_free char *path = NULL;

	if (exists(word) || !at || at == word)
		return exists(word);
	path = or_die(strndup(word, (size_t)(at - word)));
	return exists(path);
}

/* A database that cannot be opened contains no host, so the word means the file. */
static bool is_host(const struct cli *cli, const char *word)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	auto_free char *path = database_path_if_there(cli);
	auto_free char *name = or_die(strndup(word, strcspn(word, "@")));
	struct pmuq_store *store;

	return path && optional_or_die(database_read_path(path, &store, NULL)) == 0 &&
	       optional_or_die(pmuq_store_open_host(store, name, 0, &source, NULL)) == 0;
}

/* Judges the name of a file that does not exist by its ending. */
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
	bool is_path = strchr(word, '/') || strcmp(word, "-") == 0 || strncmp(word, "-#", 2) == 0;

	*ret = (struct machine_word){ .type = MACHINE_LIVE };
	if (strcmp(word, "live") == 0)
		return STATUS_OK;
	if (strncmp(word, host_prefix, strlen(host_prefix)) == 0)
		return take_host(word + strlen(host_prefix), ret);
	/* A host may have a name that looks like that of a file. */
	if (!is_path && !is_file(word) && (!is_like_file(word) || is_host(cli, word)))
		return take_host(word, ret);
	if (!is_path && is_file(word) && is_host(cli, word))
		return usage_error("'%s' is a host and a file: write host:%s or ./%s", word, word,
				   word);
	take_file(word, ret);
	return STATUS_OK;
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
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	return pmuq_source_open_live(ret, &error) < 0 ? report_error(error, NULL) : STATUS_OK;
}

static enum status open_service(const char *path, struct pmuq_source **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	return pmuq_source_open_service(path, ret, &error) < 0 ? report_error(error, NULL)
							       : STATUS_OK;
}

/* Without --db a missing database is not an error of the database: the word may be a misspelt file.
 */
static enum status open_host(const struct cli *cli, const struct machine_word *word,
			     struct pmuq_source **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);
	struct pmuq_store *store;
	int64_t snapshot = 0;

	if (!path)
		return STATUS_FAILED;
	if (!cli->db && access(path, F_OK) < 0)
		return machine_fail(PMUQ_E_UNKNOWN_MACHINE,
				    "`pmuq scan` creates the database; --db names another",
				    "'%s' is not a file, and there is no database with hosts: %s "
				    "does not exist",
				    word->name, path);
	if (database_read_path(path, &store, &error) < 0 ||
	    (word->snapshot &&
	     pmuq_store_find_snapshot(store, word->name, word->snapshot, &snapshot, &error) < 0) ||
	    pmuq_store_open_host(store, word->name, snapshot, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

enum status machine_open(const struct cli *cli, const char *text, struct pmuq_source **ret)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };
	enum status status;

	if (served && strncmp(text, host_prefix, strlen(host_prefix)) != 0)
		return served->find_machine(served, text, ret);
	status = machine_word_read(cli, text, &word);
	if (status != STATUS_OK)
		return status;
	switch (word.type) {
	case MACHINE_LIVE:
		return open_live(ret);
	case MACHINE_HOST:
		return open_host(cli, &word, ret);
	case MACHINE_FILE:
		break;
	}
	return machine_file_read(word.path, word.name, ret);
}

static enum status open_file(const char *path, struct pmuq_source **ret)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };

	take_file(path, &word);
	return machine_file_read(word.path, word.name, ret);
}

static enum status read_whole(struct pmuq_source *source, struct pmuq_catalog **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	return pmuq_source_read_catalog(source, ret, &error) < 0 ? report_error(error, NULL)
								 : STATUS_OK;
}

enum status machine_read(const struct cli *cli, const char *word, struct pmuq_catalog **ret)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	enum status status = machine_open(cli, word, &source);

	return status == STATUS_OK ? read_whole(source, ret) : status;
}

/* ------------------------------------------------------------------------ the machine of the
 * options */

/* --sysroot is always a file, even if a host has that name. */
enum status source_open(const struct cli *cli, struct pmuq_source **ret)
{
	if (served)
		return machine_open(cli, "live", ret);
	if ((cli->host && cli->sysroot) || (cli->via && (cli->host || cli->sysroot)))
		return usage_error("--%s and --%s name two machines; use one of them",
				   cli->host ? "host" : "sysroot", cli->via ? "via" : "sysroot");
	if (cli->via)
		return open_service(cli->via, ret);
	if (cli->sysroot)
		return open_file(cli->sysroot, ret);
	return machine_open(cli, cli->host ? cli->host : "live", ret);
}

enum status source_read(const struct cli *cli, struct pmuq_catalog **ret)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	enum status status = source_open(cli, &source);

	return status == STATUS_OK ? read_whole(source, ret) : status;
}

enum status source_find_check(const struct cli *cli, const struct pmuq_catalog *catalog,
			      struct pmuq_check **ret_own, const struct pmuq_check **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_store *store;

	*ret = pmuq_catalog_machine(catalog)->check;
	if (*ret || !cli->db || !pmuq_catalog_machine(catalog)->is_live)
		return STATUS_OK;
	if (database_read_path(cli->db, &store, &error) < 0 ||
	    pmuq_store_find_check(store, catalog, ret_own, &error) < 0)
		return report_error(error, NULL);
	*ret = *ret_own;
	return STATUS_OK;
}

static enum status no_cpuid(void)
{
	report(REPORT_ERROR, "--vendor auto: the CPU of the machine is not known; name it, as in "
			     "--vendor GenuineIntel-6-55-4");
	return STATUS_INVALID;
}

/* Whether the command line names a database, by --db or by a host of it. */
static bool names_database(const struct cli *cli)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };

	return cli->db || (cli->host && machine_word_read(cli, cli->host, &word) == STATUS_OK &&
			   word.type == MACHINE_HOST);
}

/* Of which CPU; NULL: there is no table to use. */
static enum status find_cpuid(const struct cli *cli, struct pmuq_source *source, const char *vendor,
			      bool uses_default, const char **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	bool is_own = !vendor || strcmp(vendor, "auto") == 0;

	*ret = vendor;
	if (!vendor && !(uses_default || names_database(cli)))
		return STATUS_OK;
	if (is_own && pmuq_source_find_fact(source, "cpuid", ret, &error) < 0)
		return report_error(error, NULL);
	return vendor && !*ret ? no_cpuid() : STATUS_OK;
}

enum status source_find_vendor(const struct cli *cli, struct pmuq_source *source,
			       const char *vendor, bool uses_default, struct pmuq_vendor **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_store *store;
	const char *cpuid;
	enum status status = find_cpuid(cli, source, vendor, uses_default, &cpuid);
	int r;

	*ret = NULL;
	if (status != STATUS_OK || !cpuid)
		return status;
	*ret = served_vendor(cpuid);
	if (*ret)
		return STATUS_OK;
	status = database_read(cli, &store);
	if (status != STATUS_OK)
		return status;
	r = pmuq_store_open_vendor(store, cpuid, ret, &error);
	if (r == -PMUQ_E_NO_VENDOR_TABLE && (!vendor || uses_default))
		return STATUS_OK;
	if (r < 0)
		return report_error(error, NULL);
	served_keep_vendor(cpuid, *ret);
	return STATUS_OK;
}

enum status source_find_lazy_vendor(const struct cli *cli, struct pmuq_source *source,
				    const char *vendor, bool uses_default, struct pmuq_vendor **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_store *store;
	const char *cpuid;
	enum status status = find_cpuid(cli, source, vendor, uses_default, &cpuid);
	int r;

	if (status == STATUS_OK && cpuid)
		status = database_read(cli, &store);
	if (status != STATUS_OK || !cpuid)
		return status;
	r = pmuq_store_open_lazy_vendor(store, cpuid, ret, &error);
	if (r == -PMUQ_E_NO_VENDOR_TABLE && (!vendor || uses_default))
		return STATUS_OK;
	return r < 0 ? report_error(error, NULL) : STATUS_OK;
}

/* The CPU's ID, "" if it has none. */
static enum status find_tables(const struct cli *cli, struct pmuq_source *source,
			       const char *vendor, struct pmuq_store **store, const char **ret)
{
	bool is_own = !vendor || strcmp(vendor, "auto") == 0;
	enum status status = find_cpuid(cli, source, is_own ? NULL : vendor, true, ret);

	if (status == STATUS_OK && !*ret)
		*ret = "";
	return status == STATUS_OK ? database_read(cli, store) : status;
}

enum status source_find_metrics(const struct cli *cli, struct pmuq_source *source,
				const char *vendor, bool is_needed, struct pmuq_metrics **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_store *store;
	const char *cpuid;
	enum status status = find_tables(cli, source, vendor, &store, &cpuid);
	int r;

	if (status != STATUS_OK)
		return status;
	r = pmuq_store_open_metrics(store, cpuid, ret, &error);
	if (r == -PMUQ_E_NO_VENDOR_TABLE && !is_needed)
		return STATUS_OK;
	return r < 0 ? report_error(error, NULL) : STATUS_OK;
}

enum status source_find_lazy_metrics(const struct cli *cli, struct pmuq_source *source,
				     const char *vendor, struct pmuq_metrics **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_store *store;
	const char *cpuid;
	enum status status = find_tables(cli, source, vendor, &store, &cpuid);

	if (status == STATUS_OK && pmuq_store_open_lazy_metrics(store, cpuid, ret, &error) < 0)
		return report_error(error, NULL);
	return status;
}

enum status source_find_metric_groups(const struct cli *cli, struct pmuq_source *source,
				      const char *vendor, struct pmuq_metric_groups **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_store *store;
	const char *cpuid;
	enum status status = find_tables(cli, source, vendor, &store, &cpuid);

	if (status == STATUS_OK && pmuq_store_list_metric_groups(store, cpuid, ret, &error) < 0)
		return report_error(error, NULL);
	return status;
}
