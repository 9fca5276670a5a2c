/* SPDX-License-Identifier: MIT */
/* A second thread, for work that takes long. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* False if this process has one CPU, or if the system has no thread for it: then the caller does
 * the work itself. Else the caller joins the thread. It receives no signals. */
bool pq_thread_start(pthread_t *ret, void *(*run)(void *), void *arg);
