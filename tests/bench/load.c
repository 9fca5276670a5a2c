/* SPDX-License-Identifier: MIT */
/* A process that does nothing, and (EMPTY) an empty library. */
#ifdef EMPTY
int empty(void);

int empty(void)
#else
int main(void)
#endif
{
	return 0;
}
