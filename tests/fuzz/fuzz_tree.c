/* SPDX-License-Identifier: MIT */
/*
 * A whole captured machine: any files of sysfs, procfs and tracefs, as fuzz_files.h reads them. The
 * machine is the same as a directory, as a tar, as a capture of it, and as a document; a lazy
 * source gives the same results as the catalog; and each event is encoded the same by both.
 */
#include "discover/files/manifest.h"
#include "tests/fuzz/fuzz_files.h"
#include "tests/harness/documented.h"
#include "tests/unit/law.h"

#define EVENTS_MAX 8u

static const char *const no_facts[] = { NULL };

static void law_of_document(const struct pmuq_catalog *catalog)
{
	auto_free char *difference = documented_difference(catalog);

	if (!difference)
		return;
	fprintf(stderr, "%s\n", difference);
	fuzz_broken(__FILE__, __LINE__, "written and read, the machine is the same");
}

static void law_of_event(const struct fuzz_machine *machine, const struct pmuq_pmu *pmu,
			 const struct pmuq_event *event)
{
	const struct pmuq_encode_options options = { .size = sizeof(options) };
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	auto_free char *string = NULL;

	FUZZ_LAW(asprintf(&string, "%s/%s/", pmu->name.p, event->name.p) > 0);
	fuzz_encode(machine, string, &options, &encodings, &error);
	pmuq_encodings_free(encodings);
	pmuq_error_free(error);
}

static void law_of_events(const char *path, struct pmuq_catalog *catalog)
{
	struct fuzz_machine machine = { .dir = strdup(path), .catalog = catalog };
	size_t left = EVENTS_MAX;

	for (size_t p = 0; p < pmuq_catalog_machine(catalog)->n_pmus; p++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, p);

		for (size_t e = 0; e < pmu->definition->n_events && left; e++, left--)
			law_of_event(&machine, pmu, pmuq_pmu_event(pmu, e));
	}
	free(machine.dir);
}

/* A manifest may list files below directories that do not exist: only a tar has these then. And if
 * both the manifest and the machine are bad, either is reported. */
static bool has_manifest(const struct fuzz_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		if (files->v[i].type != '-' &&
		    str_starts(str_of(files->v[i].path), STR(PQ_MANIFEST_FILE)))
			return true;
	return false;
}

static void law_of_tree(const struct fuzz_files *files, const char *path)
{
	struct tree tree = fuzz_tree_of_files(files);
	struct pmuq_error *errors[2] = { NULL };
	struct pmuq_catalog *of_tree = fuzz_catalog_of(tree.dir, &errors[0]);
	struct pmuq_catalog *of_tar = fuzz_catalog_of(path, &errors[1]);

	FUZZ_LAW(has_manifest(files) || !of_tree == !of_tar);
	if (errors[0] && errors[1] && !has_manifest(files))
		FUZZ_LAW(errors[0]->code == errors[1]->code);
	if (of_tar) {
		if (!has_manifest(files))
			fuzz_same_catalog("directory and tar", of_tree, of_tar, no_facts);
		law_check_singly(path, true, of_tar);
		law_of_document(of_tar);
		law_of_events(path, of_tar);
		fuzz_law_of_capture(path, of_tar);
	}
	pmuq_catalog_free(of_tree);
	pmuq_catalog_free(of_tar);
	pmuq_error_free(errors[0]);
	pmuq_error_free(errors[1]);
	tree_remove(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_files files = { .n = 0 };
	struct fuzz_tar tar;

	fuzz_files_read(&files, (struct pmuq_str){ .p = (const char *)data, .n = size });
	tar = fuzz_tar_of_files(&files);
	law_of_tree(&files, tar.path);
	fuzz_tar_close(&tar);
	return 0;
}
