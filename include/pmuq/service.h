/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The machine of a daemon: pmuqd(8) reads the machine once for all programs, and notices changes.
 * The protocol is varlink, the interface io.pmuq(7), so that programs in any language can call the
 * daemon without this library. One thread at a time.
 */
#ifndef PMUQ_SERVICE_H
#define PMUQ_SERVICE_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Use the machine of a daemon. The source has the whole machine, as the daemon knew it when it was
 * opened; encoding needs no further call. pmuq_source_refresh() gets the newest state. The
 * results are those of pmuq_source_open_live(), but the daemon may not have the right to read
 * tracepoints. pmuq_source_is_live() is true if the daemon serves the machine that runs this
 * program.
 *
 * @param path  of the socket; NULL: "/run/pmuq/io.pmuq", where the units of systemd put it
 * @return 0, -PMUQ_E_NO_SERVICE, -PMUQ_E_BAD_SERVICE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_open_service(const char *path, struct pmuq_source **ret,
			     struct pmuq_error **reterr);

#ifdef __cplusplus
}
#endif
#endif
