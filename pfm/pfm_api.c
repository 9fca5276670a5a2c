/* SPDX-License-Identifier: MIT */
/*
 * The public object, and the names that it encodes. Opening it starts no process: a program without
 * names of libpfm4 pays nothing.
 */
#include "core/sized.h"
#include "pfm/cpus.h"
#include "pfm/pfm_names.h"

#define DEFAULT_TIMEOUT_MS 10000u

PQ_API int pmuq_pfm_open(const struct pmuq_pfm_options *options, struct pmuq_pfm **ret,
			 struct pmuq_error **reterr)
{
	struct pmuq_pfm_options taken;
	const char *helper;
	struct pmuq_pfm *pfm;
	int r = pq_sized_take(options, &taken, sizeof(taken), reterr);

	if (r < 0)
		return r;
	helper = taken.helper ? taken.helper : pq_pfm_find_helper();
	pfm = calloc(1, sizeof(*pfm));
	if (!pfm)
		return pq_fail_memory(reterr);
	pfm->process = PQ_PROCESS_NONE;
	pfm->timeout_ms = taken.timeout_ms ? taken.timeout_ms : DEFAULT_TIMEOUT_MS;
	pfm->path = helper ? strdup(helper) : NULL;
	if (helper && !pfm->path) {
		free(pfm);
		return pq_fail_memory(reterr);
	}
	*ret = pfm;
	return 0;
}

PQ_API void pmuq_pfm_free(struct pmuq_pfm *pfm)
{
	if (!pfm)
		return;
	pq_process_stop(&pfm->process);
	pq_buf_free(&pfm->in);
	free(pfm->path);
	free(pfm->library);
	free(pfm->build_id);
	free(pfm->library_path);
	free(pfm);
}

PQ_API int pmuq_pfm_start(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	return pq_pfm_start(pfm, reterr);
}

PQ_API int pmuq_pfm_library(struct pmuq_pfm *pfm, const char **ret_file, const char **ret_build_id,
			    struct pmuq_error **reterr)
{
	int r = pq_pfm_await(pfm, reterr);

	if (r < 0)
		return r;
	*ret_file = pfm->library;
	*ret_build_id = pfm->build_id;
	return 0;
}

PQ_API int pmuq_pfm_library_path(struct pmuq_pfm *pfm, const char **ret, struct pmuq_error **reterr)
{
	int r = pq_pfm_await(pfm, reterr);

	if (r == 0)
		*ret = pfm->library_path;
	return r;
}

/* The helper does not know for which CPU a name was encoded. */
static void name_cpu(const struct pmuq_pfm_encodings *encodings, const char *cpuid,
		     const char *const *names)
{
	for (size_t i = 0; i < encodings->n; i++) {
		struct pmuq_error **error = &encodings->v[i].error;

		if (!*error || (*error)->code != PMUQ_E_PFM_NO_CPU)
			continue;
		if (cpuid && *cpuid)
			pq_error_hint(error,
				      "the CPU is %s; name the PMU that is meant, as in skx::%s",
				      cpuid, names[i]);
		else
			pq_error_hint(error,
				      "the CPU of the machine is unknown; name the PMU, as in "
				      "skx::%s",
				      names[i]);
	}
}

PQ_API int pmuq_pfm_encode(struct pmuq_pfm *pfm, const char *cpuid, const char *const *names,
			   size_t n, struct pmuq_pfm_encodings **ret, struct pmuq_error **reterr)
{
	struct pmuq_str defaults = cpuid ? pq_pfm_cpu_defaults(str_of(cpuid)) : STR("");
	int r = pq_pfm_encode_names(pfm, defaults, names, n, ret, reterr);

	if (r == 0)
		name_cpu(*ret, cpuid, names);
	return r;
}

PQ_API void pmuq_pfm_encodings_free(struct pmuq_pfm_encodings *encodings)
{
	if (!encodings)
		return;
	for (size_t i = 0; i < encodings->n; i++)
		pmuq_error_free(encodings->v[i].error);
	pq_arena_clear(&encodings->arena);
	free(encodings);
}

PQ_API size_t pmuq_pfm_encodings_count(const struct pmuq_pfm_encodings *encodings)
{
	return encodings->n;
}

PQ_API const struct pmuq_pfm_encoding *
pmuq_pfm_encodings_get(const struct pmuq_pfm_encodings *encodings, size_t index)
{
	return index < encodings->n ? &encodings->v[index].record : NULL;
}

PQ_API bool pmuq_pfm_encoding_modifier(const struct pmuq_pfm_encoding *encoding,
				       enum pmuq_pfm_modifier modifier, uint64_t *ret)
{
	const struct pq_pfm_encoding *whole = (const struct pq_pfm_encoding *)encoding;
	uint32_t bit = (unsigned)modifier < PMUQ_PFM_MODIFIERS ? 1u << modifier : 0;

	if (!(whole->set & bit))
		return false;
	*ret = whole->values[__builtin_popcount(whole->set & (bit - 1))];
	return true;
}

PQ_API const struct pmuq_pfm_code *pmuq_pfm_encoding_code(const struct pmuq_pfm_encoding *encoding,
							  size_t index)
{
	const struct pq_pfm_encoding *whole = (const struct pq_pfm_encoding *)encoding;

	return index < encoding->n_codes ? &whole->codes[index] : NULL;
}
