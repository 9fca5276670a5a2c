/* SPDX-License-Identifier: MIT */
/*
 * Recordings: real ones, converted to the other byte order, through a pipe, cut off at every byte,
 * and with wrong lengths and offsets. Every error contains its offset.
 */
#include "core/buf.h"
#include "tests/harness/asan.h"
#include "tests/unit/cmocka_all.h"
#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* Each recording takes long with a sanitizer: scripts/thorough.sh has the time. */
#define STEP (IS_UNDER_ASAN && !getenv("PMUQ_ALL_CALLS") ? 19u : 1u)

#define FILE_MAX_BYTES ((size_t)1 << 20)

struct bytes {
	unsigned char v[FILE_MAX_BYTES];
	size_t n;
};

static char *path_of(const char *name)
{
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", getenv("PMUQ_TEST_RECORDINGS"), name) > 0);
	return path;
}

static struct bytes *bytes_of(const char *name)
{
	auto_free char *path = path_of(name);
	struct bytes *bytes = calloc(1, sizeof(*bytes));
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	assert_non_null(bytes);
	bytes->n = fread(bytes->v, 1, sizeof(bytes->v), file);
	fclose(file);
	return bytes;
}

/* A file in memory. */
static int file_of(const void *v, size_t n)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, v, n, 0), n);
	return fd;
}

/* A pipe that another thread fills. */
static int pipe_of(const void *v, size_t n, pid_t *ret_writer)
{
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	*ret_writer = fork();
	assert_true(*ret_writer >= 0);
	if (*ret_writer == 0) {
		size_t done = 0;
		ssize_t some = 1;

		close(fds[0]);
		for (; done < n && some > 0; done += some > 0 ? (size_t)some : 0)
			some = write(fds[1], (const char *)v + done, n - done);
		_exit(0);
	}
	close(fds[1]);
	return fds[0];
}

static void dump_event(struct pq_buf *buf, const struct pmuq_recording *recording, size_t event)
{
	const char *name = pmuq_recording_event(recording, event)->name.p;
	const char *group = pmuq_recording_event(recording, event)->group_name.p;

	pq_buf_print(buf, "event %s:", name ? name : "-");
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		uint64_t value = pmuq_attr_get(pmuq_recording_event(recording, event)->attr, i);

		if (value)
			pq_buf_print(buf, " %s=%" PRIx64, pmuq_attr_field(i)->name.p, value);
	}
	pq_buf_print(buf, "; %u bytes, tail %d; group %zu of %zu %s; %s %s;",
		     pmuq_recording_event(recording, event)->attr_size,
		     pmuq_recording_event(recording, event)->has_unknown_tail,
		     pmuq_recording_event(recording, event)->leader,
		     pmuq_recording_event(recording, event)->n_members, group ? group : "-",
		     pmuq_recording_event(recording, event)->unit.p,
		     pmuq_recording_event(recording, event)->scale.p);
	for (size_t i = 0; i < pmuq_recording_event(recording, event)->n_ids; i++)
		pq_buf_print(buf, " %" PRIu64, pmuq_recording_event(recording, event)->ids[i]);
	pq_buf_char(buf, '\n', 1);
}

static void dump_catalog(struct pq_buf *buf, const struct pmuq_recording *recording)
{
	struct pmuq_catalog *catalog = NULL;

	assert_int_equal(pmuq_recording_catalog(recording, &catalog, NULL), 0);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++)
		pq_buf_print(buf, "fact %s=%s\n", pmuq_catalog_machine(catalog)->facts[i].name.p,
			     pmuq_catalog_machine(catalog)->facts[i].text.p);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		pq_buf_print(buf, "pmu %s %s%u cpus %s%s", pmu->name.p, pmu->has_type ? "" : "?",
			     pmu->type, pmu->cpus.p, pmu->is_core ? " core" : "");
		for (size_t j = 0; j < pmu->definition->n_caps; j++)
			pq_buf_print(buf, " %s=%s", pmu->definition->caps[j].name.p,
				     pmu->definition->caps[j].text.p);
		pq_buf_char(buf, '\n', 1);
	}
	pq_buf_print(buf, "%zu problems\n", pmuq_catalog_machine(catalog)->n_problems);
	pmuq_catalog_free(catalog);
}

