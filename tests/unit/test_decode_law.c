/* SPDX-License-Identifier: MIT */
/*
 * encode(decode(attr)) is the same attr: for every event and format of every captured machine, for
 * values drawn by a fixed seed, in both dialects, with a lazy source and with a loaded catalog.
 */
#include "core/buf.h"
#include "encode/group/regroup.h"
#include "encode/words/generic.h"
#include "tests/unit/cmocka_all.h"
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#define MACHINES_MAX 256
#define COMBINATIONS 6 /* of formats, for each type of PMU */

struct law {
	struct pmuq_source *source;
	struct pmuq_catalog *catalog;
	enum pmuq_dialect dialect;
	uint64_t seed;
	size_t n_attrs, n_by_name, n_events, n_faulty;
};

static uint64_t draw(struct law *law)
{
	law->seed ^= law->seed << 13;
	law->seed ^= law->seed >> 7;
	law->seed ^= law->seed << 17;
	return law->seed;
}

static void encodings_freep(struct pmuq_encodings **encodings)
{
	pmuq_encodings_free(*encodings);
}

static void decoding_freep(struct pmuq_decoding **decoding)
{
	pmuq_decoding_free(*decoding);
}

static struct pmuq_encode_options options_of(const struct law *law)
{
	return (struct pmuq_encode_options){ .size = sizeof(struct pmuq_encode_options),
					     .dialect = law->dialect };
}

/* The encoding of the string; slots come before a topdown metric. */
static const struct pq_encoding *the_one(const struct pmuq_encodings *encodings)
{
	if (encodings->n == 2 && pq_topdown_is_slots(&encodings->v[0]) &&
	    pq_topdown_is_metric(&encodings->v[1]))
		return &encodings->v[1];
	return encodings->n == 1 ? encodings->v : NULL;
}

static void assert_encodes(const struct law *law, const char *text, const struct pq_encoding *from)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	struct pmuq_encode_options options = options_of(law);
	const struct pq_encoding *encoding;

	if (pmuq_catalog_encode(law->catalog, text, &options, &encodings, NULL) < 0)
		fail_msg("'%s' of '%s' is not an event", text, from->record.name.p);
	encoding = the_one(encodings);
	if (!encoding)
		fail_msg("'%s' of '%s' stands for %zu events", text, from->record.name.p,
			 encodings->n);
	if (memcmp(&encoding->attr, &from->attr, sizeof(from->attr)) != 0)
		fail_msg("'%s' of '%s' gives another attr", text, from->record.name.p);
	assert_int_equal(!from->record.probe_text.p, !encoding->record.probe_text.p);
	if (from->record.probe_text.p)
		assert_string_equal(encoding->record.probe_text.p, from->record.probe_text.p);
}

static void assert_same_decoding(const struct pmuq_decoding *a, const struct pmuq_decoding *b)
{
	assert_string_equal(a->text.p, b->text.p);
	assert_int_equal(a->origin, b->origin);
	assert_int_equal(!a->pmu.p, !b->pmu.p);
	if (a->pmu.p)
		assert_string_equal(a->pmu.p, b->pmu.p);
	assert_int_equal(a->n_alternatives, b->n_alternatives);
	for (size_t i = 0; i < a->n_alternatives; i++)
		assert_string_equal(a->alternatives[i].p, b->alternatives[i].p);
}

static void check_attr(struct law *law, const struct pq_encoding *from)
{
	const char *text;
	cleanup(decoding_freep) struct pmuq_decoding *decoding = NULL, *lazy = NULL;
	struct pmuq_decode_options options = { .size = sizeof(options),
					       .dialect = law->dialect,
					       .probe_text = from->record.probe_text.p };

	assert_int_equal(pmuq_catalog_decode(law->catalog, &from->attr, &options, &decoding, NULL),
			 0);
	assert_int_equal(pmuq_source_decode(law->source, &from->attr, &options, &lazy, NULL), 0);
	assert_same_decoding(decoding, lazy);
	text = decoding->text.p;
	if (!decoding->is_exact || decoding->n_left)
		fail_msg("'%s' of '%s' leaves %s", text, from->record.name.p,
			 pmuq_decoding_left(decoding, 0)->name.p);
	assert_encodes(law, text, from);
	for (size_t i = 0; i < decoding->n_alternatives; i++)
		assert_encodes(law, decoding->alternatives[i].p, from);
	law->n_attrs++;
	law->n_by_name +=
		decoding->origin == PMUQ_FROM_SYSFS || decoding->origin == PMUQ_FROM_GENERIC;
}

