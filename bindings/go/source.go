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

// A Source is a machine to query. It reads a file of the machine when a query needs it.
type Source struct {
	mu sync.Mutex
	p  *C.struct_pmuq_source
}

func newSource(p *C.struct_pmuq_source) *Source {
	s := &Source{p: p}
	runtime.SetFinalizer(s, (*Source).Close)
	return s
}

// Opens a source by a function that takes a path.
func openPath(path string, open func(path *C.char, ret **C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int) (*Source, error) {
	var p *C.struct_pmuq_source
	var failed *C.struct_pmuq_error
	if err := checkTexts(path); err != nil {
		return nil, err
	}
	text := C.CString(path)
	defer free(text)
	if open(text, &p, &failed) < 0 {
		return nil, takeError(failed)
	}
	return newSource(p), nil
}

// OpenLive opens this machine.
func OpenLive() (*Source, error) {
	var p *C.struct_pmuq_source
	var failed *C.struct_pmuq_error
	if C.pmuq_source_open_live(&p, &failed) < 0 {
		return nil, takeError(failed)
	}
	return newSource(p), nil
}

// OpenTree opens a captured machine: a directory that contains sys/ and perhaps proc/, or a tar of it.
func OpenTree(path string) (*Source, error) {
	return openPath(path, func(path *C.char, ret **C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_open_tree(path, ret, reterr)
	})
}

// OpenSysfs opens a directory that is itself a copy of /sys.
func OpenSysfs(path string) (*Source, error) {
	return openPath(path, func(path *C.char, ret **C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_open_sysfs(path, ret, reterr)
	})
}

// OpenSnapshot opens the newest snapshot of a host in a database of pmuq.
func OpenSnapshot(database, host string) (*Source, error) {
	return OpenSnapshotAt(database, host, "")
}

// OpenSnapshotAt opens a snapshot of a host that a word selects, as FindSnapshot does; "": the newest.
func OpenSnapshotAt(database, host, when string) (*Source, error) {
	texts, err := newTexts([]string{host, when})
	if err != nil {
		return nil, err
	}
	defer texts.free()
	var p *C.struct_pmuq_source
	err = withStore(database, C.PMUQ_STORE_READ, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		var number C.int64_t
		r := C.int(0)
		if when != "" {
			r = C.pmuq_store_find_snapshot(store, texts.at(0), texts.at(1), &number, reterr)
		}
		if r < 0 {
			return r
		}
		return C.pmuq_store_open_host(store, texts.at(0), number, &p, reterr)
	})
	if err != nil {
		return nil, err
	}
	return newSource(p), nil
}

// OpenService uses the machine of the daemon pmuqd at a socket; "": the usual one, /run/pmuq/io.pmuq. The package pmuqd is a
// client of the daemon that needs neither cgo nor libpmuq.
func OpenService(path string) (*Source, error) {
	return openPath(path, func(path *C.char, ret **C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
		if *path == 0 {
			path = nil
		}
		return C.pmuq_source_open_service(path, ret, reterr)
	})
}

// Close frees the source. What came from it stays valid.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	runtime.SetFinalizer(s, nil)
	C.pmuq_source_free(s.p)
	s.p = nil
	return nil
}

// Calls a function that may fail, while no other goroutine uses the source. The unlock at its end also keeps a finalizer from freeing the
// source before.
func (s *Source) call(function func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p == nil {
		return ErrClosed
	}
	var failed *C.struct_pmuq_error
	if function(s.p, &failed) < 0 {
		return takeError(failed)
	}
	return nil
}

// IsLive returns whether the source is this machine, so that its events can be opened here.
func (s *Source) IsLive() bool {
	isLive := false
	s.call(func(p *C.struct_pmuq_source, _ **C.struct_pmuq_error) C.int {
		isLive = bool(C.pmuq_source_is_live(p))
		return 0
	})
	return isLive
}

// Refresh returns whether the machine has changed since the last call; the first time it returns true. If so, the source reads
// the machine again when a query needs it.
func (s *Source) Refresh() (bool, error) {
	var isChanged C.bool
	err := s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_refresh(p, &isChanged, reterr)
	})
	return bool(isChanged), err
}

// Opens returns the number of files and directories that the source has opened so far.
func (s *Source) Opens() uint64 {
	var n C.uint64_t
	s.call(func(p *C.struct_pmuq_source, _ **C.struct_pmuq_error) C.int {
		n = C.pmuq_source_opens(p)
		return 0
	})
	return uint64(n)
}

