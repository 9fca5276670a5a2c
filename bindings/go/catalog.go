// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
*/
import "C"

import (
	"runtime"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// A Catalog has everything that a machine offers, in memory. It never changes; any number of goroutines may use one.
type Catalog struct {
	mu   sync.RWMutex
	p    *C.struct_pmuq_catalog
	once sync.Once
	pmus []*PMU
}

func newCatalog(p *C.struct_pmuq_catalog) *Catalog {
	c := &Catalog{p: p}
	runtime.SetFinalizer(c, (*Catalog).Close)
	return c
}

// Close frees the catalog. It waits for calls of other goroutines.
func (c *Catalog) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	runtime.SetFinalizer(c, nil)
	C.pmuq_catalog_free(c.p)
	c.p = nil
	return nil
}

// Runs a function that uses the catalog. The unlock at its end also keeps a finalizer from freeing the catalog before.
func (c *Catalog) use(function func(p *C.struct_pmuq_catalog)) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.p == nil {
		return ErrClosed
	}
	function(c.p)
	return nil
}

// Source makes a source of the catalog, for example to open events of a live one.
func (c *Catalog) Source() (*Source, error) {
	var p *C.struct_pmuq_source
	var failed *C.struct_pmuq_error
	isOpen := false
	err := c.use(func(catalog *C.struct_pmuq_catalog) {
		shared := C.pmuq_catalog_share(catalog)
		isOpen = C.pmuq_source_open_catalog(shared, &p, &failed) == 0
		if !isOpen {
			C.pmuq_catalog_free(shared)
		}
	})
	if err != nil {
		return nil, err
	}
	if !isOpen {
		return nil, takeError(failed)
	}
	return newSource(p), nil
}

// A Pair is a name and its text: a fact, a file of sysfs.
type Pair struct {
	Name, Text string
}

func copyPairs(from *C.struct_pmuq_pair, n C.size_t) []Pair {
	pairs := make([]Pair, n)
	for i, pair := range unsafe.Slice(from, n) {
		pairs[i] = Pair{Name: textOf(pair.name), Text: textOf(pair.text)}
	}
	return pairs
}

// A Problem is something that could not be read or understood.
type Problem struct {
	Path    string // the file, relative to the root of what was read
	Message string // what is wrong with it
	Line    int    // from 1; 0: unknown
	Code    int    // the code of the message, or 0
	Errno   syscall.Errno
}

// A Tracepoint is one of /sys/kernel/tracing/events.
type Tracepoint struct {
	Subsystem, Name string
	ID              uint64 // the config of its attr; another boot may have another one
}

// Facts returns what is known about the host, in a fixed order; see pmuq_catalog(3).
func (c *Catalog) Facts() []Pair {
	var facts []Pair
	c.use(func(p *C.struct_pmuq_catalog) {
		machine := C.pmuq_catalog_machine(p)
		facts = copyPairs(machine.facts, machine.n_facts)
	})
	return facts
}

// Fact returns a fact by its name, or "".
func (c *Catalog) Fact(name string) string {
	for _, fact := range c.Facts() {
		if fact.Name == name {
			return fact.Text
		}
	}
	return ""
}

// IsLive returns whether the catalog was read from this machine.
func (c *Catalog) IsLive() bool {
	isLive := false
	c.use(func(p *C.struct_pmuq_catalog) { isLive = bool(C.pmuq_catalog_machine(p).is_live) })
	return isLive
}

// Problems returns what could not be read or understood.
func (c *Catalog) Problems() []Problem {
	var problems []Problem
	c.use(func(p *C.struct_pmuq_catalog) {
		for i := C.size_t(0); ; i++ {
			problem := C.pmuq_catalog_problem(p, i)
			if problem == nil {
				break
			}
			problems = append(problems, Problem{Path: textOf(problem.path), Message: textOf(problem.message), Line: int(problem.line),
				Code: int(problem.code), Errno: syscall.Errno(problem.errnum)})
		}
	})
	return problems
}

// Tracepoints returns the tracepoints by subsystem, then by name.
func (c *Catalog) Tracepoints() []Tracepoint {
	var tracepoints []Tracepoint
	c.use(func(p *C.struct_pmuq_catalog) {
		for i := C.size_t(0); ; i++ {
			tracepoint := C.pmuq_catalog_tracepoint(p, i)
			if tracepoint == nil {
				break
			}
			tracepoints = append(tracepoints, Tracepoint{Subsystem: textOf(tracepoint.subsystem), Name: textOf(tracepoint.name),
				ID: uint64(tracepoint.id)})
		}
	})
	return tracepoints
}

// TracepointCount returns the number of tracepoints, also of a catalog of ReadPMUs.
func (c *Catalog) TracepointCount() int {
	n := C.size_t(0)
	c.use(func(p *C.struct_pmuq_catalog) {
		machine := C.pmuq_catalog_machine(p)
		n = machine.n_tracepoints + machine.n_counted
	})
	return int(n)
}

