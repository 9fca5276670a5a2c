#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""summary.py STEPS_PASSED STEPS_FAILED REPORT...: counts the cases of meson's JUnit reports, prints the names of the
failed ones, and ends with one line: N passed, N failed, N skipped."""
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

#: meson copies what a test prints, but XML cannot contain these.
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def main():
    passed, failed, skipped = int(sys.argv[1]), int(sys.argv[2]), 0
    for path in sys.argv[3:]:
        text = NOT_XML.sub("?", pathlib.Path(path).read_text("utf-8", "replace"))
        for suite in tree.fromstring(text.encode()).iter("testsuite"):
            for case in suite.iter("testcase"):
                if case.find("failure") is not None or case.find("error") is not None:
                    failed += 1
                    print(f"FAILED  {path.split('/')[0]}: {suite.get('name')}: {case.get('name')}")
                elif case.find("skipped") is not None:
                    skipped += 1
                else:
                    passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
