// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
#include <stdlib.h>
*/
import "C"

import "unsafe"

// A Recording has the events of a perf.data file, and what it contains about the machine that it was made on.
type Recording struct {
	BytesRead   uint64
	Events      []RecordedEvent // in perf's order
	Features    []Feature       // in the file's order
	Problems    []*Error        // what is missing or contradictory in the file: Events and Features may be incomplete
	IsStream    bool            // it is a stream, as perf record -o - writes it
	IsBigEndian bool            // it was made on a big-endian machine
	Catalog     *Catalog        // the machine, as far as the recording describes it. Close it
}

// A RecordedEvent is an event of a recording.
type RecordedEvent struct {
	Attr           Attr   // in this machine's byte order
	Name           string // perf's name of the event; "" if the file does not contain it
	Unit, Scale    string // perf's
	GroupName      string
	IDs            []uint64 // in samples: one for each CPU or task that it was opened on
	Leader         int      // the index of the group's leader; its own index without a group
	Members        int      // of the group; 1 without a group
	AttrSize       uint32   // of the attr in the file, in bytes
	HasUnknownTail bool     // a bit after the part that pmuq knows is set: Attr is not the whole event
}

// A Feature of a recording: facts about the machine or the recording.
type Feature struct {
	Name   string // "" if pmuq does not know the number
	Number int    // of its bit (3: HOSTNAME)
	Bytes  uint64
	Values []Pair
	IsRead bool // pmuq read its content
}

// ReadRecording reads a perf.data file, or the stream or directory of one. It skips the samples.
func ReadRecording(path string) (*Recording, error) {
	if err := checkTexts(path); err != nil {
		return nil, err
	}
	text := C.CString(path)
	defer free(text)
	var p *C.struct_pmuq_recording
	var failed *C.struct_pmuq_error
	if C.pmuq_recording_open(text, &p, &failed) < 0 {
		return nil, takeError(failed)
	}
	defer C.pmuq_recording_free(p)
	var catalog *C.struct_pmuq_catalog
	if C.pmuq_recording_catalog(p, &catalog, &failed) < 0 {
		return nil, takeError(failed)
	}
	recording := copyRecording(p)
	recording.Catalog = newCatalog(catalog)
	return recording, nil
}

func copyRecording(p *C.struct_pmuq_recording) *Recording {
	content := C.pmuq_recording_content(p)
	made := &Recording{BytesRead: uint64(content.bytes_read), IsStream: bool(content.is_stream), IsBigEndian: bool(content.is_big_endian)}
	for i := C.size_t(0); i < content.n_events; i++ {
		from := C.pmuq_recording_event(p, i)
		event := RecordedEvent{Attr: attrOf(from.attr), Name: textOf(from.name), Unit: textOf(from.unit), Scale: textOf(from.scale),
			GroupName: textOf(from.group_name), Leader: int(from.leader), Members: int(from.n_members), AttrSize: uint32(from.attr_size),
			HasUnknownTail: bool(from.has_unknown_tail)}
		for _, id := range unsafe.Slice(from.ids, from.n_ids) {
			event.IDs = append(event.IDs, uint64(id))
		}
		made.Events = append(made.Events, event)
	}
	for i := C.size_t(0); i < content.n_features; i++ {
		from := C.pmuq_recording_feature(p, i)
		made.Features = append(made.Features, Feature{Name: textOf(from.name), Number: int(from.number), Bytes: uint64(from.bytes),
			Values: copyPairs(from.values, from.n_values), IsRead: bool(from.is_read)})
	}
	for i := C.size_t(0); i < content.n_problems; i++ {
		made.Problems = append(made.Problems, copyError(C.pmuq_recording_problem(p, i)))
	}
	return made
}