// PMUs returns all PMUs: core PMUs first, then by name without its number, then by number. They are copied once; do not change
// them.
func (c *Catalog) PMUs() []*PMU {
	c.once.Do(func() {
		c.use(func(p *C.struct_pmuq_catalog) {
			definitions := map[*C.struct_pmuq_definition]*Definition{}
			for i := C.size_t(0); ; i++ {
				pmu := C.pmuq_catalog_pmu(p, i)
				if pmu == nil {
					break
				}
				c.pmus = append(c.pmus, copyPMU(pmu, definitions))
			}
		})
	})
	return c.pmus
}

// PMU returns a PMU by its name or alias, or nil.
func (c *Catalog) PMU(name string) *PMU {
	var alias *PMU
	for _, pmu := range c.PMUs() {
		if pmu.Name == name {
			return pmu
		}
		if pmu.Alias == name && name != "" && alias == nil {
			alias = pmu
		}
	}
	return alias
}

// A PMU is one of /sys/bus/event_source/devices.
type PMU struct {
	Name       string
	Alias      string // a second name, or ""
	Type       uint32 // perf_event_attr.type, if HasType
	HasType    bool
	CPUs       string      // the CPUs to open events on, as a list
	Cpumask    string      // the content of the file cpumask, or ""
	CPUsFile   string      // the content of the file cpus, or ""
	Definition *Definition // instances with the same formats, events and caps share it
	Attributes []Pair      // the other plain files of the directory
	Siblings   int         // how many of the next PMUs of the catalog are instances of the same PMU
	IsCore     bool        // a CPU core PMU
	IsUncore   bool        // events open per CPU only
}

// A Definition is what the instances of a PMU share.
type Definition struct {
	Formats []Format
	Events  []Event
	Caps    []Pair
	Hash    uint64 // of the content; equal content has the same hash on every machine
}

// A Format is a file in format/.
type Format struct {
	Name string
	Text string // as the kernel wrote it: "config1:0-7,32-35"
	Word int    // 0: config … 4: config4; -1: unknown
	Mask uint64 // the bits of that word; 0: pmuq does not understand the text
	Max  uint64 // the largest value of its term
}

// An Event is a file in events/.
type Event struct {
	Name             string
	Terms            string // "event=0xcd,umask=0x1,ldlat=3"
	Unit             string
	Scale            string // the exact decimal text to multiply a count by
	PerPkg, Snapshot bool
	Parameters       []Format // the formats for which the terms have no value ("chip=?"): an event string needs a term for each
}

func copyPMU(from *C.struct_pmuq_pmu, definitions map[*C.struct_pmuq_definition]*Definition) *PMU {
	definition := definitions[from.definition]
	if definition == nil {
		definition = copyDefinition(from)
		definitions[from.definition] = definition
	}
	return &PMU{Name: textOf(from.name), Alias: textOf(from.alias), Type: uint32(from._type), HasType: bool(from.has_type),
		CPUs: textOf(from.cpus), Cpumask: textOf(from.cpumask), CPUsFile: textOf(from.cpus_file), Definition: definition,
		Attributes: copyPairs(from.attributes, from.n_attributes), Siblings: int(from.n_siblings), IsCore: bool(from.is_core),
		IsUncore: bool(from.is_uncore)}
}

func copyFormat(from *C.struct_pmuq_format) Format {
	return Format{Name: textOf(from.name), Text: textOf(from.text), Word: int(from.bits.word), Mask: uint64(from.bits.mask),
		Max: uint64(from.max)}
}

// Without its parameters, which depend on the PMU.
func copyEvent(from *C.struct_pmuq_event) Event {
	return Event{Name: textOf(from.name), Terms: textOf(from.terms), Unit: textOf(from.unit), Scale: textOf(from.scale),
		PerPkg: bool(from.is_per_pkg), Snapshot: bool(from.is_snapshot)}
}

func copyDefinition(pmu *C.struct_pmuq_pmu) *Definition {
	from := pmu.definition
	to := &Definition{Formats: make([]Format, from.n_formats), Events: make([]Event, from.n_events), Caps: copyPairs(from.caps, from.n_caps),
		Hash: uint64(from.hash)}
	for i := range to.Formats {
		to.Formats[i] = copyFormat(C.pmuq_pmu_format(pmu, C.size_t(i)))
	}
	for i := range to.Events {
		event := C.pmuq_pmu_event(pmu, C.size_t(i))
		to.Events[i] = copyEvent(event)
		for k := C.size_t(0); strings.Contains(to.Events[i].Terms, "?"); k++ {
			format := C.pmuq_pmu_parameter(pmu, event.name.p, k)
			if format == nil {
				break
			}
			to.Events[i].Parameters = append(to.Events[i].Parameters, copyFormat(format))
		}
	}
	return to
}
