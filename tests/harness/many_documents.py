# SPDX-License-Identifier: MIT
"""Documents of many hosts: captured machines of 12 host classes, under other names, with ids of their own."""
import re
import subprocess

MACHINES = """skylake-sp icelake-sp-k6.12 sapphirerapids-k6.12 zen3-epyc zen4-epyc-k6.12 zen1-epyc alderlake-hybrid-k6.12
haswell-client arm64-biglittle ppc64el-power9 s390x-max sandybridge-ep""".split()


def documents(pmuq, machines):
    """The document of each host class, in two parts: before the entry of its host, and after it."""
    for name in MACHINES:
        done = subprocess.run([pmuq, "--sysroot", f"{machines}/{name}", "export"], capture_output=True, text=True, check=True)
        text = re.sub(r"^  entries: .*\n", "", done.stdout, flags=re.MULTILINE)
        yield re.split(r"(?<=^hosts:\n).*?(?=^facts:\n)", text, maxsplit=1, flags=re.MULTILINE | re.DOTALL)


def entry(host):
    """A host in a document, by its number."""
    return (f"- name: host{host:05}\n  hostname: host{host:05}\n  boot_id: \"{host * 7919:032x}\"\n"
            f"  machine_id: \"{host * 104729:032x}\"\n")