/* The content of the recording, without the cost and the way of reading. */
static char *dump(const struct pmuq_recording *recording)
{
	struct pq_buf buf = PQ_BUF_NULL;

	for (size_t i = 0; i < pmuq_recording_content(recording)->n_events; i++)
		dump_event(&buf, recording, i);
	for (size_t i = 0; i < pmuq_recording_content(recording)->n_features; i++) {
		const char *name = pmuq_recording_feature(recording, i)->name.p;

		pq_buf_print(&buf, "feature %u %s %" PRIu64 " %d\n",
			     pmuq_recording_feature(recording, i)->number, name ? name : "-",
			     pmuq_recording_feature(recording, i)->bytes,
			     pmuq_recording_feature(recording, i)->is_read);
		for (size_t j = 0; j < pmuq_recording_feature(recording, i)->n_values; j++)
			pq_buf_print(&buf, "  %s=%s\n",
				     pmuq_recording_feature(recording, i)->values[j].name.p,
				     pmuq_recording_feature(recording, i)->values[j].text.p);
	}
	dump_catalog(&buf, recording);
	return pq_buf_take(&buf);
}

/* Every failure contains an offset. */
static void check_error(const struct pmuq_error *error)
{
	assert_non_null(error);
	assert_true(error->code >= PMUQ_E_NOT_RECORDING && error->code <= PMUQ_E_RECORDING_ORDER);
	assert_ptr_equal(strstr(error->message.p, "at byte "), error->message.p);
	assert_string_equal(error->origin.p, "it");
}

/* The dump, or NULL and the first code. */
static char *open_fd(int fd, enum pmuq_code *ret_code)
{
	struct pmuq_recording *recording = NULL;
	struct pmuq_error *error = NULL;
	const struct pmuq_error *problem;
	char *text;

	*ret_code = 0;
	if (pmuq_recording_open_fd(fd, "it", &recording, &error) < 0) {
		check_error(error);
		*ret_code = error->code;
		pmuq_error_free(error);
		assert_null(recording);
		return NULL;
	}
	assert_null(error);
	for (size_t i = 0; (problem = pmuq_recording_problem(recording, i)); i++) {
		check_error(problem);
		*ret_code = *ret_code ? *ret_code : problem->code;
	}
	text = dump(recording);
	assert_non_null(text);
	pmuq_recording_free(recording);
	return text;
}

static char *open_bytes(const void *v, size_t n, enum pmuq_code *ret_code)
{
	auto_close int fd = file_of(v, n);

	return open_fd(fd, ret_code);
}

static void each_name(const char *ending, void (*visit)(const char *name))
{
	DIR *dir = opendir(getenv("PMUQ_TEST_RECORDINGS"));
	struct dirent *entry;
	size_t n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (!str_ends(str_of(entry->d_name), str_of(ending)))
			continue;
		visit(entry->d_name);
		n++;
	}
	closedir(dir);
	assert_true(n > 20);
}

/* ---------------------------------------------------------------------------------- sound ones */

static void check_orders(const char *name)
{
	auto_free struct bytes *bytes = bytes_of(name);
	auto_free char *other_name = NULL;
	enum pmuq_code code;
	auto_free char *little = open_bytes(bytes->v, bytes->n, &code);

	assert_int_equal(code, 0);
	assert_non_null(little);
	assert_true(asprintf(&other_name, "%.*s.swapped", (int)(strlen(name) - strlen(".data")),
			     name) > 0);
	{
		auto_free struct bytes *other = bytes_of(other_name);
		auto_free char *big = open_bytes(other->v, other->n, &code);

		assert_int_equal(code, 0);
		assert_string_equal(little, big);
	}
}

static void test_both_byte_orders_have_the_same(void **state)
{
	(void)state;
	each_name(".data", check_orders);
}

static void check_pipe(const char *name)
{
	auto_free struct bytes *bytes = bytes_of(name);
	enum pmuq_code code;
	auto_free char *file = open_bytes(bytes->v, bytes->n, &code), *piped = NULL;
	pid_t writer;
	auto_close int fd = pipe_of(bytes->v, bytes->n, &writer);

	piped = open_fd(fd, &code);
	assert_int_equal(code, 0);
	assert_string_equal(file, piped);
	waitpid(writer, NULL, 0);
}

