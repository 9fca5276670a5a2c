/* SPDX-License-Identifier: MIT */
/* A machine that differs from another in every fact that encodings must not depend on. */
#pragma once

#include <pmuq/pmuq.h>

/* NULL if there is no memory. The facts that decide the host class are the same. */
struct pmuq_catalog *catalog_with_other_facts(const struct pmuq_catalog *catalog);
