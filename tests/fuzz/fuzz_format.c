/* SPDX-License-Identifier: MIT */
/*
 * A format file. The first eight bytes are a value, the rest is the file. Its mask is the union of
 * its ranges, found here bit by bit; a value is scattered into it and gathered again; a source that
 * reads the file, a catalog and an event that names the format agree.
 */
#include "core/bits.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/law.h"
#include "tests/unit/tree.h"

#define PMU DEVICES "box/"

static struct tree tree;

static void make_tree(void)
{
	if (tree.dir)
		return;
	tree_make(&tree);
	tree_file(&tree, PMU "type", "40\n");
	tree_file(&tree, PMU "events/evt", "f=1\n");
}

static uint64_t take_number(const char **p)
{
	uint64_t number = 0;

	for (; !char_is_digit(**p); (*p)++)
		FUZZ_LAW(char_is_space(**p));
	for (; char_is_digit(**p); (*p)++)
		number = number * 10 + (uint64_t)(**p - '0');
	for (; char_is_space(**p); (*p)++)
		;
	return number;
}

/* Of a valid text. As in perf, "7-0" is bit 7. */
static uint64_t naive_mask(const char *text)
{
	const char *p = strchr(text, ':');
	uint64_t mask = 0;

	FUZZ_LAW(p);
	do {
		uint64_t low = (p++, take_number(&p)), high = low;

		if (*p == '-')
			high = (p++, take_number(&p));
		if (!high)
			high = low;
		FUZZ_LAW(!*p || *p == ',');
		for (uint64_t bit = low; bit <= high && bit < 64; bit++)
			mask |= UINT64_C(1) << bit;
	} while (*p);
	return mask;
}

static void law_of_value(struct pmuq_bits bits, uint64_t value)
{
	uint64_t word = pq_bits_scatter(bits, value);

	FUZZ_LAW(!(word & ~bits.mask));
	FUZZ_LAW(word == pq_bits_scatter_holes(bits.mask, value));
	FUZZ_LAW(pq_bits_gather(bits.mask, word) == (value & pq_bits_max(bits)));
	FUZZ_LAW(pq_bits_scatter(bits, pq_bits_gather(bits.mask, value)) == (value & bits.mask));
}

static void law_of_bits(const char *text, uint64_t value)
{
	const char *problem;
	struct pmuq_bits bits = pq_bits_parse(str_of(text), &problem);

	FUZZ_LAW(!problem == (bits.word >= 0 && bits.mask));
	FUZZ_LAW(bits.word >= -1 && bits.word <= 4);
	FUZZ_LAW(bits.width == __builtin_popcountll(bits.mask));
	if (bits.word >= 0)
		FUZZ_LAW(bits.mask == naive_mask(text));
	law_of_value(bits, value);
	law_of_value(bits, value & pq_bits_max(bits));
	FUZZ_LAW(pq_bits_scatter(bits, UINT64_MAX) == bits.mask);
}

static uint64_t config_word(const struct pmuq_attr *attr, int word)
{
	const uint64_t words[] = { attr->config, attr->config1, attr->config2, attr->config3,
				   attr->config4 };

	return words[word];
}

static void law_of_event(const struct fuzz_machine *machine, const struct pmuq_format *format,
			 uint64_t value)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	struct pmuq_encodings *encodings;
	struct pmuq_error *error;
	auto_free char *event = NULL;

	FUZZ_LAW(asprintf(&event, "box/f=%#llx/", (unsigned long long)value) > 0);
	fuzz_encode(machine, event, &options, &encodings, &error);
	FUZZ_LAW(!error == (format->bits.word >= 0 && value <= pq_bits_max(format->bits)));
	if (!error)
		FUZZ_LAW(config_word(pmuq_encodings_get(encodings, 0)->attr, format->bits.word) ==
			 pq_bits_scatter(format->bits, value));
	pmuq_encodings_free(encodings);
	pmuq_error_free(error);
}

static void law_of_file(const uint8_t *data, size_t size, uint64_t value)
{
	struct fuzz_machine machine;
	const struct pmuq_format *format;

	make_tree();
	tree_bytes(&tree, PMU "format/f", (const char *)data, size);
	fuzz_machine_open(&machine, tree.dir);
	format = pmuq_pmu_format(pmuq_catalog_find_pmu(machine.catalog, "box"), 0);
	FUZZ_LAW(format);
	law_check_singly(tree.dir, true, machine.catalog);
	law_of_bits(format->text.p, value);
	law_of_event(&machine, format, value);
	law_of_event(&machine, format, value & pq_bits_max(format->bits));
	fuzz_machine_close(&machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = NULL;
	uint64_t value;

	if (size < sizeof(value))
		return -1;
	memcpy(&value, data, sizeof(value));
	text = fuzz_cstr(data + sizeof(value), size - sizeof(value));
	law_of_bits(text, value);
	law_of_file(data + sizeof(value), size - sizeof(value), value);
	return 0;
}
