/* SPDX-License-Identifier: MIT */
/*
 * What a helper of libpfm4 could send: a byte that selects the request, then frames of any bytes.
 * The process is a socket from which the input is read (fuzz_process.h). A
 * result has as many records as were requested, which are whole; written by wire.h, they are read
 * again as the same; everything else is an error.
 */
#include "pfm/wire.h"
#include "tests/fuzz/fuzz_process.h"
#include <string.h>

#define NAMES 2u
/* A helper that sends nothing more has closed its socket, so nothing waits that long. */
#define TIMEOUT_MS 2000u

static struct pmuq_str input;

static int encode(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	static const char *const names[NAMES] = { "skx::INST_RETIRED:ANY", "UNHALTED" };
	struct pmuq_pfm_encodings *encodings = NULL;
	int r = pmuq_pfm_encode(pfm, "GenuineIntel-6-55-4", names, NAMES, &encodings, reterr);

	FUZZ_LAW((r == 0) == (encodings != NULL));
	if (encodings)
		FUZZ_LAW(pmuq_pfm_encodings_count(encodings) == NAMES);
	for (size_t i = 0; encodings && i < NAMES; i++)
		fuzz_pfm_encoding(pmuq_pfm_encodings_get(encodings, i));
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

		fuzz_pfm_text(pmu->name);
		fuzz_pfm_text(pmu->description);
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

		fuzz_pfm_text(event->name);
		for (size_t k = 0; k < event->n_attributes; k++)
			fuzz_pfm_text(pmuq_pfm_event_attribute(event, k)->name);
	}
	pmuq_pfm_events_free(events);
	return r;
}

static int encode_raw(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	struct pmuq_pfm_raw *raw = NULL;
	int r = pmuq_pfm_encode_raw(pfm, "skx::INST_RETIRED:ANY", NULL, NULL, &raw, reterr);

	FUZZ_LAW((r == 0) == (raw != NULL));
	if (raw) {
		fuzz_pfm_text(raw->canonical);
		fuzz_pfm_text(raw->sysfs);
		FUZZ_LAW(raw->n_codes <= COUNT(raw->codes));
	}
	pmuq_pfm_raw_free(raw);
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
				       struct pmuq_error **) = { encode, list_pmus, list_events,
								 encode_raw };
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
	fuzz_pfm_sends = input;
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
