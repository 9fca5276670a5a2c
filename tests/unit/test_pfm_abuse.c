/* SPDX-License-Identifier: MIT */
/* A helper that sends wrong data, hangs, dies or does not exist: an error in time, and no process
 * is left.
 */
#include "pfm/wire.h"

#include "tests/harness/pfm.h"
#include "tests/unit/tree.h"
#include <sys/wait.h>
#include <time.h>

#define TIMEOUT_MS 400
/* The limit for a helper that hangs: long enough for an emulated machine on a busy host. */
#define PATIENCE_MS 60000

struct abuse {
	const char *name; /* the name under which tests/harness/fake_pfm.c is started */
	enum pmuq_code code;
	const char *message; /* is in there */
	bool requests_pmus;  /* instead of a name */
	bool requests_events;
	bool requests_raw;
};

static const struct abuse abuses[] = {
	{ "die", PMUQ_E_PFM_FAILED, "closed its socket" },
	{ "no-library", PMUQ_E_PFM_UNAVAILABLE, "not installed" },
	{ "hang", PMUQ_E_PFM_FAILED, "did not respond within 400 ms" },
	{ "no-hello", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "deaf", PMUQ_E_PFM_FAILED, "did not respond within 400 ms" },
	{ "crash", PMUQ_E_PFM_FAILED, "signal 11" },
	{ "hang-later", PMUQ_E_PFM_FAILED, "did not respond within 400 ms" },
	{ "truncate", PMUQ_E_PFM_FAILED, "closed its socket" },
	{ "wrong-magic", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "wrong-type", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "huge-frame", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "huge-count", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "no-count", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "empty", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "huge-text", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "long-text", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "many-codes", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "wrong-offset", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "wrong-modifiers", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "wrong-error", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "wrong-span", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "control-byte", PMUQ_E_PFM_FAILED, "invalid frame" },
	{ "drip", PMUQ_E_PFM_FAILED, "did not respond within 400 ms" },
	{ "flood", PMUQ_E_MEMORY, "out of memory", .requests_pmus = true },
	{ "wrong-type", PMUQ_E_PFM_FAILED, "invalid frame", .requests_pmus = true },
	{ "wrong-type", PMUQ_E_PFM_FAILED, "invalid frame", .requests_raw = true },
	{ "raw-result", PMUQ_E_PFM_FAILED, "invalid frame", .requests_raw = true },
	{ "raw-codes", PMUQ_E_PFM_FAILED, "invalid frame", .requests_raw = true },
	{ "raw-type", PMUQ_E_PFM_FAILED, "invalid frame", .requests_raw = true },
	{ "raw-and-more", PMUQ_E_PFM_FAILED, "invalid frame", .requests_raw = true },
	{ "error-and-more", PMUQ_E_PFM_FAILED, "invalid frame", .requests_events = true },
};

static int set_up(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	assert_non_null(tree);
	tree_make(tree);
	*state = tree;
	return 0;
}

static int tear_down(void **state)
{
	tree_remove(*state);
	free(*state);
	return 0;
}

static struct pmuq_pfm *open_fake(const struct tree *tree, const char *name, unsigned timeout_ms)
{
	char *path = tree_path(tree, name);
	struct pmuq_pfm *pfm;

