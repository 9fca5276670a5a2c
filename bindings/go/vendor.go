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

// Runs a function with the store of a database, and the two texts that such a function needs.
func withStore(database, name string, function func(store *C.struct_pmuq_store, name *C.char, reterr **C.struct_pmuq_error) C.int) error {
	var store *C.struct_pmuq_store
	var failed *C.struct_pmuq_error
	if err := checkTexts(database, name); err != nil {
		return err
	}
	path, text := C.CString(database), C.CString(name)
	defer free(path)
	defer free(text)
	if C.pmuq_store_open(path, C.PMUQ_STORE_READ, &store, &failed) < 0 {
		return takeError(failed)
	}
	defer C.pmuq_store_free(store)
	if function(store, text, &failed) < 0 {
		return takeError(failed)
	}
	return nil
}

// OpenVendor opens the table of one CPU in a database of pmuq. The fact "cpuid" of a machine names its CPU.
func OpenVendor(database, cpuid string) (*Vendor, error) {
	v := &Vendor{}
	err := withStore(database, cpuid, func(store *C.struct_pmuq_store, cpuid *C.char, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_store_open_vendor(store, cpuid, &v.p, reterr)
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
