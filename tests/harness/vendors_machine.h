/* SPDX-License-Identifier: MIT */
/* A machine, the events that a vendor's table has for it, and strings with their names: found,
 * open, deprecated, of another machine, wrong. */
#pragma once

#include "tests/harness/build.h"
#include "tests/harness/build_vendor.h"

static const struct test_pmu vendors_machine[] = {
	{ .name = "cpu",
	  .type = 4,
	  .formats = "event config:0-7; umask config:8-15; inv config:23; ldlat config1:0-15",
	  .events = "cpu-cycles event=0x3c; mem-loads event=0xcd,umask=1,ldlat=3" },
	TEST_TWO_INSTANCES,
	{ .name = "hbox_0", .type = 30, .cpumask = "0", .formats = "event config:0-7" },
	{ .name = "hbox_1", .type = 31, .cpumask = "0", .formats = "event config:0-7" },
};

static const struct test_event vendors_events[] = {
	{ "a_old", "default_core", "event=0xd1,umask=0x20", .is_deprecated = true },
	{ "both", "box", "event=7" },
	{ "both", "default_core", "event=8" },
	{ "box.open", "box", "event=?" },
	{ "box.tick", "box", "event=1" },
	{ "cpu_clk.thread", "default_core", "event=0x3c" },
	{ "elsewhere", "uncore_imc", "event=1" },
	{ "hbox.tick", "hbox", "event=1", .compat = "v1" },
	{ "mem.l3_miss", "default_core", "event=0xd1,period=100,umask=0x20" },
	{ "tick", "hbox", "event=9" },
	{ "wrong", "default_core", "event=0xd1,nonsense=0x20" },
};

static const char *const vendors_strings[] = {
	"mem.l3_miss",
	"MEM.L3_MISS:u",
	"mem.l3_mis",
	"a_old:u",
	"cpu/a_old,inv/",
	"cpu/mem.l3_mis/",
	"cpu/event=0xd1,umask=0x20,inv/",
	"box.tick",
	"box/box.tick/",
	"box_0/box.tick/",
	"box*/box.tick/",
	"box/box.open/",
	"box_0/event=1/",
	"hbox.tick",
	"hbox/tick/",
	"hbox_0/event=9/",
	"tick",
	"both",
	"elsewhere",
	"wrong",
	"none",
	"{a_old,cpu_clk.thread}",
};
