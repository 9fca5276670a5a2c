/* SPDX-License-Identifier: MIT */
/* Wait until this machine changes (here: until a timer runs out after 10 ms), and read it again: */
#include <poll.h>
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_watch_options options = {
		.size = sizeof(options),
		.timer_ms = 10,
	};
	const struct pmuq_watch_change *change = NULL;
	struct pmuq_source *machine = NULL;
	struct pmuq_watch *watch = NULL;
	bool is_changed = false;
	struct pollfd fd = { .events = POLLIN };

	if (pmuq_watch_open(&options, &watch, NULL) < 0 ||
		pmuq_source_open_live(&machine, NULL) < 0 ||
		pmuq_source_refresh(machine, &is_changed, NULL) < 0)
		return 1;
	fd.fd = pmuq_watch_fd(watch);
	while (!change && poll(&fd, 1, -1) > 0)
		change = pmuq_watch_next(watch);
	if (change && pmuq_source_refresh(machine, &is_changed, NULL) == 0)
		printf("the machine %s\n", is_changed ? "is different" : "is as it was");
	pmuq_watch_free(watch);
	pmuq_source_free(machine);
	return 0;
}
