/* SPDX-License-Identifier: MIT */
#include "tests/kernel/ask.h"
#include "tests/kernel/situation.h"
#include "tests/unit/cmocka_all.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What parent and child share. */
struct board {
	bool is_in, leaks;
	const char *why; /* static in both */
	struct answer answers[];
};

static void copy(char *to, const char *text)
{
	snprintf(to, ASK_TEXT_BYTES, "%s", text ? text : "");
}

static void ask(const struct question *question, struct answer *ret)
{
	struct pmuq_verdicts *verdicts = NULL;
	size_t i = question->index;

	ret->r = pmuq_encodings_test_open(question->encodings, question->options, &verdicts, NULL);
	ret->status = pmuq_verdict_status(verdicts, i);
	ret->errnum = pmuq_verdict_errno(verdicts, i);
	copy(ret->row, pmuq_verdict_name(verdicts, i));
	copy(ret->change, pmuq_verdict_change(verdicts, i));
	copy(ret->reason, pmuq_verdict_reason(verdicts, i));
	copy(ret->hint, pmuq_verdict_hint(verdicts, i));
	pmuq_verdicts_free(verdicts);
}

/* Works without /proc, too. */
static unsigned count_descriptors(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void answer_all(const char *situation, const struct question *questions, size_t n,
		       struct board *board)
{
	unsigned before;

	board->is_in = situation_enter(situation, &board->why);
	before = count_descriptors();
	for (size_t i = 0; i < n && board->is_in; i++)
		ask(&questions[i], &board->answers[i]);
	board->leaks = count_descriptors() != before;
}

bool ask_in(const char *situation, struct paranoid *held, const struct question *questions,
	    size_t n, struct answer *ret, const char **ret_why)
{
	size_t bytes = sizeof(struct board) + n * sizeof(struct answer);
	struct board *board =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	bool is_in;
	pid_t pid;

	assert_true(board != MAP_FAILED);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		paranoid_leave(held);
		answer_all(situation, questions, n, board);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	is_in = board->is_in;
	*ret_why = board->why;
	assert_false(board->leaks);
	memcpy(ret, board->answers, n * sizeof(*ret));
	munmap(board, bytes);
	return is_in;
}

struct pmuq_encodings *ask_encode(struct pmuq_source *source, const char *text,
				  enum pmuq_preset preset)
{
	const struct pmuq_encode_options options = { .size = sizeof(options), .preset = preset };
	struct pmuq_encodings *encodings = NULL;

	if (pmuq_source_encode(source, text, &options, &encodings, NULL) < 0)
		return NULL;
	return encodings;
}