static void test_a_pipe_has_the_same(void **state)
{
	(void)state;
	each_name(".data", check_pipe);
	each_name(".swapped", check_pipe);
}

static const struct {
	const char *name, *expected;
} printed[] = {
	{ "groups", "event task-clock: type=1 size=80 config=1" },
	{ "groups", "group 0 of 2 -" },
	{ "groups", "event mem:0x1000:rw: type=5" },
	{ "groups", "fact cpuid=AuthenticAMD-25-1-1\n" },
	{ "groups", "fact hostname=recorder\nfact kernel=6.18.44\nfact arch=x86_64\n" },
	{ "groups", "fact cpus_present=0-1\nfact cpus_online=0-1\nfact incomplete=perf.data\n" },
	{ "groups", "pmu msr 9 cpus 0-1\n" },
	{ "groups", "feature 20 CACHE 1548 1\n  L1 Data=32K, CPUs 0, lines of 64 bytes" },
	{ "groups", "feature 22 MEM_TOPOLOGY 80 1\n  block size=0x8000000\n  node0=0-23,32-199\n" },
	{ "groups-stream", "group 0 of 2 -" },
	{ "groups-stream", "event sched:sched_process_exit: type=2" },
	{ "tracepoint", "feature 1 TRACING_DATA 5435 0\n" },
	{ "compressed", "feature 27 COMPRESSED 20 1\n  version=0\n  type=1\n  level=1\n" },
	{ "stat-7.2", "event msr/tsc/: type=9" },
	{ "clock-7.2", "feature 33 E_MACHINE 8 1\n  e_machine=62\n" },
	{ "clock-7.2", "feature 34 CLN_SIZE 4 1\n  =64 bytes\n" },
	{ "hybrid", "pmu cpu_core 4 cpus 0-7 core branches=32 max_precise=3\n" },
	{ "hybrid", "pmu cpu_atom 10 cpus 8-15 core branches=32\n" },
	{ "hybrid", "pmu uncore_imc_0 22 cpus 0-9,14-15\n" },
	{ "hybrid", "pmu cpu ?0 cpus 0-9,14-15 core pmu_name=alderlake\n" },
	{ "hybrid", "fact cpus_present=0-15\nfact cpus_online=0-9,14-15\n" },
	{ "hybrid", "fact cpuid=GenuineIntel-6-97-2\n" },
	{ "old-attr", "size=40; 64 bytes, tail 0;" },
	{ "no-size", "size=40; 64 bytes, tail 0;" },
	{ "larger-attr", "size=90; 200 bytes, tail 0;" },
	{ "unknown-tail", "size=90; 200 bytes, tail 1;" },
	{ "bits-behind", "size=40; 64 bytes, tail 1;" },
	{ "precise", "exclude_kernel=1 precise_ip=2;" },
	{ "updates", "event cas_count_read: type=16" },
	{ "updates", "; MiB 6.103515625e-05; 5\n" },
	{ "no-features", "event -: type=1" },
	{ "power", "fact cpuid=0x004e1202\n" },
	{ "arm", "fact cpuid=0x00000000410fd490\n" },
	{ "s390", "fact cpuid=IBM,8561,703,A01,3.6,002f\n" },
};

static void test_their_contents(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(printed); i++) {
		auto_free char *name = NULL;
		enum pmuq_code code;

		assert_true(asprintf(&name, "%s.data", printed[i].name) > 0);
		{
			auto_free struct bytes *bytes = bytes_of(name);
			auto_free char *text = open_bytes(bytes->v, bytes->n, &code);

			if (!strstr(text, printed[i].expected))
				fail_msg("%s does not print\n%s\nbut\n%s", name,
					 printed[i].expected, text);
		}
	}
}

