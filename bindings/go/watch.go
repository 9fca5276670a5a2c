// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import (
	"context"
	"errors"
	"math"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// WatchCause is why the machine may have changed; bits.
type WatchCause uint32

const (
	WatchPMU    WatchCause = C.PMUQ_WATCH_PMU    // a PMU was added or removed
	WatchModule WatchCause = C.PMUQ_WATCH_MODULE // a kernel module was loaded or unloaded
	WatchCPU    WatchCause = C.PMUQ_WATCH_CPU    // a CPU went online or offline, which changes cpumasks
	WatchLost   WatchCause = C.PMUQ_WATCH_LOST   // announcements were lost: anything may have changed
	WatchTimer  WatchCause = C.PMUQ_WATCH_TIMER  // nothing was announced for the time of the timer
)

// String returns the name of one cause: "pmu", "module", "cpu", "lost", "timer".
func (c WatchCause) String() string {
	return C.GoString(C.pmuq_watch_cause_name(uint32(c)))
}

// WatchOptions has the times of a watch; see pmuq_watch(3). The zero value, or nil, has the defaults.
type WatchOptions struct {
	Quiet   time.Duration // report a change when nothing was announced for this time; 0: 50 ms
	Timer   time.Duration // report a change at least this often; 0: every 30 s, or every second without announcements; < 0: never
	Service string        // watch the machine of the daemon at this socket; "": this machine
}

// A Watch reports that this machine changes: modules add or remove PMUs, CPUs go online or offline. It reads no file of the machine:
// after a change, call Source.Refresh or read a new catalog. Goroutines that share it wait for each other.
type Watch struct {
	mu   sync.Mutex
	p    *C.struct_pmuq_watch
	file *os.File      // a copy of the watch's descriptor, for Go's poller
	turn chan struct{} // full while a goroutine waits: the deadline of the file is its own
}

// A Change is what may have changed since the last change.
type Change struct {
	Causes        WatchCause // bits; 0: a daemon found what nothing had announced
	Announcements []Announcement
}

// An Announcement is what the kernel announced.
type Announcement struct {
	Cause  WatchCause // PMU, module or CPU
	Action string     // "add", "remove", "online", "offline"
	Name   string     // of the PMU, the module or the CPU ("cpu2")
}

// In milliseconds, rounded up, so that a short time is not 0, which is the default.
func milliseconds(d time.Duration) C.uint32_t {
	if d < 0 || d > math.MaxUint32*time.Millisecond {
		return math.MaxUint32
	}
	return C.uint32_t((d + time.Millisecond - 1) / time.Millisecond)
}

// OpenWatch begins to watch. Open the watch first and then the source, or refresh the source once: no change is missed then.
func OpenWatch(options *WatchOptions) (*Watch, error) {
	if options == nil {
		options = &WatchOptions{}
	}
	if err := checkTexts(options.Service); err != nil {
		return nil, err
	}
	how := C.struct_pmuq_watch_options{size: C.sizeof_struct_pmuq_watch_options, quiet_ms: milliseconds(options.Quiet),
		timer_ms: milliseconds(options.Timer), service: cTextOrNull(options.Service)}
	defer C.free(unsafe.Pointer(how.service))
	var failed *C.struct_pmuq_error
	w := &Watch{turn: make(chan struct{}, 1)}
	if C.pmuq_watch_open(&how, &w.p, &failed) < 0 {
		return nil, takeError(failed)
	}
	runtime.SetFinalizer(w, (*Watch).Close)
	fd, err := syscall.Dup(int(C.pmuq_watch_fd(w.p)))
	if err == nil {
		syscall.CloseOnExec(fd)
		err = syscall.SetNonblock(fd, true)
		// The file uses the poller because the descriptor does not block.
		w.file = os.NewFile(uintptr(fd), "pmuq watch")
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close ends the watch, and the wait of another goroutine in Next.
func (w *Watch) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	runtime.SetFinalizer(w, nil)
	C.pmuq_watch_free(w.p)
	w.p = nil
	if w.file != nil {
		w.file.Close()
	}
	return nil
}

// IsAnnounced returns whether announcements arrive; otherwise the watch has its timer alone.
func (w *Watch) IsAnnounced() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.p != nil && bool(C.pmuq_watch_is_announced(w.p))
}

// The next change, if there is one.
func (w *Watch) take() (*Change, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.p == nil {
		return nil, ErrClosed
	}
	from := C.pmuq_watch_next(w.p)
	if from == nil {
		return nil, nil
	}
	change := &Change{Causes: WatchCause(from.causes)}
	for i := C.size_t(0); i < from.n_announcements; i++ {
		announcement := C.pmuq_watch_get(w.p, i)
		change.Announcements = append(change.Announcements, Announcement{Cause: WatchCause(announcement.cause),
			Action: textOf(announcement.action), Name: textOf(announcement.name)})
	}
	return change, nil
}

// Next waits for the next change, or for the end of the context. A second goroutine waits until the first one has its change.
func (w *Watch) Next(ctx context.Context) (change *Change, err error) {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-w.turn }()
	conn, failed := w.file.SyscallConn()
	if failed != nil {
		return nil, w.closedOr(failed)
	}
	if failed := w.file.SetReadDeadline(time.Time{}); failed != nil {
		return nil, w.closedOr(failed)
	}
	stop, isStopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(isStopped)
		select {
		case <-ctx.Done():
			w.file.SetReadDeadline(time.Unix(1, 0))
		case <-stop:
		}
	}()
	failed = conn.Read(func(uintptr) bool {
		change, err = w.take()
		return change != nil || err != nil
	})
	close(stop)
	<-isStopped
	switch {
	case change != nil || err != nil:
		return change, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, w.closedOr(failed)
}

// A file that was closed has errors of several types.
func (w *Watch) closedOr(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.p == nil || errors.Is(err, os.ErrClosed) {
		return ErrClosed
	}
	return err
}