	if (symlink(getenv("PMUQ_TEST_FAKE_PFM"), path) < 0)
		assert_int_equal(errno, EEXIST);
	pfm = pfm_open(path, timeout_ms);
	free(path);
	return pfm;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Enough names to fill the socket, so that a helper that does not read is detected. */
static int request_many(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	static const char *names[20000];
	struct pmuq_pfm_encodings *encodings = NULL;
	int r;

	for (size_t i = 0; i < COUNT(names); i++)
		names[i] = "skx_unc_imc0::UNC_M_CAS_COUNT:RD:e=0:i=0:t=0:excl=0";
	r = pmuq_pfm_encode(pfm, NULL, names, COUNT(names), &encodings, reterr);
	assert_null(encodings);
	return r;
}

static int request(struct pmuq_pfm *pfm, const struct abuse *abuse, struct pmuq_error **reterr)
{
	struct pmuq_pfm_encodings *encodings = NULL;
	struct pmuq_pfm_pmus *pmus = NULL;
	struct pmuq_pfm_events *events = NULL;
	struct pmuq_pfm_raw *raw = NULL;
	int r;

	if (strcmp(abuse->name, "deaf") == 0)
		return request_many(pfm, reterr);
	if (abuse->requests_pmus)
		r = pmuq_pfm_list_pmus(pfm, &pmus, reterr);
	else if (abuse->requests_raw)
		r = pmuq_pfm_encode_raw(pfm, "skx::X", NULL, NULL, &raw, reterr);
	else if (abuse->requests_events)
		r = pmuq_pfm_list_events(pfm, "skx", false, &events, reterr);
	else
		r = pmuq_pfm_encode(pfm, NULL, (const char *[]){ "skx::X" }, 1, &encodings, reterr);
	assert_null(encodings);
	assert_null(pmus);
	assert_null(events);
	assert_null(raw);
	return r;
}

static void expect_refusal(struct pmuq_pfm *pfm, const struct abuse *abuse)
{
	struct pmuq_error *error = NULL;
	int64_t start_ms = now_ms();
	int r = request(pfm, abuse, &error);

	if (r != -(int)abuse->code || !strstr(error->message.p, abuse->message))
		fail_msg("%s: %d, %s", abuse->name, r, error ? error->message.p : "");
	if (abuse->code != PMUQ_E_MEMORY)
		assert_non_null(error->hint.p);
	assert_true(now_ms() - start_ms < PATIENCE_MS);
	pmuq_error_free(error);
}

static void expect_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* Only a helper that sends nothing reaches the timeout; the others may be slow on an emulated
 * machine.
 */
static unsigned timeout_ms_for(const struct abuse *abuse)
{
	return strstr(abuse->message, " ms") ? TIMEOUT_MS : PATIENCE_MS / 2;
}

/* Each twice, because the helper is restarted; without and with an error struct. */
static void test_abuses(void **state)
{
	for (size_t i = 0; i < COUNT(abuses); i++) {
		size_t descriptors = count_descriptors();
		struct pmuq_pfm *pfm =
			open_fake(*state, abuses[i].name, timeout_ms_for(&abuses[i]));

		expect_refusal(pfm, &abuses[i]);
		expect_no_child();
		assert_int_equal(count_descriptors(), descriptors);
		expect_refusal(pfm, &abuses[i]);
		assert_int_equal(request(pfm, &abuses[i], NULL), -(int)abuses[i].code);
		pmuq_pfm_free(pfm);
		expect_no_child();
		assert_int_equal(count_descriptors(), descriptors);
	}
}

/* Surplus bytes after a result are not read as the next result. */
static void test_talkative(void **state)
{
	struct pmuq_pfm *pfm = open_fake(*state, "talkative", TIMEOUT_MS);
	struct pmuq_pfm_encodings *encodings = NULL;
	int r = pmuq_pfm_encode(pfm, NULL, (const char *[]){ "skx::X" }, 1, &encodings, NULL);

	pmuq_pfm_encodings_free(encodings);
	if (r == 0) {
		struct pmuq_pfm_pmus *pmus = NULL;

		r = pmuq_pfm_list_pmus(pfm, &pmus, NULL);
		assert_null(pmus);
	}
	assert_int_equal(r, -PMUQ_E_PFM_FAILED);
	pmuq_pfm_free(pfm);
	expect_no_child();
}

/* The fake of the abuses is understood if it is right. */
static void test_raw(void **state)
{
	struct pmuq_pfm *pfm = open_fake(*state, "raw", PATIENCE_MS);
	struct pmuq_pfm_raw *raw = NULL;

	assert_int_equal(pmuq_pfm_encode_raw(pfm, "skx::X", NULL, NULL, &raw, NULL), 0);
	assert_int_equal(raw->n_codes, 1);
	assert_string_equal(raw->canonical.p, "x::X");
	pmuq_pfm_raw_free(raw);
	pmuq_pfm_free(pfm);
}

/* Freeing does not wait for a helper that hangs; the fake itself is understood. */
static void test_free_ends_it(void **state)
{
	struct pmuq_pfm *pfm = open_fake(*state, "good", PATIENCE_MS);
	struct pmuq_pfm_encodings *encodings =
		pfm_request(pfm, NULL, (const char *[]){ "skx::X" }, 1);
	const struct pmuq_pfm_code *code =
		pmuq_pfm_encoding_code(pmuq_pfm_encodings_get(encodings, 0), 0);
	int64_t start_ms;

	assert_string_equal(code->terms.p, "config=0x1,config1=0x1,config2=0x1");
	assert_null(pmuq_pfm_encoding_code(pmuq_pfm_encodings_get(encodings, 0), 1));
	assert_null(pmuq_pfm_encodings_get(encodings, 1));
	pmuq_pfm_encodings_free(encodings);
	start_ms = now_ms();
	pmuq_pfm_free(pfm);
	assert_true(now_ms() - start_ms < PATIENCE_MS);
	expect_no_child();
}

static void expect_unavailable(const char *path, int errnum)
{
	struct pmuq_pfm *pfm = pfm_open(path, TIMEOUT_MS);
	struct pmuq_error *error = NULL;
	const char *file, *build_id;
	size_t descriptors = count_descriptors();

	assert_int_equal(pmuq_pfm_library(pfm, &file, &build_id, &error), -PMUQ_E_PFM_UNAVAILABLE);
	assert_int_equal(error->errnum, errnum);
	assert_string_equal(error->origin.p, path);
	assert_non_null(error->hint.p);
	pmuq_error_free(error);
	assert_int_equal(count_descriptors(), descriptors);
	pmuq_pfm_free(pfm);
	expect_no_child();
}

static void test_absence(void **state)
{
	const struct tree *tree = *state;
	char *path = tree_path(tree, "data");

	expect_unavailable("/nonexistent/pmuq-pfm", ENOENT);
	tree_file(tree, "data", "no program");
	expect_unavailable(path, EACCES);
	assert_int_equal(chmod(path, 0755), 0);
	expect_unavailable(path, ENOEXEC);
	free(path);
}

/* A program that uses this library and closes its own stdin, stdout and stderr. */
static void test_closed_standard_files(void **state)
{
	char *path = tree_path(*state, "good");
	pid_t pid;
	int status;

	if (symlink(getenv("PMUQ_TEST_FAKE_PFM"), path) < 0)
		assert_int_equal(errno, EEXIST);
	pid = fork();
	if (pid == 0) {
		struct pmuq_pfm *pfm = pfm_open(path, PATIENCE_MS);
		struct pmuq_pfm_encodings *encodings = NULL;
		int r;

		close(STDIN_FILENO);
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
		r = pmuq_pfm_encode(pfm, NULL, (const char *[]){ "skx::X" }, 1, &encodings, NULL);
		pmuq_pfm_encodings_free(encodings);
		pmuq_pfm_free(pfm);
		_exit(r ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	free(path);
}

/* A child of fork() starts its own helper, and does not use its parent's. */
static void test_fork(void **state)
{
	struct pmuq_pfm *pfm = open_fake(*state, "good", PATIENCE_MS);
	const char *names[] = { "skx::X" };
	pid_t pid;
	int status;

	pmuq_pfm_encodings_free(pfm_request(pfm, NULL, names, 1));
	pid = fork();
	if (pid == 0) {
		struct pmuq_pfm_encodings *encodings = NULL;
		int r = pmuq_pfm_encode(pfm, NULL, names, 1, &encodings, NULL);

		pmuq_pfm_encodings_free(encodings);
		pmuq_pfm_free(pfm);
		_exit(r ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	pmuq_pfm_encodings_free(pfm_request(pfm, NULL, names, 1));
	pmuq_pfm_free(pfm);
	expect_no_child();
}

static void test_options(void **state)
{
	struct {
		struct pmuq_pfm_options options;
		unsigned char more;
	} wide = { .options.size = sizeof(wide), .more = 1 };
	struct pmuq_pfm *pfm = NULL;

	(void)state;
	assert_int_equal(pmuq_pfm_open(&wide.options, &pfm, NULL), -PMUQ_E_BAD_CALL);
	wide.options.size = 1;
	assert_int_equal(pmuq_pfm_open(&wide.options, &pfm, NULL), -PMUQ_E_BAD_CALL);
	assert_null(pfm);
	assert_int_equal(pmuq_pfm_open(NULL, &pfm, NULL), 0);
	pmuq_pfm_free(pfm);
	pmuq_pfm_free(NULL);
}

/* At each place of texts of every length that is checked in another way. The writer replaces them;
 * the reader does not trust it. */
static void a_text_has_no_control_characters(void **state)
{
	(void)state;
	for (unsigned c = 0; c < 256; c++)
		for (size_t n = 1; n <= 18; n++)
			for (size_t at = 0; at < n; at++) {
				cleanup(pq_buf_free) struct pq_buf sent = PQ_BUF_NULL;
				bool is_control = c < ' ' || c == 0x7f;
				char bytes[18];
				struct pq_wire in;

				memset(bytes, 'a', n);
				bytes[at] = (char)c;
				pq_wire_text(&sent, (struct pmuq_str){ .p = bytes, .n = n });
				in = (struct pq_wire){ .p = sent.p, .end = sent.p + sent.n };
				assert_int_equal(pq_wire_get_text(&in).p[at],
						 is_control ? ' ' : (char)c);
				sent.p[sent.n - n + at] = (char)c;
				in = (struct pq_wire){ .p = sent.p, .end = sent.p + sent.n };
				assert_int_equal(pq_wire_get_text(&in).n, is_control ? 0 : n);
				assert_int_equal(in.failed, is_control);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_abuses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_talkative, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_raw, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_free_ends_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_absence, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_closed_standard_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_fork, set_up, tear_down),
		cmocka_unit_test(test_options),
		cmocka_unit_test(a_text_has_no_control_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
