/* SPDX-License-Identifier: MIT */
/*
 * What a helper of libpfm4 could send: a byte that selects the request, then frames of any bytes.
 * This file replaces pfm/helper_process.c: the process is a socket from which the input is read. A
 * result has as many records as were requested, which are whole; written by wire.h, they are read
 * again as the same; everything else is an error.
 */
#include "pfm/helper_process.h"
#include "pfm/wire.h"
#include "tests/fuzz/fuzz.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#define NAMES 2u
/* A helper that sends nothing more has closed its socket: nothing waits that long. */
#define TIMEOUT_MS 2000u

static struct pmuq_str input;

int pq_process_start(const char *path, struct pq_process *ret)
{
	int ends[2];

	(void)path;
	FUZZ_LAW(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	FUZZ_LAW(send(ends[1], input.p, input.n, 0) == (ssize_t)input.n);
	close(ends[1]);
	*ret = (struct pq_process){ .fd = ends[0], .pid_fd = -1 };
	return 0;
}

bool pq_process_is_mine(const struct pq_process *process)
{
	return process->fd >= 0;
}

int pq_process_stop(struct pq_process *process)
{
	if (process->fd >= 0)
		close(process->fd);
	*process = PQ_PROCESS_NONE;
	return -1;
}

static void law_of_text(struct pmuq_str text)
{
	FUZZ_LAW(text.p && text.p[text.n] == '\0' && strlen(text.p) == text.n);
	for (size_t i = 0; i < text.n; i++)
		FUZZ_LAW((unsigned char)text.p[i] >= ' ' && text.p[i] != 0x7f);
}

static void law_of_encoding(const struct pmuq_pfm_encoding *encoding)
{
	uint64_t value;

	FUZZ_LAW(!encoding->error == (encoding->n_codes > 0));
	if (encoding->error)
		fuzz_error(-(int)encoding->error->code, encoding->error);
	for (size_t i = 0; i < encoding->n_codes; i++) {
		const struct pmuq_pfm_code *code = pmuq_pfm_encoding_code(encoding, i);

		law_of_text(code->sysfs);
		law_of_text(code->pmu);
		law_of_text(code->event);
		law_of_text(code->canonical);
		law_of_text(code->terms);
		FUZZ_LAW(code->scope <= PMUQ_PFM_GENERIC);
	}
	for (unsigned m = 0; m < 40; m++)
		pmuq_pfm_encoding_modifier(encoding, (enum pmuq_pfm_modifier)m, &value);
}

static int encode(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	static const char *const names[NAMES] = { "skx::INST_RETIRED:ANY", "UNHALTED" };
	struct pmuq_pfm_encodings *encodings = NULL;
	int r = pmuq_pfm_encode(pfm, "GenuineIntel-6-55-4", names, NAMES, &encodings, reterr);

	FUZZ_LAW((r == 0) == (encodings != NULL));
	if (encodings)
		FUZZ_LAW(pmuq_pfm_encodings_count(encodings) == NAMES);
	for (size_t i = 0; encodings && i < NAMES; i++)
		law_of_encoding(pmuq_pfm_encodings_get(encodings, i));
	pmuq_pfm_encodings_free(encodings);
	return r;
}

static int list_pmus(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	struct pmuq_pfm_pmus *pmus = NULL;
	int r = pmuq_pfm_list_pmus(pfm, &pmus, reterr);

	FUZZ_LAW((r == 0) == (pmus != NULL));
	for (size_t i = 0; pmus && i < pmuq_pfm_pmus_count(pmus); i++) {
		const struct pmuq_pfm_pmu *pmu = pmuq_pfm_pmus_get(pmus, i);

		law_of_text(pmu->name);
		law_of_text(pmu->description);
	}
	pmuq_pfm_pmus_free(pmus);
	return r;
}

static int list_events(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	struct pmuq_pfm_events *events = NULL;
	int r = pmuq_pfm_list_events(pfm, "skx", true, &events, reterr);

	FUZZ_LAW((r == 0) == (events != NULL));
	for (size_t i = 0; events && i < pmuq_pfm_events_count(events); i++) {
		const struct pmuq_pfm_event *event = pmuq_pfm_events_get(events, i);

		law_of_text(event->name);
		for (size_t k = 0; k < event->n_attributes; k++)
			law_of_text(pmuq_pfm_event_attribute(event, k)->name);
	}
	pmuq_pfm_events_free(events);
	return r;
}

/* A text of the protocol: read, written and read again. */
static void law_of_wire(void)
{
	struct pq_wire wire = { .p = input.p, .end = input.p + input.n };
	struct pmuq_str text = pq_wire_get_text(&wire), again;
	struct pq_buf out = PQ_BUF_NULL;

	FUZZ_LAW(wire.p >= input.p && wire.p <= wire.end);
	if (wire.failed)
		return;
	pq_wire_text(&out, text);
	wire = (struct pq_wire){ .p = out.p, .end = out.p + out.n };
	again = pq_wire_get_text(&wire);
	FUZZ_LAW(pq_wire_is_done(&wire) && str_eq(text, again));
	pq_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int (*const requests[])(struct pmuq_pfm *,
				       struct pmuq_error **) = { encode, list_pmus, list_events };
	const struct pmuq_pfm_options options = { .size = sizeof(options),
						  .helper = "/the/input",
						  .timeout_ms = TIMEOUT_MS };
	auto_free char *bytes = fuzz_cstr(data, size);
	struct pmuq_pfm *pfm = NULL;
	struct pmuq_error *error = NULL;
	int r;

	if (!size)
		return -1;
	input = (struct pmuq_str){ .p = bytes + 1, .n = size - 1 };
	law_of_wire();
	FUZZ_LAW(pmuq_pfm_open(&options, &pfm, NULL) == 0);
	r = requests[data[0] % COUNT(requests)](pfm, &error);
	FUZZ_LAW((r < 0) == (error != NULL));
	if (error) {
		fuzz_error(r, error);
		FUZZ_LAW(!strstr(error->message.p, "did not respond"));
	}
	pmuq_error_free(error);
	pmuq_pfm_free(pfm);
	return 0;
}
