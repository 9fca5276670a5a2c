// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import (
	"time"
	"unsafe"
)

// DocumentForm is the form of a document.
type DocumentForm uint32

const (
	YAML DocumentForm = C.PMUQ_DOCUMENT_YAML
	JSON DocumentForm = C.PMUQ_DOCUMENT_JSON
)

// A Machine is a catalog of a document, and what the document contains about its origin.
type Machine struct {
	Catalog   *Catalog
	Name      string    // of the host in the store that exported it, or ""
	FirstSeen time.Time // zero: unknown
	LastSeen  time.Time // in this state; zero: not known to be after FirstSeen
	Document  int       // the number of its document, from 1; only ReadDocuments sets it
}

func secondsOf(t time.Time) C.int64_t {
	if t.IsZero() {
		return 0
	}
	return C.int64_t(t.Unix())
}

func timeOf(seconds C.int64_t) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0)
}

func addMachine(writer *C.struct_pmuq_writer, machine *Machine) error {
	if err := checkTexts(machine.Name); err != nil {
		return err
	}
	name := cTextOrNull(machine.Name)
	defer free(name)
	var failed *C.struct_pmuq_error
	r := C.int(0)
	closed := machine.Catalog.use(func(p *C.struct_pmuq_catalog) {
		r = C.pmuq_writer_add_seen(writer, p, name, secondsOf(machine.FirstSeen), secondsOf(machine.LastSeen), &failed)
	})
	if r < 0 {
		return takeError(failed)
	}
	return closed
}

// WriteDocuments returns machines as documents. Machines that give the same encodings share one document.
func WriteDocuments(form DocumentForm, machines ...Machine) ([]byte, error) {
	var writer *C.struct_pmuq_writer
	var failed *C.struct_pmuq_error
	if C.pmuq_writer_new(&writer, &failed) < 0 {
		return nil, takeError(failed)
	}
	defer C.pmuq_writer_free(writer)
	for i := range machines {
		if err := addMachine(writer, &machines[i]); err != nil {
			return nil, err
		}
	}
	var text *C.char
	var n C.size_t
	if C.pmuq_writer_text(writer, uint32(form), &text, &n, &failed) < 0 {
		return nil, takeError(failed)
	}
	defer free(text)
	// Not C.GoBytes, whose length is an int of C.
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(text)), n)...), nil
}

// ReadDocuments returns the machines of documents in YAML or JSON. origin is their name in errors ("hosts.yaml"). With an error it
// returns the machines before that error. Close each catalog.
func ReadDocuments(documents []byte, origin string) ([]Machine, error) {
	if err := checkTexts(origin); err != nil {
		return nil, err
	}
	var reader *C.struct_pmuq_reader
	var failed *C.struct_pmuq_error
	if C.pmuq_reader_new(&reader, &failed) < 0 {
		return nil, takeError(failed)
	}
	defer C.pmuq_reader_free(reader)
	name := C.CString(origin)
	defer free(name)
	// The reader keeps the bytes, so they are copied into C's memory.
	bytes := C.CBytes(documents)
	defer C.free(bytes)
	if C.pmuq_reader_open_bytes(reader, bytes, C.size_t(len(documents)), name, &failed) < 0 {
		return nil, takeError(failed)
	}
	var machines []Machine
	for {
		var p *C.struct_pmuq_catalog
		r := C.pmuq_reader_next(reader, &p, &failed)
		if r < 0 {
			return machines, takeError(failed)
		}
		if p == nil {
			return machines, nil
		}
		host := C.pmuq_reader_host(reader)
		machines = append(machines, Machine{Catalog: newCatalog(p), Name: textOf(host.name), FirstSeen: timeOf(host.first_seen_s),
			LastSeen: timeOf(host.last_seen_s), Document: int(host.document)})
	}
}

// A Saved is how a store saved a machine.
type Saved struct {
	Snapshot  int64 // its number in the store
	IsNew     bool  // false: nothing had changed, and the store updated its time only
	IsNewHost bool  // the store had no host with that name
}

// SaveSnapshot saves a catalog as a snapshot of the host name in a database, which is created if it does not exist; name "": the host
// that the facts of the catalog name. The zero time is now.
func SaveSnapshot(database string, catalog *Catalog, name string, at time.Time) (*Saved, error) {
	if err := checkTexts(name); err != nil {
		return nil, err
	}
	if at.IsZero() {
		at = time.Now()
	}
	host := cTextOrNull(name)
	defer free(host)
	saved := C.struct_pmuq_saved{size: C.sizeof_struct_pmuq_saved}
	var closed error
	err := withStore(database, C.PMUQ_STORE_CREATE, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) (r C.int) {
		closed = catalog.use(func(p *C.struct_pmuq_catalog) {
			r = C.pmuq_store_save(store, p, nil, host, C.int64_t(at.Unix()), &saved, reterr)
		})
		return r
	})
	if err := firstOf(closed, err); err != nil {
		return nil, err
	}
	return &Saved{Snapshot: int64(saved.snapshot), IsNew: bool(saved.is_new), IsNewHost: bool(saved.is_new_host)}, nil
}
