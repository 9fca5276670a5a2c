/* SPDX-License-Identifier: MIT */
/*
 * A helper that misbehaves. The name under which it is started selects how; it does so for every
 * request.
 */
#include "pfm/wire.h"
#include <fcntl.h>
#include <pmuq/pmuq.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

/* More than the tests open. */
#define DESCRIPTORS 1024

static struct pq_buf out;

static void flush(void)
{
	size_t done = 0;

	while (done < out.n) {
		ssize_t n = write(STDOUT_FILENO, out.p + done, out.n - done);

		if (n < 0)
			_exit(0);
		done += (size_t)n;
	}
	out.n = 0;
}

/* Every descriptor and every variable that this process has. */
static void list_inherited(struct pq_buf *text)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			pq_buf_print(text, "%d ", fd);
	for (char **variable = environ; *variable; variable++)
		pq_buf_print(text, "%s ", *variable);
}

static void hello(struct pmuq_str name)
{
	size_t begun = pq_wire_begin(&out);
	struct pq_buf library = PQ_BUF_NULL;

	if (str_eq(name, STR("inherited")))
		list_inherited(&library);
	else
		pq_buf_add(&library, STR("libfake.so"));
	pq_wire_text(&out, pq_buf_str(&library));
	pq_buf_free(&library);
	pq_wire_text(&out, STR(""));
	pq_wire_text(&out, STR(""));
	pq_wire_end(&out, begun, PQ_PFM_HELLO, 1);
	flush();
}

static void request(void)
{
	struct pq_pfm_header header;
	char byte;

	for (size_t i = 0; i < sizeof(header); i++)
		if (read(STDIN_FILENO, (char *)&header + i, 1) != 1)
			_exit(0);
	for (unsigned i = 0; i < header.bytes; i++)
		if (read(STDIN_FILENO, &byte, 1) != 1)
			_exit(0);
}

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

/* A frame whose header does not match its payload. */
static void header_only(unsigned magic, unsigned type, unsigned bytes, unsigned count)
{
	struct pq_pfm_header header = {
		.magic = magic, .type = type, .bytes = bytes, .count = count
	};

	pq_buf_add(&out, (struct pmuq_str){ .p = (const char *)&header, .n = sizeof(header) });
	flush();
}

static void put_code(unsigned position)
{
	pq_wire_u8(&out, position);
	pq_wire_u32(&out, 4);
	for (int i = 0; i < 3; i++)
		pq_wire_u64(&out, 1);
	for (int i = 0; i < 4; i++)
		pq_wire_text(&out, STR("x"));
}

static void send_codes(unsigned sent, unsigned position, uint32_t modifiers)
{
	size_t begun = pq_wire_begin(&out);

	pq_wire_u8(&out, sent);
	for (unsigned i = 0; i < sent; i++)
		put_code(position);
	pq_wire_u32(&out, modifiers);
	pq_wire_end(&out, begun, PQ_PFM_ENCODE, 1);
	flush();
}

static void send_refusal(unsigned type, uint32_t offset, uint32_t length)
{
	size_t begun = pq_wire_begin(&out);

	pq_wire_u8(&out, 0);
	pq_wire_u8(&out, type);
	pq_wire_u32(&out, offset);
	pq_wire_u32(&out, length);
	pq_wire_text(&out, STR("message"));
	pq_wire_text(&out, STR("hint"));
	pq_wire_end(&out, begun, PQ_PFM_ENCODE, 1);
	flush();
}

/* An error about the PMU of a list of events, and a byte after its end. */
static void error_and_more(void)
{
	size_t begun = pq_wire_begin(&out);

	pq_wire_u8(&out, PQ_PFM_UNKNOWN_PMU);
	pq_wire_u32(&out, 0);
	pq_wire_u32(&out, 0);
	pq_wire_text(&out, STR("message"));
	pq_wire_text(&out, STR("hint"));
	pq_wire_u8(&out, 1);
	pq_wire_end(&out, begun, PQ_PFM_ERROR, 1);
	flush();
}

/* The length of the first text of a code. */
static void long_text(uint32_t bytes)
{
	size_t begun = pq_wire_begin(&out);

	pq_wire_u8(&out, 1);
	pq_wire_u8(&out, 0);
	pq_wire_u32(&out, 4);
	for (int i = 0; i < 3; i++)
		pq_wire_u64(&out, 1);
	pq_wire_u32(&out, bytes);
	pq_buf_char(&out, 'x', 64 << 10);
	pq_wire_end(&out, begun, PQ_PFM_ENCODE, 1);
	flush();
}

static void control_byte(void)
{
	size_t begun = pq_wire_begin(&out);

	pq_wire_u8(&out, 0);
	pq_wire_u8(&out, PQ_PFM_BAD_NAME);
	pq_wire_u32(&out, 0);
	pq_wire_u32(&out, 0);
	pq_wire_text(&out, STR("[2J"));
	out.p[out.n - 3] = 033;
	pq_wire_text(&out, STR(""));
	pq_wire_end(&out, begun, PQ_PFM_ENCODE, 1);
	flush();
}

