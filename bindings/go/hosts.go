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

// A Host is a machine of a database.
type Host struct {
	Name      string // in the database
	MachineID string // the hash of its machine-id in the newest snapshot, or ""
	Class     string // of its newest snapshot: hosts of a class give the same encodings for every event string
	Snapshots []Snapshot
}

// A Snapshot is a state of a machine that lasted for some time.
type Snapshot struct {
	Number              int64 // in the database
	FirstSeen, LastSeen time.Time
	Facts               []Pair // that machines may have in common ("kernel", "cpuid"; not "hostname")
	IsChecked           bool   // it is known which events open
}

// An array of texts in C's memory.
type cTexts struct {
	p **C.char
	n C.size_t
}

func newTexts(texts []string) (cTexts, error) {
	if err := checkTexts(texts...); err != nil {
		return cTexts{}, err
	}
	n := C.size_t(len(texts))
	p := (**C.char)(C.calloc(n+1, C.size_t(unsafe.Sizeof((*C.char)(nil)))))
	if p == nil {
		return cTexts{}, errNoMemory
	}
	for i, text := range texts {
		unsafe.Slice(p, n)[i] = C.CString(text)
	}
	return cTexts{p, n}, nil
}

func (t cTexts) at(index int) *C.char {
	return unsafe.Slice(t.p, t.n)[index]
}

func (t cTexts) free() {
	for _, text := range unsafe.Slice(t.p, t.n) {
		free(text)
	}
	C.free(unsafe.Pointer(t.p))
}

func copyHosts(from *C.struct_pmuq_hosts) []Host {
	hosts := make([]Host, C.pmuq_hosts_count(from))
	for i := range hosts {
		host := C.pmuq_hosts_get(from, C.size_t(i))
		hosts[i] = Host{Name: textOf(host.name), MachineID: textOf(host.machine_id),
			Class: textOf(C.pmuq_hosts_class(from, host.host_class).name), Snapshots: make([]Snapshot, host.n_snapshots)}
		for k := range hosts[i].Snapshots {
			snapshot := C.pmuq_hosts_snapshot(from, C.size_t(i), C.size_t(k))
			hosts[i].Snapshots[k] = Snapshot{Number: int64(snapshot.number), FirstSeen: timeOf(snapshot.first_seen_s),
				LastSeen: timeOf(snapshot.last_seen_s), Facts: copyPairs(snapshot.facts, snapshot.n_facts), IsChecked: bool(snapshot.is_checked)}
		}
	}
	return hosts
}

// ListHosts lists the hosts of a database by name, each with its snapshots, oldest first. With globs (* ? [abc]): the hosts whose name
// matches one of them.
func ListHosts(database string, globs ...string) ([]Host, error) {
	return listHosts(database, globs, false)
}

// ListNewest lists the hosts with their newest snapshot alone, which is much faster.
func ListNewest(database string, globs ...string) ([]Host, error) {
	return listHosts(database, globs, true)
}

func listHosts(database string, globs []string, isNewestOnly bool) ([]Host, error) {
	texts, err := newTexts(globs)
	if err != nil {
		return nil, err
	}
	defer texts.free()
	// In C's memory, because it has a pointer to other memory.
	filter := (*C.struct_pmuq_hosts_filter)(C.calloc(1, C.sizeof_struct_pmuq_hosts_filter))
	if filter == nil {
		return nil, errNoMemory
	}
	defer C.free(unsafe.Pointer(filter))
	*filter = C.struct_pmuq_hosts_filter{size: C.sizeof_struct_pmuq_hosts_filter, globs: texts.p, n_globs: texts.n,
		is_newest_only: C.bool(isNewestOnly)}
	var hosts []Host
	err = withStore(database, C.PMUQ_STORE_READ, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		var found *C.struct_pmuq_hosts
		r := C.pmuq_store_list_hosts(store, filter, &found, reterr)
		if r == 0 {
			hosts = copyHosts(found)
			C.pmuq_hosts_free(found)
		}
		return r
	})
	return hosts, err
}

// FindSnapshot finds a snapshot of a host by a word, and returns its Number: the number; a date, "2026-11-01", "2026-11-01 10:30" or
// "2026-11-01T10:30:05" (UTC), for the state of the machine at that time; or a kernel release or its beginning ("6.1" does not match
// 6.12), for the newest snapshot with that kernel.
func FindSnapshot(database, host, when string) (int64, error) {
	texts, err := newTexts([]string{host, when})
	if err != nil {
		return 0, err
	}
	defer texts.free()
	var number C.int64_t
	err = withStore(database, C.PMUQ_STORE_READ, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_store_find_snapshot(store, texts.at(0), texts.at(1), &number, reterr)
	})
	return int64(number), err
}

// ParseTime returns the first and the last second of a date, as FindSnapshot takes it; false if the text is not a date.
func ParseTime(text string) (first, last time.Time, isDate bool) {
	if checkTexts(text) != nil {
		return
	}
	date := C.CString(text)
	defer free(date)
	var from, to C.int64_t
	if !C.pmuq_time_parse(date, &from, &to) {
		return
	}
	return time.Unix(int64(from), 0), time.Unix(int64(to), 0), true
}

// RenameHost renames a host of a database. Its snapshots do not change.
func RenameHost(database, name, newName string) error {
	texts, err := newTexts([]string{name, newName})
	if err != nil {
		return err
	}
	defer texts.free()
	return withStore(database, C.PMUQ_STORE_WRITE, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_store_rename_host(store, texts.at(0), texts.at(1), reterr)
	})
}

// ForgetOptions is what to forget. The zero value: all snapshots of the hosts.
type ForgetOptions struct {
	Before time.Time // only snapshots last seen before; zero: all
	Keep   int       // keep this many of the newest snapshots of each host
	Trial  bool      // count what would be forgotten, and change nothing
}

// Forgotten is what was forgotten, or would be.
type Forgotten struct {
	Hosts     int // without a snapshot now
	Snapshots int // of all hosts
	FreeBytes int // free space in the file, which does not shrink
}

// Forget removes hosts of a database, or snapshots of theirs, and everything that no other snapshot shares: all of it, or nothing.
// Without names: of every host, as the options select.
func Forget(database string, options ForgetOptions, names ...string) (*Forgotten, error) {
	texts, err := newTexts(names)
	if err != nil {
		return nil, err
	}
	defer texts.free()
	how := C.struct_pmuq_forget_options{size: C.sizeof_struct_pmuq_forget_options, before_s: secondsOf(options.Before),
		keep: C.size_t(options.Keep), is_trial: C.bool(options.Trial)}
	forgotten := C.struct_pmuq_forgotten{size: C.sizeof_struct_pmuq_forgotten}
	err = withStore(database, C.PMUQ_STORE_WRITE, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_store_forget(store, texts.p, nil, texts.n, &how, &forgotten, reterr)
	})
	if err != nil {
		return nil, err
	}
	return &Forgotten{Hosts: int(forgotten.hosts), Snapshots: int(forgotten.snapshots), FreeBytes: int(forgotten.free_bytes)}, nil
}
