/* SPDX-License-Identifier: MIT */
/*
 * Encoding through the Rust crate, compared with the same loop in C. Both call the same shared
 * object, read the config of each encoding, and free the result. bench/rust/side.rs is the loop in
 * Rust.
 *
 *     bench_rust SIDE TREE
 */
#include "tests/bench/bench_machine.h"
#include <dlfcn.h>

#define CALLS 2000u
/* Many short rounds: the best of each is one without other processes. */
#define ROUNDS 301u

/* The functions of the Rust side; its catalog is an object of Rust. */
static struct {
	const void *(*read)(const char *tree);
	uint64_t (*encode)(const void *catalog, const char *event, unsigned calls);
	uint64_t (*fail)(const void *catalog, const char *event, unsigned calls);
} rust;

static void *find(void *library, const char *name)
{
	void *function = dlsym(library, name);

	if (!function)
		bench_die(name);
	return function;
}

static void load_rust(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		bench_die(dlerror());
	rust.read = find(library, "rust_read");
	rust.encode = find(library, "rust_encode");
	rust.fail = find(library, "rust_fail");
}

static uint64_t encode(const struct pmuq_catalog *catalog, const char *event, bool fails)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < CALLS; i++) {
		struct pmuq_encodings *encodings = NULL;
		struct pmuq_error *error = NULL;

		if ((pmuq_catalog_encode(catalog, event, NULL, &encodings, &error) < 0) != fails)
			bench_die(event);
		if (fails)
			sum += error->code;
		for (size_t n = fails ? 0 : pmuq_encodings_count(encodings), j = 0; j < n; j++)
			sum += pmuq_encodings_get(encodings, j)->attr->config;
		pmuq_encodings_free(encodings);
		pmuq_error_free(error);
	}
	return sum;
}

static void bench(const struct pmuq_catalog *catalog, const void *rust_catalog, const char *event,
		  bool fails)
{
	double rust_us = 0, c_us = 0;
	char name[64];

	for (unsigned i = 0; i < ROUNDS; i++) {
		double start_us = bench_now_us(), middle_us;
		uint64_t in_c = encode(catalog, event, fails);
		uint64_t in_rust;

		middle_us = bench_now_us();
		in_rust = (fails ? rust.fail : rust.encode)(rust_catalog, event, CALLS);
		c_us = bench_best(c_us, middle_us - start_us);
		rust_us = bench_best(rust_us, bench_now_us() - middle_us);
		if (in_c != in_rust)
			bench_die("C and Rust do not have the same result");
	}
	snprintf(name, sizeof(name), "Rust, C: %s", event);
	bench_line(name, "ns", rust_us * 1e3 / CALLS, c_us * 1e3 / CALLS);
}

int main(int argc, char **argv)
{
	static const char *const events[] = { "cpu/event=0x2,inv,ldlat=3/", "cycles:u",
					      "L1-dcache-load-misses", "{cycles,instructions}",
					      "uncore_imc/cas_count_read/" };
	struct pmuq_catalog *catalog;
	const void *rust_catalog;

	if (argc != 3)
		bench_die("usage: bench_rust SIDE TREE");
	load_rust(argv[1]);
	catalog = bench_read_machine(argv[2]);
	rust_catalog = rust.read(argv[2]);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		bench(catalog, rust_catalog, events[i], false);
	bench(catalog, rust_catalog, "cpu/umsk=1/", true);
	pmuq_catalog_free(catalog);
	return EXIT_SUCCESS;
}
