/* SPDX-License-Identifier: MIT */
/* Print three samples of this program, one for each millisecond of CPU time: */
#include <pmuq/pmuq.h>
#include <stdio.h>

static void print(const struct pmuq_samples *samples,
				  const struct pmuq_sample_record *record)
{
	static int n;
	struct pmuq_sample sample = { .size = sizeof(sample) };

	/* sample.ip is where the program was, sample.tid the thread. */
	if (n < 3 && pmuq_samples_parse(samples, record, &sample) && sample.ip)
		printf("sample %d, after %d ms of CPU time\n", n + 1, n + 1);
	n++;
}

int main(void)
{
	const struct pmuq_encode_options options = {
		.size = sizeof(options),
		.preset = PMUQ_PRESET_SAMPLE,
	};
	const struct pmuq_open_options targets = {
		.size = sizeof(targets),
		.wants_samples = true,
	};
	const struct pmuq_sample_record *record;
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	struct pmuq_opened *opened = NULL;
	struct pmuq_samples *samples = NULL;
	int r = pmuq_source_open_live(&machine, NULL);

	if (r == 0)
		r = pmuq_source_encode(machine, "cpu-clock/period=1000000/u",
							   &options, &events, NULL);
	if (r == 0)
		r = pmuq_encodings_open(events, &targets, &opened, NULL);
	if (r == 0)
		r = pmuq_opened_sample(opened, 0, &samples, NULL);
	if (r == 0)
		r = pmuq_opened_enable(opened, NULL);
	for (volatile int i = 0; r == 0 && i < 100000000; i++)
		; /* the program works */
	while (r == 0 && (record = pmuq_samples_next(samples)))
		print(samples, record);
	pmuq_samples_free(samples);
	pmuq_opened_free(opened);
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return r < 0;
}
