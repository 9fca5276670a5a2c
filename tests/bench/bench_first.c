/* SPDX-License-Identifier: MIT */
/*
 * The cost of the first bare name of a process on a machine that it has not read yet, compared with
 * a bare loop of the necessary system calls: list the PMUs; test whether each has events, and this
 * one in each spelling; test whether it is a core PMU (all of them for a generic name, which means
 * core PMUs, else those that have the event); and read the files of the encoding on those that have
 * it. Each round is a separate process, and the two take turns; the best of each counts.
 *
 * It is measured twice. First the PMUs of the tree replace those of this machine, in a mount
 * namespace, which takes root: the kernel is trusted there. Then from the captured tree, which is
 * not trusted: each file is checked before it is opened.
 *
 *     bench_first TREE [ROUNDS]
 */
#include "tests/bench/bench.h"
#include <dirent.h>
#include <fcntl.h>
#include <pmuq/pmuq.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 60
#define DEVICES "sys/bus/event_source/devices"
#define PATH_BYTES 1024
#define FILE_BYTES 4096

/* A bare name, as it is written and without its modifiers. */
static const struct question {
	const char *text, *word, *upper; /* upper: the other spelling that a file may have */
	int is_generic;
} questions[] = {
	{ .text = "cycles:u", .word = "cycles", .upper = "CYCLES", .is_generic = 1 },
	{ .text = "clockticks", .word = "clockticks", .upper = "CLOCKTICKS" },
	{ .text = "cas_count_read", .word = "cas_count_read", .upper = "CAS_COUNT_READ" },
};

struct round {
	const char *tree; /* "": the machine that this runs on */
	const struct question *question;
	double *ret_us;
	unsigned long *ret_n; /* encodings, or PMUs that have the event */
};

static void ours(const struct round *round)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_source *source = NULL;
	double start = bench_now_us();

	if ((*round->tree ? pmuq_source_open_tree(round->tree, &source, NULL)
			  : pmuq_source_open_live(&source, NULL)) < 0 ||
	    pmuq_source_encode(source, round->question->text, NULL, &encodings, NULL) < 0)
		bench_die(round->question->text);
	*round->ret_us = bench_now_us() - start;
	*round->ret_n = pmuq_encodings_count(encodings);
	pmuq_encodings_free(encodings);
	pmuq_source_free(source);
}

/* The length of the content; a NUL follows it. */
static size_t read_at(int dir, const char *path, char text[FILE_BYTES])
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, FILE_BYTES - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

static const char *path_of(char memory[PATH_BYTES], const char *pmu, const char *sub,
			   const char *file)
{
	stpcpy(stpcpy(stpcpy(memory, pmu), sub), file);
	return memory;
}

/* The formats that the terms of the event name. */
static void read_formats(int devices, const char *pmu, char *terms)
{
	char memory[PATH_BYTES], text[FILE_BYTES], *rest = terms, *term;

	while ((term = strsep(&rest, ",\n")))
		if (*term)
			read_at(devices, path_of(memory, pmu, "/format/", strsep(&term, "=")),
				text);
}

static void read_number(int devices, const char *pmu, const char *event)
{
	static const char *const own[] = { "/type", "/cpumask" };
	static const char *const companions[] = { ".unit", ".scale" };
	static const char *const marks[] = { ".per-pkg", ".snapshot" };
	char memory[PATH_BYTES], text[FILE_BYTES], file[NAME_MAX + 1];

	for (size_t i = 0; i < 2; i++)
		read_at(devices, path_of(memory, pmu, own[i], ""), text);
	for (size_t i = 0; i < 2; i++) {
		snprintf(file, sizeof(file), "%s%s", event, companions[i]);
		read_at(devices, path_of(memory, pmu, "/events/", file), text);
		snprintf(file, sizeof(file), "%s%s", event, marks[i]);
		faccessat(devices, path_of(memory, pmu, "/events/", file), F_OK, 0);
	}
	if (read_at(devices, path_of(memory, pmu, "/events/", event), text))
		read_formats(devices, pmu, text);
}

static int has(int devices, const char *pmu, const char *sub, const char *file)
{
	char memory[PATH_BYTES];

	return faccessat(devices, path_of(memory, pmu, sub, file), F_OK, 0) == 0;
}

/* The event in this PMU's spelling; NULL if it has none. */
static const char *find_event(int devices, const char *pmu, const struct question *question)
{
	if (!has(devices, pmu, "/events", ""))
		return NULL;
	if (has(devices, pmu, "/events/", question->word))
		return question->word;
	return has(devices, pmu, "/events/", question->upper) ? question->upper : NULL;
}

static int query_pmu(int devices, const char *pmu, const struct question *question)
{
	const char *event = find_event(devices, pmu, question);

	if ((event || question->is_generic) && strncmp(pmu, "uncore_", 7) != 0)
		has(devices, pmu, "/cpus", "");
	if (event)
		read_number(devices, pmu, event);
	return event != NULL;
}

static void floor_of(const struct round *round)
{
	double start = bench_now_us();
	int root = open(*round->tree ? round->tree : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int devices = openat(root, DEVICES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = devices < 0 ? NULL : fdopendir(devices);
	const struct dirent *entry;
	unsigned long n = 0;

	if (!dir)
		bench_die(round->tree);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			n += (unsigned long)query_pmu(devices, entry->d_name, round->question);
	*round->ret_us = bench_now_us() - start;
	*round->ret_n = n;
	closedir(dir);
	close(root);
}

/* In a process that has read nothing yet; the time is measured in the child, without its start. */
static double in_child(void (*side)(const struct round *), struct round round, unsigned long *ret_n)
{
	struct {
		double us;
		unsigned long n;
	} *printed = mmap(NULL, sizeof(*printed), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	double us;
	pid_t pid;

	if (printed == MAP_FAILED)
		bench_die("no memory");
	printed->us = 0;
	round.ret_us = &printed->us;
	round.ret_n = &printed->n;
	pid = fork();
	if (pid == 0) {
		side(&round);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		bench_die("a round failed");
	us = printed->us;
	*ret_n = printed->n;
	munmap(printed, sizeof(*printed));
	return us;
}

static void measure(const char *tree, const struct question *question, int rounds)
{
	struct round round = { .tree = tree, .question = question };
	char name[64];
	unsigned long n_ours = 0, n_floor = 0;
	double best_ours = 0, best_floor = 0;

	for (int i = 0; i < rounds; i++) {
		best_ours = bench_best(best_ours, in_child(ours, round, &n_ours));
		best_floor = bench_best(best_floor, in_child(floor_of, round, &n_floor));
	}
	/* If no file has its name, the generic event is encoded. */
	if (n_ours != n_floor && n_floor)
		bench_die("the floor finds other PMUs");
	snprintf(name, sizeof(name), "first name%s: %s, %lu PMUs", *tree ? ", captured" : "",
		 question->text, n_ours);
	bench_line(name, "us", best_ours, best_floor);
}

static void measure_all(const char *tree, int rounds)
{
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		measure(tree, &questions[i], rounds);
}

/* False if this process may not do that. */
static int replace_pmus(const char *tree)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s/" DEVICES, tree);
	return unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount(path, "/" DEVICES, NULL, MS_BIND, NULL) == 0;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;

	if (argc < 2 || rounds < 1)
		bench_die("usage: bench_first TREE [ROUNDS]");
	if (replace_pmus(argv[1]))
		measure_all("", rounds);
	measure_all(argv[1], rounds);
	return EXIT_SUCCESS;
}
