/* SPDX-License-Identifier: MIT */
/* The examples of FIPS 180-4, whole and in pieces. */
#include "core/buf.h"
#include "core/sha256.h"
#include "tests/unit/cmocka_all.h"

struct sha_case {
	const char *name, *text;
	size_t times;
	const char *want;
};

static const struct sha_case sha_cases[] = {
	{ "nothing", "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ "three letters", "abc", 1,
	  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ "two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ "a million letters", "aaaaaaaaaa", 100000,
	  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
};

static void check(struct pq_sha256 *sha, const char *want)
{
	struct pq_buf hex = PQ_BUF_NULL;
	uint8_t hash[PQ_SHA256_BYTES];

	pq_sha256_end(sha, hash);
	for (size_t i = 0; i < sizeof(hash); i++)
		pq_buf_print(&hex, "%02x", hash[i]);
	pq_buf_char(&hex, '\0', 1);
	assert_string_equal(hex.p, want);
	pq_buf_free(&hex);
}

static void test_example(void **state)
{
	const struct sha_case *test = *state;
	struct pq_sha256 sha;

	pq_sha256_begin(&sha);
	for (size_t i = 0; i < test->times; i++)
		pq_sha256_add(&sha, test->text, strlen(test->text));
	check(&sha, test->want);
}

/* Every length around the borders of a block, in one piece and byte by byte. */
static void pieces_do_not_matter(void **state)
{
	uint8_t text[200], whole[PQ_SHA256_BYTES], pieces[PQ_SHA256_BYTES];
	struct pq_sha256 sha;

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * 7);
	for (size_t n = 0; n <= sizeof(text); n++) {
		pq_sha256_begin(&sha);
		pq_sha256_add(&sha, text, n);
		pq_sha256_end(&sha, whole);
		pq_sha256_begin(&sha);
		for (size_t i = 0; i < n; i++)
			pq_sha256_add(&sha, text + i, 1);
		pq_sha256_end(&sha, pieces);
		assert_memory_equal(whole, pieces, sizeof(whole));
	}
}

/* Whether or not this CPU has instructions for SHA-256. */
static void portable_code_gives_the_same_hash(void **state)
{
	struct pq_sha256 sha, portable;
	uint8_t block[64] = { 0 };

	(void)state;
	pq_sha256_begin(&sha);
	pq_sha256_begin(&portable);
	for (unsigned i = 0; i < 1000; i++) {
		for (size_t k = 0; k < sizeof(block); k++)
			block[k] = (uint8_t)(block[k] * 5 + i + k);
		pq_sha256_add(&sha, block, sizeof(block));
		pq_sha256_add_block(portable.state, block);
		assert_memory_equal(sha.state, portable.state, sizeof(sha.state));
	}
}

int main(void)
{
	struct CMUnitTest tests[COUNT(sha_cases) + 2] = {
		cmocka_unit_test(pieces_do_not_matter),
		cmocka_unit_test(portable_code_gives_the_same_hash),
	};

	ADD_ROWS(tests + 2, test_example, sha_cases, name);
	return _cmocka_run_group_tests("sha256", tests, COUNT(tests), NULL, NULL);
}
