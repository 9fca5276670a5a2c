/* SPDX-License-Identifier: MIT */
/*
 * The helper of libpfm4 as the library uses it, in this process: a byte that selects what is sent,
 * then a request of any bytes, or names of events with newlines between them, the first line being
 * the PMUs of the CPU. The result of any request is whole frames; and what the helper writes for
 * names, the library reads: as many encodings, each an error inside its name or codes.
 *
 * libpfm4 sees the files of this machine, since pfm_host.c would replace fopen() for libFuzzer,
 * too.
 */
#include "pfm/client.h"
#include "pfm/helper/helper.h"
#include "pfm/helper/pfm_host.h"
#include "pfm/pfm_names.h"
#include "tests/fuzz/fuzz_process.h"
#include <stdio.h>
#include <string.h>

#define NAMES_MAX 8u
/* More than a socket contains. */
#define SOCKET_MAX_BYTES 100000u

static struct pq_pfm_tables tables;

void pq_host_forget(void)
{
}

struct pmuq_str pq_host_last_pmu(void)
{
	return STR("");
}

static bool handle(unsigned type, size_t count, struct pmuq_str payload, struct pq_buf *out)
{
	const struct pq_pfm_header header = { .magic = PQ_PFM_MAGIC,
					      .type = type,
					      .bytes = (unsigned)payload.n,
					      .count = (unsigned)count };
	struct pq_wire wire = { .p = payload.p, .end = payload.p + payload.n };

	return pq_helper_handle(&tables, &header, &wire, out);
}

static void law_of_frames(struct pmuq_str out, unsigned type)
{
	while (out.n) {
		struct pq_pfm_header header;

		FUZZ_LAW(out.n >= sizeof(header));
		memcpy(&header, out.p, sizeof(header));
		FUZZ_LAW(header.magic == PQ_PFM_MAGIC && header.bytes <= PQ_PFM_FRAME_MAX_BYTES);
		FUZZ_LAW(header.type == type || header.type == PQ_PFM_ERROR);
		FUZZ_LAW(header.bytes <= out.n - sizeof(header));
		out = str_part(out, sizeof(header) + header.bytes, out.n);
	}
}

static void law_of_request(struct pmuq_str input)
{
	struct pq_buf out = PQ_BUF_NULL;
	unsigned type;

	if (input.n < 2)
		return;
	type = (unsigned char)input.p[0] % 8;
	if (handle(type, (unsigned char)input.p[1], str_part(input, 2, input.n), &out))
		law_of_frames(pq_buf_str(&out), type);
	pq_buf_free(&out);
}

static void put_hello(struct pq_buf *out)
{
	size_t begun = pq_wire_begin(out);

	pq_wire_text(out, STR("libpfm.so"));
	pq_wire_text(out, STR(""));
	pq_wire_text(out, STR(""));
	pq_wire_end(out, begun, PQ_PFM_HELLO, 1);
}

static void read_names(struct pmuq_str defaults, const char *const *names, size_t n)
{
	const struct pmuq_pfm_options options = { .size = sizeof(options), .helper = "/helper" };
	struct pmuq_pfm_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	struct pmuq_pfm *pfm = NULL;
	int r;

	FUZZ_LAW(pmuq_pfm_open(&options, &pfm, NULL) == 0);
	r = pq_pfm_encode_names(pfm, defaults, names, n, &encodings, &error);
	if (r < 0)
		fprintf(stderr, "%s\n", error->message.p);
	FUZZ_LAW(r == 0 && pmuq_pfm_encodings_count(encodings) == n);
	for (size_t i = 0; i < n; i++)
		fuzz_pfm_encoding(pmuq_pfm_encodings_get(encodings, i));
	pmuq_pfm_encodings_free(encodings);
	pmuq_pfm_free(pfm);
}

static void law_of_names(struct pmuq_str input)
{
	struct pq_buf payload = PQ_BUF_NULL, out = PQ_BUF_NULL;
	const char *names[NAMES_MAX];
	char *copies[NAMES_MAX];
	struct pmuq_str defaults, name;
	size_t n = 0;

	str_next(&input, '\n', &defaults);
	pq_wire_text(&payload, defaults);
	while (n < NAMES_MAX && str_next(&input, '\n', &name)) {
		copies[n] = fuzz_cstr((const uint8_t *)name.p, name.n);
		names[n] = copies[n];
		pq_wire_text(&payload, str_of(names[n++]));
	}
	put_hello(&out);
	if (n) {
		FUZZ_LAW(handle(PQ_PFM_ENCODE, n, pq_buf_str(&payload), &out));
		fuzz_pfm_sends = pq_buf_str(&out);
		if (out.n < SOCKET_MAX_BYTES)
			read_names(defaults, names, n);
	}
	while (n > 0)
		free(copies[--n]);
	pq_buf_free(&payload);
	pq_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_str input = { .p = (const char *)data + 1, .n = size - 1 };

	if (!size)
		return -1;
	if (!tables.n_pmus)
		FUZZ_LAW(pq_pfm_tables_open(&tables));
	if (data[0] & 1)
		law_of_request(input);
	else
		law_of_names(input);
	return 0;
}
