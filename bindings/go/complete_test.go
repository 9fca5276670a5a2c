// SPDX-License-Identifier: MIT

package pmuq

import "testing"

func TestComplete(t *testing.T) {
	machine := tree(t, "skylake-sp")
	found, err := machine.Complete("cpu/mem-l", nil)
	if err != nil || found.Cursor != CursorTerm || found.Offset != 4 || found.PMU != "cpu" || found.Term != "" || len(found.Candidates) != 1 {
		t.Fatalf("%+v %v", found, err)
	}
	if one := found.Candidates[0]; one.Type != CandidateEvent || one.Text != "mem-loads/" || one.About != "event=0xcd,umask=0x1,ldlat=3" || one.Next != "" {
		t.Errorf("%+v", one)
	}
	found, err = machine.Complete("cycles:u", &EncodeOptions{Dialect: DialectPerf})
	if err != nil || found.Cursor != CursorColon || found.Offset != 7 || len(found.Candidates) == 0 || found.Candidates[0].Type != CandidateModifier ||
		found.Candidates[0].Text != "uk" || found.Candidates[0].About != "kernel" {
		t.Errorf("%+v %v", found, err)
	}
	found, err = machine.Complete("{cyc", nil)
	if err != nil || found.Candidates[0] != (Candidate{Type: CandidateGeneric, Text: "cycles", Next: ",}"}) {
		t.Errorf("%+v %v", found, err)
	}
	if found, err := machine.Complete("cpu/nix=1/", nil); err != nil || len(found.Candidates) != 0 {
		t.Errorf("%+v %v", found, err)
	}
	_, err = machine.Complete("a\x00", nil)
	failure(t, err)
	machine.Close()
	if _, err := machine.Complete("", nil); err != ErrClosed {
		t.Error(err)
	}
}

func TestNameInEvent(t *testing.T) {
	for name, want := range map[string]string{"cycles": "cycles", "r1": "'r1'", "it's": "", "a\x00b": ""} {
		if got, err := NameInEvent(name); err != nil || got != want {
			t.Errorf("%q: %q, wanted %q; %v", name, got, want, err)
		}
	}
}
