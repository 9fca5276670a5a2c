// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

// A Budget is the file descriptors that are needed to keep all events open together, and the limit.
type Budget struct {
	Needed    uint64 // one for each event on each of its CPUs
	InUse     uint64 // open in this process now; math.MaxUint64: not known
	Limit     uint64 // RLIMIT_NOFILE; math.MaxUint64: none
	HardLimit uint64 // the process may raise the limit to this without privilege
	Fits      bool   // those needed and those in use together stay within the limit
	Text      string // one sentence about the budget, with what to do if it does not fit
}

func copyBudget(from *C.struct_pmuq_budget) (*Budget, error) {
	text := C.pmuq_budget_text(from)
	if text == nil {
		return nil, errNoMemory
	}
	defer free(text)
	return &Budget{Needed: uint64(from.needed), InUse: uint64(from.in_use), Limit: uint64(from.limit), HardLimit: uint64(from.hard_limit),
		Fits: bool(C.pmuq_budget_fits(from)), Text: C.GoString(text)}, nil
}

// Budget encodes a string, and computes the file descriptors that opening it needs. It opens nothing. The source must be live.
func (s *Source) Budget(text string, options *EncodeOptions, target *OpenOptions) (*Budget, error) {
	budget := C.struct_pmuq_budget{size: C.sizeof_struct_pmuq_budget}
	err := s.withTarget(input{text: text, options: options}, target,
		func(encodings *C.struct_pmuq_encodings, to *C.struct_pmuq_open_options, reterr **C.struct_pmuq_error) C.int {
			return C.pmuq_encodings_budget(encodings, to, &budget, reterr)
		})
	if err != nil {
		return nil, err
	}
	return copyBudget(&budget)
}
