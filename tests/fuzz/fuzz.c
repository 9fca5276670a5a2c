/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz.h"
#include "tests/harness/outcome.h"
#include <stdio.h>
#include <string.h>

void fuzz_broken(const char *file, int line, const char *law)
{
	fprintf(stderr, "%s:%d: a law is broken: %s\n", file, line, law);
	abort();
}

void fuzz_same(const char *a_is, const char *a, const char *b_is, const char *b)
{
	FUZZ_LAW(a && b);
	if (!strcmp(a, b))
		return;
	fprintf(stderr, "%s:\n%s%s:\n%s", a_is, a, b_is, b);
	fuzz_broken(__FILE__, __LINE__, "the two agree");
}

char *fuzz_cstr(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	FUZZ_LAW(text);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* No control characters. */
static void law_of_text(const char *text)
{
	FUZZ_LAW(text && *text);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		FUZZ_LAW(*p == '\n' || (*p >= ' ' && *p != 0x7f));
}

static void law_of_diagnosis(const struct pmuq_error *error)
{
	auto_free char *text = pmuq_error_format(error);

	law_of_text(text);
	law_of_text(error->message.p);
	FUZZ_LAW(!strchr(error->message.p, '\n'));
	FUZZ_LAW(pmuq_code_name(error->code));
	FUZZ_LAW(pmuq_code_remedy((unsigned)error->code));
	/* A line of a file may contain a NUL. */
	if (!error->input.p)
		return;
	FUZZ_LAW(error->offset <= error->input.n);
	FUZZ_LAW(error->length <= error->input.n - error->offset);
}

void fuzz_error(int r, const struct pmuq_error *error)
{
	FUZZ_LAW(r < 0);
	FUZZ_LAW(error);
	FUZZ_LAW((int)error->code == -r);
	/* No input of a fuzzer needs so much memory. */
	FUZZ_LAW(r != -PMUQ_E_MEMORY);
	law_of_diagnosis(error);
}

static void law_of_attr(const struct pmuq_attr *attr)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };
	const unsigned char *bytes = (const unsigned char *)attr;
	size_t i = 0, used = sizeof(*attr);

	while (i < COUNT(sizes) && sizes[i] != attr->size)
		i++;
	FUZZ_LAW(i < COUNT(sizes));
	while (used && !bytes[used - 1])
		used--;
	FUZZ_LAW(used <= sizes[i]);
	FUZZ_LAW(i == 0 || used > sizes[i - 1]);
}

static void law_of_group(const struct pmuq_encodings *encodings, size_t index)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, index);

	FUZZ_LAW(encoding->group_name.p);
	if (!encoding->n_members)
		return;
	FUZZ_LAW(encoding->leader <= index);
	FUZZ_LAW(encoding->n_members <= pmuq_encodings_count(encodings) - encoding->leader);
	FUZZ_LAW(index - encoding->leader < encoding->n_members);
}

void fuzz_encodings(const struct pmuq_encodings *encodings)
{
	FUZZ_LAW(encodings);
	FUZZ_LAW(pmuq_encodings_count(encodings) > 0);
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);

		FUZZ_LAW(*encoding->name.p);
		FUZZ_LAW(pmuq_origin_name(encoding->origin));
		law_of_attr(encoding->attr);
		law_of_group(encodings, i);
		for (size_t w = 0; w < encoding->n_warnings; w++)
			law_of_diagnosis(pmuq_encoding_warning(encoding, w));
	}
	FUZZ_LAW(!pmuq_encodings_get(encodings, pmuq_encodings_count(encodings)));
}

static struct pmuq_source *open_source(const char *dir)
{
	struct pmuq_source *source = NULL;

	FUZZ_LAW(pmuq_source_open_tree(dir, &source, NULL) == 0);
	return source;
}

void fuzz_machine_open(struct fuzz_machine *machine, const char *dir)
{
	struct pmuq_source *source = open_source(dir);

	machine->dir = strdup(dir);
	FUZZ_LAW(machine->dir);
	FUZZ_LAW(pmuq_source_read_catalog(source, &machine->catalog, NULL) == 0);
	pmuq_source_free(source);
}

void fuzz_machine_close(struct fuzz_machine *machine)
{
	pmuq_catalog_free(machine->catalog);
	free(machine->dir);
	*machine = (struct fuzz_machine){ 0 };
}

const struct fuzz_machine *fuzz_machine_listed(unsigned number)
{
	static const char *const names[] = { FUZZ_MACHINES };
	static struct fuzz_machine machines[COUNT(names)];
	struct fuzz_machine *machine = &machines[number % COUNT(names)];
	const char *all = getenv("PMUQ_TEST_MACHINES");
	auto_free char *dir = NULL;

	FUZZ_LAW(all);
	if (machine->catalog)
		return machine;
	FUZZ_LAW(asprintf(&dir, "%s/%s", all, names[number % COUNT(names)]) > 0);
	fuzz_machine_open(machine, dir);
	return machine;
}

static void encode_with_catalog(const struct pmuq_catalog *catalog, const char *event,
				const struct pmuq_encode_options *options,
				struct pmuq_encodings **ret, struct pmuq_error **reterr)
{
	int r = pmuq_catalog_encode(catalog, event, options, ret, reterr);

	FUZZ_LAW(!*ret != !*reterr);
	if (r == 0)
		fuzz_encodings(*ret);
	else
		fuzz_error(r, *reterr);
}

static void law_of_dialect(const struct fuzz_machine *machine, struct pmuq_source *source,
			   const char *event, const struct pmuq_encode_options *options)
{
	auto_free char *lazy = outcome_of_source(source, event, options), *again = NULL;
	auto_free char *loaded = outcome_of_catalog(machine->catalog, event, options);

	fuzz_same("loaded", loaded, "lazy", lazy);
	again = outcome_of_source(source, event, options);
	fuzz_same("lazy", lazy, "lazy, repeated", again);
}

void fuzz_encode(const struct fuzz_machine *machine, const char *event,
		 const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
		 struct pmuq_error **reterr)
{
	struct pmuq_source *source = open_source(machine->dir);
	struct pmuq_encode_options other = *options;

	*ret = NULL;
	*reterr = NULL;
	encode_with_catalog(machine->catalog, event, options, ret, reterr);
	law_of_dialect(machine, source, event, options);
	other.dialect =
		options->dialect == PMUQ_DIALECT_PERF ? PMUQ_DIALECT_PMUQ : PMUQ_DIALECT_PERF;
	law_of_dialect(machine, source, event, &other);
	pmuq_source_free(source);
}
