/* SPDX-License-Identifier: MIT */
/*
 * A perf.data file of any bytes. A file and a pipe without errors give the same result; every
 * error has an offset; the content makes a machine, with which each event is decoded.
 */
#include "tests/fuzz/fuzz.h"
#include <string.h>
#include <sys/mman.h>

/* The capacity of a pipe. */
#define PIPE_BYTES ((size_t)60 << 10)

static void law_of_offset(const struct pmuq_error *error)
{
	FUZZ_LAW(strncmp(error->message.p, "at byte ", 8) == 0);
	fuzz_error(-(int)error->code, error);
}

static struct pmuq_recording *open_fd(int fd)
{
	struct pmuq_recording *recording = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_recording_open_fd(fd, "it", &recording, &error);

	FUZZ_LAW((r < 0) == !recording && (r < 0) == !!error);
	if (error)
		law_of_offset(error);
	pmuq_error_free(error);
	for (size_t i = 0; recording && i < pmuq_recording_content(recording)->n_problems; i++)
		law_of_offset(pmuq_recording_problem(recording, i));
	return recording;
}

static struct pmuq_recording *open_file(const uint8_t *data, size_t size)
{
	auto_close int fd = memfd_create("fuzz", MFD_CLOEXEC);

	FUZZ_LAW(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
	return open_fd(fd);
}

static struct pmuq_recording *open_pipe(const uint8_t *data, size_t size)
{
	int fds[2];
	auto_close int from = -1;

	FUZZ_LAW(pipe(fds) == 0);
	from = fds[0];
	FUZZ_LAW(write(fds[1], data, size) == (ssize_t)size);
	close(fds[1]);
	return open_fd(from);
}

static void law_of_events(const struct pmuq_recording *recording)
{
	struct pmuq_catalog *catalog = NULL;
	size_t n = pmuq_recording_content(recording)->n_events;

	FUZZ_LAW(pmuq_recording_catalog(recording, &catalog, NULL) == 0);
	FUZZ_LAW(pmuq_catalog_find_fact(catalog, "incomplete"));
	for (size_t i = 0; i < n; i++) {
		struct pmuq_decoding *decoding = NULL;
		size_t leader = pmuq_recording_event(recording, i)->leader;

		FUZZ_LAW(leader <= i && i < leader + pmuq_recording_event(recording, i)->n_members);
		FUZZ_LAW(leader + pmuq_recording_event(recording, i)->n_members <= n);
		FUZZ_LAW(pmuq_recording_event(recording, i)->attr->size <= PMUQ_ATTR_SIZE_MAX);
		FUZZ_LAW(pmuq_catalog_decode(catalog, pmuq_recording_event(recording, i)->attr,
					     NULL, &decoding, NULL) == 0);
		FUZZ_LAW(*decoding->text.p);
		pmuq_decoding_free(decoding);
	}
	pmuq_catalog_free(catalog);
}

static void law_of_values(const struct pmuq_recording *recording)
{
	for (size_t i = 0; i < pmuq_recording_content(recording)->n_features; i++)
		for (size_t j = 0; j < pmuq_recording_feature(recording, i)->n_values; j++)
			FUZZ_LAW(pmuq_recording_feature(recording, i)->values[j].name.p &&
				 pmuq_recording_feature(recording, i)->values[j].text.p);
}

static void law_of_two(const struct pmuq_recording *file, const struct pmuq_recording *piped)
{
	if (pmuq_recording_content(file)->n_problems || pmuq_recording_content(piped)->n_problems)
		return;
	FUZZ_LAW(pmuq_recording_content(file)->n_events == pmuq_recording_content(piped)->n_events);
	FUZZ_LAW(pmuq_recording_content(file)->n_features ==
		 pmuq_recording_content(piped)->n_features);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_recording *file, *piped;

	if (size > PIPE_BYTES)
		return -1;
	file = open_file(data, size);
	piped = open_pipe(data, size);
	if (file) {
		law_of_events(file);
		law_of_values(file);
	}
	if (file && piped)
		law_of_two(file, piped);
	pmuq_recording_free(file);
	pmuq_recording_free(piped);
	return 0;
}
