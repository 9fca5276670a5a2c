// SPDX-License-Identifier: MIT

package pmuq

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pmuq.dev/pmuq/internal/cases"
)

func watched(t *testing.T, options *WatchOptions) *Watch {
	watch, err := OpenWatch(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { watch.Close() })
	return watch
}

// Two changes by the timer: the poller reports the second one, too.
func TestWatchTimer(t *testing.T) {
	watch := watched(t, &WatchOptions{Timer: 20 * time.Millisecond})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for i := 0; i < 3; i++ {
		if change, err := watch.Next(ctx); err != nil || change.Causes == 0 {
			t.Fatalf("%+v %v", change, err)
		}
	}
	watch.IsAnnounced()
	if WatchTimer.String() != "timer" {
		t.Error(WatchTimer)
	}
}

func TestWatchEnds(t *testing.T) {
	watch := watched(t, &WatchOptions{Timer: -1})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if change, err := watch.Next(ctx); err != context.DeadlineExceeded && change == nil {
		t.Error(err)
	}
	ended := make(chan error)
	go func() {
		for {
			if _, err := watch.Next(context.Background()); err != nil {
				ended <- err
				return
			}
		}
	}()
	time.Sleep(10 * time.Millisecond)
	// The other goroutine waits now; a context also ends the wait for it.
	second, cancelSecond := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancelSecond()
	if change, err := watch.Next(second); err != context.DeadlineExceeded && change == nil {
		t.Error(err)
	}
	watch.Close()
	if err := <-ended; err != ErrClosed {
		t.Error(err)
	}
	watch.Close()
	if _, err := watch.Next(context.Background()); err != ErrClosed || watch.IsAnnounced() {
		t.Error(err)
	}
	_, err := OpenWatch(&WatchOptions{Service: "/nowhere/io.pmuq"})
	failure(t, err)
}

// A daemon reports a change of its machine.
func TestWatchService(t *testing.T) {
	program := os.Getenv("PMUQD")
	if program == "" {
		t.Skip("PMUQD is not set")
	}
	directory := t.TempDir()
	machine, socket := filepath.Join(directory, "tree"), filepath.Join(directory, "io.pmuq")
	if out, err := exec.Command("cp", "-a", cases.Machine(t, "core2-merom"), machine).CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	child := exec.Command(program, "--socket", socket, "--sysroot", machine)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	var source *Source
	for end := time.Now().Add(time.Minute); source == nil && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		source, _ = OpenService(socket)
	}
	if source == nil {
		t.Fatal("the daemon does not listen")
	}
	defer source.Close()
	watch := watched(t, &WatchOptions{Service: socket})
	source.Refresh()
	if err := os.RemoveAll(filepath.Join(machine, "sys/bus/event_source/devices/msr")); err != nil {
		t.Fatal(err)
	}
	// A call finds the change, because nothing announces one in a captured machine.
	for changed := false; !changed; time.Sleep(5 * time.Millisecond) {
		var err error
		if changed, err = source.Refresh(); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if change, err := watch.Next(ctx); err != nil {
		t.Errorf("%+v %v", change, err)
	}
}
