// SPDX-License-Identifier: MIT

// Package pmuq is libpmuq in Go: what a Linux machine can count, and how to open it.
//
// A Source is a machine to query: this one, a captured one, or that of a daemon. A Catalog has everything that a machine offers,
// in memory; any number of goroutines may use one. Both turn event strings into encodings: attrs with names, CPUs and units.
//
//	machine, err := pmuq.OpenLive()
//	if err != nil {
//		return err
//	}
//	defer machine.Close()
//	events, err := machine.Encode("cycles:u,page-faults", nil)
//
// Everything that a function returns, except an object with a Close, is a copy in Go's memory: it stays valid after Close. Close may be
// called twice; if it is not called, the garbage collector frees the object at some time. A call on a closed object returns ErrClosed.
// Goroutines that share a Source, a PFM, an Opened and its Samples, or a Watch wait for each other.
//
// A call that fails returns an *Error, which has a code, a span of bytes and a hint.
package pmuq

/*
#cgo pkg-config: pmuq
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"unsafe"

	"pmuq.dev/pmuq/perfevent"
)

// Attr is struct perf_event_attr.
type Attr = perfevent.Attr

// Error is why a call failed, or a warning.
type Error = perfevent.Error

// ErrClosed is returned by calls on an object after its Close.
var ErrClosed = errors.New("pmuq: the object is closed")

var errNoMemory = errors.New("pmuq: out of memory")

// Version returns the version of the library that runs.
func Version() string {
	return C.GoString(C.pmuq_version())
}

func textOf(text C.struct_pmuq_str) string {
	if text.p == nil {
		return ""
	}
	return C.GoStringN(text.p, C.int(text.n))
}

// The library takes texts that end with a NUL byte.
func checkTexts(texts ...string) error {
	for _, text := range texts {
		if i := strings.IndexByte(text, 0); i >= 0 {
			return &Error{Code: C.PMUQ_E_BAD_CALL, Name: codeName(C.PMUQ_E_BAD_CALL), Message: "a text contains a NUL byte", Input: text,
				Offset: i, Length: 1}
		}
	}
	return nil
}

// An index that C would take for a very large one.
func checkIndex(what string, index int) error {
	if index >= 0 {
		return nil
	}
	return &Error{Code: C.PMUQ_E_BAD_CALL, Name: codeName(C.PMUQ_E_BAD_CALL), Message: fmt.Sprintf("there is no %s %d", what, index)}
}

func codeName(code C.uint) string {
	return C.GoString(C.pmuq_code_name(code))
}

// The Go error of a call that failed. It frees the error of C.
func takeError(from *C.struct_pmuq_error) error {
	if from == nil {
		return errNoMemory
	}
	defer C.pmuq_error_free(from)
	return copyError(from)
}

func copyError(from *C.struct_pmuq_error) *Error {
	made := &Error{Code: int(from.code), Name: codeName(C.uint(from.code)), Message: textOf(from.message), Hint: textOf(from.hint),
		Input: textOf(from.input), Offset: int(from.offset), Length: int(from.length), Origin: textOf(from.origin),
		Errno: syscall.Errno(from.errnum), IsWarning: bool(from.is_warning)}
	if whole := C.pmuq_error_format(from); whole != nil {
		made.WithText(C.GoString(whole))
		C.free(unsafe.Pointer(whole))
	}
	return made
}

// The first error that is not nil.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A text for one call of C; NULL for "".
func cTextOrNull(text string) *C.char {
	if text == "" {
		return nil
	}
	return C.CString(text)
}

func free(text *C.char) {
	C.free(unsafe.Pointer(text))
}