/* The recordings are from little-endian machines; the test may run on any. */
static uint64_t get64(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

static void put64(unsigned char *at, uint64_t value)
{
	value = htole64(value);
	memcpy(at, &value, sizeof(value));
}

/* A recording with a GiB of samples, of which none is read. */
static void test_samples_are_not_read(void **state)
{
	auto_free struct bytes *bytes = bytes_of("groups.data");
	const uint64_t more = UINT64_C(1) << 30;
	uint64_t data = get64(bytes->v + 40), n = get64(bytes->v + 48), end = data + n;
	struct pmuq_recording *recording = NULL;
	auto_close int fd = memfd_create("large", MFD_CLOEXEC);
	enum pmuq_code code;
	auto_free char *want = open_bytes(bytes->v, bytes->n, &code), *got = NULL;

	(void)state;
	put64(bytes->v + 48, n + more);
	for (uint64_t at = end; at < get64(bytes->v + end) && at < bytes->n; at += 16) {
		uint64_t offset = get64(bytes->v + at);

		if (at > end && offset < more)
			put64(bytes->v + at, offset + more);
	}
	put64(bytes->v + end, get64(bytes->v + end) + more);
	assert_int_equal(pwrite(fd, bytes->v, end, 0), end);
	assert_int_equal(pwrite(fd, bytes->v + end, bytes->n - end, (off_t)(end + more)),
			 bytes->n - end);
	assert_int_equal(pmuq_recording_open_fd(fd, "it", &recording, NULL), 0);
	got = dump(recording);
	assert_string_equal(want, got);
	assert_true(pmuq_recording_content(recording)->bytes_read < 2 * bytes->n);
	pmuq_recording_free(recording);
}

/* -------------------------------------------------------------------------------- damaged ones */

/* A stream that ends between two records is complete. */
static size_t count_records(const struct bytes *bytes, bool is_swapped)
{
	size_t n = 0, at = 16;

	while (at < bytes->n) {
		uint32_t type, extra = 0;
		uint16_t size;

		memcpy(&type, bytes->v + at, 4);
		memcpy(&size, bytes->v + at + 6, 2);
		type = is_swapped ? be32toh(type) : le32toh(type);
		size = is_swapped ? be16toh(size) : le16toh(size);
		if (type == 66)
			memcpy(&extra, bytes->v + at + 8, 4);
		at += size + (is_swapped ? be32toh(extra) : le32toh(extra));
		n++;
	}
	return n;
}

static void check_cuts(const char *name, size_t step)
{
	auto_free struct bytes *bytes = bytes_of(name);
	bool is_swapped = strstr(name, ".swapped");
	bool is_stream = bytes->v[is_swapped ? 15 : 8] == 16;
	auto_close int fd = file_of(bytes->v, bytes->n);
	size_t n_silent = 0;

	for (size_t n = bytes->n - 1; n < bytes->n; n -= step) {
		enum pmuq_code code;
		auto_free char *text = NULL;

		assert_int_equal(ftruncate(fd, (off_t)n), 0);
		text = open_fd(fd, &code);
		n_silent += !code;
		if (n < 8)
			assert_int_equal(code, PMUQ_E_NOT_RECORDING);
		else if (code)
			assert_int_equal(code, PMUQ_E_CUT_RECORDING);
	}
	if (!is_stream || step == 1)
		assert_int_equal(n_silent, is_stream ? count_records(bytes, is_swapped) : 0);
}

static void check_some_cuts(const char *name)
{
	check_cuts(name, 29);
}

static void test_cut_at_every_byte(void **state)
{
	static const char *const names[] = { "groups.data",	     "groups-7.2.data",
					     "clock-stream.data",    "hybrid.data",
					     "hybrid.swapped",	     "updates.data",
					     "clock-stream.swapped", "no-features.data" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++)
		check_cuts(names[i], 1);
	each_name(".data", check_some_cuts);
	each_name(".swapped", check_some_cuts);
}

static void test_pipes_cut_at_many_bytes(void **state)
{
	static const char *const names[] = { "groups.data", "clock-stream.swapped" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		auto_free struct bytes *bytes = bytes_of(names[i]);

		for (size_t n = 0; n < bytes->n; n += 61 * STEP) {
			enum pmuq_code code;
			pid_t writer;
			auto_close int fd = pipe_of(bytes->v, n, &writer);
			auto_free char *text = open_fd(fd, &code);

			assert_true(code || text);
			if (i == 0)
				assert_true(code);
			waitpid(writer, NULL, 0);
		}
	}
}

/* Every byte of the whole file, or one of STEP, is once all ones, once zero, once another. The
 * result is a recording or an error with an offset. */
static void check_bytes(const char *name)
{
	auto_free struct bytes *bytes = bytes_of(name);
	auto_close int fd = file_of(bytes->v, bytes->n);

	for (size_t at = 0; at < bytes->n; at += STEP) {
		const unsigned char wrong[] = { 0xff, 0, bytes->v[at] ^ 0x80 };

		for (size_t i = 0; i < COUNT(wrong); i++) {
			enum pmuq_code code;
			auto_free char *text = NULL;

			assert_int_equal(pwrite(fd, &wrong[i], 1, (off_t)at), 1);
			text = open_fd(fd, &code);
			assert_true(text || code);
		}
		assert_int_equal(pwrite(fd, &bytes->v[at], 1, (off_t)at), 1);
	}
}

static void test_every_byte_wrong(void **state)
{
	(void)state;
	check_bytes("hybrid.data");
	check_bytes("groups.data");
	check_bytes("updates.swapped");
	check_bytes("clock-stream.data");
}

/* Offsets of groups.data: its header, the first attr, the table of features after the samples. */
static const struct {
	const char *name, *file;
	int64_t from_features; /* bytes after the start of the table; -1: from the start of the file
				*/
	uint64_t at;
	unsigned bytes;
	uint64_t value;
	enum pmuq_code code;
	const char *expected;
} damages[] = {
	{ "magic", "groups", -1, 0, 1, 'Q', PMUQ_E_NOT_RECORDING, "does not begin with PERFILE2" },
	{ "first version", "groups", -1, 0, 8, 0x454c494646524550, PMUQ_E_OLD_RECORDING, "2012" },
	{ "header of no bytes", "groups", -1, 8, 8, 0, PMUQ_E_BAD_RECORDING, "at byte 8" },
	{ "header of 103", "groups", -1, 8, 8, 103, PMUQ_E_BAD_RECORDING, "103 bytes" },
	{ "attrs of no bytes each", "groups", -1, 16, 8, 0, PMUQ_E_BAD_RECORDING, "at byte 16" },
	{ "attrs of odd bytes", "groups", -1, 16, 8, 143, PMUQ_E_BAD_RECORDING, "at byte 16" },
	{ "attrs beyond the end", "groups", -1, 24, 8, 1 << 20, PMUQ_E_CUT_RECORDING, "the attrs" },
	{ "attrs beyond 2^63", "groups", -1, 24, 8, UINT64_MAX, PMUQ_E_CUT_RECORDING, "the attrs" },
	{ "attrs of 2^60 bytes", "groups", -1, 32, 8, UINT64_C(144) << 50, PMUQ_E_CUT_RECORDING,
	  "the attrs" },
	{ "samples beyond the end", "groups", -1, 48, 8, 1 << 30, PMUQ_E_CUT_RECORDING,
	  "the table of features" },
	{ "samples beyond 2^64", "groups", -1, 48, 8, UINT64_MAX, PMUQ_E_BAD_RECORDING,
	  "at byte 40" },
	{ "no samples", "groups", -1, 48, 8, 0, PMUQ_E_CUT_RECORDING,
	  "which perf writes when it ends" },
	{ "all features", "groups", -1, 72, 8, UINT64_MAX, PMUQ_E_BAD_RECORDING, NULL },
	{ "attr of no kernel's size", "groups", -1, 172, 4, 8, PMUQ_E_BAD_RECORDING,
	  "at byte 172: the size field of an attr has 8 bytes, but there are 128" },
	{ "attr larger than its entry", "groups", -1, 172, 4, 4096, PMUQ_E_BAD_RECORDING,
	  "4096 bytes, but there are 128" },
	{ "ids beyond the end", "groups", -1, 168 + 128, 8, 1 << 20, PMUQ_E_CUT_RECORDING,
	  "the ids" },
	{ "ids of odd bytes", "groups", -1, 168 + 136, 8, 7, PMUQ_E_BAD_RECORDING, "7 bytes" },
	{ "ids of 2^40 bytes", "groups", -1, 168 + 136, 8, UINT64_C(1) << 40, PMUQ_E_CUT_RECORDING,
	  "the ids" },
	{ "feature beyond the end", "groups", 16, 0, 8, 1 << 20, PMUQ_E_CUT_RECORDING,
	  "HOSTNAME should take 68 bytes" },
	{ "feature of 2^63 bytes", "groups", 16, 8, 8, INT64_MAX, PMUQ_E_CUT_RECORDING,
	  "HOSTNAME" },
	{ "feature that is too short", "groups", 16, 8, 8, 3, PMUQ_E_BAD_RECORDING,
	  "HOSTNAME: its text should take 4 bytes, but 3 are left" },
	{ "what is not read", "groups", 0, 8, 8, 1 << 20, PMUQ_E_CUT_RECORDING, "BUILD_ID" },
	{ "stream: record of no bytes", "clock-stream", -1, 22, 2, 0, PMUQ_E_BAD_RECORDING,
	  "at byte 22: the size of a record is 0 bytes" },
	{ "stream: record of all", "clock-stream", -1, 22, 2, 0xffff, PMUQ_E_CUT_RECORDING,
	  "at byte 16" },
	{ "stream: attr too large", "clock-stream", -1, 28, 4, 4096, PMUQ_E_BAD_RECORDING,
	  "at byte 28" },
	{ "stream: attr too small", "clock-stream", -1, 28, 4, 63, PMUQ_E_BAD_RECORDING,
	  "at byte 28" },
	{ "stream: not ids", "clock-stream", -1, 28, 4, 124, PMUQ_E_BAD_RECORDING,
	  "20 bytes after an attr" },
	{ "stream: feature 2^40", "clock-stream", -1, 176, 8, UINT64_C(1) << 40,
	  PMUQ_E_BAD_RECORDING, "the number 1099511627776 is too large" },
	{ "stream: text too long", "clock-stream", -1, 184, 4, UINT32_MAX, PMUQ_E_BAD_RECORDING,
	  "HOSTNAME: its text should take 4294967295 bytes, but 64 are left" },
};

static void check_lie(size_t i)
{
	auto_free char *name = NULL;
	auto_free struct bytes *bytes = NULL;
	struct pmuq_recording *recording = NULL;
	struct pmuq_error *error = NULL;
	const struct pmuq_error *known;
	uint64_t at = damages[i].at, value = htole64(damages[i].value);
	int fd;

	assert_true(asprintf(&name, "%s.data", damages[i].file) > 0);
	bytes = bytes_of(name);
	if (damages[i].from_features >= 0)
		at += get64(bytes->v + 40) + get64(bytes->v + 48) +
		      (uint64_t)damages[i].from_features;
	memcpy(bytes->v + at, &value, damages[i].bytes);
	fd = file_of(bytes->v, bytes->n);
	pmuq_recording_open_fd(fd, "it", &recording, &error);
	close(fd);
	known = recording ? pmuq_recording_problem(recording, 0) : error;
	if (!known)
		fail_msg("%s: no error", damages[i].name);
	check_error(known);
	if (known->code != damages[i].code ||
	    (damages[i].expected && !strstr(known->message.p, damages[i].expected)))
		fail_msg("%s: %d %s", damages[i].name, known->code, known->message.p);
	pmuq_recording_free(recording);
	pmuq_error_free(error);
}

static void test_damages(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(damages); i++)
		check_lie(i);
}

