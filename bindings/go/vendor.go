// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import (
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
