// SPDX-License-Identifier: MIT

package pmuq

import (
	"sync"
	"testing"

	"pmuq.dev/pmuq/internal/cases"
)

func tree(t testing.TB, name string) *Source {
	machine, err := OpenTree(cases.Machine(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { machine.Close() })
	return machine
}

func optionsOf(c *cases.Case) *EncodeOptions {
	options := &EncodeOptions{AsWritten: c.AsWritten, Preset: map[string]Preset{"stat": PresetStat, "record": PresetRecord}[c.Preset]}
	if c.IsPerf {
		options.Dialect = DialectPerf
	}
	return options
}

func outcome(event string, encodings []Encoding, err error) string {
	var all []cases.Encoding
	for _, e := range encodings {
		one := cases.Encoding{PMU: e.PMU, Origin: e.Origin.String(), CPUs: e.CPUs, ProbeField: e.ProbeField, ProbeText: e.ProbeText,
			Unit: e.Unit, Scale: e.Scale, Name: e.Name, GroupName: e.GroupName, Attr: e.Attr, Event: e.Event, Leader: e.Leader,
			Members: e.Members, Added: e.Added, PerPkg: e.PerPkg, Snapshot: e.Snapshot, Warnings: e.Warnings}
		for _, term := range e.ToolTerms {
			one.ToolTerms = append(one.ToolTerms, [2]string{term.Name, term.Text})
		}
		all = append(all, one)
	}
	return cases.Outcome(event, all, err)
}

// The cases by machine and options: what one batch may contain.
func batches(t testing.TB) map[[4]interface{}][]cases.Case {
	all := map[[4]interface{}][]cases.Case{}
	for _, c := range cases.All(t) {
		key := [4]interface{}{c.Machine, c.IsPerf, c.Preset, c.AsWritten}
		all[key] = append(all[key], c)
	}
	return all
}

// Every case through a lazy source, one string a call, and through a catalog, all strings in one call.
func TestCases(t *testing.T) {
	n := 0
	for _, batch := range batches(t) {
		machine := tree(t, batch[0].Machine)
		other := tree(t, batch[0].Machine)
		catalog, err := other.ReadCatalog()
		if err != nil {
			t.Fatal(err)
		}
		options := optionsOf(&batch[0])
		var strings []string
		for _, c := range batch {
			strings = append(strings, c.Event)
		}
		results, err := catalog.EncodeBatch(strings, options)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range batch {
			encodings, err := machine.Encode(c.Event, options)
			if got := outcome(c.Event, encodings, err); got != c.Wanted {
				t.Errorf("%s, one string: got\n%swanted\n%s", c.Where, got, c.Wanted)
			}
			encodings, err = results.Get(i)
			if got := outcome(c.Event, encodings, err); got != c.Wanted {
				t.Errorf("%s, batch: got\n%swanted\n%s", c.Where, got, c.Wanted)
			}
			n++
		}
		catalog.Close()
	}
	t.Logf("%d cases", n)
}

// Many goroutines on one catalog, and on one source, while another goroutine closes both.
func TestGoroutines(t *testing.T) {
	machine := tree(t, "skylake-sp")
	catalog, err := machine.ReadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	strings := []string{"cycles:u", "cpu/umsk=1/", "uncore_imc/cas_count_read/", "{instructions,cycles}"}
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			for j := 0; j < 50; j++ {
				results, err := catalog.EncodeBatch(strings, nil)
				if err == ErrClosed {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				if encodings, err := results.Get(2); err != nil || len(encodings) != 6 {
					t.Errorf("%v %v", encodings, err)
				}
				if _, err := results.Get(1); err == nil {
					t.Error("an invalid string has no error")
				}
				if _, err := machine.Encode("cycles", nil); err != nil && err != ErrClosed {
					t.Error(err)
				}
				if len(catalog.PMUs()) == 0 && i > 0 {
					t.Log("closed")
				}
				if i == 7 && j == 40 {
					catalog.Close()
					machine.Close()
				}
			}
		}(i)
	}
	all.Wait()
}
