/* SPDX-License-Identifier: MIT */
/* Two events counted over the same time: how much of it did this thread run? */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <time.h>

static void sleep_and_spin(void)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	nanosleep(&pause, NULL);
	for (volatile unsigned i = 0; i < 20000000; i++)
		;
}

/* One system call reads both, so the values belong together. */
static int measure(struct pmuq_opened *opened, struct pmuq_error **reterr)
{
	struct pmuq_value values[2] = { { .size = sizeof(values[0]) },
					{ .size = sizeof(values[1]) } };
	int r = pmuq_opened_enable(opened, reterr);

	sleep_and_spin();
	if (r == 0)
		r = pmuq_opened_read_all(opened, values, 2, reterr);
	if (r == 0)
		printf("ran for %.1f ms, was switched out %llu times\n",
		       (double)values[0].value / 1e6, (unsigned long long)values[1].value);
	return r;
}

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *group = NULL;
	struct pmuq_opened *opened = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_source_open_live(&machine, &error);

	if (r == 0)
		r = pmuq_source_encode(machine, "{task-clock,context-switches}", NULL, &group,
				       &error);
	if (r == 0)
		r = pmuq_encodings_open(group, NULL, &opened, &error);
	if (r == 0)
		r = measure(opened, &error);
	if (r < 0)
		fprintf(stderr, "%s\n", error->message.p);
	pmuq_error_free(error);
	pmuq_opened_free(opened);
	pmuq_encodings_free(group);
	pmuq_source_free(machine);
	return r < 0;
}
