/* SPDX-License-Identifier: MIT */
/* Events of Intel's repository, whose members differ from those of the kernel's tables. */
#pragma once

#include "vendor/import/vendor_event.h"

/* The unit of the event, whose PMU vendor_unit.c names; .p NULL: out of memory. */
struct pmuq_str pq_vendor_intel_unit(const struct pq_vendor_converter *converter,
				     struct pmuq_str unit);
void pq_vendor_intel_selector(const struct pq_vendor_converter *converter,
			      struct pq_vendor_selector *ret);
