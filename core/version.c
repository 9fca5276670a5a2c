/* SPDX-License-Identifier: MIT */
#include "core/attr/attr.h"
#include <pmuq/pmuq.h>

PQ_API const char *pmuq_version(void)
{
	return PMUQ_VERSION;
}
