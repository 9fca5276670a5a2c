#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pmuq fit: which events can be counted at the same time, by the counters of tables, CPUs and documents. Prints TAP.
test_fit.py TABLES, which tables.py made."""
import json
import pathlib
import random
import sys
import tarfile
import tempfile

from tap import Tap, machine, pmuq, validated

tap = Tap()
DIRECTORY = tempfile.TemporaryDirectory()
ROOT = pathlib.Path(DIRECTORY.name)
KERNEL, OWN = ("--db", str(ROOT / "kernel.db")), ("--db", str(ROOT / "own.db"))
SKX, SPR = machine("skylake-sp"), machine("sapphirerapids-k6.12")
ZEN3, POWER9, ARM, HYBRID = machine("zen3-epyc"), machine("ppc64el-power9"), machine("arm64-cortex-a57-icount"), machine("alderlake-hybrid-k6.12")

#: Events that are rare in the tables: on one counter, with registers, to be counted alone.
EVENTS = [
    {"EventName": "ONLY_2.A", "EventCode": "0x48", "UMask": "0x1", "Counter": "2"},
    {"EventName": "ONLY_2.B", "EventCode": "0x48", "UMask": "0x2", "Counter": "2"},
    {"EventName": "LOW.A", "EventCode": "0xd1", "UMask": "0x1", "Counter": "0,1"},
    {"EventName": "LOW.B", "EventCode": "0xd1", "UMask": "0x2", "Counter": "0,1"},
    {"EventName": "LOW.C", "EventCode": "0xd1", "UMask": "0x4", "Counter": "0,1"},
    {"EventName": "ANY.A", "EventCode": "0x24", "UMask": "0x1", "Counter": "0,1,2,3"},
    {"EventName": "ANY.CMASK", "EventCode": "0x24", "UMask": "0x1", "Counter": "0,1,2,3", "CounterMask": "1"},
    {"EventName": "INST_RETIRED.ANY", "EventCode": "0x00", "UMask": "0x1", "Counter": "Fixed counter 0"},
    {"EventName": "OFFCORE.A", "EventCode": "0xb7", "UMask": "0x1", "Counter": "0,1,2,3", "MSRIndex": "0x1a6,0x1a7", "MSRValue": "0x1"},
    {"EventName": "OFFCORE.B", "EventCode": "0xb7", "UMask": "0x1", "Counter": "0,1,2,3", "MSRIndex": "0x1a6,0x1a7", "MSRValue": "0x2"},
    {"EventName": "OFFCORE.C", "EventCode": "0xb7", "UMask": "0x1", "Counter": "0,1,2,3", "MSRIndex": "0x1a6,0x1a7", "MSRValue": "0x3"},
    {"EventName": "LATENCY", "EventCode": "0xcd", "UMask": "0x1", "Counter": "0,1,2,3", "MSRIndex": "0x3f6", "MSRValue": "0x8", "TakenAlone": "1"},
    {"EventName": "HALF.A", "EventCode": "0x26", "UMask": "0x1", "Counter": "0,1,2,3", "CounterHTOff": "0,1,2,3"},
    {"EventName": "ALL.A", "EventCode": "0x27", "UMask": "0x1", "Counter": "0,1,2,3", "CounterHTOff": "0,1,2,3,4,5,6,7"},
    {"EventName": "FREE", "EventCode": "0x1", "UMask": "0x1", "Counter": "FREERUN", "Unit": "CHA"},
    {"EventName": "UNC_C.A", "EventCode": "0x35", "UMask": "0x1", "Counter": "0", "Unit": "CHA"},
    {"EventName": "UNC_C.B", "EventCode": "0x36", "UMask": "0x1", "Counter": "0,1", "Unit": "CHA"},
]
COUNTERS = [{"Unit": "core", "CountersNumFixed": "3", "CountersNumGeneric": "4"}, {"Unit": "CHA", "CountersNumFixed": "0", "CountersNumGeneric": "4"}]


def set_up():
    with tarfile.open(sys.argv[1]) as tables:
        tables.extractall(ROOT / "kernel")
    folder = ROOT / "own/x86/tiny"
    folder.mkdir(parents=True)
    (ROOT / "own/x86/mapfile.csv").write_text("Family-model,Version,Filename,EventType\nGenuineIntel-6-55-[01234],v1,tiny,core\n")
    (folder / "events.json").write_text(json.dumps(EVENTS))
    (folder / "counter.json").write_text(json.dumps(COUNTERS))
    for db, tree in ((KERNEL, "kernel"), (OWN, "own")):
        done = pmuq(*db, "vendor", "import", "--no-libpfm4", str(ROOT / tree))
        tap.ok(done.status == 0 and " 0 problems" in done.text, f"the tables of {tree} are imported", done.text, done.stderr)


def fit(*words, on=(*OWN, *SKX), **how):
    done = pmuq(*on, "fit", "--json", *words, **how)
    validated(done.json)
    return done


def sets(*words, on=(*OWN, *SKX)):
    return fit(*words, on=on).json["inputs"][0]["sets"]


def group(*words, on=(*OWN, *SKX)):
    """The first set."""
    return sets(*words, on=on)[0]


def parts_of(one):
    return one["counts"], one["split"], one["reason"]


def changed(name, **facts):
    """The machine with other facts, as a document."""
    text = pmuq(*machine(name), "export").text
    for fact, value in facts.items():
        text = "\n".join(line for line in text.split("\n") if not line.startswith(f"  {fact}:"))
        text = text.replace("  cpuid:", f'  {fact}: "{value}"\n  cpuid:', 1)
    path = ROOT / f"{name}-{'-'.join(f'{fact}-{value}' for fact, value in facts.items())}.yaml"
    path.write_text("\n".join(line for line in text.split("\n") if not line.strip().startswith("entries:")))
    return "--sysroot", str(path)


def counters():
    one = group("{any.a,only_2.a,low.a,low.b}")
    tap.same((one["counts"], one["counters"], [member["counters"] for member in one["members"]]), ("yes", 4, ["0-3", "2", "0,1", "0,1"]),
             "events fit if each has a counter: the first event does not get the first counter")
    tap.same(sorted(member["counter"] for member in one["members"]), ["0", "1", "2", "3"], "each has one of its own")
    done = fit("{only_2.a,any.a,only_2.b}")
    [one] = done.json["inputs"][0]["sets"]
    tap.same((done.status, *parts_of(one)), (3, "no", "{only_2.a,any.a},only_2.b", "2 events compete for 1 counter of cpu: 2"),
             "two events of one counter do not fit; the reason names it, and the split has them apart")
    tap.same([member["competes"] for member in one["members"]], [True, False, True], "they are those that compete")
    tap.same((one["opens"], one["parts"], one["smallest"]), ("no", 2, True), "the kernel does not open such a group")
    one = group("{low.a,low.b,low.c,any.a}")
    tap.same(parts_of(one), ("no", "{low.a,low.b,any.a},low.c", "3 events compete for 2 counters of cpu: 0,1"), "three events of two counters")
    one = group("{low.a,low.b,low.c}:u")
    tap.same(one["split"], "{low.a,low.b}:u,{low.c}:u", "the split keeps the modifiers of the group")
    one = group("{cycles,instructions,ref-cycles,any.a,low.a,low.b,only_2.a}")
    tap.same((one["counts"], [member["counter"] for member in one["members"]][:3]), ("yes", ["fixed 1", "fixed 0", "fixed 2"]),
             "fixed counters leave the generic ones to others")
    one = group("{cpu/event=0xc0,cmask=1/,any.a,low.a,low.b,only_2.a}")
    tap.same(one["counts"], "no", "but not for events with filters")
    one = group("{cpu/event=0x24,umask=1,cmask=7/,any.a}")
    tap.same([member["counters"] for member in one["members"]], ["0-3", "0-3"], "an event has the counters of those with its event and umask")
    one = group("{r48,only_2.a}")
    tap.same((one["counts"], one["members"][0]["counters"], one["reason"]), ("unknown", None, "it is not known which counters can count 'r48'"),
             "it is not known of other events")
    tap.same(group("{r48,r148,r248,r348}")["counts"], "no", "… but some results do not depend on it")
    tap.same(sets("r48")[0]["counts"], "yes", "an event without a rival has a counter")
    found = sets("low.a,low.b,low.c")
    tap.same([(one["leader"], one["counts"], one["opens"], one["split"]) for one in found], [(None, "no", "yes", "{low.a,low.b},low.c")],
             "events that are not in a group take turns, and the split is what to write")
    tap.same(fit("low.a,low.b,low.c").status, 0, "which is not a failure")


def registers():
    one = group("{offcore.a,offcore.b}")
    tap.same((one["counts"], one["members"][0]["register"]), ("yes", "offcore_rsp"), "two values of offcore_rsp have two registers")
    one = group("{offcore.a,offcore.b,offcore.c}")
    tap.same(parts_of(one), ("no", "{offcore.a,offcore.b},offcore.c", "3 events need different values of offcore_rsp, and cpu can have 2"), "three have not")
    tap.same(group("{offcore.a,offcore.a:k,offcore.b}")["counts"], "yes", "equal values share one")
    tap.same(group("{cpu/event=0xb7,umask=1,offcore_rsp=0x10/,offcore.a,offcore.b}")["counts"], "no", "also those of events that are not in the table")
    one = group("{latency,any.a}")
    tap.same((*parts_of(one), one["opens"]), ("no", "latency,any.a", "by the vendor's table 'latency' must be counted alone", "yes"),
             "an event that must be alone; the kernel does not know that")
    tap.same(group("{latency,cycles,instructions}")["counts"], "yes", "next to it are fixed counters")


def uncore():
    found = sets("{uncore_cha/unc_c.a/,uncore_cha/unc_c.b/}")
    tap.same([(one["pmu"], one["counts"]) for one in found], [("uncore_cha_0", "yes")], "instances with the same events are one set")
    tap.ok(found[0]["n_pmus"] > 1, "which has their number", found)
    one = group("{uncore_cha/unc_c.a/,uncore_cha/unc_c.a,edge/}")
    tap.same(one["reason"], "2 events compete for 1 counter of uncore_cha_0: 0", "uncore PMUs have counters, too")
    tap.same(group("{uncore_cha/free/,uncore_cha/unc_c.a/}")["members"][0]["counters"], "own", "free-running counters are nobody else's")
    filters = "uncore_cha_0/event=0x36,umask=1,filter_tid={}/"
    one = group("{" + filters.format(1) + "," + filters.format(2) + "}")
    tap.same((one["counts"], one["members"][0]["register"]), ("no", "filter_tid"), "the filters of a unit are for all of its counters")
    tap.same(group("{" + filters.format(1) + "," + filters.format(1) + "}")["counts"], "yes", "equal ones do not compete")


def topdown():
    on = (*KERNEL, *SPR)
    one = group("{slots,topdown-retiring,topdown-bad-spec,cycles,instructions}", on=on)
    tap.same((one["counts"], [(member["counters"], member["counter"]) for member in one["members"]][:3]), ("yes", [("fixed 3", "fixed 3"), ("none", None), ("none", None)]),
             "topdown metrics need slots, and no counter")
    one = group("{topdown-retiring,topdown-bad-spec}", on=on)
    tap.same((one["counts"], one["members"][0]["is_added"]), ("yes", True), "pmuq adds slots")
    one = group("--as-written", "{cycles,topdown-retiring}", on=on)
    tap.same((one["counts"], one["reason"]), ("no", "'topdown-retiring' needs the event slots in its group"), "without slots they are never counted")
    wide = ",".join(f"cpu/event=0x24,umask={hex(16 * i)}/" for i in range(1, 10))
    one = group("{slots,topdown-retiring," + wide + "}", on=on)
    tap.ok(one["counts"] in ("no", "unknown") and (not one["split"] or "{slots,topdown-retiring" in one["split"]), "a split keeps them with slots", one)


def documents():
    one = group("{r1,r2,r4,r5,r6,r7,r8}:u", on=ZEN3)
    tap.same(parts_of(one), ("no", "{r1,r2,r4,r5,r6,r7}:u,{r8}:u", "7 events compete for 6 counters of cpu: 0-5"), "AMD's cores have six counters")
    one = group("{r3,r103,r203,r1}", on=ZEN3)
    tap.same(parts_of(one), ("no", "{r3,r103,r203},r1", "4 events, some of which need two counters, compete for 6 counters of cpu: 0-5"),
             "an event that counts much in a cycle takes two")
    tap.same(group("{r3,r103,r1,r2}", on=ZEN3)["counts"], "yes", "two of them leave two counters")
    one = group("{cpu_cycles,inst_retired,r2,r3,r4,r5,r6}", on=ARM)
    tap.same((one["counts"], one["members"][0]["counter"]), ("yes", "fixed 0"), "Cortex-A57 has six counters, and one for cycles")
    events = ",".join(f"r{i}" for i in range(1, 8))
    one = group("{" + events + "}", on=ARM)
    tap.same((one["counts"], one["parts"]), ("no", 2), "seven other events do not fit")
    groups = [group("{" + ",".join(["cycles"] * n) + "}", on=ARM) for n in (7, 8, 9)]
    tap.same([(one["opens"], one["counts"]) for one in groups], [("yes", "yes"), ("unknown", "no"), ("no", "no")],
             "Arm's driver does not check a leader that is opened disabled")
    tap.same(group("{r10002,r20004}", on=POWER9)["counts"], "unknown", "constraints of POWER are not known")
    tap.same(group("{" + ",".join(f"r{i}0004" for i in range(1, 8)) + "}", on=POWER9)["counts"], "no", "but it has six counters")
    one = sets("task-clock,context-switches,page-faults", on=ZEN3)
    tap.same([(x["counts"], x["counters"], x["members"][0]["counters"]) for x in one], [("yes", 0, "none")], "software events need no counter")
    one = sets("power/energy-pkg/,power/energy-pkg/", on=ZEN3)
    tap.same([x["members"][0]["counters"] for x in one], ["own"], "energy has a counter of its own")
    one = group("{cycles,task-clock,r1}", on=ZEN3)
    tap.same([member["counters"] for member in one["members"]], ["0-5", "none", "0-5"], "a group may have both")
    tap.same(sets("cycles", on=machine("s390x-max"))[0]["counts"], "yes", "also on a machine that does not show the PMU of an event")
    tap.same(group("{cycles,instructions}", on=(*machine("pentium4"),))["reason"], "it is not known how many counters cpu has", "without a source the number is not known")


def facts():
    group4 = "{any.a,low.a,low.b,only_2.a}"
    watched = (*OWN, *changed("skylake-sp", nmi_watchdog=1))
    tap.same(group(group4, on=watched)["counts"], "yes", "the watchdog takes the fixed counter of cycles")
    one = group("{cycles:u," + group4[1:], on=watched)
    tap.same((*parts_of(one), one["opens"]),
             ("no", "cycles:u,{any.a,low.a,low.b,only_2.a}", "5 events and the NMI watchdog compete for 5 counters of cpu: 0-3, fixed 1", "yes"),
             "so cycles need a generic one; the kernel opens such a group, and never counts it")
    tap.same(group("{cycles:u," + group4[1:])["counts"], "yes", "without the watchdog they fit")
    zen = changed("zen3-epyc", nmi_watchdog=1)
    tap.same(group("{r1,r2,r4,r5,r6,r7}", on=zen)["counts"], "no", "on AMD it takes one of six")
    one = group("{" + ",".join(["cycles"] * 7) + "}", on=changed("arm64-cortex-a57-icount", nmi_watchdog=1))
    tap.same((one["counts"], one["reason"]), ("unknown", "it depends on whether the kernel's watchdog takes a counter"),
             "on other CPUs than x86 the watchdog may need no counter")
    five = "{any.a,any.cmask,low.a,low.b,only_2.a}"
    tap.same(group(five)["counts"], "no", "a thread has half of the counters with SMT")
    off = (*OWN, *changed("skylake-sp", smt="off"))
    for name, smt, is_off, why in (("half.a", "no", "no", "the table lists the counters of a core without SMT"), ("all.a", "no", "unknown", "which may have eight"),
                                   ("any.a", "no", "unknown", "without a list, four counters of a thread can be the core's eight")):
        group_of_five = "{" + ",".join([name] * 5) + "}"
        tap.same((group(group_of_five)["counts"], group(group_of_five, on=off)["counts"]), (smt, is_off), f"SMT is off: {why}")
    one = group(five, on=(*OWN, *changed("skylake-sp", smt="off")))
    tap.same((one["counts"], one["reason"]), ("unknown", "it depends on whether SMT is off in the firmware"), "without SMT it may have all")
    one = group("{any.a,low.a}", on=(*OWN, *changed("skylake-sp", hypervisor="kvm")))
    tap.same((one["counts"], one["reason"]), ("unknown", "the machine is a guest: it is not known how many counters cpu has"), "a guest may have fewer")


def core_types():
    found = sets("{cpu_core/cycles/,cpu_core/instructions/}", on=(*KERNEL, *HYBRID))
    tap.same([(one["pmu"], one["counts"]) for one in found], [("cpu_core", "yes")], "core types have counters of their own")
    found = sets("cycles,instructions", on=(*KERNEL, *HYBRID))
    tap.same(sorted(one["pmu"] for one in found), ["cpu_atom", "cpu_core"], "an event on both is in two sets")


def metrics():
    done = fit("--metric", "TopdownL1", on=(*KERNEL, *SKX))
    found = [one for entry in done.json["inputs"] for one in entry["sets"]]
    tap.ok(found and all(one["counts"] != "unknown" for one in found), "the events of metrics are matched, too", found)
    done = fit("--metric", "tma_l3_bound", "--dialect", "perf", on=(*KERNEL, *SKX))
    [entry] = done.json["inputs"]
    tap.same((entry["sets"][0]["counts"], done.status), ("no", 3), "perf opens a group of a metric that never counts")
    parts, split = entry["sets"][0]["parts"], entry["sets"][0]["split"]
    done = fit("--metric", "tma_l3_bound", on=(*KERNEL, *SKX))
    [entry] = done.json["inputs"]
    groups = [one for one in entry["sets"] if one["leader"] is not None]
    tap.same([one["counts"] for one in groups], ["yes"] * entry["input"].count("}:W"), "pmuq's dialect has groups that fit")
    tap.same((len(groups), sorted(entry["input"].replace("}:W", "").replace("{", "").split(","))),
             (parts - 1, sorted(split.replace("}:W", "").replace("{", "").split(","))), "as few as possible, with the same events; one of them is alone")
    events = pmuq(*KERNEL, *SKX, "encode", "--no-open", "--json", "--metric", "tma_l3_bound").json
    [metric] = events["metrics"]
    names = [encoding["name"] for encoding in events["inputs"][0]["encodings"]]
    tap.ok(metric["needs"] and all(names[one["index"]] == one["event"] for one in metric["needs"]),
           "an event of the metric is still found in its list", metric["needs"], names)
    [one] = pmuq(*KERNEL, *SPR, "list", "metrics", "--json", "tma_retiring").json["metrics"]
    tap.ok(len(one["events"]) > one["counters"] == 1, "topdown metrics take no counter but that of slots", one["counters"], one["events"])
    on = (*KERNEL, *changed("skylake-sp", nmi_watchdog=1))
    more = fit("--metric", "tma_l3_bound", on=on).json["inputs"][0]["sets"]
    tap.ok(all(one["counts"] == "yes" for one in more if one["leader"] is not None), "also next to the watchdog", more)


def splits():
    """A split that is written as an event string fits, and its parts are as many as were found."""
    chance = random.Random(20)
    names = [one["EventName"].lower() for one in EVENTS if one["Counter"] != "FREERUN" and not one["EventName"].startswith("UNC_")]
    groups = ["{" + ",".join(chance.choice([*names, "cycles", "instructions", "cpu/event=0x24,umask=1,cmask=3/"]) for _ in range(chance.randint(2, 12))) + "}"
              for _ in range(100)]
    found = [entry["sets"][0] for entry in fit("-f", "-", stdin="\n".join(groups).encode()).json["inputs"]]
    unfit = [one for one in found if one["counts"] == "no"]
    again = [entry["sets"] for entry in fit("-f", "-", stdin="\n".join(one["split"] for one in unfit).encode()).json["inputs"]]
    tap.ok(20 < len(unfit) < 100 and all(one["parts"] > 1 for one in unfit), "many random groups do not fit, and each has a split", len(unfit))
    wrong = [one["split"] for one, parts in zip(unfit, again) if any(part["counts"] != "yes" for part in parts if part["leader"] is not None)]
    tap.same(wrong, [], "all groups of a split fit")
    rest = [one for one, parts in zip(unfit, again) if one["counters"] != sum(part["counters"] for part in parts if part["leader"] is None)]
    tap.same([one["split"] for one in rest], [], "a split has the same events")


def shown():
    def counters_of(pmu, on):
        done = pmuq(*on, "show", "--json", pmu)
        validated(done.json)
        one = done.json["shown"][0]["counters"]
        return one and (one["generic"], one["generic_most"], one["generic_source"], one["fixed"], one["watchdog"])

    skx = (*KERNEL, *SKX)
    tap.same(counters_of("cpu", skx), (4, 4, "table", 3, False), "show has the counters of the vendor's table")
    tap.same(counters_of("uncore_imc", skx)[:2], (4, 4), "also of uncore PMUs")
    tap.same(counters_of("cpu_atom", (*KERNEL, *HYBRID)), (6, 6, "events", 3, False), "of a core type those that its events name")
    tap.same(counters_of("cpu", ZEN3), (6, 6, "manual", 0, False), "documented ones need no table")
    tap.same(counters_of("armv8_cortex_a53", machine("arm64-biglittle"))[:3], (6, 6, "manual"), "of Arm's cores by name")
    tap.same(counters_of("cpu", SKX), None, "without a source they are not known")
    tap.same(counters_of("cpu", (*OWN, *changed("skylake-sp", smt="off", nmi_watchdog=1))), (4, 8, "table", 3, True), "SMT and the watchdog matter")
    tap.same(pmuq(*ZEN3, "show", "--json", "msr").json["shown"][0]["counters"]["unlimited"], True, "events of msr do not compete")
    text = pmuq(*OWN, *changed("skylake-sp", smt="off", nmi_watchdog=1), "show", "cpu").text
    tap.ok("counters 4, or 8 if SMT is off in the firmware, and 3 for one event each (the vendor's table); the NMI watchdog takes one" in " ".join(text.split()),
           "the text has it in words", text)


def warnings():
    done = pmuq(*OWN, *SKX, "encode", "--no-open", "--json", "any.a,{only_2.a,any.a,only_2.b}:u")
    validated(done.json)
    found = [(i, one["code"], one["hint"]) for i, encoding in enumerate(done.json["inputs"][0]["encodings"]) for one in encoding["warnings"]]
    tap.same((done.status, found), (0, [(1, "PMUQ-250", "the fewest groups that fit: {only_2.a,any.a}:u,{only_2.b}:u")]), "encode warns at the leader of such a group")
    text = pmuq(*OWN, *SKX, "encode", "--no-open", "{only_2.a,any.a,only_2.b}")
    tap.ok("warning[PMUQ-250]" in text.text and "^^^^" in text.text, "with a caret", text.text)
    hexed = pmuq(*OWN, *SKX, "encode", "--no-open", "--hex", "{only_2.a,any.a,only_2.b}")
    tap.ok(hexed.status == 0 and "PMUQ-250" in hexed.stderr, "also on stderr", hexed.stderr)
    done = pmuq(*OWN, *SKX, "encode", "--no-open", "--strict", "{only_2.a,any.a,only_2.b}")
    tap.ok(done.status == 1 and "PMUQ-250" in done.stderr, "with --strict it is an error", done.stderr)
    done = pmuq(*OWN, *SKX, "encode", "--no-open", "--json", "{only_2.a,any.a,only_2.b}:W", "{r48,r148}", "only_2.a,only_2.b")
    tap.same([one["warnings"] for entry in done.json["inputs"] for one in entry["encodings"]], [[]] * 7,
             "not for a weak group, which tools split, nor if it is not known, nor for events that take turns")
    done = pmuq(*SKX, "encode", "--no-open", "--json", "{r1,r2,r3,r4,r5,r6,r7,r8,r9,ra,rb,rc,rd,re,rf}")
    tap.same(done.json["inputs"][0]["encodings"][0]["warnings"], [], "without a table nothing is matched")
    many = ["{only_2.a,only_2.b}"] * 1100
    done = pmuq(*OWN, *SKX, "encode", "--no-open", "--jsonl", *many)
    tap.same(done.text.count("PMUQ-250"), 1100, "a long list has all warnings")


def words():
    text = pmuq(*OWN, *SKX, "fit", "{only_2.a,any.a,only_2.b}").text
    for line in ("group of 3 on cpu", "counts   no: 2 events compete for 1 counter of cpu: 2", "only_2.a: 2; takes 2 in part 1 (competes)",
                 "smallest {only_2.a,any.a},only_2.b"):
        tap.ok(line in text, f"the text has '{line}'", text)
    done = pmuq(*OWN, *SKX, "fit", "nothing_like_this")
    tap.ok(done.status == 1 and "PMUQ-" in done.stderr, "an invalid event is an error", done.stderr)


set_up()
for part in (counters, registers, uncore, topdown, documents, facts, core_types, metrics, splits, shown, warnings, words):
    part()
tap.finish()
