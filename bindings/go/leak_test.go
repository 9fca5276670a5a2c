// SPDX-License-Identifier: MIT

package pmuq

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"pmuq.dev/pmuq/internal/cases"
)

// The resident memory of all that is not Go's heap, which begins at 0xc000000000 on machines of 64 bits, in KiB: it changes less.
func residentOfCKiB(t *testing.T) (sum int) {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	isOfGo := false
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) >= 5:
			isOfGo = strings.HasPrefix(line, "c0") && strings.Index(line, "-") == 10
		case len(words) == 3 && words[0] == "Rss:" && !isOfGo:
			n, _ := strconv.Atoi(words[1])
			sum += n
		}
	}
	return sum
}

func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(entries)
}

// Every type of object and of copy. Without close, finalizers free the objects.
func useAll(t *testing.T, closes bool) {
	machine, err := OpenTree(cases.Machine(t, "skylake-sp"))
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := machine.ReadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	source, err := catalog.Source()
	if err != nil {
		t.Fatal(err)
	}
	strings := []string{"cycles:u", "cpu/umsk=1/", "uncore_imc/cas_count_read/", "{instructions,cpu/event=1,period=3,call-graph=fp/}",
		"cpu/event=1,offcore_rsp=0x3,ldlat=4/", "a\x00b"}
	for _, encode := range []func([]string, *EncodeOptions) (*Batch, error){machine.EncodeBatch, catalog.EncodeBatch, source.EncodeBatch} {
		if _, err := encode(strings, &EncodeOptions{WithAssignments: true}); err != nil {
			t.Fatal(err)
		}
	}
	attr, _ := ParseAttr("type=4 config=0x1cd config1=30 inherit=1")
	ParseAttr("type=nix")
	machine.Decode(&attr, &DecodeOptions{ProbeText: "f"})
	catalog.PMUs()
	machine.ListEvents("")
	machine.Fact("cpuid")
	machine.PMU("nix")
	machine.EncodeParts(&Parts{PMU: "cpu", Terms: []Term{{"umask", 1}}}, nil)
	catalog.EncodeParts(&Parts{PMU: "cpu", Terms: []Term{{"umsk", 1}}}, nil)
	OpenTree("/nowhere")
	ListHosts("/nowhere", "a*", "b*")
	OpenSnapshotAt("/nowhere", "a", "1")
	Search("/nowhere", "a", 1)
	ListMetricGroups("/nowhere", "a")
	Forget("/nowhere", ForgetOptions{Keep: 1}, "a")
	libpfm4, err := OpenPFM("")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := WriteDocuments(JSON, Machine{Catalog: catalog, Name: "a"})
	machines, err := ReadDocuments(text, "a")
	if err != nil {
		t.Fatal(err)
	}
	if changes, err := catalog.Diff(machines[0].Catalog); err != nil || len(changes) > 0 {
		t.Fatal(changes, err)
	}
	if closes {
		libpfm4.Close()
		machines[0].Catalog.Close()
		machine.Close()
		catalog.Close()
		source.Close()
	}
}

func openAll(t *testing.T, closes bool) {
	machine, err := OpenLive()
	if err != nil {
		t.Skip(err)
	}
	opened, err := machine.Open("page-faults:u,cpu-clock:u", nil, &OpenOptions{PID: 0})
	if err != nil {
		t.Fatal(err)
	}
	opened.ReadAll()
	sampled, err := machine.Open("cpu-clock/freq=1000/u", &EncodeOptions{Preset: PresetSample}, &OpenOptions{WantsSamples: true})
	if err != nil {
		t.Fatal(err)
	}
	if samples, err := sampled.Sample(0); err == nil && closes {
		samples.Close()
	}
	machine.TestOpen("page-faults:u", nil, &OpenOptions{CPUs: "0"})
	machine.Budget("page-faults:u", nil, &OpenOptions{CPUs: "0"})
	watch, err := OpenWatch(nil)
	if err != nil {
		t.Fatal(err)
	}
	watch.IsAnnounced()
	if closes {
		watch.Close()
		opened.Close()
		sampled.Close()
		machine.Close()
	}
}

