/* SPDX-License-Identifier: MIT */
/*
 * Both threads do the same: take the next strings and encode them, which needs the source; print
 * them; wait until the strings before them are passed on. Printing takes longer than encoding, so a
 * thread seldom waits for the source. Most results are in memory of their worker, because malloc()
 * costs two threads more than one.
 */
#include "cli/events/encode_list.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

/* Fewer strings are not worth a thread. */
#define STRINGS_MIN 1000
#define BATCH ((size_t)16)
/* Of a usual string; what does not fit is on the heap. */
#define RESULT_BYTES 4096

struct shared {
	const struct encode_list *list;
	pthread_mutex_t encoding; /* of the source, and: */
	size_t next;
	pthread_mutex_t passing;
	pthread_cond_t has_passed;
	size_t n_passed; /* strings whose results were passed on */
};

struct worker {
	struct shared *shared;
	unsigned thread;
	size_t first, n; /* its strings */
	struct encoded results[BATCH];
	struct pq_buf text;
	_Alignas(16) char memory[BATCH][RESULT_BYTES];
};

/* ---- one string */

static bool has_group(const struct pmuq_encodings *encodings)
{
	const struct pmuq_encoding *encoding;

	for (size_t i = 0; (encoding = pmuq_encodings_get(encodings, i)); i++)
		if (encoding->n_members)
			return true;
	return false;
}

static bool has_warning(const struct pmuq_encodings *encodings)
{
	const struct pmuq_encoding *encoding;

	for (size_t i = 0; (encoding = pmuq_encodings_get(encodings, i)); i++)
		if (encoding->n_warnings)
			return true;
	return false;
}

/* False: perhaps libpfm4 has the name, or there is something to report; both need the heap. */
static bool encode_usual(const struct encode_list *list, size_t index, char *memory,
			 struct encoded *ret)
{
	struct pmuq_encode_options options = *list->options;

	options.pfm = NULL;
	options.memory = memory;
	options.memory_bytes = RESULT_BYTES;
	if (pmuq_source_encode(list->source, list->texts[index], &options, &ret->encodings, NULL) ==
		    0 &&
	    !has_warning(ret->encodings))
		return true;
	ret->encodings = NULL;
	return false;
}

static void encode(const struct encode_list *list, size_t index, char *memory, struct encoded *ret)
{
	const struct pmuq_fit_options fit = { .size = sizeof(fit),
					      .vendor = list->options->vendor,
					      .wants_unfit_only = true };

	*ret = (struct encoded){ 0 };
	if (!encode_usual(list, index, memory, ret) &&
	    pmuq_source_encode(list->source, list->texts[index], list->options, &ret->encodings,
			       &ret->error) < 0)
		return;
	if (!fit.vendor || !has_group(ret->encodings) ||
	    pmuq_source_fit(list->source, ret->encodings, &fit, &ret->fit, &ret->error) == 0)
		return;
	pmuq_encodings_free(ret->encodings);
	ret->encodings = NULL;
}

static void clear(struct encoded *encoded)
{
	pmuq_fit_free(encoded->fit);
	pmuq_encodings_free(encoded->encodings);
	pmuq_error_free(encoded->error);
}

/* ---- a batch */

/* False after the last string. */
static bool encode_next(struct worker *worker)
{
	struct shared *shared = worker->shared;
	size_t left;

	pthread_mutex_lock(&shared->encoding);
	left = shared->list->n - shared->next;
	worker->first = shared->next;
	worker->n = left < BATCH ? left : BATCH;
	shared->next += worker->n;
	for (size_t i = 0; i < worker->n; i++)
		encode(shared->list, worker->first + i, worker->memory[i], &worker->results[i]);
	pthread_mutex_unlock(&shared->encoding);
	return worker->n > 0;
}

static void print(struct worker *worker)
{
	const struct encode_list *list = worker->shared->list;

	worker->text.n = 0;
	for (size_t i = 0; i < worker->n; i++)
		list->print(list->of, worker->thread, worker->first + i, &worker->results[i],
			    &worker->text);
}

static void pass_on(struct worker *worker)
{
	struct shared *shared = worker->shared;
	const struct encode_list *list = shared->list;

	pthread_mutex_lock(&shared->passing);
	while (shared->n_passed != worker->first)
		pthread_cond_wait(&shared->has_passed, &shared->passing);
	if (list->print)
		list->write(list->of, &worker->text);
	for (size_t i = 0; !list->print && i < worker->n; i++)
		list->take(list->of, worker->first + i, &worker->results[i]);
	shared->n_passed += worker->n;
	pthread_cond_signal(&shared->has_passed);
	pthread_mutex_unlock(&shared->passing);
}

static void *work(void *of)
{
	struct worker *worker = of;

	while (encode_next(worker)) {
		if (worker->shared->list->print)
			print(worker);
		pass_on(worker);
		for (size_t i = 0; i < worker->n; i++)
			clear(&worker->results[i]);
	}
	pq_buf_free(&worker->text);
	return NULL;
}

/* ---- a list */

static bool has_several_cpus(void)
{
	cpu_set_t set;

	/* It fails if the machine has more CPUs than fit in the set. */
	return sched_getaffinity(0, sizeof(set), &set) < 0 || CPU_COUNT(&set) > 1;
}

/* Signals are for the first thread. */
static bool start(struct worker *worker, pthread_t *ret)
{
	sigset_t all, before;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(ret, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r == 0;
}

void encode_list(const struct encode_list *list)
{
	struct shared shared = {
		.list = list,
		.encoding = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP,
		.passing = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP,
		.has_passed = PTHREAD_COND_INITIALIZER,
	};
	bool is_long = !list->is_alone && list->n >= STRINGS_MIN && has_several_cpus();
	struct worker here = { .shared = &shared };
	struct worker *other = is_long ? calloc(1, sizeof(*other)) : NULL;
	bool is_started = false;
	pthread_t thread;

	if (other) {
		other->shared = &shared;
		other->thread = 1;
		is_started = start(other, &thread);
	}
	work(&here);
	if (is_started)
		pthread_join(thread, NULL);
	free(other);
}