/* PMUs without an end. */
static void flood(void)
{
	for (;;) {
		size_t begun = pq_wire_begin(&out), n = 0;

		while (out.n - begun < (900u << 10)) {
			for (int i = 0; i < 4; i++)
				pq_wire_text(&out, STR("uncore_of_which_there_are_many_more"));
			pq_wire_u8(&out, 0);
			pq_wire_u8(&out, 0);
			for (int i = 0; i < 6; i++)
				pq_wire_u32(&out, 0);
			pq_wire_u8(&out, 0);
			n++;
		}
		pq_wire_end(&out, begun, PQ_PFM_PMUS, n);
		flush();
	}
}

/* What libpfm4 returns for a name: a result, a number of codes, words of an attr. */
static void send_raw(uint32_t result, unsigned n_codes, uint64_t word)
{
	size_t begun = pq_wire_begin(&out);

	pq_wire_u32(&out, result);
	for (int i = 0; i < 3; i++)
		pq_wire_u32(&out, 1);
	pq_wire_text(&out, STR(""));
	pq_wire_text(&out, STR("x::X"));
	pq_wire_u8(&out, n_codes);
	for (unsigned i = 0; i < n_codes; i++)
		pq_wire_u64(&out, 1);
	for (size_t i = 0; i < PQ_PFM_ATTR_WORDS; i++)
		pq_wire_u64(&out, word);
	pq_wire_end(&out, begun, PQ_PFM_RAW, 1);
	flush();
}

/* Never a complete frame, and never silent. */
static void drip(void)
{
	header_only(PQ_PFM_MAGIC, PQ_PFM_ENCODE, 1000, 1);
	for (;;) {
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		pq_buf_char(&out, 'x', 1);
		flush();
	}
}

static void crash(void)
{
	signal(SIGSEGV, SIG_DFL); /* a sanitizer would catch it */
	prctl(PR_SET_DUMPABLE, 0);
	raise(SIGSEGV);
}

static void do_as_called(struct pmuq_str name)
{
	if (str_eq(name, STR("crash")))
		crash();
	else if (str_eq(name, STR("hang-later")))
		wait_for_ever();
	else if (str_eq(name, STR("truncate")))
		header_only(PQ_PFM_MAGIC, PQ_PFM_ENCODE, 1000, 1);
	else if (str_eq(name, STR("wrong-magic")))
		header_only(0x31333337, PQ_PFM_ENCODE, 0, 0);
	else if (str_eq(name, STR("wrong-type")))
		header_only(PQ_PFM_MAGIC, 99, 0, 1);
	else if (str_eq(name, STR("huge-frame")))
		header_only(PQ_PFM_MAGIC, PQ_PFM_ENCODE, UINT32_MAX, 1);
	else if (str_eq(name, STR("huge-count")))
		header_only(PQ_PFM_MAGIC, PQ_PFM_ENCODE, 0, UINT32_MAX);
	else if (str_eq(name, STR("no-count")))
		header_only(PQ_PFM_MAGIC, PQ_PFM_ENCODE, 0, 0);
	else if (str_eq(name, STR("empty")))
		header_only(PQ_PFM_MAGIC, PQ_PFM_ENCODE, 0, 1);
	else if (str_eq(name, STR("huge-text")))
		long_text(UINT32_MAX - 3);
	else if (str_eq(name, STR("long-text")))
		long_text(64 << 10);
	else if (str_eq(name, STR("many-codes")))
		send_codes(200, 0, 0);
	else if (str_eq(name, STR("wrong-offset")))
		send_codes(1, 9, 0);
	else if (str_eq(name, STR("wrong-modifiers")))
		send_codes(1, 0, UINT32_MAX);
	else if (str_eq(name, STR("wrong-error")))
		send_refusal(77, 0, 0);
	else if (str_eq(name, STR("wrong-span")))
		send_refusal(PQ_PFM_BAD_NAME, 1, UINT32_MAX);
	else if (str_eq(name, STR("error-and-more")))
		error_and_more();
	else if (str_eq(name, STR("control-byte")))
		control_byte();
	else if (str_eq(name, STR("raw")))
		send_raw(0, 1, 1);
	else if (str_eq(name, STR("raw-result")))
		send_raw(UINT32_MAX, 1, 1);
	else if (str_eq(name, STR("raw-codes")))
		send_raw(0, PQ_PFM_RAW_CODES_MAX + 1, 1);
	else if (str_eq(name, STR("raw-type")))
		send_raw(0, 1, UINT64_MAX);
	else if (str_eq(name, STR("raw-and-more")))
		send_raw(4, 1, 1);
	else if (str_eq(name, STR("flood")))
		flood();
	else if (str_eq(name, STR("drip")))
		drip();
	else
		send_codes(1, 0, 0);
	if (str_eq(name, STR("talkative")))
		send_codes(1, 0, 0);
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	struct pmuq_str name = str_of(argc && slash ? slash + 1 : "");

	if (str_eq(name, STR("die")))
		return 1;
	if (str_eq(name, STR("no-library")))
		return 127;
	if (str_eq(name, STR("hang")))
		wait_for_ever();
	if (str_eq(name, STR("no-hello")))
		header_only(PQ_PFM_MAGIC, PQ_PFM_ENCODE, 0, 1);
	hello(name);
	if (str_eq(name, STR("deaf")))
		wait_for_ever();
	for (;;) {
		request();
		do_as_called(name);
		if (str_eq(name, STR("truncate")))
			return 0;
	}
}