// Finalizers run in a goroutine of their own: wait for one that was set last.
func collect() {
	for i := 0; i < 3; i++ {
		done := make(chan struct{})
		object := &struct{ text string }{"collected"}
		runtime.SetFinalizer(object, func(interface{}) { close(done) })
		object = nil
		runtime.GC()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
		}
	}
	debug.FreeOSMemory()
}

// Runs a loop again and again, until its memory does not grow by that much any more. A leak grows each time; what a heap keeps, and
// what a finalizer frees later, does not.
func checkLeak(t *testing.T, name string, limitKiB int, loop func()) {
	var figures []int
	for i := 0; i < 6; i++ {
		loop()
		collect()
		now := residentOfCKiB(t)
		figures = append(figures, now)
		if i > 0 && now <= figures[i-1]+limitKiB {
			return
		}
	}
	t.Errorf("%s: %d KiB after loops of equal length", name, figures)
}

func skipWithRaceDetector(t *testing.T) {
	if isRace {
		t.Skip("the race detector needs memory, too")
	}
}

func TestLeaks(t *testing.T) {
	skipWithRaceDetector(t)
	for _, closes := range []bool{true, false} {
		files := descriptors(t)
		// A catalog alone has 60 KiB: 50 of them are 3 MiB.
		checkLeak(t, fmt.Sprintf("closed: %v", closes), 1500, func() {
			for i := 0; i < 50; i++ {
				useAll(t, closes)
				openAll(t, closes)
				if !closes && i%10 == 9 {
					runtime.GC()
				}
			}
		})
		if now := descriptors(t); now > files+4 {
			t.Errorf("closed: %v: %d descriptors before, %d after", closes, files, now)
		}
	}
}

// What only a few calls would hide: small objects, each thousands of times.
func TestSmallLeaks(t *testing.T) {
	skipWithRaceDetector(t)
	machine := tree(t, "skylake-sp")
	catalog, err := machine.ReadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	attr, _ := ParseAttr("type=4 config=0x1cd config1=30 inherit=1")
	calls := map[string]func(){
		"encode":             func() { catalog.Encode("{cycles,cpu/event=1,period=3/}", nil) },
		"encode on a source": func() { machine.Encode("cycles", nil) },
		"error":              func() { catalog.Encode("cpu/umsk=1/", nil) },
		"warning":            func() { catalog.Encode("cpu/event=1,offcore_rsp=0x3,ldlat=4/", nil) },
		"assignments":        func() { catalog.Encode("cycles", &EncodeOptions{WithAssignments: true}) },
		"NUL":                func() { catalog.Encode("a\x00", nil) },
		"parts":              func() { catalog.EncodeParts(&Parts{PMU: "cpu", Terms: []Term{{"umask", 1}}, Modifiers: "u"}, nil) },
		"parts on a source":  func() { machine.EncodeParts(&Parts{PMU: "cpu", Terms: []Term{{"umsk", 1}}}, nil) },
		"decode":             func() { catalog.Decode(&attr, &DecodeOptions{ProbeText: "f"}) },
		"own attr":           func() { machine.EncodeAttr(&attr) },
		"fit":                func() { machine.FitAttr(&attr, nil, nil) },
		"complete":           func() { machine.Complete("cpu/mem-", nil) },
		"name":               func() { NameInEvent("r1") },
		"parse":              func() { ParseAttr("type=nix") },
		"fact":               func() { machine.Fact("cpuid") },
		"unknown PMU":        func() { machine.PMU("nix") },
		"list":               func() { machine.ListPMUs("uncore_imc") },
		"options":            func() { machine.TestOpen("page-faults:u", nil, &OpenOptions{CPUs: "0-"}) },
		"no tree":            func() { OpenTree("/nowhere") },
	}
	for name, call := range calls {
		// The smallest object of C has 32 bytes; what is lost 6,000 times has 190 KiB or more.
		checkLeak(t, name, 150, func() {
			for i := 0; i < 6000; i++ {
				call()
			}
		})
	}
}
