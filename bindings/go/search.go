// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

// Match is where an event matched.
type Match uint32

const (
	MatchName Match = C.PMUQ_MATCH_NAME // all words, in the name of the event or the PMU
	MatchAll  Match = C.PMUQ_MATCH_ALL  // all words, in the name or the descriptions
	MatchAny  Match = C.PMUQ_MATCH_ANY  // some of the words
)

// A Found is an event or a metric that was found.
type Found struct {
	Folders         string // those that have it: "x86/cascadelakex, x86/skylakex"
	PMU             string // the PMU's name in the table
	Name            string // its name in the table
	Terms           string // on the machine's CPU; of others "" if its CPUs differ in them; "" of metrics and libpfm4
	Topic           string // or ""
	Description     string // one sentence, or ""
	LongDescription string // the whole description, or ""
	Match           Match
	IsPFM           bool   // a name of libpfm4: its event string is PMU::NAME
	Deprecated      bool   // the vendor recommends another one
	Formula         string // of a metric, on one of its CPUs; "" for an event
	IsOfCPU         bool   // in the table of the machine's CPU
	IsHere          bool   // and a PMU of the machine counts it
	Compat          string // as in TableEvent, if IsOfCPU
}

func copyFound(found *C.struct_pmuq_found) []Found {
	all := make([]Found, C.pmuq_found_count(found))
	for i := range all {
		from := C.pmuq_found_get(found, C.size_t(i))
		all[i] = Found{Folders: textOf(from.folders), PMU: textOf(from.pmu), Name: textOf(from.name), Terms: textOf(from.terms),
			Topic: textOf(from.topic), Description: textOf(from.description), LongDescription: textOf(from.long_description),
			Match: Match(from.match), IsPFM: bool(from.is_libpfm4), Deprecated: bool(from.is_deprecated), Formula: textOf(from.formula),
			IsOfCPU: bool(from.is_of_cpu), IsHere: bool(from.is_here), Compat: textOf(from.compat)}
	}
	return all
}

// Searches by a function of C.
func search(database, words string, call func(store *C.struct_pmuq_store, words *C.char, ret **C.struct_pmuq_found,
	reterr **C.struct_pmuq_error) C.int) ([]Found, error) {
	if err := checkTexts(words); err != nil {
		return nil, err
	}
	text := C.CString(words)
	defer free(text)
	var all []Found
	err := withStore(database, C.PMUQ_STORE_READ, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		var found *C.struct_pmuq_found
		r := call(store, text, &found, reterr)
		if r == 0 {
			all = copyFound(found)
			C.pmuq_found_free(found)
		}
		return r
	})
	return all, err
}

// Search searches the events and metrics of all imported tables of a database for words: at most limit of them (1 to 10,000). First come
// those with all words in their names; then those with all words anywhere. If nothing has all words, it returns what has any of them.
func Search(database, words string, limit int) ([]Found, error) {
	return search(database, words, func(store *C.struct_pmuq_store, words *C.char, ret **C.struct_pmuq_found, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_store_search(store, words, C.size_t(limit), ret, reterr)
	})
}

// SearchOptions is how to search for the user of a machine. The zero value, or nil, has the defaults.
type SearchOptions struct {
	Limit   int  // the largest number of results, up to 10,000; 0: 1,000
	Enough  int  // after this many results it does not search for weaker matches, or for those of other CPUs; 0: Limit
	WithPFM bool // the names that libpfm4 has for the CPU count as its table, too, as the last import has them
}

func (o *SearchOptions) withDefaults() SearchOptions {
	made := SearchOptions{}
	if o != nil {
		made = *o
	}
	if made.Limit == 0 {
		made.Limit = 1000
	}
	if made.Enough == 0 {
		made.Enough = made.Limit
	}
	return made
}

// Search searches a database for the user of the machine: first comes what its PMUs count of the table of its CPU, then the rest of that
// table, then everything else. It reads the machine's files as far as the results depend on them.
func (s *Source) Search(database, words string, options *SearchOptions) ([]Found, error) {
	how := options.withDefaults()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p == nil {
		return nil, ErrClosed
	}
	return search(database, words, func(store *C.struct_pmuq_store, words *C.char, ret **C.struct_pmuq_found, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_store_search_machine(store, words, s.p, C.bool(how.WithPFM), C.size_t(how.Enough), C.size_t(how.Limit), ret, reterr)
	})
}
