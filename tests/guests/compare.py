#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the output of guests with known.toml.

compare.py names [ARCH...]       the guests, or those of these architectures, or of these names
compare.py field GUEST FIELD     a field of a guest: arch, suite, cpu, ... ("" if it is missing)
compare.py events GUEST DIR      writes the lists of events for guest.sh
compare.py judge GUEST DIR       prints TAP: a line for each entry of the table; fails if one differs"""
import fnmatch
import json
import pathlib
import sys
import tomllib

KNOWN = pathlib.Path(__file__).with_name("known.toml")
# A missing field has the value of another one, or this text.
SAME_AS = {"userland": "suite"}
DEFAULTS = {"script": "guest.sh", "cpus": "2", "timeout": "900"}


def guests():
    with open(KNOWN, "rb") as table:
        return tomllib.load(table)["guest"]


def guest_named(name):
    found = [guest for guest in guests() if guest["name"] == name]
    return found[0] if found else sys.exit(f"compare.py: no guest '{name}'")


class Results:
    """The files that guest.sh wrote."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def text(self, name, suffix="out"):
        path = self.path / f"{name}.{suffix}"
        return path.read_text(errors="replace") if path.exists() else ""

    def status(self, name):
        return self.text(name, "status").strip()

    def rows(self, name):
        """The rows of a table: the only array of its document. A command that failed has no document."""
        document = json.loads(self.text(name) or "{}")
        return next((part for part in document.values() if isinstance(part, list)), [])

    def inputs(self, name):
        """Event string to its result."""
        return {result["input"]: result for result in self.rows(name)}


class Judge:
    def __init__(self):
        self.count, self.failed = 0, 0

    def check(self, is_right, what, why=""):
        self.count += 1
        self.failed += not is_right
        print(f"{'ok' if is_right else 'not ok'} {self.count} - {what}")
        if not is_right and why:
            print(f"# {why}")

    def end(self):
        print(f"1..{self.count}")
        return 1 if self.failed or not self.count else 0


def opened(result):
    """The open result of an input: "opens", an errno, or another error."""
    if not result:
        return "no result"
    if not result["ok"]:
        return f"no event: {result['error']['message']}"
    refused = [one["open"] for one in result["encodings"] if one["open"]["status"] != "opened"]
    return refused[0].get("errno_name", refused[0].get("reason")) if refused else "opens"


def judge_pmus(judge, guest, results):
    found = {row["name"]: [row["formats"], row["events"]] for row in results.rows("pmus")}
    tracepoints = int(results.text("tracepoints") or 0)
    for pattern, (formats, events) in guest["pmus"].items():
        want = [formats, tracepoints if events == "tracefs" else events]
        got = {name: found.pop(name) for name in fnmatch.filter(sorted(found), pattern)}
        is_right = bool(got) and all(sizes == want for sizes in got.values())
        judge.check(is_right, f"PMU {pattern} has {want[0]} formats, {want[1]} events", f"found {got}")
    judge.check(not found, "there is no other PMU", f"found {found}")


def judge_facts(judge, guest, results):
    found = {row["fact"]: row["text"] for row in results.rows("facts")}
    for name, value in guest.get("facts", {}).items():
        judge.check(found.get(name) == value, f"{name} is {value}", f"found {found.get(name)}")


def known_of_root(guest, results):
    """Event string to its expected open result, for events of the table and all events of its PMUs."""
    known = dict(guest["root"])
    for row in results.rows("list-events"):
        for pattern, outcome in guest.get("every", {}).items():
            if fnmatch.fnmatchcase(row["pmu"], pattern):
                known.setdefault(f"{row['pmu']}/{row['event']}/", outcome)
    return known


def judge_opens(judge, known, results):
    inputs = results.inputs("root")
    for event, outcome in known.items():
        want = outcome if outcome.startswith("E") else "opens"
        got = opened(inputs.get(event))
        judge.check(got == want, f"root: {event}: {want}", f"got {got}")


def judge_bytes(judge, guest, results):
    inputs = results.inputs("root")
    for event, want in guest.get("bytes", {}).items():
        got = [one["attr_hex"] for one in inputs.get(event, {}).get("encodings", [])]
        judge.check(got == [want.replace(" ", "")], f"bytes: {event}", f"got {got}")


def counted(result):
    """The result of counting, in the words of the table."""
    if opened(result) != "opens":
        return opened(result)
    words = {"counted": "counts", "multiplexed": "counts", "always-zero": "zero", "never-scheduled": "waits"}
    found = {words.get(one["count"]["status"], one["count"]["status"]) for one in result["encodings"]}
    return " and ".join(sorted(found))


