/* SPDX-License-Identifier: MIT */
/* The interface io.pmuq as text, in the language of https://varlink.org/Interface-Definition, from
 * the descriptions of methods, options and records. */
#pragma once

#include "core/buf.h"

#define INTERFACE_NAME "io.pmuq"

/* Appends the text of the file io.pmuq.varlink. */
void interface_print(struct pq_buf *to);

/* The replies to org.varlink.service.GetInfo and .GetInterfaceDescription. False: no such
 * interface. */
void interface_reply_info(struct pq_buf *to);
bool interface_reply_description(struct pmuq_str name, struct pq_buf *to);
