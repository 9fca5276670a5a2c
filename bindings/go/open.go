// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import (
	"math"
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

// OpenOptions is the target to open events on. The zero value, or nil, is this task: one thread, not the process. Lock the
// goroutine to its thread (runtime.LockOSThread) to count its work.
type OpenOptions struct {
	PID    int    // a process or thread; 0: this one, or with CPUs all tasks on them
	CPUs   string // a list, "0-3,8"; "": any CPU, or those of the PMU
	Cgroup string // count the tasks of a cgroup on each CPU; not together with PID
	WorkMS int    // for Measure: how long each event counts; 0: 100

	// For Sample: an event of a task that its children inherit is opened for the task on each CPU that is online.
	WantsSamples  bool
	WakeupSamples int // for Sample: wake a program that waits after that many samples; 0: when a buffer is half full
}

// Calls a function with the options in C.
func (o *OpenOptions) with(function func(c *C.struct_pmuq_open_options)) error {
	if o == nil {
		function(nil)
		return nil
	}
	if err := checkTexts(o.CPUs, o.Cgroup); err != nil {
		return err
	}
	// In C's memory, because it has pointers to other memory.
	c := (*C.struct_pmuq_open_options)(C.calloc(1, C.sizeof_struct_pmuq_open_options))
	if c == nil {
		return errNoMemory
	}
	c.size = C.sizeof_struct_pmuq_open_options
	c.pid = C.int(o.PID)
	c.cpus = cTextOrNull(o.CPUs)
	c.cgroup = cTextOrNull(o.Cgroup)
	c.work_ms = C.uint(o.WorkMS)
	c.wants_samples = C.bool(o.WantsSamples)
	c.wakeup_samples = C.uint(o.WakeupSamples)
	function(c)
	C.free(unsafe.Pointer(c.cpus))
	C.free(unsafe.Pointer(c.cgroup))
	C.free(unsafe.Pointer(c))
	return nil
}

// OpenStatus is the result of opening an event.
type OpenStatus uint32

const (
	StatusOpened  OpenStatus = C.PMUQ_OPENED
	StatusRefused OpenStatus = C.PMUQ_REFUSED
	StatusSkipped OpenStatus = C.PMUQ_SKIPPED // not tried; see Reason
)

// An OpenResult is what the kernel did with an encoding.
type OpenResult struct {
	Status      OpenStatus
	PID         int           // 0: this task; -1: all tasks on its CPUs
	CPUs        string        // "-1" for any CPU, or the list of CPUs it was opened on
	Name        string        // the name of the reason ("paranoid-kernel"), stable forever, or ""
	Reason      string        // why it was refused or skipped, or ""
	Hint        string        // what to do about it, or ""
	Change      string        // the smallest change with which the event opened ("without :u"), or ""
	Steps       []string      // the names of the steps of that change
	ChangedAttr *Attr         // the attr that opened after the change, or nil
	Errno       syscall.Errno // of a refusal
}

func attrOf(attr *C.struct_pmuq_attr) Attr {
	return *(*Attr)(unsafe.Pointer(attr))
}

func copyOpenResults(from *C.struct_pmuq_open_results) []OpenResult {
	results := make([]OpenResult, C.pmuq_open_results_count(from))
	for i := range results {
		result := C.pmuq_open_results_get(from, C.size_t(i))
		to := &results[i]
		*to = OpenResult{Status: OpenStatus(result.status), PID: int(result.pid), CPUs: textOf(result.cpus), Name: textOf(result.name),
			Reason: textOf(result.reason), Hint: textOf(result.hint), Change: textOf(result.change), Errno: syscall.Errno(result.errnum)}
		for _, step := range unsafe.Slice(result.steps, result.n_steps) {
			to.Steps = append(to.Steps, textOf(step))
		}
		if result.changed_attr != nil {
			attr := attrOf(result.changed_attr)
			to.ChangedAttr = &attr
		}
	}
	return results
}

// What to open: a string, or an attr that no string made.
type input struct {
	text    string
	options *EncodeOptions
	attr    *Attr
	isAttr  bool
}

func ofAttr(attr *Attr) input {
	return input{attr: attr, isAttr: true}
}

