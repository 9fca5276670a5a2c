// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

// Cursor is the location of the cursor in the grammar of event strings.
type Cursor uint32

const (
	CursorNone          Cursor = C.PMUQ_CURSOR_NONE           // the string is invalid, or only the user can continue it
	CursorEvent         Cursor = C.PMUQ_CURSOR_EVENT          // at the name of an event, a PMU or a tracepoint subsystem
	CursorColon         Cursor = C.PMUQ_CURSOR_COLON          // after NAME and a colon: at a tracepoint, or modifiers
	CursorTerm          Cursor = C.PMUQ_CURSOR_TERM           // between slashes: at the key of a term, or an event
	CursorValue         Cursor = C.PMUQ_CURSOR_VALUE          // at the value of a term
	CursorTermEnd       Cursor = C.PMUQ_CURSOR_TERM_END       // after a complete term
	CursorNumber        Cursor = C.PMUQ_CURSOR_NUMBER         // at the config of TYPE:CONFIG, an address or a length
	CursorAccess        Cursor = C.PMUQ_CURSOR_ACCESS         // after the colon of a breakpoint: r, w, x, or modifiers
	CursorModifier      Cursor = C.PMUQ_CURSOR_MODIFIER       // at the modifiers of an event
	CursorGroupEnd      Cursor = C.PMUQ_CURSOR_GROUP_END      // after the closing brace of a group
	CursorGroupModifier Cursor = C.PMUQ_CURSOR_GROUP_MODIFIER // at the modifiers of a group
)

// CandidateType is what a candidate is.
type CandidateType uint32

const (
	CandidatePMU        CandidateType = C.PMUQ_CANDIDATE_PMU        // "cpu/"
	CandidateInstances  CandidateType = C.PMUQ_CANDIDATE_INSTANCES  // "uncore_imc/": several PMUs by the name they share
	CandidateGeneric    CandidateType = C.PMUQ_CANDIDATE_GENERIC    // "cycles"
	CandidateEvent      CandidateType = C.PMUQ_CANDIDATE_EVENT      // an event of a PMU, from sysfs
	CandidateVendor     CandidateType = C.PMUQ_CANDIDATE_VENDOR     // an event of the CPU's imported tables
	CandidateSubsystem  CandidateType = C.PMUQ_CANDIDATE_SUBSYSTEM  // "sched:"
	CandidateTracepoint CandidateType = C.PMUQ_CANDIDATE_TRACEPOINT // "sched:sched_switch"
	CandidateFormat     CandidateType = C.PMUQ_CANDIDATE_FORMAT     // a format of the PMU
	CandidateTerm       CandidateType = C.PMUQ_CANDIDATE_TERM       // a term that every PMU takes
	CandidateProbe      CandidateType = C.PMUQ_CANDIDATE_PROBE      // a term of a kprobe or uprobe
	CandidateValue      CandidateType = C.PMUQ_CANDIDATE_VALUE      // a value of the term
	CandidateAccess     CandidateType = C.PMUQ_CANDIDATE_ACCESS     // an access that a breakpoint watches: r, w or x
	CandidateModifier   CandidateType = C.PMUQ_CANDIDATE_MODIFIER   // one more letter
	CandidateDelimiter  CandidateType = C.PMUQ_CANDIDATE_DELIMITER  // a comma, slash, brace … that ends the current item
)

// A Candidate can continue an event string at the cursor.
type Candidate struct {
	Type  CandidateType
	Text  string // replaces the text from Completion.Offset on
	About string // the terms of an event, the bits of a format, …; or ""
	Next  string // one of these bytes must follow; "": the event string may end after it, or its last byte itself requires more text
}

// A Completion is the candidates for a text, and where they belong.
type Completion struct {
	Cursor     Cursor // where the text ends
	Offset     int    // the candidates replace the text from this byte to its end
	PMU        string // the PMU whose terms are between the slashes, or ""
	Term       string // the key, if the cursor is at its value; or ""
	Candidates []Candidate
}

// Complete completes an event string, of which the text before the cursor is given. Every candidate leads to a string that encodes under
// the options; names of PMUs and of bare events are not tried, because that would read their files. None: the text is invalid, or a number
// or a new name belongs at the cursor.
func (s *Source) Complete(text string, options *EncodeOptions) (*Completion, error) {
	if err := checkTexts(text); err != nil {
		return nil, err
	}
	begin := C.CString(text)
	defer free(begin)
	var made *Completion
	var err error
	closed := options.with(func(how *C.struct_pmuq_encode_options) {
		err = s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
			var from *C.struct_pmuq_completion
			r := C.pmuq_source_complete(p, begin, how, &from, reterr)
			if r == 0 {
				made = copyCompletion(from)
				C.pmuq_completion_free(from)
			}
			return r
		})
	})
	if err := firstOf(closed, err); err != nil {
		return nil, err
	}
	return made, nil
}

func copyCompletion(from *C.struct_pmuq_completion) *Completion {
	made := &Completion{Cursor: Cursor(from.cursor), Offset: int(from.offset), PMU: textOf(from.pmu), Term: textOf(from.term),
		Candidates: make([]Candidate, from.n_candidates)}
	for i := range made.Candidates {
		one := C.pmuq_completion_candidate(from, C.size_t(i))
		made.Candidates[i] = Candidate{Type: CandidateType(one._type), Text: textOf(one.text), About: textOf(one.about), Next: textOf(one.next)}
	}
	return made
}

// NameInEvent writes the name of an event, a PMU or a group as an event string must: as it is, or in single quotes if the parser would
// take it for modifiers, a number or a raw event; "" if no event string can contain the name.
func NameInEvent(name string) (string, error) {
	if err := checkTexts(name); err != nil {
		return "", nil
	}
	from := C.CString(name)
	defer free(from)
	var text *C.char
	var failed *C.struct_pmuq_error
	if C.pmuq_name_in_event(from, &text, &failed) < 0 {
		return "", takeError(failed)
	}
	defer free(text)
	if text == nil {
		return "", nil
	}
	return C.GoString(text), nil
}