/* The second group of "two-groups", of four events, becomes another one. */
static const struct {
	uint32_t leader, n_members;
	bool is_sound;
} regroupings[] = {
	{ 2, 2, true },		  { 3, 1, true },
	{ 2, 1, true },		  { 1, 2, false },
	{ 1, 1, false },	  { 0, 2, false },
	{ 0, 4, false },	  { 2, 3, false },
	{ 3, 2, false },	  { 4, 1, false },
	{ 2, 0, false },	  { 2, UINT32_MAX, false },
	{ 5, 1, false },	  { 0, 1, false },
	{ UINT32_MAX, 2, false }, { UINT32_MAX, UINT32_MAX, false },
};

static void put32(unsigned char *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, sizeof(value));
}

static void check_regrouping(size_t i, struct bytes *bytes)
{
	static const char name[] = "second-pair";
	unsigned char *at = memmem(bytes->v, bytes->n, name, sizeof(name));
	uint32_t leader = regroupings[i].leader, n = regroupings[i].n_members;
	struct pmuq_recording *recording = NULL;
	const struct pmuq_error *problem;
	int fd;

	assert_non_null(at);
	put32(at + 64, leader);
	put32(at + 68, n);
	fd = file_of(bytes->v, bytes->n);
	assert_int_equal(pmuq_recording_open_fd(fd, "it", &recording, NULL), 0);
	close(fd);
	problem = pmuq_recording_problem(recording, 0);
	assert_int_equal(problem == NULL, regroupings[i].is_sound);
	if (problem)
		assert_non_null(strstr(problem->message.p, "overlaps another group"));
	/* The first group is kept, and events of a refused one are alone. */
	for (size_t e = 0; e < 4; e++) {
		const struct pmuq_recorded_event *event = pmuq_recording_event(recording, e);
		bool is_second = !problem && e >= leader && e - leader < n;

		assert_int_equal(event->n_members, e < 2 ? 2 : is_second ? n : 1);
		assert_int_equal(event->leader, e < 2 ? 0 : is_second ? leader : e);
		if (is_second)
			assert_string_equal(event->group_name.p, name);
		else
			assert_null(event->group_name.p);
	}
	pmuq_recording_free(recording);
}