func (in *input) encode(p *C.struct_pmuq_source, event *C.char, how *C.struct_pmuq_encode_options, ret **C.struct_pmuq_encodings,
	reterr **C.struct_pmuq_error) C.int {
	if in.isAttr {
		return C.pmuq_source_encode_attr(p, (*C.struct_pmuq_attr)(unsafe.Pointer(in.attr)), ret, reterr)
	}
	return C.pmuq_source_encode(p, event, how, ret, reterr)
}

// Encodes the input, and calls a function with the encodings, while no other goroutine uses the source or what the options name.
func (s *Source) withEncodings(in input, function func(p *C.struct_pmuq_source, encodings *C.struct_pmuq_encodings,
	reterr **C.struct_pmuq_error) C.int) error {
	if err := firstOf(checkTexts(in.text), checkAttr(in.attr)); err != nil {
		return err
	}
	event := C.CString(in.text)
	defer free(event)
	var err error
	closed := in.options.with(func(how *C.struct_pmuq_encode_options) {
		err = s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
			var encodings *C.struct_pmuq_encodings
			r := in.encode(p, event, how, &encodings, reterr)
			if r == 0 {
				r = function(p, encodings, reterr)
				C.pmuq_encodings_free(encodings)
			}
			return r
		})
	})
	return firstOf(closed, err)
}

// As withEncodings, with the target in C.
func (s *Source) withTarget(in input, target *OpenOptions, function func(encodings *C.struct_pmuq_encodings, to *C.struct_pmuq_open_options,
	reterr **C.struct_pmuq_error) C.int) error {
	var err error
	failed := target.with(func(to *C.struct_pmuq_open_options) {
		err = s.withEncodings(in, func(_ *C.struct_pmuq_source, encodings *C.struct_pmuq_encodings, reterr **C.struct_pmuq_error) C.int {
			return function(encodings, to, reterr)
		})
	})
	return firstOf(failed, err)
}

// TestOpen encodes a string, opens each encoding on the running kernel, and closes it at once. The result has the index of the
// encoding. The source must be live.
func (s *Source) TestOpen(text string, options *EncodeOptions, target *OpenOptions) ([]OpenResult, error) {
	return s.testOpen(input{text: text, options: options}, target)
}

func (s *Source) testOpen(in input, target *OpenOptions) ([]OpenResult, error) {
	var results []OpenResult
	err := s.withTarget(in, target,
		func(encodings *C.struct_pmuq_encodings, to *C.struct_pmuq_open_options, reterr **C.struct_pmuq_error) C.int {
			var made *C.struct_pmuq_open_results
			r := C.pmuq_encodings_test_open(encodings, to, &made, reterr)
			if r == 0 {
				results = copyOpenResults(made)
				C.pmuq_open_results_free(made)
			}
			return r
		})
	return results, err
}

// A Call is a call of perf_event_open(2) that the program made itself and that failed.
type Call struct {
	PID     int           // its pid, or the descriptor of a cgroup
	CPU     int           // its cpu; -1: any
	GroupFD int           // its leader, which must still be open; -1: none
	Flags   uint64        // PERF_FLAG_PID_CGROUP …
	Errno   syscall.Errno // of the failure
}

// ExplainErrno explains why the kernel refused an attr that the program opened itself, and what would open. To find that, events
// are opened and closed at once.
func (s *Source) ExplainErrno(attr *Attr, call Call) (*OpenResult, error) {
	var result *OpenResult
	how := C.struct_pmuq_open_call{size: C.sizeof_struct_pmuq_open_call, pid: C.int(call.PID), cpu: C.int(call.CPU),
		group_fd: C.int(call.GroupFD), errnum: C.int(call.Errno), flags: C.uint64_t(call.Flags)}
	err := s.withEncodings(ofAttr(attr),
		func(_ *C.struct_pmuq_source, encodings *C.struct_pmuq_encodings, reterr **C.struct_pmuq_error) C.int {
			var made *C.struct_pmuq_open_results
			r := C.pmuq_encodings_explain_errno(encodings, 0, &how, &made, reterr)
			if r == 0 {
				result = &copyOpenResults(made)[0]
				C.pmuq_open_results_free(made)
			}
			return r
		})
	return result, err
}

