/* SPDX-License-Identifier: MIT */
/* Print all fields of an attr that are set: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_attr attr = { 0 };
	const struct pmuq_field *field;

	if (pmuq_attr_parse("type=4 config=0x1cd precise_ip=2", &attr, NULL) <
		0)
		return 1;
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (pmuq_attr_get(&attr, i))
			printf("%s=%#llx\n", field->name.p,
				   (unsigned long long)pmuq_attr_get(&attr, i));
	return 0;
}
