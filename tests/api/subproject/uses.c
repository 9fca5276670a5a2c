/* SPDX-License-Identifier: MIT */
/* The least that shows that headers, library and version are there. */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	puts(pmuq_version());
	return 0;
}
