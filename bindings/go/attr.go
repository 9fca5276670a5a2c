// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// C reads as many bytes as the size of an attr says.
func checkAttr(attr *Attr) error {
	if attr == nil || uintptr(attr.Size) <= unsafe.Sizeof(*attr) {
		return nil
	}
	return &Error{Code: C.PMUQ_E_ATTR_SIZE, Name: codeName(C.PMUQ_E_ATTR_SIZE),
		Message: fmt.Sprintf("the attr has the size %d, but Attr has %d bytes", attr.Size, unsafe.Sizeof(*attr))}
}

// EncodeAttr makes an encoding of an attr that no event string made: its PMU and CPUs are those of the attr's type. The fields of the attr
// are not checked.
func (s *Source) EncodeAttr(attr *Attr) (*Encoding, error) {
	var all []Encoding
	var noMemory error
	err := s.withEncodings(ofAttr(attr), func(_ *C.struct_pmuq_source, encodings *C.struct_pmuq_encodings, _ **C.struct_pmuq_error) C.int {
		all, noMemory = copyEncodings(encodings)
		return 0
	})
	if err := firstOf(err, noMemory); err != nil {
		return nil, err
	}
	return &all[0], nil
}

// OpenAttr opens an attr that no event string made, as Open opens a string.
func (s *Source) OpenAttr(attr *Attr, target *OpenOptions) (*Opened, error) {
	return s.open(ofAttr(attr), target)
}

// TestOpenAttr opens an attr that no event string made, and closes it at once, as TestOpen.
func (s *Source) TestOpenAttr(attr *Attr, target *OpenOptions) (*OpenResult, error) {
	results, err := s.testOpen(ofAttr(attr), target)
	if err != nil {
		return nil, err
	}
	return &results[0], nil
}

// MeasureAttr counts an attr that no event string made, as Measure.
func (s *Source) MeasureAttr(attr *Attr, target *OpenOptions) (*Count, error) {
	counts, err := s.measure(ofAttr(attr), target)
	if err != nil {
		return nil, err
	}
	return &counts[0], nil
}

// FitAttr finds out which counters can count an attr that no event string made, as Fit. The CPU's table may be nil.
func (s *Source) FitAttr(attr *Attr, table *Vendor, options *FitOptions) ([]FitSet, error) {
	return s.fit(input{attr: attr, isAttr: true, options: &EncodeOptions{Vendor: table}}, options)
}
