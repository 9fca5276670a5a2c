/* SPDX-License-Identifier: MIT */
/* Set the clock of an attr, and copy it into the struct of the system's header: */
#include <linux/perf_event.h>
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_attr attr = { 0 };
	struct perf_event_attr copy;
	const struct pmuq_field *field;

	if (pmuq_attr_parse("type=1 config=0 sample_period=1000", &attr, NULL) <
		0)
		return 1;
	pmuq_attr_set(&attr, PMUQ_ATTR_USE_CLOCKID, 1);
	pmuq_attr_set(&attr, PMUQ_ATTR_CLOCKID, 4);
	if (pmuq_attr_copy(&attr, &copy, sizeof(copy), NULL) < 0)
		return 1;
	printf("%u bytes\n", copy.size);
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (pmuq_attr_get(&attr, i))
			printf("%s=%#llx\n", field->name.p,
				   (unsigned long long)pmuq_attr_get(&attr, i));
	return 0;
}