/* False if the string is invalid on this machine: there is no attr to decode then. */
static bool check(struct law *law, const char *text)
{
	for (law->dialect = PMUQ_DIALECT_PMUQ; law->dialect <= PMUQ_DIALECT_PERF; law->dialect++) {
		cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
		struct pmuq_encode_options options = options_of(law);

		if (pmuq_catalog_encode(law->catalog, text, &options, &encodings, NULL) < 0)
			return false;
		for (size_t i = 0; i < encodings->n; i++)
			check_attr(law, &encodings->v[i]);
	}
	return true;
}

static bool check_buf(struct law *law, struct pq_buf *text, bool must_be)
{
	auto_free char *string = pq_buf_take(text);
	bool is_event;

	assert_non_null(string);
	is_event = check(law, string);
	if (!is_event && must_be)
		fail_msg("'%s' is not an event", string);
	return is_event;
}

static void add_modifiers(struct law *law, struct pq_buf *text)
{
	static const char *const modifiers[] = { "",  "u",  "k",   "h",	 "uk", "kh",  "uh",
						 "G", "HI", "ppp", "De", "up", "uGH", "upDI" };

	pq_buf_add(text, str_of(modifiers[draw(law) % COUNT(modifiers)]));
}

static void add_value(struct law *law, struct pq_buf *text, const struct pmuq_format *format)
{
	uint64_t value = draw(law) & pq_bits_max(format->bits);

	/* People mostly write small values. */
	if (draw(law) % 3 == 0)
		value &= 0xf;
	pq_buf_print(text, "%s=0x%llx", format->name.p, (unsigned long long)value);
}

/* The event's parameters, "name=?", each once. */
static void add_parameters(struct law *law, struct pq_buf *text, const struct pmuq_pmu *pmu,
			   const struct pmuq_event *event)
{
	struct pmuq_str rest = event->terms, term, key, value;

	while (rest.n) {
		str_cut(rest, ',', &term, &rest);
		if (!str_cut(str_trim(term), '=', &key, &value) || !str_eq(value, STR("?")))
			continue;
		for (size_t i = 0; i < pmu->definition->n_formats; i++)
			if (str_eq(pq_def_of(pmu)->formats[i].name, key)) {
				pq_buf_char(text, ',', 1);
				add_value(law, text, &pq_def_of(pmu)->formats[i]);
			}
	}
}

static void check_events(struct law *law, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < pmu->definition->n_events; i++) {
		const struct pmuq_event *event = &pq_def_of(pmu)->events[i];
		struct pq_buf text = PQ_BUF_NULL;

		pq_buf_print(&text, "%s/%s", pmu->name.p, event->name.p);
		add_parameters(law, &text, pmu, event);
		pq_buf_char(&text, '/', 1);
		add_modifiers(law, &text);
		/* Some kernels have events with terms that do not exist. */
		law->n_events++;
		law->n_faulty += !check_buf(law, &text, false);
	}
}

/* Each event with another value for some format. */
static void check_variants(struct law *law, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; pmu->definition->n_formats && i < pmu->definition->n_events; i++) {
		const struct pmuq_event *event = &pq_def_of(pmu)->events[i];
		struct pq_buf text = PQ_BUF_NULL;

		pq_buf_print(&text, "%s/%s", pmu->name.p, event->name.p);
		add_parameters(law, &text, pmu, event);
		pq_buf_char(&text, ',', 1);
		add_value(law, &text,
			  &pq_def_of(pmu)->formats[draw(law) % pmu->definition->n_formats]);
		pq_buf_char(&text, '/', 1);
		check_buf(law, &text, false);
	}
}

static void check_formats(struct law *law, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < pmu->definition->n_formats; i++) {
		struct pq_buf text = PQ_BUF_NULL;

		pq_buf_print(&text, "%s/", pmu->name.p);
		add_value(law, &text, &pq_def_of(pmu)->formats[i]);
		pq_buf_char(&text, '/', 1);
		add_modifiers(law, &text);
		check_buf(law, &text, false);
	}
	for (size_t i = 0; pmu->definition->n_formats && i < COMBINATIONS; i++) {
		struct pq_buf text = PQ_BUF_NULL;

		pq_buf_print(&text, "%s/", pmu->name.p);
		for (uint64_t n = 1 + draw(law) % 4; n; n--) {
			add_value(law, &text,
				  &pq_def_of(pmu)->formats[draw(law) % pmu->definition->n_formats]);
			pq_buf_char(&text, n > 1 ? ',' : '/', 1);
		}
		add_modifiers(law, &text);
		check_buf(law, &text, false);
	}
}