static void test_groups_that_overlap(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(regroupings); i++) {
		auto_free struct bytes *bytes = bytes_of("two-groups.data");

		check_regrouping(i, bytes);
	}
}

/* A big-endian machine of 32 bits has the two halves of each word of the bitmap in the other order.
 */
static void check_words_of_32_bits(const char *name)
{
	auto_free struct bytes *bytes = bytes_of(name);
	enum pmuq_code code;
	auto_free char *want = open_bytes(bytes->v, bytes->n, &code), *got = NULL;

	/* A stream has no bitmap. */
	if (bytes->n < 104 || bytes->v[15] != 104)
		return;
	for (unsigned char *word = bytes->v + 72; word < bytes->v + 104; word += 8) {
		unsigned char half[4];

		memcpy(half, word, 4);
		memcpy(word, word + 4, 4);
		memcpy(word + 4, half, 4);
	}
	got = open_bytes(bytes->v, bytes->n, &code);
	assert_int_equal(code, 0);
	assert_string_equal(got, want);
}

static void test_big_endian_machines_of_32_bits(void **state)
{
	(void)state;
	each_name(".swapped", check_words_of_32_bits);
}

/* A pipe cannot seek: the features after the samples of a file are not read. */
static void test_attrs_after_samples_in_a_pipe(void **state)
{
	auto_free struct bytes *bytes = bytes_of("clock.data");
	uint64_t n = get64(bytes->v + 32), far = UINT64_C(70) << 20;
	unsigned char *large = calloc(1, far + n);
	enum pmuq_code code;
	pid_t writer;
	int fd;

	(void)state;
	assert_non_null(large);
	memcpy(large, bytes->v, bytes->n);
	memcpy(large + far, bytes->v + get64(bytes->v + 24), n);
	put64(large + 24, far);
	fd = pipe_of(large, far + n, &writer);
	assert_null(open_fd(fd, &code));
	assert_int_equal(code, PMUQ_E_LARGE_RECORDING);
	close(fd);
	waitpid(writer, NULL, 0);
	free(large);
}