def judge_counts(judge, known, results):
    inputs = results.inputs("count")
    for event, want in known.items():
        got = counted(inputs.get(event))
        is_right = got in ("counts", "zero") if want == "opens" else got == want
        judge.check(is_right, f"count: {event}: {want}", f"got {got}")


def judge_groups(judge, guest, results):
    """Whether all events of a group count together, as pmuq expects and as the kernel does; no expectation is wrong."""
    inputs = results.inputs("count")
    for group, want in guest.get("groups", {}).items():
        found = inputs.get(group, {}).get("groups") or [{}]
        judge.check(found[0].get("predicts_count") == want, f"group: {group}: {want}", found[0])
    wrong = [name for name, result in inputs.items() for group in result.get("groups", []) if group["agrees"] == "no"]
    judge.check(not wrong, "the kernel does with each group what pmuq expects", wrong)


def judge_scan(judge, known, results):
    """scan --check stores the open result of each event in the table."""
    judge.check(results.status("scan") == "0", "scan --check", results.text("scan", "err"))
    for row in results.rows("scanned"):
        event = f"{row['pmu']}/{row['event']}/"
        outcome = known.get(event, "")
        want = f"no: {outcome}" if outcome.startswith("E") else "yes"
        judge.check(row["opens"] == want, f"scan: {event}: {want}", f"got {row['opens']}")


def judge_pages(judge, guest, results):
    inputs = results.inputs("page")
    for event, want in guest.get("page", {}).items():
        pages = [one.get("page", {}) for one in inputs.get(event, {}).get("encodings", [])]
        got = {"read" if page.get("is_read") and page["value"] else page.get("reason", "") for page in pages}
        judge.check(len(got) == 1 and want in got.pop(), f"page: {event}: {want}", f"got {pages}")


def judge_user(judge, guest, results):
    inputs = results.inputs("user")
    for event, want in guest.get("user", {}).items():
        result = inputs.get(event)
        if want == "opens":
            judge.check(opened(result) == "opens", f"user: {event}: opens", f"got {opened(result)}")
            continue
        judge.check(opened(result) == want["errno"], f"user: {event}: {want['errno']}", f"got {opened(result)}")
        status = result["encodings"][0]["open"] if result and result["ok"] else {}
        for part in ("reason", "hint"):
            text = status.get(part, "")
            judge.check(all(words in text for words in want[part]), f"user: {event}: its {part}", f"got '{text}'")


def judge_tests(judge, guest, results):
    for path in sorted(results.path.glob("test_*.status")):
        bad = [line for line in results.text(path.stem).splitlines() if line.startswith("not ok") and "# SKIP" not in line]
        judge.check(results.status(path.stem) in ("0", "77") and not bad, path.stem, "; ".join(bad))
        if results.status(path.stem) != "0" or "root" not in guest:
            print("\n".join(line for line in results.text(path.stem).splitlines() if line.startswith("# ")))


def judge_command(judge, guest, results):
    known = known_of_root(guest, results)
    judge_pmus(judge, guest, results)
    judge_facts(judge, guest, results)
    judge_opens(judge, known, results)
    judge_bytes(judge, guest, results)
    judge_counts(judge, known, results)
    judge_groups(judge, guest, results)
    judge_scan(judge, known, results)
    judge_pages(judge, guest, results)
    judge_user(judge, guest, results)
    judge.check(not results.text("probes"), "no probe is left", results.text("probes"))


def judge_guest(name, path):
    guest, results, judge = guest_named(name), Results(path), Judge()
    print(f"# {name}: {results.text('release').strip()}")
    # Other guests run tests only, which print figures.
    if "root" in guest:
        judge_command(judge, guest, results)
    judge_tests(judge, guest, results)
    return judge.end()


def write_events(name, path):
    guest = guest_named(name)
    for file, known in (("events", "root"), ("group-events", "groups"), ("page-events", "page"), ("user-events", "user")):
        text = "".join(f"{event}\n" for event in guest.get(known, {}))
        (pathlib.Path(path) / file).write_text(text)
    return 0


def print_names(wanted):
    names = [guest["name"] for guest in guests() if not wanted or {guest["name"], guest["arch"]} & set(wanted)]
    print("\n".join(names))
    return 0 if names else 1


def print_field(name, field):
    guest = guest_named(name)
    print(guest.get(field, guest.get(SAME_AS.get(field), DEFAULTS.get(field, ""))))
    return 0


def main():
    command, *words = sys.argv[1:]
    if command == "names":
        return print_names(words)
    return {"field": print_field, "events": write_events, "judge": judge_guest}[command](*words)


if __name__ == "__main__":
    sys.exit(main())
