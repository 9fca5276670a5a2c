// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"
)

// A Vendor has the events of one CPU in a vendor's table, which `pmuq vendor import` has stored. Any number of goroutines may use one.
type Vendor struct {
	mu sync.RWMutex
	p  *C.struct_pmuq_vendor
}

// A Table is the vendor's table that has an event.
type Table struct {
	Import  string // the name of the import
	Folder  string // "ARCH/FOLDER"
	Version string // the vendor's version, or ""
}

// Runs a function with the store of a database.
func withStore(database string, mode uint32, function func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int) error {
	var store *C.struct_pmuq_store
	var failed *C.struct_pmuq_error
	if err := checkTexts(database); err != nil {
		return err
	}
	path := C.CString(database)
	defer free(path)
	if C.pmuq_store_open(path, mode, &store, &failed) < 0 {
		return takeError(failed)
	}
	defer C.pmuq_store_free(store)
	if function(store, &failed) < 0 {
		return takeError(failed)
	}
	return nil
}

// OpenVendor opens the table of one CPU in a database of pmuq. The fact "cpuid" of a machine names its CPU.
func OpenVendor(database, cpuid string) (*Vendor, error) {
	v := &Vendor{}
	if err := checkTexts(cpuid); err != nil {
		return nil, err
	}
	cpu := C.CString(cpuid)
	defer free(cpu)
	err := withStore(database, C.PMUQ_STORE_READ, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_store_open_vendor(store, cpu, &v.p, reterr)
	})
	if err != nil {
		return nil, err
	}
	runtime.SetFinalizer(v, (*Vendor).Close)
	return v, nil
}

// Close frees the table. It waits for calls of other goroutines.
func (v *Vendor) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	runtime.SetFinalizer(v, nil)
	C.pmuq_vendor_free(v.p)
	v.p = nil
	return nil
}

// Events returns the number of events of the table; 0 after Close.
func (v *Vendor) Events() int {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.p == nil {
		return 0
	}
	return int(C.pmuq_vendor_content(v.p).n_events)
}

// Table returns what is known about the table; empty after Close.
func (v *Vendor) Table() Table {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.p == nil {
		return Table{}
	}
	content := C.pmuq_vendor_content(v.p)
	return Table{Import: textOf(content._import), Folder: textOf(content.folder), Version: textOf(content.version)}
}

// A TableEvent is an event of a vendor's table.
type TableEvent struct {
	Event                  // as a machine has it: its name in lower case, the terms …; it has no Parameters
	PMU             string // the PMU's name in the tables: "default_core" (every core PMU), "cpu_atom", "uncore_imc" (every instance of it) …
	Topic           string // or ""
	Description     string // one sentence, or ""
	LongDescription string // the whole description, or ""
	Compat          string // a regular expression (POSIX extended) for the whole content of the PMU's file "identifier"; "": any
	Deprecated      bool   // the vendor recommends another one
	Counters        string // those that can count it, as the vendor lists them: "0,1,2,3", "Fixed counter 1"; "": not known
	CountersSMTOff  string // the same of a core that is one CPU: SMT is off in its firmware; "": not known
	TakenAlone      bool   // no other event may be counted with it
	Latency         string // by how many cycles it delays the retirement of an instruction, exact decimal text, or ""
	File            string // its file: "ARCH/FOLDER/FILE"
	Version         string // of that file or, if it names none, of the table; or ""
}

func copyTableEvent(from *C.struct_pmuq_vendor_event) TableEvent {
	return TableEvent{Event: copyEvent(from.event), PMU: textOf(from.pmu), Topic: textOf(from.topic), Description: textOf(from.description),
		LongDescription: textOf(from.long_description), Compat: textOf(from.compat), Deprecated: bool(from.is_deprecated),
		Counters: textOf(from.counters), CountersSMTOff: textOf(from.counters_smt_off), TakenAlone: bool(from.is_taken_alone),
		Latency: textOf(from.latency), File: textOf(from.file), Version: textOf(from.version)}
}

// List returns the events of the table by name, then by PMU; nil after Close.
func (v *Vendor) List() []TableEvent {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.p == nil {
		return nil
	}
	all := make([]TableEvent, C.pmuq_vendor_content(v.p).n_events)
	for i := range all {
		all[i] = copyTableEvent(C.pmuq_vendor_get(v.p, C.size_t(i)))
	}
	return all
}

// The event with that name on a PMU, or nil.
func (v *Vendor) find(pmu *C.struct_pmuq_pmu, name *C.char) (*TableEvent, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.p == nil {
		return nil, ErrClosed
	}
	from := C.pmuq_vendor_find_event(v.p, pmu, name)
	if from == nil {
		return nil, nil
	}
	event := copyTableEvent(from)
	return &event, nil
}

// TableEvent finds the event of a vendor's table with that name (case does not matter) on a PMU of the machine; nil: the table has none.
func (s *Source) TableEvent(pmu, name string, table *Vendor) (*TableEvent, error) {
	texts, err := newTexts([]string{pmu, name})
	if err != nil {
		return nil, err
	}
	defer texts.free()
	var found *TableEvent
	var closed error
	err = s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
		var on *C.struct_pmuq_pmu
		r := C.pmuq_source_find_pmu(p, texts.at(0), &on, reterr)
		if r == 0 {
			found, closed = table.find(on, texts.at(1))
		}
		return r
	})
	return found, firstOf(err, closed)
}

// TableEvent finds an event of a vendor's table, as Source.TableEvent. Goroutines do not wait for each other.
func (c *Catalog) TableEvent(pmu, name string, table *Vendor) (*TableEvent, error) {
	texts, err := newTexts([]string{pmu, name})
	if err != nil {
		return nil, err
	}
	defer texts.free()
	var found *TableEvent
	closed := c.use(func(p *C.struct_pmuq_catalog) {
		if on := C.pmuq_catalog_find_pmu(p, texts.at(0)); on != nil {
			found, err = table.find(on, texts.at(1))
		} else {
			err = &Error{Code: C.PMUQ_E_UNKNOWN_PMU, Name: codeName(C.PMUQ_E_UNKNOWN_PMU), Message: fmt.Sprintf("there is no PMU '%s'", pmu)}
		}
	})
	return found, firstOf(closed, err)
}