static void test_no_file(void **state)
{
	struct pmuq_recording *recording = NULL;
	struct pmuq_error *error = NULL;
	auto_close int dir = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(pmuq_recording_open("/nowhere/x.data", &recording, &error),
			 -PMUQ_E_RECORDING_UNREADABLE);
	assert_int_equal(error->errnum, 2);
	pmuq_error_free(error);
	assert_int_equal(pmuq_recording_open("/proc", &recording, NULL),
			 -PMUQ_E_RECORDING_UNREADABLE);
	assert_int_equal(pmuq_recording_open_fd(dir, "it", &recording, NULL),
			 -PMUQ_E_RECORDING_UNREADABLE);
	assert_false(pmuq_recording_is("PERFILE", 7));
	assert_true(pmuq_recording_is("2ELIFREP", 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_byte_orders_have_the_same),
		cmocka_unit_test(test_a_pipe_has_the_same),
		cmocka_unit_test(test_their_contents),
		cmocka_unit_test(test_samples_are_not_read),
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_pipes_cut_at_many_bytes),
		cmocka_unit_test(test_every_byte_wrong),
		cmocka_unit_test(test_damages),
		cmocka_unit_test(test_groups_that_overlap),
		cmocka_unit_test(test_big_endian_machines_of_32_bits),
		cmocka_unit_test(test_attrs_after_samples_in_a_pipe),
		cmocka_unit_test(test_no_file),
	};

	return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
