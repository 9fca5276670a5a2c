/* SPDX-License-Identifier: MIT */
/* Names of files and directories. Only directories are opened. */
#include "cli/complete/complete.h"
#include "cli/or_die.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The tilde is expanded to read the directory; the word keeps the tilde, for the shell. */
static char *directory_of(const char *word, size_t n)
{
	const char *home = strncmp(word, "~/", 2) == 0 ? getenv("HOME") : NULL;

	if (!n)
		return or_die(strdup("."));
	return print_or_die("%s%.*s", home ? home : "", (int)(n - (home != NULL)),
			    word + (home != NULL));
}

/* Follows links. */
static bool is_directory(int at, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return fstatat(at, entry->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

static void free_entries(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

/* A directory ends in a slash and can be continued. A name that begins with a dash is offered as a
 * path. */
static void offer_file(struct line_completion *completion, size_t keep, const char *name,
		       bool is_dir)
{
	bool is_path = *name == '-' && !keep && completion->is_operand;
	auto_free char *path = is_path ? print_or_die("./%s", name) : NULL;

	complete_offer(completion, keep, is_path ? path : name, is_dir ? "/" : "", NULL, NULL);
}

/* Hidden files only if the word begins with a dot. */
void complete_files(struct line_completion *completion, bool only_dirs)
{
	const char *word = completion->word, *slash = strrchr(word, '/');
	size_t n = slash ? (size_t)(slash - word) + 1 : 0;
	auto_free char *path = directory_of(word, n);
	struct dirent **entries = NULL;
	int at = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int n_entries = at < 0 ? 0 : scandirat(at, ".", &entries, NULL, alphasort);

	done_or_die(n_entries >= 0 || errno != ENOMEM);
	for (int i = 0; i < n_entries; i++) {
		const char *name = entries[i]->d_name;
		bool is_hidden = *name == '.' &&
				 (word[n] != '.' || !strcmp(name, ".") || !strcmp(name, ".."));
		bool is_dir = !is_hidden && is_directory(at, entries[i]);

		if (!is_hidden && (is_dir || !only_dirs))
			offer_file(completion, n, name, is_dir);
	}
	free_entries(entries, n_entries);
	if (at >= 0)
		close(at);
}
