// SPDX-License-Identifier: MIT

// Package cases reads the files of tests/cases/ and prints results in their form, for the tests of both clients. The format is in
// tests/cases/README.md.
package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pmuq.dev/pmuq/perfevent"
)

// A Case is an event string, how to encode it, and the expected lines.
type Case struct {
	Where     string // FILE:LINE
	Machine   string
	IsPerf    bool   // the dialect
	Preset    string // "", "stat" or "record"
	AsWritten bool
	Event     string
	Wanted    string
}

// An Encoding in the form of both clients.
type Encoding struct {
	PMU, Origin, CPUs, ProbeField, ProbeText, Unit, Scale, Name, GroupName string
	Attr                                                                   perfevent.Attr
	Event, Leader, Members                                                 int
	Added, PerPkg, Snapshot                                                bool
	ToolTerms                                                              [][2]string
	Warnings                                                               []*perfevent.Error
}

// Machine returns the directory of a captured machine. Without PMUQ_TEST_MACHINES the test is skipped.
func Machine(t testing.TB, name string) string {
	directory := os.Getenv("PMUQ_TEST_MACHINES")
	if directory == "" {
		t.Skip("PMUQ_TEST_MACHINES is not set")
	}
	return filepath.Join(directory, name)
}

// All returns the cases of all files. Without PMUQ_TEST_CASES the test is skipped.
func All(t testing.TB) []Case {
	directory := os.Getenv("PMUQ_TEST_CASES")
	if directory == "" {
		t.Skip("PMUQ_TEST_CASES is not set")
	}
	paths, _ := filepath.Glob(filepath.Join(directory, "*.case"))
	var all []Case
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, read(t, filepath.Base(path), strings.Split(string(text), "\n"))...)
	}
	if len(all) < 100 {
		t.Fatalf("%s has %d cases only", directory, len(all))
	}
	return all
}

func read(t testing.TB, file string, lines []string) []Case {
	var all []Case
	var now Case
	isOpen := false
	for number, line := range lines {
		if isOpen && line != "" && strings.Contains("=~!", line[:1]) && (len(line) == 1 || line[1] == ' ') {
			all[len(all)-1].Wanted += line + "\n"
			continue
		}
		isOpen = false
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case word == "machine":
			now.Machine = rest
		case word == "dialect":
			now.IsPerf = rest == "perf"
		case word == "preset":
			now.Preset = strings.TrimPrefix(rest, "none")
		case word == "groups":
			now.AsWritten = rest == "written"
		case word == "event":
			now.Event = rest
			now.Where = fmt.Sprintf("%s:%d", file, number+1)
			all = append(all, now)
			isOpen = true
		default:
			t.Fatalf("%s:%d: not a line of a case file: %s", file, number+1, line)
		}
	}
	return all
}

func marked(text *strings.Builder, mark, lines string) {
	for _, line := range strings.Split(lines, "\n") {
		text.WriteString(mark + " " + line + "\n")
	}
}

// Outcome prints what a string gave in the form of a case.
func Outcome(event string, encodings []Encoding, err error) string {
	var text strings.Builder
	if err != nil {
		marked(&text, "!", err.Error())
	}
	for i := range encodings {
		encodings[i].print(&text, event)
	}
	return text.String()
}

func (e *Encoding) print(text *strings.Builder, event string) {
	pmu := e.PMU
	if pmu == "" {
		pmu = "-"
	}
	fmt.Fprintf(text, "= %s: %s from=%s cpus=%s", pmu, e.Attr, e.Origin, e.CPUs)
	if e.ProbeField != "" {
		fmt.Fprintf(text, " %s=%s", e.ProbeField, e.ProbeText)
	}
	if e.Unit != "" {
		text.WriteString(" unit=" + e.Unit)
	}
	if e.Scale != "1" {
		text.WriteString(" scale=" + e.Scale)
	}
	if e.Added {
		text.WriteString(" added")
	}
	if e.Event != 0 {
		fmt.Fprintf(text, " event=%d", e.Event)
	}
	if e.PerPkg {
		text.WriteString(" per-pkg")
	}
	if e.Snapshot {
		text.WriteString(" snapshot")
	}
	if e.Name != event {
		text.WriteString(" name=" + e.Name)
	}
	if e.Members != 0 {
		fmt.Fprintf(text, " leader=%d members=%d", e.Leader, e.Members)
		if e.GroupName != "" {
			text.WriteString(" group=" + e.GroupName)
		}
	}
	for _, term := range e.ToolTerms {
		fmt.Fprintf(text, " defer.%s=%s", term[0], term[1])
	}
	text.WriteByte('\n')
	for _, warning := range e.Warnings {
		marked(text, "~", warning.Error())
	}
}
