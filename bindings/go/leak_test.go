// SPDX-License-Identifier: MIT

package pmuq

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"pmuq.dev/pmuq/internal/cases"
)

// The resident memory of the process in KiB: that of Go and of C.
func residentKiB(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(entries)
}

// Every type of object and of copy. Without close, finalizers free the objects.
func useAll(t *testing.T, close bool) {
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
	for _, encode := range []func([]string, *EncodeOptions) ([]Result, error){machine.EncodeBatch, catalog.EncodeBatch, source.EncodeBatch} {
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
	if close {
		machine.Close()
		catalog.Close()
		source.Close()
	}
}

func openAll(t *testing.T, close bool) {
	machine, err := OpenLive()
	if err != nil {
		t.Skip(err)
	}
	opened, err := machine.Open("page-faults:u,cpu-clock:u", nil, &OpenOptions{PID: 0})
	if err != nil {
		t.Fatal(err)
	}
	opened.ReadAll()
	machine.TestOpen("page-faults:u", nil, &OpenOptions{CPUs: "0"})
	if close {
		opened.Close()
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

// What a loop leaves is less than half of what it would leave if it leaked its catalogs.
func TestLeaks(t *testing.T) {
	const rounds = 50
	for _, close := range []bool{true, false} {
		run := func() {
			for i := 0; i < rounds; i++ {
				useAll(t, close)
				openAll(t, close)
				if !close && i%10 == 9 {
					runtime.GC()
				}
			}
			collect()
		}
		run()
		run()
		files, before := descriptors(t), residentKiB(t)
		run()
		run()
		after := residentKiB(t)
		t.Logf("closed %v: %d KiB before, %d KiB after %d rounds; %d descriptors before, %d after", close, before, after, 2*rounds, files,
			descriptors(t))
		// A catalog alone has 60 KiB: 100 of them would be 6 MiB.
		if after > before+3000 {
			t.Errorf("closed %v: %d KiB before, %d KiB after %d rounds", close, before, after, 2*rounds)
		}
		if now := descriptors(t); now > files+2 {
			t.Errorf("closed %v: %d descriptors before, %d after", close, files, now)
		}
	}
}
