// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

// Fits is whether events fit the counters.
type Fits uint32

const (
	FitUnknown Fits = C.PMUQ_FIT_UNKNOWN // too little is known about the counters
	FitYes     Fits = C.PMUQ_FIT_YES
	FitNo      Fits = C.PMUQ_FIT_NO
)

// String returns "unknown", "yes" or "no".
func (f Fits) String() string {
	return C.GoString(C.pmuq_fit_status_name(uint32(f)))
}

// A CountersSource is from where a number of counters is known.
type CountersSource uint32

const (
	CountersUnknown    CountersSource = C.PMUQ_COUNTERS_UNKNOWN
	CountersFromTable  CountersSource = C.PMUQ_COUNTERS_TABLE  // the vendor's table has the number
	CountersFromEvents CountersSource = C.PMUQ_COUNTERS_EVENTS // events of the table name that many counters
	CountersFromCPU    CountersSource = C.PMUQ_COUNTERS_CPU    // the running CPU
	CountersFromManual CountersSource = C.PMUQ_COUNTERS_MANUAL // documents of the CPU or of the kernel
)

// String returns "table", "events", "cpu" or "manual"; "" for CountersUnknown.
func (c CountersSource) String() string {
	return C.GoString(C.pmuq_counters_source_name(uint32(c)))
}

// Counters are those of a PMU, of each of its CPUs or instances.
type Counters struct {
	Generic       int // counters for any event, at least
	GenericMost   int // at most: the same if the number is known
	Fixed         int // counters for one event each
	GenericSource CountersSource
	FixedSource   CountersSource
	Unlimited     bool // its events never compete
	Watchdog      bool // the kernel's NMI watchdog takes one of the counters
}

// FitOptions is how to match events with counters. The zero value, or nil, has the defaults.
type FitOptions struct {
	WithoutWatchdog bool // as if the NMI watchdog were off
	Watchdog        Watchdog
	UnfitOnly       bool // return only groups that can never be counted
}

// A FitSet is events of a PMU that may compete: a group, or all events of the string.
type FitSet struct {
	PMU       string     // the PMU, or the first of its instances with the same events
	Instances int        // how many instances those are
	Leader    int        // the index of the encoding that leads the group, or -1: it is not a group
	Counts    Fits       // whether they can be counted at the same time
	Opens     Fits       // whether the kernel should open the group
	Counters  int        // how many counters they need, in all parts together
	Parts     int        // the smallest number of parts that fit; 0: it is not known, or none
	Smallest  bool       // false: the search was ended, and fewer parts may do
	Reason    string     // which members compete for what, or what is not known; "" if they fit
	Split     string     // the parts as event strings: "{a,b},{c}"; "" without parts
	Warning   *Error     // of a group that cannot be counted: the reason as a warning about the string, with Split as its hint; or nil
	Events    []FitEvent // in the order of the encodings
}

// A FitEvent is an event of a set.
type FitEvent struct {
	Encoding   int    // its index in what Encode returns
	Part       int    // the part that it is in, from 0
	Counters   string // the counters that can count it: "0-3", "0-7, fixed 1", "none", "own"; "": not known
	Counter    string // the one that it has in its part: "2", "fixed 1"; or ""
	Needs      string // a register that it needs with a value of its own: "offcore_rsp"; or ""
	Competes   bool   // it is one of those that the reason is about
	Added      bool   // pmuq added it, as Encoding.Added
	TakenAlone bool   // by the vendor's table no other event may be counted with it
}

// Fit finds out which events of a string can be counted at the same time. The vendor of the encode options is the CPU's table, from which
// most is known about counters. Groups come first, in their order; then PMUs.
func (s *Source) Fit(text string, encode *EncodeOptions, options *FitOptions) ([]FitSet, error) {
	return s.fit(input{text: text, options: encode}, options)
}

func (s *Source) fit(in input, options *FitOptions) ([]FitSet, error) {
	var sets []FitSet
	err := s.withEncodings(in, func(p *C.struct_pmuq_source, encodings *C.struct_pmuq_encodings, reterr **C.struct_pmuq_error) C.int {
		var fit *C.struct_pmuq_fit
		how := options.c(in.options)
		r := C.pmuq_source_fit(p, encodings, &how, &fit, reterr)
		if r == 0 {
			sets = readFit(fit)
			C.pmuq_fit_free(fit)
		}
		return r
	})
	return sets, err
}

func (o *FitOptions) c(encode *EncodeOptions) C.struct_pmuq_fit_options {
	c := C.struct_pmuq_fit_options{size: C.sizeof_struct_pmuq_fit_options}
	if encode != nil && encode.Vendor != nil {
		c.vendor = encode.Vendor.p
	}
	if o != nil {
		c.nmi_watchdog = C.uint(o.Watchdog)
		c.wants_unfit_only = C.bool(o.UnfitOnly)
	}
	if o != nil && o.WithoutWatchdog {
		c.nmi_watchdog = C.uint(WatchdogOff)
	}
	return c
}

func readFit(fit *C.struct_pmuq_fit) []FitSet {
	sets := make([]FitSet, C.pmuq_fit_count(fit))
	for i := range sets {
		set := C.pmuq_fit_get(fit, C.size_t(i))
		sets[i] = FitSet{PMU: textOf(set.pmu), Instances: int(set.n_pmus), Leader: indexOf(set.leader), Counts: Fits(set.counts), Opens: Fits(set.opens),
			Counters: int(set.n_counters), Parts: int(set.n_parts), Smallest: bool(set.is_smallest), Reason: textOf(set.reason),
			Split: textOf(set.split)}
		if set.warning != nil {
			sets[i].Warning = copyError(set.warning)
		}
		for k := C.size_t(0); k < set.n_members; k++ {
			event := C.pmuq_fit_member(fit, C.size_t(i), k)
			sets[i].Events = append(sets[i].Events, FitEvent{Encoding: int(event.encoding), Part: int(event.part),
				Counters: textOf(event.counters), Counter: textOf(event.counter), Needs: textOf(event.needs),
				Competes: bool(event.competes), Added: bool(event.is_added), TakenAlone: bool(event.is_taken_alone)})
		}
	}
	return sets
}

// Counters finds out how many counters a PMU has. The CPU's table may be nil.
func (s *Source) Counters(pmu string, table *Vendor) (Counters, error) {
	if err := checkTexts(pmu); err != nil {
		return Counters{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p == nil {
		return Counters{}, ErrClosed
	}
	name := C.CString(pmu)
	defer free(name)
	c := C.struct_pmuq_counters{size: C.sizeof_struct_pmuq_counters}
	var failed *C.struct_pmuq_error
	var r C.int
	err := (&EncodeOptions{Vendor: table}).with(func(how *C.struct_pmuq_encode_options) {
		r = C.pmuq_source_find_counters(s.p, name, how.vendor, &c, &failed)
	})
	if err == nil && r < 0 {
		err = takeError(failed)
	}
	if err != nil {
		return Counters{}, err
	}
	return Counters{Generic: int(c.generic), GenericMost: int(c.generic_most), Fixed: int(c.fixed),
		GenericSource: CountersSource(c.generic_source), FixedSource: CountersSource(c.fixed_source), Unlimited: bool(c.is_unlimited),
		Watchdog: bool(c.has_watchdog)}, nil
}