/* Also bits of no format. */
static void check_config(struct law *law, const struct pmuq_pmu *pmu)
{
	struct pq_buf text = PQ_BUF_NULL;

	pq_buf_print(&text, "%s/config=0x%llx,config1=0x%llx,config4=0x%llx/", pmu->name.p,
		     (unsigned long long)draw(law), (unsigned long long)(draw(law) >> 32),
		     (unsigned long long)(draw(law) % 2));
	check_buf(law, &text, true);
	pq_buf_print(&text, "%s/config=0x0/", pmu->name.p);
	check_buf(law, &text, true);
	pq_buf_print(&text, "%s/config=0x%llx,branch_type=any_call/k", pmu->name.p,
		     (unsigned long long)(draw(law) & 0xffff));
	check_buf(law, &text, true);
}

static void check_generic(struct law *law, const char *name)
{
	struct pq_buf text = PQ_BUF_NULL;

	pq_buf_print(&text, "%s:", name);
	add_modifiers(law, &text);
	check_buf(law, &text, false);
	for (size_t i = 0; i < pmuq_catalog_machine(law->catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(law->catalog, i);

		if (!pmu->is_core && !str_eq(pmu->name, STR("software")))
			continue;
		pq_buf_print(&text, "%s/%s/", pmu->name.p, name);
		add_modifiers(law, &text);
		check_buf(law, &text, false);
	}
}

static void check_generics(struct law *law)
{
	char bytes[PMUQ_GENERIC_NAME_MAX];

	for (size_t i = 0; pq_generic_at(i).n; i++)
		check_generic(law, pq_generic_at(i).p);
	for (uint64_t config = 0; config <= 0x1ffff; config++) {
		struct pq_generic cache = { .type = PQ_GENERIC_CACHE, .config = config };

		if (!pq_cache_config_is_valid(config))
			continue;
		check_generic(law, pq_generic_name(cache, 0, bytes).p);
	}
}

/* These differ little between machines. */
static void check_fixed(struct law *law)
{
	static const char *const texts[] = {
		"r1a",
		"r0",
		"rffffffffffffffff:k",
		"r1a/config1=5/u",
		"0:0",
		"0:1",
		"0:77",
		"1:3:u",
		"1:12",
		"1:10",
		"2:7",
		"2:7/config1=1/",
		"3:0",
		"3:0xffff",
		"4:0x3c",
		"4:0",
		"5:0",
		"5:1/config1=2/",
		"0:0x400000000",
		"0:0xa00000001",
		"3:0x400000000",
		"777:1",
		"4294967295:0xffffffffffffffff/config2=3/kppp",
		"mem:0x1000",
		"mem:0x1000/1:r",
		"mem:0x1000/2:w:u",
		"mem:0/8:rw",
		"mem:0xffffffff81000000:x",
		"mem:0x10/4:rwx:k",
		"mem:0x10/3:rx/config=5/",
		"mem:0x10/4:w/config2=0,config3=1/u",
		"kprobe/addr=0x10/",
		"kprobe/func='do_exit'/",
		"kprobe/func='do_exit',offset=0x1f,retprobe/u",
		"uprobe/path='/bin/a b',offset=0x10/",
		"uprobe/path='/bin/ls',offset=0,retprobe/",
		"uprobe/config1=0x55aa,config2=0x10/",
		"kprobe/config1=1/",
		"uprobe/path='/bin/ls',offset=0,ref_ctr_offset=7/",
		"cycles/branch_type=any/u",
		"cycles/branch_type=any,branch_type=u/",
		"page-faults/config1=1/",
		"cpu/legacy-hardware-config=1/",
		"cpu_core/legacy-cache-config=0x10002/",
		"cpu/topdown-retiring/",
		"{slots,topdown-be-bound}:u",
		"cpu_core/topdown-fe-bound/k",
		"software/config=2/",
		"{cycles,instructions}:ukD",
		"{cycles:p,branches}:pe",
	};

	for (size_t i = 0; i < COUNT(texts); i++)
		check(law, texts[i]);
}

static uint64_t few_bits(struct law *law, unsigned bits)
{
	uint64_t value = 0;

	for (uint64_t n = draw(law) % 5; n; n--)
		value |= UINT64_C(1) << draw(law) % bits;
	return value;
}

static bool is_left(const struct pmuq_decoding *decoding, unsigned field)
{
	for (size_t i = 0; i < decoding->n_left; i++)
		if (strcmp(pmuq_decoding_left(decoding, i)->name.p,
			   pmuq_attr_field(field)->name.p) == 0)
			return true;
	return false;
}

/* Any fields together: those that the string does not set are reported. */
static void check_any(struct law *law, const struct pmuq_attr *attr)
{
	cleanup(decoding_freep) struct pmuq_decoding *decoding = NULL;
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	struct pmuq_decode_options options = { .size = sizeof(options), .dialect = law->dialect };
	struct pmuq_encode_options encode = options_of(law);
	const struct pq_encoding *encoding;
	const char *text;

	assert_int_equal(pmuq_catalog_decode(law->catalog, attr, &options, &decoding, NULL), 0);
	text = decoding->text.p;
	assert_int_equal(pmuq_catalog_encode(law->catalog, text, &encode, &encodings, NULL), 0);
	encoding = the_one(encodings);
	if (!encoding)
		fail_msg("'%s' stands for %zu events", text, encodings->n);
	for (unsigned i = 0; pmuq_attr_field(i); i++)
		if (pmuq_attr_get(&encoding->attr, i) != pmuq_attr_get(attr, i) &&
		    strcmp(pmuq_attr_field(i)->name.p, "size") != 0 && !is_left(decoding, i))
			fail_msg("'%s' loses '%s'", text, pmuq_attr_field(i)->name.p);
}

static void check_anything(struct law *law)
{
	size_t n_pmus = pmuq_catalog_machine(law->catalog)->n_pmus;

	for (unsigned i = 0; i < 300; i++) {
		struct pmuq_attr attr = { .type = (uint32_t)(draw(law) % 9) };

		if (n_pmus && draw(law) % 2)
			attr.type = pmuq_catalog_pmu(law->catalog, draw(law) % n_pmus)->type;
		attr.config = few_bits(law, 64);
		for (uint64_t n = draw(law) % 6; n; n--) {
			unsigned field = 2 + (unsigned)(draw(law) % 60);

			if (pq_attr_set_if_fits(&attr, field, 1))
				pq_attr_set_if_fits(&attr, field, few_bits(law, 32));
		}
		law->dialect = (enum pmuq_dialect)(draw(law) % 2);
		check_any(law, &attr);
	}
}

/* Instances of one definition differ only in their type. */
static bool is_new_definition(const struct pmuq_catalog *catalog, size_t index)
{
	const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, index);

	return !index || pmuq_catalog_pmu(catalog, index - 1)->definition != pmu->definition;
}

