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

// PFM gives events the names of libpfm4: set EncodeOptions.PFM. libpfm4 runs in a helper process, which the first such name starts.
// Goroutines that share it wait for each other.
type PFM struct {
	mu sync.Mutex
	p  *C.struct_pmuq_pfm
}

// OpenPFM prepares the use of libpfm4, with the helper at a path; "": the installed one. It starts no process.
func OpenPFM(helper string) (*PFM, error) {
	if err := checkTexts(helper); err != nil {
		return nil, err
	}
	pfm := &PFM{}
	how := C.struct_pmuq_pfm_options{size: C.sizeof_struct_pmuq_pfm_options, helper: cTextOrNull(helper)}
	defer free(how.helper)
	var failed *C.struct_pmuq_error
	if C.pmuq_pfm_open(&how, &pfm.p, &failed) < 0 {
		return nil, takeError(failed)
	}
	runtime.SetFinalizer(pfm, (*PFM).Close)
	return pfm, nil
}

// Close ends the helper. It waits for calls of other goroutines.
func (f *PFM) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	runtime.SetFinalizer(f, nil)
	C.pmuq_pfm_free(f.p)
	f.p = nil
	return nil
}
