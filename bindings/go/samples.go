// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
*/
import "C"

import (
	"context"
	"io"
	"unsafe"
)

// How long Next keeps other goroutines from using the events.
const waitMS = 20

// Samples are the records that the kernel writes while events count. Open the events with PresetSample and
// OpenOptions.WantsSamples. Goroutines that share them, or their Opened, wait for each other.
type Samples struct {
	opened *Opened
	*rings
}

// The buffers of samples. Opened has a pointer to them, and none to Samples: a cycle with a finalizer is never collected.
type rings struct {
	p     *C.struct_pmuq_samples
	ended C.bool
}

// A Record is a record of the kernel: a sample, or another one of linux/perf_event.h.
type Record struct {
	Type   uint32  // PERF_RECORD_SAMPLE (9), PERF_RECORD_LOST (2) …
	Misc   uint16  // PERF_RECORD_MISC_…
	Data   []byte  // all of it, with its header
	Index  int     // of the encoding that it belongs to; -1: of no one event
	TimeNS uint64  // of the clock of the events; 0: the record has no time
	CPU    int     // the CPU whose buffer it was in; -1: the buffer of a task
	Sample *Sample // its fields; nil: it is not a sample
}

// A Sample has the fields of a sample. Only those in Types are set.
type Sample struct {
	Types                        uint64 // attr.sample_type of its event
	IP                           uint64
	PID, TID, CPU                uint32
	TimeNS                       uint64
	Addr, ID, StreamID           uint64
	Period                       uint64   // how many events the sample stands for
	Values                       []uint64 // PERF_SAMPLE_READ
	Callers                      []uint64 // the call chain, innermost first, with PERF_CONTEXT_…
	Raw                          []byte   // the data of a tracepoint, with padding
	Branches                     []uint64 // struct perf_branch_entry: three words each
	BranchIndex                  uint64   // of the hardware; math.MaxUint64: not sampled
	BranchCounters               []uint64
	UserABI, IntrABI             uint64 // enum perf_sample_regs_abi; 0: no registers
	UserRegisters, IntrRegisters []uint64
	Stack                        []byte
	Weight, DataSrc, Transaction uint64
	PhysAddr, Cgroup             uint64
	DataPageBytes, CodePageBytes uint64
	AUX                          []byte
}

// Sample maps ring buffers of that many bytes each (0: 128 KiB) for all events that sample. Close the samples; closing the events
// does it, too.
func (o *Opened) Sample(bytes int) (*Samples, error) {
	samples := &Samples{o, &rings{}}
	err := o.call(func(p *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int {
		r := C.pmuq_opened_sample(p, C.size_t(bytes), &samples.p, reterr)
		if r == 0 {
			o.samples = append(o.samples, samples.rings)
		}
		return r
	})
	if err != nil {
		return nil, err
	}
	return samples, nil
}

// Frees the buffers, while no other goroutine uses the events.
func (r *rings) free() {
	C.pmuq_samples_free(r.p)
	r.p = nil
}

// Close unmaps the buffers. It does not close the events.
func (s *Samples) Close() error {
	s.opened.mu.Lock()
	defer s.opened.mu.Unlock()
	s.free()
	for i, samples := range s.opened.samples {
		if samples == s.rings {
			s.opened.samples = append(s.opened.samples[:i], s.opened.samples[i+1:]...)
			break
		}
	}
	return nil
}

// Lost returns how many records the kernel lost because a buffer was full, as far as records that Next has returned report it.
func (s *Samples) Lost() uint64 {
	s.opened.mu.Lock()
	defer s.opened.mu.Unlock()
	if s.p == nil {
		return 0
	}
	return uint64(C.pmuq_samples_lost(s.p))
}

// Next waits for the next record, the oldest of all buffers, or for the end of the context. io.EOF: all tasks have ended.
func (s *Samples) Next(ctx context.Context) (*Record, error) {
	for {
		record, err := s.take()
		if record != nil || err != nil {
			return record, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// The next record, or nil after a short wait.
func (s *Samples) take() (*Record, error) {
	var record *Record
	hasEnded, isClosed := false, false
	err := s.opened.call(func(_ *C.struct_pmuq_opened, reterr **C.struct_pmuq_error) C.int {
		if isClosed = s.p == nil; isClosed {
			return 0
		}
		if from := C.pmuq_samples_next(s.p); from != nil {
			record = s.copyRecord(from)
			return 0
		}
		// After the end, the wait has returned, and the buffers have been emptied.
		if hasEnded = bool(s.ended); hasEnded {
			return 0
		}
		return C.pmuq_samples_wait(s.p, waitMS, &s.ended, reterr)
	})
	switch {
	case err != nil:
		return nil, err
	case hasEnded:
		return nil, io.EOF
	case isClosed:
		return nil, ErrClosed
	}
	return record, nil
}

func bytesOf(p unsafe.Pointer, n C.size_t) []byte {
	return append([]byte(nil), unsafe.Slice((*byte)(p), n)...)
}

func wordsOf(p *C.uint64_t, n C.size_t) []uint64 {
	return append([]uint64(nil), unsafe.Slice((*uint64)(unsafe.Pointer(p)), n)...)
}

func (s *Samples) copyRecord(from *C.struct_pmuq_sample_record) *Record {
	record := &Record{Type: uint32(from._type), Misc: uint16(from.misc), Data: bytesOf(from.data, from.data_bytes), Index: int(from.index),
		TimeNS: uint64(from.time_ns), CPU: int(from.cpu)}
	sample := C.struct_pmuq_sample{size: C.sizeof_struct_pmuq_sample}
	if C.pmuq_samples_parse(s.p, from, &sample) {
		record.Sample = copySample(&sample)
	}
	return record
}

func copySample(from *C.struct_pmuq_sample) *Sample {
	return &Sample{Types: uint64(from.types), IP: uint64(from.ip), PID: uint32(from.pid), TID: uint32(from.tid), CPU: uint32(from.cpu),
		TimeNS: uint64(from.time_ns), Addr: uint64(from.addr), ID: uint64(from.id), StreamID: uint64(from.stream_id),
		Period: uint64(from.period), Values: wordsOf(from.values, from.n_values), Callers: wordsOf(from.callers, from.n_callers),
		Raw: bytesOf(from.raw, from.raw_bytes), Branches: wordsOf(from.branches, from.n_branches), BranchIndex: uint64(from.branch_index),
		BranchCounters: wordsOf(from.branch_counters, from.n_branch_counters), UserABI: uint64(from.user_abi),
		IntrABI: uint64(from.intr_abi), UserRegisters: wordsOf(from.user_registers, from.n_user_registers),
		IntrRegisters: wordsOf(from.intr_registers, from.n_intr_registers), Stack: bytesOf(from.stack, from.stack_bytes),
		Weight: uint64(from.weight), DataSrc: uint64(from.data_src), Transaction: uint64(from.transaction),
		PhysAddr: uint64(from.phys_addr), Cgroup: uint64(from.cgroup), DataPageBytes: uint64(from.data_page_bytes),
		CodePageBytes: uint64(from.code_page_bytes), AUX: bytesOf(from.aux, from.aux_bytes)}
}