static void check_pmus(struct law *law)
{
	for (size_t i = 0; i < pmuq_catalog_machine(law->catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(law->catalog, i);

		if (!pmu->has_type)
			continue;
		check_events(law, pmu);
		if (!is_new_definition(law->catalog, i))
			continue;
		check_variants(law, pmu);
		check_formats(law, pmu);
		check_config(law, pmu);
	}
}

static void decoded_strings_encode_to_the_same_attr(void **state)
{
	struct law law = { .seed = 0x5eed };

	assert_int_equal(pmuq_source_open_tree(*state, &law.source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(law.source, &law.catalog, NULL), 0);
	check_pmus(&law);
	check_generics(&law);
	check_fixed(&law);
	check_anything(&law);
	assert_true(law.n_attrs > 100);
	assert_true(law.n_faulty <= law.n_events / 8);
	printf("# %s: %zu attrs, %zu by an event's name\n", (const char *)*state, law.n_attrs,
	       law.n_by_name);
	pmuq_catalog_free(law.catalog);
	pmuq_source_free(law.source);
}

static size_t collect(const char *dir, struct CMUnitTest *tests, char **paths)
{
	DIR *machines = dir && *dir ? opendir(dir) : NULL;
	const struct dirent *entry;
	size_t n = 0;

	while (machines && n < MACHINES_MAX && (entry = readdir(machines))) {
		auto_free char *devices = NULL;

		assert_true(asprintf(&devices, "%s/%s/sys/bus/event_source/devices", dir,
				     entry->d_name) > 0);
		if (entry->d_name[0] == '.' || access(devices, F_OK) != 0)
			continue;
		assert_true(asprintf(&paths[2 * n], "%s/%s", dir, entry->d_name) > 0);
		paths[2 * n + 1] = strdup(entry->d_name);
		tests[n] = (struct CMUnitTest){
			.name = paths[2 * n + 1],
			.test_func = decoded_strings_encode_to_the_same_attr,
			.initial_state = paths[2 * n],
		};
		n++;
	}
	if (machines)
		closedir(machines);
	return n;
}

int main(void)
{
	static struct CMUnitTest tests[MACHINES_MAX];
	static char *paths[2 * MACHINES_MAX];
	size_t n = collect(getenv("PMUQ_TEST_MACHINES"), tests, paths);
	int r;

	/* cmocka's skip() is a failure in its TAP; an empty plan is what TAP has for it. */
	if (!n) {
		printf("1..0 # SKIP PMUQ_TEST_MACHINES names no directory of machines\n");
		return EXIT_SUCCESS;
	}
	r = _cmocka_run_group_tests("decode_law", tests, n, NULL, NULL);
	for (size_t i = 0; i < 2 * n; i++)
		free(paths[i]);
	return r;
}
