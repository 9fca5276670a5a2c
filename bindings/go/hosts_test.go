// SPDX-License-Identifier: MIT

package pmuq

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A database with two states of "lab", and one of "web".
func database(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "pmuq.db")
	for _, save := range []struct {
		machine, name string
		at            int64
	}{{"sandybridge-ep", "lab", 1700000000}, {"skylake-sp", "lab", 1700100000}, {"skylake-sp", "web", 1700100000}} {
		if _, err := SaveSnapshot(path, catalogOf(t, save.machine), save.name, time.Unix(save.at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestHosts(t *testing.T) {
	path := database(t)
	hosts, err := ListHosts(path)
	if err != nil || len(hosts) != 2 || hosts[0].Name != "lab" || hosts[1].Name != "web" {
		t.Fatal(hosts, err)
	}
	if hosts[0].Class != hosts[1].Class || len(hosts[0].Class) != 8 {
		t.Error("equal machines are of one class:", hosts[0].Class, hosts[1].Class)
	}
	states := hosts[0].Snapshots
	if len(states) != 2 || !states[0].FirstSeen.Equal(time.Unix(1700000000, 0)) || states[1].IsChecked || len(states[1].Facts) == 0 {
		t.Errorf("%+v", states)
	}
	if hosts, err := ListNewest(path, "l*", "none"); err != nil || len(hosts) != 1 || len(hosts[0].Snapshots) != 1 {
		t.Error(hosts, err)
	}
	_, err = ListHosts("/nowhere/pmuq.db")
	if failure(t, err).Name != "store-open" {
		t.Error(err)
	}
	_, err = ListHosts(path, "a\x00b")
	failure(t, err)
}

func TestOlderSnapshots(t *testing.T) {
	path := database(t)
	hosts, err := ListHosts(path, "lab")
	if err != nil {
		t.Fatal(err)
	}
	older := hosts[0].Snapshots[0]
	facts := map[string]string{}
	for _, fact := range older.Facts {
		facts[fact.Name] = fact.Text
	}
	// The newer one has the same kernel.
	for when, want := range map[string]bool{strconv.FormatInt(older.Number, 10): true, facts["kernel"]: false, "2023-11-15": true,
		older.FirstSeen.UTC().Format("2006-01-02T15:04:05"): true, "2024-01-01": false} {
		number, err := FindSnapshot(path, "lab", when)
		if err != nil || (number == older.Number) != want {
			t.Errorf("%s: %d %v", when, number, err)
		}
		machine, err := OpenSnapshotAt(path, "lab", when)
		if err != nil {
			t.Fatal(err)
		}
		if cpuid, err := machine.Fact("cpuid"); err != nil || (cpuid == facts["cpuid"]) != want {
			t.Error(when, cpuid, err)
		}
		machine.Close()
	}
	_, err = OpenSnapshotAt(path, "lab", "2001-01-01")
	if failure(t, err).Name != "unknown-snapshot" {
		t.Error(err)
	}
	_, err = FindSnapshot(path, "nix", "1")
	if failure(t, err).Name != "unknown-host" {
		t.Error(err)
	}
	first, last, isDate := ParseTime("2023-11-14")
	if !isDate || first.Unix() != 1699920000 || last.Unix() != 1700006399 {
		t.Error(first, last, isDate)
	}
	if _, _, isDate := ParseTime("6.1"); isDate {
		t.Error("a kernel is a date")
	}
}

func TestRenameAndForget(t *testing.T) {
	path := database(t)
	if err := RenameHost(path, "lab", "web"); failure(t, err).Name != "host-exists" {
		t.Error(err)
	}
	if err := RenameHost(path, "lab", "lab-1"); err != nil {
		t.Error(err)
	}
	if trial, err := Forget(path, ForgetOptions{Keep: 1, Trial: true}); err != nil || trial.Snapshots != 1 || trial.Hosts != 0 {
		t.Error(trial, err)
	}
	if gone, err := Forget(path, ForgetOptions{Before: time.Unix(1700000001, 0)}, "lab-1"); err != nil || gone.Snapshots != 1 {
		t.Error(gone, err)
	}
	if gone, err := Forget(path, ForgetOptions{}, "web"); err != nil || gone.Hosts != 1 {
		t.Error(gone, err)
	}
	hosts, err := ListHosts(path)
	if err != nil || len(hosts) != 1 || hosts[0].Name != "lab-1" || len(hosts[0].Snapshots) != 1 {
		t.Error(hosts, err)
	}
	_, err = Forget(path, ForgetOptions{}, "web")
	if failure(t, err).Name != "unknown-host" {
		t.Error(err)
	}
}

func TestDiff(t *testing.T) {
	before, after := catalogOf(t, "sandybridge-ep"), catalogOf(t, "skylake-sp")
	changes, err := before.Diff(after)
	if err != nil || len(changes) == 0 || changes[0].Weight != "breaking" || changes[0].Type == "" || changes[0].Text == "" {
		t.Fatal(changes, err)
	}
	if same, err := before.Diff(before); err != nil || len(same) != 0 {
		t.Error(same, err)
	}
	after.Close()
	if _, err := before.Diff(after); err != ErrClosed {
		t.Error(err)
	}
}

func TestPFM(t *testing.T) {
	machine := tree(t, "skylake-sp")
	libpfm4, err := OpenPFM("")
	if err != nil {
		t.Fatal(err)
	}
	defer libpfm4.Close()
	options := &EncodeOptions{PFM: libpfm4}
	encodings, err := machine.Encode("skx::MEM_LOAD_RETIRED:L3_MISS:u", options)
	if err != nil && failure(t, err).Name == "pfm-unavailable" {
		t.Skip(err)
	}
	if err != nil || len(encodings) != 1 || encodings[0].Origin != FromPFM || encodings[0].Attr.Config != 0x20d1 ||
		encodings[0].PFMName == "" {
		t.Fatalf("%+v %v", encodings, err)
	}
	other := tree(t, "haswell-client")
	if _, err := other.Encode("skx::INST_RETIRED", options); failure(t, err).Name != "foreign-name" {
		t.Error(err)
	}
	if _, err := other.Encode("skx::INST_RETIRED", &EncodeOptions{PFM: libpfm4, AnyCPU: true}); err != nil {
		t.Error(err)
	}
	libpfm4.Close()
	if _, err := machine.Encode("cycles", options); err != ErrClosed {
		t.Error(err)
	}
}

func TestParameters(t *testing.T) {
	for _, event := range catalogOf(t, "arm64-biglittle").PMU("CCI_400_r1").Definition.Events {
		if strings.Contains(event.Terms, "source=?") && (len(event.Parameters) != 1 || event.Parameters[0].Name != "source" || event.Parameters[0].Max == 0) {
			t.Fatalf("%+v", event)
		}
	}
	for _, event := range catalogOf(t, "skylake-sp").PMU("cpu").Definition.Events {
		if event.Parameters != nil {
			t.Fatalf("%+v", event)
		}
	}
}

func TestReadPMUs(t *testing.T) {
	machine, err := OpenLive()
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Close()
	whole, err := machine.ReadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	counted, err := machine.ReadPMUs()
	if err != nil {
		t.Fatal(err)
	}
	defer counted.Close()
	if len(counted.PMUs()) != len(whole.PMUs()) || counted.TracepointCount() != len(whole.Tracepoints()) || len(counted.Tracepoints()) != 0 {
		t.Error(len(counted.PMUs()), counted.TracepointCount(), len(whole.Tracepoints()))
	}
}