// Opened are events that stay open until Close. Goroutines that share them wait for each other.
type Opened struct {
	mu        sync.Mutex
	p         *C.struct_pmuq_opened
	encodings []Encoding
	results   []OpenResult
	samples   []*rings // not closed yet
}

// Open encodes a string, and opens the encodings disabled. If the kernel refuses one, the call still succeeds, and Results has the
// reason. The source must be live; the opened events do not need it.
func (s *Source) Open(text string, options *EncodeOptions, target *OpenOptions) (*Opened, error) {
	return s.open(input{text: text, options: options}, target)
}

func (s *Source) open(in input, target *OpenOptions) (*Opened, error) {
	opened := &Opened{}
	var noMemory error
	err := s.withTarget(in, target,
		func(encodings *C.struct_pmuq_encodings, to *C.struct_pmuq_open_options, reterr **C.struct_pmuq_error) C.int {
			if opened.encodings, noMemory = copyEncodings(encodings); noMemory != nil {
				return 0
			}
			return C.pmuq_encodings_open(encodings, to, &opened.p, reterr)
		})
	if err := firstOf(err, noMemory); err != nil {
		return nil, err
	}
	opened.results = copyOpenResults(C.pmuq_opened_results(opened.p))
	runtime.SetFinalizer(opened, (*Opened).Close)
	return opened, nil
}

// Close closes the events.
func (o *Opened) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	runtime.SetFinalizer(o, nil)
	for _, samples := range o.samples {
		samples.free()
	}
	o.samples = nil
	C.pmuq_opened_free(o.p)
	o.p = nil
	return nil
}

// Encodings returns the encodings of the string; the indexes of all other functions are those of this list. Do not change them.
func (o *Opened) Encodings() []Encoding {
	return o.encodings
}

// Results returns what the kernel did with each encoding. Do not change them.
func (o *Opened) Results() []OpenResult {
	return o.results
}

