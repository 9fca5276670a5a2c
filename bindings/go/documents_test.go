// SPDX-License-Identifier: MIT

package pmuq

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// A machine is the same after WriteDocuments and ReadDocuments, in both forms.
func TestDocuments(t *testing.T) {
	catalog := catalogOf(t, "skylake-sp")
	seen := time.Unix(1700000000, 0)
	for _, form := range []DocumentForm{YAML, JSON} {
		text, err := WriteDocuments(form, Machine{Catalog: catalog, Name: "a", FirstSeen: seen, LastSeen: seen.Add(time.Hour)}, Machine{Catalog: catalog, Name: "b"})
		if err != nil {
			t.Fatal(err)
		}
		machines, err := ReadDocuments(text, "hosts")
		if err != nil || len(machines) != 2 {
			t.Fatal(machines, err)
		}
		first, second := machines[0], machines[1]
		if first.Name != "a" || !first.FirstSeen.Equal(seen) || !first.LastSeen.Equal(seen.Add(time.Hour)) || first.Document != 1 || second.Name != "b" || !second.FirstSeen.IsZero() {
			t.Error(first, second)
		}
		again, err := WriteDocuments(form, machines...)
		if err != nil || !bytes.Equal(again, text) {
			t.Error("another text: ", err)
		}
		first.Catalog.Close()
		second.Catalog.Close()
		if _, err := WriteDocuments(form, first); err != ErrClosed {
			t.Error(err)
		}
	}
}

// An error of a document has its line, and the machines before it stay.
func TestWrongDocument(t *testing.T) {
	text, err := WriteDocuments(YAML, Machine{Catalog: catalogOf(t, "skylake-sp"), Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	machines, err := ReadDocuments(append(text, []byte("---\nformat: wrong\n")...), "hosts.yaml")
	if failure(t, err); len(machines) != 1 || machines[0].Name != "a" {
		t.Error(machines, err)
	}
	if machines, err := ReadDocuments(nil, "empty"); err == nil && len(machines) != 0 {
		t.Error(machines)
	}
}

func TestSaveSnapshot(t *testing.T) {
	database := filepath.Join(t.TempDir(), "new", "pmuq.db")
	catalog := catalogOf(t, "skylake-sp")
	first, err := SaveSnapshot(database, catalog, "lab", time.Unix(1700000000, 0))
	if err != nil || !first.IsNew || !first.IsNewHost {
		t.Fatal(first, err)
	}
	again, err := SaveSnapshot(database, catalog, "lab", time.Time{})
	if err != nil || again.IsNew || again.IsNewHost || again.Snapshot != first.Snapshot {
		t.Error(again, err)
	}
	machine, err := OpenSnapshot(database, "lab")
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Close()
	if encodings, err := machine.Encode("msr/tsc/", nil); err != nil || len(encodings) != 1 {
		t.Error(encodings, err)
	}
}

func TestRecording(t *testing.T) {
	recording, err := ReadRecording(filepath.Join(os.Getenv("PMUQ_TEST_CASES"), "../recordings/tracepoint.data"))
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Catalog.Close()
	if len(recording.Events) == 0 || recording.Events[0].Name == "" || len(recording.Features) == 0 || recording.BytesRead == 0 {
		t.Errorf("%+v", recording)
	}
	if recording.Catalog.Fact("incomplete") != "perf.data" {
		t.Error(recording.Catalog.Facts())
	}
	_, err = ReadRecording("documents_test.go")
	if failed := failure(t, err); failed.Name != "not-recording" {
		t.Error(failed)
	}
}

func sampled(t *testing.T) (*Opened, *Samples) {
	machine, err := OpenLive()
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Close()
	opened, err := machine.Open("cpu-clock/freq=1000/u", &EncodeOptions{Preset: PresetSample}, &OpenOptions{WantsSamples: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	if opened.Results()[0].Status != StatusOpened {
		t.Skip(opened.Results()[0].Reason)
	}
	samples, err := opened.Sample(0)
	if err != nil {
		t.Fatal(err)
	}
	return opened, samples
}

// Work in this thread has samples in it, and the end of the context ends the wait for others.
func TestSamples(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	opened, samples := sampled(t)
	opened.Enable()
	for end, n := time.Now().Add(100*time.Millisecond), 0; time.Now().Before(end); n++ {
	}
	opened.Disable()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	found := 0
	for {
		record, err := samples.Next(ctx)
		if err == context.DeadlineExceeded || err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if record.Sample != nil && record.Sample.IP != 0 && record.Index == 0 && len(record.Data) > 8 {
			found++
		}
	}
	if found == 0 || samples.Lost() != 0 {
		t.Error(found, samples.Lost())
	}
}

func TestSamplesClosed(t *testing.T) {
	opened, samples := sampled(t)
	samples.Close()
	samples.Close()
	if _, err := samples.Next(context.Background()); err != ErrClosed {
		t.Error(err)
	}
	if samples, err := opened.Sample(1); err != nil {
		t.Error(err)
	} else {
		opened.Close()
		if _, err := samples.Next(context.Background()); err != ErrClosed || samples.Lost() != 0 {
			t.Error(err)
		}
		samples.Close()
	}
	if _, err := opened.Sample(0); err != ErrClosed {
		t.Error(err)
	}
}
