/* SPDX-License-Identifier: MIT */
/*
 * A ring of results. The thread fills it batch by batch, and frees a result when it needs its slot
 * again: memory that one thread requests and another frees would cost both of them a lock.
 */
#include "cli/events/encode_ahead.h"
#include "core/freep.h"
#include "core/thread.h"
#include <stdlib.h>

/* Fewer strings are encoded before a thread runs. */
#define STRINGS_MIN 1000
#define BATCH 64
#define SLOTS ((size_t)8 * BATCH)
#define FEW ((size_t)2 * BATCH)

struct encode_ahead {
	struct pmuq_source *source;
	const struct pmuq_encode_options *options;
	char *const *texts;
	size_t n;
	pthread_t thread;
	struct encoded slots[SLOTS];
	size_t next, n_known; /* the caller's: the next result, and how many are there */

	pthread_mutex_t mutex;
	pthread_cond_t has_moved;
	size_t n_encoded, n_taken;
	bool is_ended; /* no further result is needed */
};

void encoded_clear(struct encoded *encoded)
{
	pmuq_fit_freep(&encoded->fit);
	pmuq_encodings_free(encoded->encodings);
	pmuq_error_free(encoded->error);
	*encoded = (struct encoded){ 0 };
}

static bool has_group(const struct pmuq_encodings *encodings)
{
	const struct pmuq_encoding *encoding;

	for (size_t i = 0; (encoding = pmuq_encodings_get(encodings, i)); i++)
		if (encoding->n_members)
			return true;
	return false;
}

void encoded_make(struct pmuq_source *source, const char *text,
		  const struct pmuq_encode_options *options, struct encoded *ret)
{
	const struct pmuq_fit_options fit = { .size = sizeof(fit),
					      .vendor = options ? options->vendor : NULL,
					      .wants_unfit_only = true };

	if (pmuq_source_encode(source, text, options, &ret->encodings, &ret->error) < 0 ||
	    !fit.vendor || !has_group(ret->encodings) ||
	    pmuq_source_fit(source, ret->encodings, &fit, &ret->fit, &ret->error) == 0)
		return;
	pmuq_encodings_free(ret->encodings);
	ret->encodings = NULL;
}

static void encode_batch(struct encode_ahead *ahead, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct encoded *slot = &ahead->slots[i % SLOTS];

		encoded_clear(slot);
		encoded_make(ahead->source, ahead->texts[i], ahead->options, slot);
	}
}

/* The caller still has the last result that it took. False: it needs no more. */
static bool wait_for_slots(struct encode_ahead *ahead, size_t done)
{
	bool goes_on;

	pthread_mutex_lock(&ahead->mutex);
	while (!ahead->is_ended && done + BATCH > ahead->n_taken + SLOTS)
		pthread_cond_wait(&ahead->has_moved, &ahead->mutex);
	goes_on = !ahead->is_ended;
	pthread_mutex_unlock(&ahead->mutex);
	return goes_on;
}

/* Shows the other thread how far this one is: `of` is n_encoded or n_taken. To wake a thread costs
 * as much as to encode many strings: it sleeps until it has work for a while. */
static void publish(struct encode_ahead *ahead, size_t *of, size_t done)
{
	size_t n;

	pthread_mutex_lock(&ahead->mutex);
	*of = done;
	n = ahead->n_encoded - ahead->n_taken;
	if (of == &ahead->n_taken ? n <= FEW : n >= SLOTS - FEW || done == ahead->n)
		pthread_cond_signal(&ahead->has_moved);
	pthread_mutex_unlock(&ahead->mutex);
}

static void *run(void *of)
{
	struct encode_ahead *ahead = of;

	for (size_t done = 0, to; done < ahead->n && wait_for_slots(ahead, done); done = to) {
		to = ahead->n - done < BATCH ? ahead->n : done + BATCH;
		encode_batch(ahead, done, to);
		publish(ahead, &ahead->n_encoded, to);
	}
	return NULL;
}

struct encode_ahead *encode_ahead_start(struct pmuq_source *source,
					const struct pmuq_encode_options *options,
					char *const *texts, size_t n)
{
	struct encode_ahead *ahead = NULL;

	if (n >= STRINGS_MIN)
		ahead = calloc(1, sizeof(*ahead));
	if (!ahead)
		return NULL;
	ahead->source = source;
	ahead->options = options;
	ahead->texts = texts;
	ahead->n = n;
	pthread_mutex_init(&ahead->mutex, NULL);
	pthread_cond_init(&ahead->has_moved, NULL);
	if (pq_thread_start(&ahead->thread, run, ahead))
		return ahead;
	free(ahead);
	return NULL;
}

static size_t wait_for_results(struct encode_ahead *ahead)
{
	size_t n;

	pthread_mutex_lock(&ahead->mutex);
	while (ahead->n_encoded == ahead->next)
		pthread_cond_wait(&ahead->has_moved, &ahead->mutex);
	n = ahead->n_encoded;
	pthread_mutex_unlock(&ahead->mutex);
	return n;
}

const struct encoded *encode_ahead_next(struct encode_ahead *ahead)
{
	if (ahead->next % BATCH == 0)
		publish(ahead, &ahead->n_taken, ahead->next);
	if (ahead->next == ahead->n_known)
		ahead->n_known = wait_for_results(ahead);
	return &ahead->slots[ahead->next++ % SLOTS];
}

void encode_ahead_free(struct encode_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->mutex);
	ahead->is_ended = true;
	pthread_cond_signal(&ahead->has_moved);
	pthread_mutex_unlock(&ahead->mutex);
	pthread_join(ahead->thread, NULL);
	for (size_t i = 0; i < SLOTS; i++)
		encoded_clear(&ahead->slots[i]);
	pthread_mutex_destroy(&ahead->mutex);
	pthread_cond_destroy(&ahead->has_moved);
	free(ahead);
}
