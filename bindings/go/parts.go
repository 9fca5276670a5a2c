// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import "unsafe"

// A Term of an event in parts: the name of a format ("ldlat") or of a term of every PMU ("period"), and its value.
type Term struct {
	Name  string
	Value uint64
}

// Parts is an event in parts. PMU, Event or both are set.
type Parts struct {
	PMU       string // as in an event string before the slash, or ""
	Event     string // the name of an event; "": the terms are the event
	Terms     []Term // also the values of the event's parameters
	Modifiers string // letters, "u"
}

func (parts *Parts) texts() []string {
	texts := []string{parts.PMU, parts.Event, parts.Modifiers}
	for _, term := range parts.Terms {
		texts = append(texts, term.Name)
	}
	return texts
}

// Calls a function with the parts in C's memory, because they have pointers to each other, and with the options.
func (parts *Parts) with(options *EncodeOptions, function func(c *C.struct_pmuq_event_parts, how *C.struct_pmuq_encode_options)) error {
	if err := checkTexts(parts.texts()...); err != nil {
		return err
	}
	n := C.size_t(len(parts.Terms))
	c := (*C.struct_pmuq_event_parts)(C.calloc(1, C.sizeof_struct_pmuq_event_parts))
	terms := (*C.struct_pmuq_term)(C.calloc(n+1, C.sizeof_struct_pmuq_term))
	defer C.free(unsafe.Pointer(c))
	defer C.free(unsafe.Pointer(terms))
	if c == nil || terms == nil {
		return errNoMemory
	}
	c.size = C.sizeof_struct_pmuq_event_parts
	c.pmu, c.event, c.modifiers = cTextOrNull(parts.PMU), cTextOrNull(parts.Event), cTextOrNull(parts.Modifiers)
	c.terms, c.n_terms = terms, n
	for i, term := range unsafe.Slice(terms, n) {
		term.name, term.value = C.CString(parts.Terms[i].Name), C.uint64_t(parts.Terms[i].Value)
		unsafe.Slice(terms, n)[i] = term
	}
	closed := options.with(func(how *C.struct_pmuq_encode_options) { function(c, how) })
	for _, term := range unsafe.Slice(terms, n) {
		C.free(unsafe.Pointer(term.name))
	}
	C.free(unsafe.Pointer(c.pmu))
	C.free(unsafe.Pointer(c.event))
	C.free(unsafe.Pointer(c.modifiers))
	return closed
}

// EncodeParts encodes an event whose parts a program has, so that it need not write and quote an event string. The result is that
// of the string "PMU/EVENT,TERM=VALUE/MODIFIERS".
func (s *Source) EncodeParts(parts *Parts, options *EncodeOptions) ([]Encoding, error) {
	var encodings []Encoding
	var err, noMemory error
	failed := parts.with(options, func(c *C.struct_pmuq_event_parts, how *C.struct_pmuq_encode_options) {
		err = s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
			var from *C.struct_pmuq_encodings
			r := C.pmuq_source_encode_parts(p, c, how, &from, reterr)
			if r == 0 {
				encodings, noMemory = copyEncodings(from)
				C.pmuq_encodings_free(from)
			}
			return r
		})
	})
	return encodings, firstOf(failed, err, noMemory)
}

// EncodeParts encodes an event in parts, as Source.EncodeParts. Goroutines do not wait for each other.
func (c *Catalog) EncodeParts(parts *Parts, options *EncodeOptions) ([]Encoding, error) {
	var encodings []Encoding
	var err, isClosed error
	failed := parts.with(options, func(from *C.struct_pmuq_event_parts, how *C.struct_pmuq_encode_options) {
		isClosed = c.use(func(p *C.struct_pmuq_catalog) {
			var made *C.struct_pmuq_encodings
			var reterr *C.struct_pmuq_error
			if C.pmuq_catalog_encode_parts(p, from, how, &made, &reterr) < 0 {
				err = takeError(reterr)
				return
			}
			encodings, err = copyEncodings(made)
			C.pmuq_encodings_free(made)
		})
	})
	return encodings, firstOf(failed, isClosed, err)
}
