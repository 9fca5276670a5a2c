/* SPDX-License-Identifier: MIT */
/* Why did my own call of perf_event_open(2) fail? own_open TYPE CONFIG */
#define _DEFAULT_SOURCE /* syscall() */
#include <errno.h>
#include <linux/perf_event.h>
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void explain(const struct perf_event_attr *attr, const struct pmuq_open_call *call)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_open_results *results = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_source_open_live(&machine, &error) < 0 ||
	    pmuq_source_encode_attr(machine, (const struct pmuq_attr *)attr, &encodings, &error) <
		    0 ||
	    pmuq_encodings_explain_errno(encodings, 0, call, &results, &error) < 0) {
		printf("%s\n", error->message.p);
	} else {
		const struct pmuq_open_result *result = pmuq_open_results_get(results, 0);

		printf("%s: %s\n", pmuq_errno_name(result->errnum), result->reason.p);
		if (result->change.n)
			printf("  it opens %s\n", result->change.p);
		if (result->hint.n)
			printf("  %s\n", result->hint.p);
	}
	pmuq_error_free(error);
	pmuq_open_results_free(results);
	pmuq_encodings_free(encodings);
	pmuq_source_free(machine);
}

int main(int argc, char **argv)
{
	struct pmuq_open_call call = { .size = sizeof(call), .cpu = -1, .group_fd = -1 };
	struct perf_event_attr attr;
	long fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : PERF_TYPE_HARDWARE;
	attr.config = argc > 2 ? strtoull(argv[2], NULL, 0) : PERF_COUNT_HW_CPU_CYCLES;
	attr.disabled = 1;
	fd = syscall(SYS_perf_event_open, &attr, call.pid, call.cpu, call.group_fd, call.flags);
	if (fd >= 0) {
		printf("it opens\n");
		close((int)fd);
		return 0;
	}
	call.errnum = errno;
	explain(&attr, &call);
	return 0;
}