// Fact returns a fact about the host by its name ("cpuid"), or "" if the machine has no such fact.
func (s *Source) Fact(name string) (string, error) {
	var fact string
	if err := checkTexts(name); err != nil {
		return "", err
	}
	key := C.CString(name)
	defer free(key)
	err := s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
		var text *C.char
		r := C.pmuq_source_find_fact(p, key, &text, reterr)
		if r == 0 && text != nil {
			fact = C.GoString(text)
		}
		return r
	})
	return fact, err
}

// PMU reads one PMU by its name or alias.
func (s *Source) PMU(name string) (*PMU, error) {
	var found *PMU
	if err := checkTexts(name); err != nil {
		return nil, err
	}
	key := C.CString(name)
	defer free(key)
	err := s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
		var pmu *C.struct_pmuq_pmu
		r := C.pmuq_source_find_pmu(p, key, &pmu, reterr)
		if r == 0 {
			found = copyPMU(pmu, map[*C.struct_pmuq_definition]*Definition{})
		}
		return r
	})
	return found, err
}

// Copies a list of names by a function that makes it.
func (s *Source) list(head string, list func(p *C.struct_pmuq_source, head *C.char, ret **C.struct_pmuq_names,
	reterr **C.struct_pmuq_error) C.int) ([]string, error) {
	var names []string
	if err := checkTexts(head); err != nil {
		return nil, err
	}
	begin := C.CString(head)
	defer free(begin)
	err := s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int {
		var from *C.struct_pmuq_names
		r := list(p, begin, &from, reterr)
		if r < 0 {
			return r
		}
		names = make([]string, C.pmuq_names_count(from))
		for i := range names {
			names[i] = C.GoString(C.pmuq_names_get(from, C.size_t(i)))
		}
		C.pmuq_names_free(from)
		return 0
	})
	return names, err
}

// ListPMUs lists the names of PMUs that begin with head ("": all). It reads directories only.
func (s *Source) ListPMUs(head string) ([]string, error) {
	return s.list(head, func(p *C.struct_pmuq_source, head *C.char, ret **C.struct_pmuq_names, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_list_pmus(p, head, ret, reterr)
	})
}

// ListEvents lists the names of events of all PMUs that begin with head, each once. It reads directories only.
func (s *Source) ListEvents(head string) ([]string, error) {
	return s.list(head, func(p *C.struct_pmuq_source, head *C.char, ret **C.struct_pmuq_names, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_list_events(p, head, ret, reterr)
	})
}

// ListEventsOf lists the events of one PMU. It reads one directory.
func (s *Source) ListEventsOf(pmu string) ([]string, error) {
	return s.list(pmu, func(p *C.struct_pmuq_source, pmu *C.char, ret **C.struct_pmuq_names, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_list_events_of(p, pmu, ret, reterr)
	})
}

// ListTracepoints lists the tracepoints that begin with head ("sched:").
func (s *Source) ListTracepoints(head string) ([]string, error) {
	return s.list(head, func(p *C.struct_pmuq_source, head *C.char, ret **C.struct_pmuq_names, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_list_tracepoints(p, head, ret, reterr)
	})
}

func (s *Source) read(read func(p *C.struct_pmuq_source, ret **C.struct_pmuq_catalog, reterr **C.struct_pmuq_error) C.int) (*Catalog, error) {
	var made *C.struct_pmuq_catalog
	err := s.call(func(p *C.struct_pmuq_source, reterr **C.struct_pmuq_error) C.int { return read(p, &made, reterr) })
	if err != nil {
		return nil, err
	}
	return newCatalog(made), nil
}

// ReadCatalog reads everything that the machine offers.
func (s *Source) ReadCatalog() (*Catalog, error) {
	return s.read(func(p *C.struct_pmuq_source, ret **C.struct_pmuq_catalog, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_read_catalog(p, ret, reterr)
	})
}

// ReadPMUs reads the same without tracepoints, of which a machine has thousands: it is several times as fast. The catalog cannot
// encode tracepoints, and is neither saved, written into a document nor compared.
func (s *Source) ReadPMUs() (*Catalog, error) {
	return s.read(func(p *C.struct_pmuq_source, ret **C.struct_pmuq_catalog, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_source_read_pmus(p, ret, reterr)
	})
}
