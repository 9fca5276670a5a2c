/* SPDX-License-Identifier: MIT */
/* The public question: encodings become requests, to the kernel and the host that run. */
#include "core/error.h"
#include "open/open.h"

static struct pq_request translate(const struct pmuq_encoding *encoding)
{
	const char *cpus = pmuq_encoding_cpus(encoding);
	struct pq_request request = {
		.attr = pmuq_encoding_attr(encoding),
		.pmu = pmuq_encoding_pmu(encoding),
		.cpus = cpus ? cpus : "",
		.needs_cpu = pmuq_encoding_needs_cpu(encoding),
	};
	const char *name;

	if (!pmuq_encoding_group(encoding, &request.leader, &request.members, &name))
		request.members = 0;
	return request;
}

PQ_API int pmuq_encodings_test_open(const struct pmuq_encodings *encodings,
				    struct pmuq_verdicts **ret, struct pmuq_error **reterr)
{
	const struct pq_opener opener = {
		.kernel = pq_kernel_running(),
		.host = pq_host_at("/"),
	};
	size_t n = pmuq_encodings_count(encodings);
	auto_free struct pq_request *requests = calloc(n ? n : 1, sizeof(*requests));

	if (!requests)
		return pq_fail_memory(reterr);
	for (size_t i = 0; i < n; i++)
		requests[i] = translate(pmuq_encodings_get(encodings, i));
	return pq_open_requests(&opener, requests, n, ret, reterr);
}
