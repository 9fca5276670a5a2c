#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_browser.py MAKE_HOSTS [PICTURES]: the pages of `pmuq report` as people see them, in a real Chromium: wide and narrow, light and
dark, with and without JavaScript, by keyboard, on paper. Pictures of each go into the directory PICTURES."""
import pathlib
import subprocess
import sys
import tempfile

import browser
from tap import MACHINES, Tap, machine, pmuq

tap = Tap()
WIDE, NARROW = 1280, 400
# AA of the Web Content Accessibility Guidelines 2.2, 1.4.3: 3 for large or bold texts, else 4.5.
CONTRAST = """(() => {
    const parse = text => (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = element => { for (; element; element = element.parentElement) {
        const color = parse(getComputedStyle(element).backgroundColor); if (color.length < 4 || color[3] > 0) return color; }
        return [255, 255, 255]; };
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
        if (!element.checkVisibility() || ![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
        const style = getComputedStyle(element), one = light(parse(style.color)), other = light(ground(element));
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (ratio < 4.5) found.push(element.tagName + " " + ratio.toFixed(2) + " " + element.textContent.trim().slice(0, 30));
    }
    return found.slice(0, 5); })()"""
# Texts that are cut off without a way to reach the rest.
TOO_WIDE = """document.documentElement.scrollWidth - innerWidth"""
OPEN_ALL = "document.querySelectorAll('details').forEach(part => part.open = true)"


def show_page(tab, name, path):
    for width in (WIDE, NARROW):
        for dark in (False, True):
            where = f"{name}, {width} px, {'dark' if dark else 'light'}"
            tab.open(path, width=width, dark=dark)
            tap.same(tab.complaints(), [], f"{where}: the browser loads nothing and has no complaint")
            if pictures:
                tab.picture(pictures / f"{name.replace(' ', '-')}-{width}-{'dark' if dark else 'light'}.png")
            tab.run(OPEN_ALL)
            tap.same(tab.run(TOO_WIDE), 0, f"{where}: nothing sticks out, also if all parts are open")
            tap.same(tab.run(CONTRAST), [], f"{where}: texts have the contrast of AA")
    shown = tab.run("document.body.innerText")
    tab.open(path, scripts=False)
    tap.ok(not tab.run("document.querySelector('input')"), f"{name}: without JavaScript there is no field that does nothing")
    tab.call("Emulation.setScriptExecutionDisabled", value=False)
    tab.run(OPEN_ALL)
    words = [line for line in shown.splitlines() if line.strip() and "Find a" not in line]
    plain = tab.run("document.body.innerText")
    tap.same([word for word in words if word not in plain], [], f"{name}: without JavaScript everything is there")


def search(tab, path):
    tab.open(path)
    tab.press("/")
    tap.same(tab.run("document.activeElement.tagName"), "INPUT", "the key / goes to the first field")
    tab.run("document.querySelectorAll('input')[1].focus()")
    for key in "mem-loads":
        tab.press(key)
    rows = tab.run("[...document.querySelectorAll('.matrix tbody tr')].filter(row => row.checkVisibility()).map(row => row.cells[0].innerText)")
    tap.ok(rows and all("mem-loads" in row for row in rows), "the field finds events", rows)
    number = tab.run("document.querySelectorAll('output')[1].value")
    tap.ok(number.startswith(f"{len(rows)} of "), "and shows how many", number)


def keyboard(tab, path):
    """TAB reaches each part, and Enter opens it."""
    tab.open(path)
    tab.run("document.querySelector('input').focus()")
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
    tap.same(tab.run("document.activeElement.tagName"), "SUMMARY", "TAB goes from the field to the first part")
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    tap.ok(tab.run("document.activeElement.parentElement.open"), "Enter opens it")
    width = tab.run("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
    tap.ok(width >= 2, "where the keyboard is can be seen", width)


def paper(tab, path):
    tab.open(path)
    tab.run("dispatchEvent(new Event('beforeprint'))")
    tap.same(tab.run("document.querySelectorAll('details:not([open])').length"), 0, "on paper all parts are open")
    tab.call("Emulation.setEmulatedMedia", media="print")
    tap.same(tab.run("getComputedStyle(document.querySelector('label')).display"), "none", "and there are no fields")
    tab.call("Emulation.setEmulatedMedia", media="")
    tab.run("dispatchEvent(new Event('afterprint'))")
    tap.ok(tab.run("document.querySelectorAll('details:not([open])').length") > 0, "afterwards they are closed again")


def main(folder):
    database = str(folder / "hosts.db")
    subprocess.run([sys.argv[1], str(MACHINES), database], check=True)
    (folder / "events.txt").write_text("cycles\ncpu/mem-loads,ldlat=30/\nnonsense\n")
    pages = {"a host": [*machine("skylake-sp"), "report"],
             "a checked host": ["--db", database, "--host", "web3", "report"],
             "all hosts": ["--db", database, "report", "--all-hosts", "--file", str(folder / "events.txt")],
             "a change": ["--db", database, "report", "diff", "lab1@2", "lab1"]}
    with browser.Browser() as tab:
        for name, words in pages.items():
            path = folder / f"{name.replace(' ', '-')}.html"
            path.write_bytes(pmuq(*words).out)
            show_page(tab, name, path)
        search(tab, folder / "all-hosts.html")
        keyboard(tab, folder / "a-host.html")
        paper(tab, folder / "a-host.html")


pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
if not browser.find():
    print("1..0 # SKIP chromium is not installed: scripts/pages.sh installs it")
else:
    with tempfile.TemporaryDirectory() as directory:
        main(pathlib.Path(directory))
    tap.finish()