func (o *Opened) call(function func(p *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.p == nil {
		return ErrClosed
	}
	var failed *C.struct_pmuq_error
	if function(o.p, &failed) < 0 {
		return takeError(failed)
	}
	return nil
}

// Enable enables all events; on each target a group is enabled at one moment.
func (o *Opened) Enable() error {
	return o.call(func(p *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_opened_enable(p, reterr)
	})
}

// Disable disables all events.
func (o *Opened) Disable() error {
	return o.call(func(p *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_opened_disable(p, reterr)
	})
}

// Reset sets the counts and the times to 0.
func (o *Opened) Reset() error {
	return o.call(func(p *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_opened_reset(p, reterr)
	})
}

// A Value is what an event counted, summed over its targets, in its own units: multiply it by Encoding.Scale.
type Value struct {
	Value         uint64
	TimeEnabledNS uint64 // how long the event was enabled
	TimeRunningNS uint64 // how long it was on a counter
	Scaled        uint64 // the estimated count for all of TimeEnabledNS
	IsRead        bool   // false: the event is not open, or the kernel did not return its count
}

func valueOf(from *C.struct_pmuq_value) Value {
	return Value{Value: uint64(from.value), TimeEnabledNS: uint64(from.time_enabled_ns), TimeRunningNS: uint64(from.time_running_ns),
		Scaled: uint64(from.scaled), IsRead: true}
}

// Read reads an event: the sum over its targets since it was opened or reset.
func (o *Opened) Read(index int) (Value, error) {
	if err := checkIndex("event", index); err != nil {
		return Value{}, err
	}
	value := C.struct_pmuq_value{size: C.sizeof_struct_pmuq_value}
	err := o.call(func(p *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_opened_read(p, C.size_t(index), &value, reterr)
	})
	if err != nil {
		return Value{}, err
	}
	return valueOf(&value), nil
}

// ReadAt reads an event on one of its targets.
func (o *Opened) ReadAt(index, target int) (Value, error) {
	if err := firstOf(checkIndex("event", index), checkIndex("target", target)); err != nil {
		return Value{}, err
	}
	value := C.struct_pmuq_value{size: C.sizeof_struct_pmuq_value}
	err := o.call(func(p *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_opened_read_at(p, C.size_t(index), C.size_t(target), &value, reterr)
	})
	if err != nil {
		return Value{}, err
	}
	return valueOf(&value), nil
}

// ReadAll reads all events by one call of the library; on each target the values of a group are consistent. If the kernel refuses
// some, the error describes the first of them, and the others have IsRead.
func (o *Opened) ReadAll() ([]Value, error) {
	n := len(o.encodings)
	if n == 0 {
		return nil, nil
	}
	from := make([]C.struct_pmuq_value, n)
	for i := range from {
		from[i] = C.struct_pmuq_value{size: C.sizeof_struct_pmuq_value, time_enabled_ns: math.MaxUint64}
	}
	err := o.call(func(p *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_opened_read_all(p, &from[0], C.size_t(n), reterr)
	})
	values := make([]Value, n)
	for i := range values {
		if from[i].time_enabled_ns != math.MaxUint64 && o.results[i].Status == StatusOpened {
			values[i] = valueOf(&from[i])
		}
	}
	return values, err
}

// A Target is a task or a CPU that an event is open on.
type Target struct {
	CPU        int    // -1: any
	FD         int    // the file descriptor: map it or poll it, but do not close it
	ID         uint64 // the kernel's id in samples, or 0
	ReadFormat uint64 // attr.read_format of the descriptor
}

// Targets returns the targets of an event; none: it is not open.
func (o *Opened) Targets(index int) []Target {
	var targets []Target
	o.call(func(p *C.struct_pmuq_opened, _ **C.struct_pmuq_error) C.int {
		target := C.struct_pmuq_target{size: C.sizeof_struct_pmuq_target}
		for i := C.size_t(0); bool(C.pmuq_opened_target(p, C.size_t(index), i, &target)); i++ {
			targets = append(targets, Target{CPU: int(target.cpu), FD: int(target.fd), ID: uint64(target.id),
				ReadFormat: uint64(target.read_format)})
		}
		return 0
	})
	return targets
}

// A Count is the result of counting an event for some time.
type Count struct {
	Value
	Status string        // "counted", "multiplexed", "always-zero", "never-scheduled", "target-idle", "not-counted"
	Errno  syscall.Errno // why it did not count, or 0
	// Of an event in a group:
	IsGrouped bool
	Subgroups int // the number of subgroups into which the group was split; 1: the group fits; 0: no member opens
	Subgroup  int // the subgroup of this event, from 0; -1: none
	Breaker   int // the first member that did not fit; -1: all fit
}

// An index that C may not know.
func indexOf(index C.size_t) int {
	if index == ^C.size_t(0) {
		return -1
	}
	return int(index)
}

func copyCount(from *C.struct_pmuq_count) Count {
	to := Count{Status: C.GoString(C.pmuq_counting_name(from.status)), Errno: syscall.Errno(from.errnum), IsGrouped: bool(from.is_grouped),
		Subgroup: -1, Breaker: -1, Value: Value{Value: uint64(from.value), TimeEnabledNS: uint64(from.time_enabled_ns),
			TimeRunningNS: uint64(from.time_running_ns), Scaled: uint64(from.scaled), IsRead: bool(from.is_read)}}
	if to.IsGrouped {
		to.Subgroups, to.Subgroup, to.Breaker = int(from.n_subgroups), indexOf(from.subgroup), indexOf(from.breaker)
	}
	return to
}

// Measure encodes a string, and counts each event or group for WorkMS of the target, one after another.
func (s *Source) Measure(text string, options *EncodeOptions, target *OpenOptions) ([]Count, error) {
	return s.measure(input{text: text, options: options}, target)
}

func (s *Source) measure(in input, target *OpenOptions) ([]Count, error) {
	var counts []Count
	err := s.withTarget(in, target,
		func(encodings *C.struct_pmuq_encodings, to *C.struct_pmuq_open_options, reterr **C.struct_pmuq_error) C.int {
			var made *C.struct_pmuq_counts
			r := C.pmuq_encodings_measure(encodings, to, &made, reterr)
			if r < 0 {
				return r
			}
			for i := C.size_t(0); i < C.pmuq_counts_count(made); i++ {
				counts = append(counts, copyCount(C.pmuq_counts_get(made, i)))
			}
			C.pmuq_counts_free(made)
			return 0
		})
	return counts, err
}
