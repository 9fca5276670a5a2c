/* SPDX-License-Identifier: MIT */
/* The smallest program that needs the headers, the library and the version. */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	puts(pmuq_version());
	return 0;
}
