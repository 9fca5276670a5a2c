/* SPDX-License-Identifier: MIT */
/*
 * Begin and end, and what needs neither machine nor libpfm4: texts of errors, the version, the
 * rules for sizes of structs. pfm_initialize() reads almost nothing; the helper process of libpfm4
 * starts with the first call that needs it.
 */
#include "compat/compat.h"
#include <pthread.h>
#include <stdlib.h>

static struct compat state;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct compat *compat_lock(void)
{
	pthread_mutex_lock(&mutex);
	if (state.pfm)
		return &state;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

void compat_unlock(struct compat **c)
{
	if (*c)
		pthread_mutex_unlock(&mutex);
}

/* This machine, or a captured one: for tests. */
static int open_source(struct compat *c)
{
	const char *tree = secure_getenv("PMUQ_SYSROOT");
	int r;

	if (c->source)
		return 0;
	if (!tree || !*tree)
		return pmuq_source_open_live(&c->source, NULL);
	r = pmuq_source_open_tree(tree, &c->source, NULL);
	if (r < 0)
		return r;
	r = pmuq_source_find_fact(c->source, "cpuid", &c->cpuid, NULL);
	if (!c->cpuid)
		c->cpuid = "";
	return r;
}

static int initialize(void)
{
	struct pmuq_pfm_options options = { .size = sizeof(options),
					    .helper = secure_getenv("PMUQ_PFM") };
	const char *inactive = secure_getenv("LIBPFM_ENCODE_INACTIVE");
	int r;

	if (state.pfm)
		return PFM_SUCCESS;
	state.encodes_inactive = inactive && strcmp(inactive, "1") == 0;
	r = open_source(&state);
	if (r == 0)
		r = pmuq_pfm_open(&options, &state.pfm, NULL);
	return r == 0 ? PFM_SUCCESS : r == -PMUQ_E_MEMORY ? PFM_ERR_NOMEM : PFM_ERR_NOTSUPP;
}

pfm_err_t pfm_initialize(void)
{
	int r;

	pthread_mutex_lock(&mutex);
	r = initialize();
	pthread_mutex_unlock(&mutex);
	return r;
}

/* Names that a program received are static in libpfm4, so the lists stay; only the helper ends. */
void pfm_terminate(void)
{
	pthread_mutex_lock(&mutex);
	pmuq_pfm_free(state.pfm);
	state.pfm = NULL;
	pthread_mutex_unlock(&mutex);
}

const char *pfm_strerror(int code)
{
	static const char *const texts[] = {
		[-PFM_SUCCESS] = "success",
		[-PFM_ERR_NOTSUPP] = "not supported",
		[-PFM_ERR_INVAL] = "invalid parameters",
		[-PFM_ERR_NOINIT] = "pfmlib not initialized",
		[-PFM_ERR_NOTFOUND] = "event not found",
		[-PFM_ERR_FEATCOMB] = "invalid combination of model specific features",
		[-PFM_ERR_UMASK] = "invalid or missing unit mask",
		[-PFM_ERR_NOMEM] = "out of memory",
		[-PFM_ERR_ATTR] = "invalid event attribute",
		[-PFM_ERR_ATTR_VAL] = "invalid event attribute value",
		[-PFM_ERR_ATTR_SET] = "attribute value already set",
		[-PFM_ERR_TOOMANY] = "too many parameters",
		[-PFM_ERR_TOOSMALL] = "parameter is too small",
	};

	if (code > 0 || code <= -(int)COUNT(texts))
		return "unknown error code";
	return texts[-code];
}

int pfm_get_version(void)
{
	return LIBPFM_VERSION;
}

size_t compat_size(const void *ret, size_t size, size_t first, size_t known)
{
	const char *bytes = ret;

	if (!size)
		size = first;
	if (size < first)
		return 0;
	for (size_t i = known; i < size; i++)
		if (bytes[i])
			return 0;
	return size < known ? size : known;
}

bool compat_is_resource_error(int r)
{
	return r == -PMUQ_E_MEMORY || r == -PMUQ_E_TOO_MANY_FILES;
}

/* What is not here is the error of a name that does not exist, or that is not a name at all. */
int compat_error(int r)
{
	static const struct {
		enum pmuq_code code;
		int error;
	} errors[] = {
		{ PMUQ_E_MEMORY, PFM_ERR_NOMEM },
		{ PMUQ_E_PFM_FAILED, PFM_ERR_NOTSUPP },
		{ PMUQ_E_STALE_SOURCE, PFM_ERR_NOTSUPP },
		{ PMUQ_E_TOO_MANY_FILES, PFM_ERR_NOTSUPP },
		{ PMUQ_E_NO_TYPE, PFM_ERR_NOTSUPP },
		{ PMUQ_E_UNKNOWN_TERM, PFM_ERR_ATTR },
		{ PMUQ_E_MISSING_PARAMETER, PFM_ERR_ATTR },
		{ PMUQ_E_BAD_MODIFIER, PFM_ERR_ATTR },
		{ PMUQ_E_PFM_UNKNOWN_ATTRIBUTE, PFM_ERR_ATTR },
		{ PMUQ_E_VALUE_TOO_BIG, PFM_ERR_ATTR_VAL },
		{ PMUQ_E_BAD_NUMBER, PFM_ERR_ATTR_VAL },
		{ PMUQ_E_BAD_VALUE, PFM_ERR_ATTR_VAL },
		{ PMUQ_E_EXPECTED_NUMBER, PFM_ERR_ATTR_VAL },
		{ PMUQ_E_MISSING_VALUE, PFM_ERR_ATTR_VAL },
		{ PMUQ_E_TOO_PRECISE, PFM_ERR_ATTR_VAL },
		{ PMUQ_E_PFM_BAD_VALUE, PFM_ERR_ATTR_VAL },
		{ PMUQ_E_REPEATED_TERM, PFM_ERR_ATTR_SET },
		{ PMUQ_E_REPEATED_MODIFIER, PFM_ERR_ATTR_SET },
		{ PMUQ_E_PFM_MISSING_UMASK, PFM_ERR_UMASK },
		{ PMUQ_E_PFM_CONFLICT, PFM_ERR_FEATCOMB },
		{ PMUQ_E_SHARED_BITS, PFM_ERR_FEATCOMB },
	};

	for (size_t i = 0; i < COUNT(errors); i++)
		if (r == -(int)errors[i].code)
			return errors[i].error;
	return r < 0 ? PFM_ERR_NOTFOUND : PFM_SUCCESS;
}
