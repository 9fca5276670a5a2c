/* SPDX-License-Identifier: MIT */
/*
 * What `pmuq complete` prints for a command line: a byte that selects the machine, then words with
 * a byte 0xff between them; the last one is completed. All shells read the same lines. A line is a
 * word that begins as the last one, each once, perhaps with a tab and a description; nothing in it
 * can end a line or reach a terminal; and a second try prints the same.
 */
#include "cli/complete/complete.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/tree.h"

#define BETWEEN ((char)0xff)
#define WORDS_MAX 32u

static struct tree tree;
static char *db;

/* A home without files, a database with two hosts; names of machines are the files that the current
 * directory has. */
static void make_scene(void)
{
	struct pmuq_store *store = NULL;
	struct pmuq_saved saved = { .size = sizeof(saved) };

	tree_make(&tree);
	db = tree_path(&tree, "pmuq.db");
	FUZZ_LAW(setenv("HOME", tree.dir, 1) == 0 && unsetenv("XDG_DATA_HOME") == 0);
	FUZZ_LAW(chdir(getenv("PMUQ_TEST_MACHINES")) == 0);
	FUZZ_LAW(pmuq_store_open(db, PMUQ_STORE_CREATE, &store, NULL) == 0);
	for (unsigned i = 0; i < 2; i++)
		FUZZ_LAW(pmuq_store_save(store, fuzz_machine_listed(4 + i)->catalog, NULL,
					 i ? "web02.example" : "web01", 1000, &saved, NULL) == 0);
	pmuq_store_free(store);
}

/* stderr is closed to the completion, as in the command. */
static char *complete(const char *sysroot, char **words, size_t n)
{
	struct line_completion completion = { 0 };
	int kept = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char *text = NULL, *read[WORDS_MAX];
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	FUZZ_LAW(to && kept >= 0 && null >= 0);
	FUZZ_LAW(pq_vec_push(&completion.options.taken, { OPTION_SYSROOT, sysroot }) &&
		 pq_vec_push(&completion.options.taken, { OPTION_DB, db }));
	fflush(stderr);
	dup2(null, STDERR_FILENO);
	memcpy(read, words, n * sizeof(*read));
	complete_line(&completion, read, n);
	complete_print(&completion, to);
	complete_clear(&completion);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	close(null);
	FUZZ_LAW(fclose(to) == 0);
	return text;
}

static void law_of_line(struct pmuq_str line, struct pmuq_str word)
{
	struct pmuq_str text, about;

	str_cut(line, '\t', &text, &about);
	FUZZ_LAW(text.n && str_starts(text, word));
	for (size_t i = 0; i < line.n; i++)
		FUZZ_LAW(i == text.n ||
			 ((unsigned char)line.p[i] >= ' ' && (unsigned char)line.p[i] != 0x7f));
}

static int compare(const void *a, const void *b)
{
	return str_cmp(*(const struct pmuq_str *)a, *(const struct pmuq_str *)b);
}

static void law_of_each_once(struct pmuq_str *texts, size_t n)
{
	qsort(texts, n, sizeof(*texts), compare);
	for (size_t i = 1; i < n; i++)
		FUZZ_LAW(!str_eq(texts[i - 1], texts[i]));
}

static void law_of_output(const char *output, const char *word)
{
	struct pmuq_str rest = str_of(output), line;
	auto_free struct pmuq_str *texts = calloc(rest.n + 1, sizeof(*texts));
	size_t n = 0;

	FUZZ_LAW(texts && (!rest.n || rest.p[rest.n - 1] == '\n'));
	while (str_next(&rest, '\n', &line) && rest.p) {
		law_of_line(line, str_of(word));
		str_cut(line, '\t', &texts[n++], &(struct pmuq_str){ 0 });
	}
	law_of_each_once(texts, n);
}

static void law_of_words(const char *sysroot, char **words, size_t n)
{
	auto_free char *once = complete(sysroot, words, n), *again = complete(sysroot, words, n);

	fuzz_same("once", once, "again", again);
	/* A word with a control character is not continued as it is. */
	law_of_output(once, words[n - 1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *bytes = NULL;
	char *words[WORDS_MAX];
	const struct fuzz_machine *machine;
	size_t n = 0;

	if (!size || memchr(data + 1, '\0', size - 1))
		return -1;
	if (!db)
		make_scene();
	machine = fuzz_machine_listed(data[0]);
	bytes = fuzz_cstr(data + 1, size - 1);
	for (char *at = bytes; at && n < WORDS_MAX; n++) {
		words[n] = at;
		at = strchr(at, BETWEEN);
		if (at)
			*at++ = '\0';
	}
	law_of_words(machine->dir, words, n);
	return 0;
}
