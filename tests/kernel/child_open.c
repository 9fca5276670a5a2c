/* SPDX-License-Identifier: MIT */
#include "tests/kernel/child_open.h"
#include "tests/kernel/situation.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Memory of parent and child. */
struct child_memory {
	bool is_in, leaks;
	const char *why; /* static in both */
	struct child_result results[];
};

struct child_opener {
	pid_t pid;
	size_t n, bytes;
	struct child_memory *memory;
};

static void copy(char *to, const char *text)
{
	snprintf(to, CHILD_TEXT_BYTES, "%s", text ? text : "");
}

#define BUSY_TRIES 200u
#define BUSY_PAUSE_US 5000u

/* Other children may have all breakpoint registers for a moment. */
static int try_open(const struct child_open *input, struct pmuq_open_results **ret)
{
	for (unsigned tries = 1;; tries++) {
		int r = pmuq_encodings_test_open(input->encodings, input->options, ret, NULL);

		if (r < 0 || tries == BUSY_TRIES ||
		    pmuq_open_results_get(*ret, input->index)->errnum != ENOSPC)
			return r;
		pmuq_open_results_free(*ret);
		usleep(BUSY_PAUSE_US);
	}
}

static void open_one(const struct child_open *input, struct child_result *ret)
{
	struct pmuq_open_results *results = NULL;
	size_t i = input->index;

	ret->r = try_open(input, &results);
	ret->status = pmuq_open_results_get(results, i)->status;
	ret->errnum = pmuq_open_results_get(results, i)->errnum;
	copy(ret->row, pmuq_open_results_get(results, i)->name.p);
	copy(ret->change, pmuq_open_results_get(results, i)->change.p);
	copy(ret->reason, pmuq_open_results_get(results, i)->reason.p);
	copy(ret->hint, pmuq_open_results_get(results, i)->hint.p);
	pmuq_open_results_free(results);
}

/* Works without /proc, too. */
static unsigned count_descriptors(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void open_all(const char *situation, const struct child_open *opens, size_t n,
		     struct child_memory *memory)
{
	unsigned before;

	memory->is_in = situation_enter(situation, &memory->why);
	before = count_descriptors();
	for (size_t i = 0; i < n && memory->is_in; i++)
		open_one(&opens[i], &memory->results[i]);
	memory->leaks = count_descriptors() != before;
}

struct child_opener *child_open_start(const char *situation, struct paranoid *held,
				      const struct child_open *opens, size_t n)
{
	struct child_opener *opener = calloc(1, sizeof(*opener));

	assert_non_null(opener);
	opener->n = n;
	opener->bytes = sizeof(struct child_memory) + n * sizeof(struct child_result);
	opener->memory = mmap(NULL, opener->bytes, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(opener->memory != MAP_FAILED);
	opener->pid = fork();
	assert_true(opener->pid >= 0);
	if (opener->pid == 0) {
		paranoid_leave(held);
		open_all(situation, opens, n, opener->memory);
		_exit(0);
	}
	return opener;
}

bool child_open_finish(struct child_opener *opener, struct child_result *ret, const char **ret_why)
{
	struct child_memory *memory = opener->memory;
	int status = 0;
	bool is_in;

	assert_int_equal(waitpid(opener->pid, &status, 0), opener->pid);
	assert_int_equal(status, 0);
	is_in = memory->is_in;
	*ret_why = memory->why;
	assert_false(memory->leaks);
	memcpy(ret, memory->results, opener->n * sizeof(*ret));
	munmap(memory, opener->bytes);
	free(opener);
	return is_in;
}

struct pmuq_encodings *child_open_encode(struct pmuq_source *source, const char *text,
					 enum pmuq_preset preset)
{
	const struct pmuq_encode_options options = { .size = sizeof(options), .preset = preset };
	struct pmuq_encodings *encodings = NULL;

	if (pmuq_source_encode(source, text, &options, &encodings, NULL) < 0)
		return NULL;
	return encodings;
}
