// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import "unsafe"

// ParseAttr reads an attr from text: its bytes in hex, in either byte order, or its fields ("type=4 config=0x3c inherit=1").
func ParseAttr(text string) (Attr, error) {
	var attr C.struct_pmuq_attr
	var failed *C.struct_pmuq_error
	if err := checkTexts(text); err != nil {
		return Attr{}, err
	}
	from := C.CString(text)
	defer free(from)
	if C.pmuq_attr_parse(from, &attr, &failed) < 0 {
		return Attr{}, takeError(failed)
	}
	return attrOf(&attr), nil
}

// DecodeOptions is the dialect of the event strings and the allowed sources of names. The zero value, or nil, has the defaults.
type DecodeOptions struct {
	Dialect   Dialect
	From      Origin  // bits; 0: all
	ProbeText string  // the text that config1 of a kprobe or uprobe points to, or ""
	Vendor    *Vendor // the CPU's imported events, or nil
}

// A Decoding is what an attr means.
type Decoding struct {
	Text         string   // the event string
	PMU          string   // the PMU that counts it; "" if no PMU has that type
	Alternatives []string // some other strings with the same attr; the likeliest comes first
	Left         []LeftField
	Origin       Origin // the source of the name in it
	IsExact      bool   // the string describes the event completely; only a tool sets the fields that are left
}

// A LeftField is a field of the attr that the string does not set.
type LeftField struct {
	Name    string // the kernel's name
	Value   uint64
	IsEvent bool // it is part of the event itself: no string gives this attr
}

func decodeBy(options *DecodeOptions, decode func(how *C.struct_pmuq_decode_options, ret **C.struct_pmuq_decoding) error) (*Decoding, error) {
	if options == nil {
		options = &DecodeOptions{}
	}
	if err := checkTexts(options.ProbeText); err != nil {
		return nil, err
	}
	how := C.struct_pmuq_decode_options{size: C.sizeof_struct_pmuq_decode_options, dialect: uint32(options.Dialect),
		from: C.uint(options.From), probe_text: cTextOrNull(options.ProbeText)}
	defer C.free(unsafe.Pointer(how.probe_text))
	if options.Vendor != nil {
		options.Vendor.mu.RLock()
		defer options.Vendor.mu.RUnlock()
		if options.Vendor.p == nil {
			return nil, ErrClosed
		}
		how.vendor = options.Vendor.p
	}
	var from *C.struct_pmuq_decoding
	if err := decode(&how, &from); err != nil {
		return nil, err
	}
	defer C.pmuq_decoding_free(from)
	to := &Decoding{Text: textOf(from.text), PMU: textOf(from.pmu), Origin: Origin(from.origin), IsExact: bool(from.is_exact)}
	for _, text := range unsafe.Slice(from.alternatives, from.n_alternatives) {
		to.Alternatives = append(to.Alternatives, textOf(text))
	}
	for i := C.size_t(0); i < from.n_left; i++ {
		left := C.pmuq_decoding_left(from, i)
		to.Left = append(to.Left, LeftField{Name: textOf(left.name), Value: uint64(left.value), IsEvent: bool(left.is_event)})
	}
	return to, nil
}

// Decode turns an attr into the event string that a person would write for it on this machine. pmuq has encoded the string again:
// the result is the attr, except for the fields in Left.
func (s *Source) Decode(attr *Attr, options *DecodeOptions) (*Decoding, error) {
	if err := checkAttr(attr); err != nil {
		return nil, err
	}
	return decodeBy(options, func(how *C.struct_pmuq_decode_options, ret **C.struct_pmuq_decoding) error {
		return s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
			return C.pmuq_source_decode(p, (*C.struct_pmuq_attr)(unsafe.Pointer(attr)), how, ret, reterr)
		})
	})
}

// Decode turns an attr into an event string, as Source.Decode. Goroutines do not wait for each other.
func (c *Catalog) Decode(attr *Attr, options *DecodeOptions) (*Decoding, error) {
	if err := checkAttr(attr); err != nil {
		return nil, err
	}
	return decodeBy(options, func(how *C.struct_pmuq_decode_options, ret **C.struct_pmuq_decoding) error {
		var failed *C.struct_pmuq_error
		var r C.int
		err := c.use(func(p *C.struct_pmuq_catalog) {
			r = C.pmuq_catalog_decode(p, (*C.struct_pmuq_attr)(unsafe.Pointer(attr)), how, ret, &failed)
		})
		if err == nil && r < 0 {
			err = takeError(failed)
		}
		return err
	})
}
