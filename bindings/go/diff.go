// SPDX-License-Identifier: MIT

package pmuq

/*
#include <pmuq/pmuq.h>
*/
import "C"

import "unsafe"

// A DiffChange is a difference between two machines. Sibling instances that changed alike are one change.
type DiffChange struct {
	Weight        string   // "breaking", …: how it affects users of the machine
	Type          string   // "event-bits", …: what changed
	PMUs          []string // before the change (of new PMUs: after it); none: the host
	NewPMUs       []string // the new names of PMUs that were renamed
	Name          string   // the event, format, cap, file, fact or tracepoint; "": the PMU itself
	Before, After string   // the text on either machine, or ""
	Text          string   // what happened: one sentence without the PMU's name
}

func copyStrs(from *C.struct_pmuq_str, n C.size_t) []string {
	var texts []string
	for _, text := range unsafe.Slice(from, n) {
		texts = append(texts, textOf(text))
	}
	return texts
}

// Diff compares the machine with a later one: PMUs, formats, events, caps, facts and tracepoints. The heaviest changes come first.
func (c *Catalog) Diff(after *Catalog) ([]DiffChange, error) {
	var changes []DiffChange
	var diff *C.struct_pmuq_diff
	var failed *C.struct_pmuq_error
	var closed error
	r := C.int(0)
	isClosed := c.use(func(before *C.struct_pmuq_catalog) {
		closed = after.use(func(after *C.struct_pmuq_catalog) { r = C.pmuq_catalog_diff(before, after, nil, &diff, &failed) })
	})
	if err := firstOf(isClosed, closed); err != nil {
		return nil, err
	}
	if r < 0 {
		return nil, takeError(failed)
	}
	defer C.pmuq_diff_free(diff)
	for i := C.size_t(0); i < C.pmuq_diff_count(diff); i++ {
		from := C.pmuq_diff_get(diff, i)
		changes = append(changes, DiffChange{Weight: C.GoString(C.pmuq_weight_name(from.weight)),
			Type: C.GoString(C.pmuq_change_type_name(from._type)), PMUs: copyStrs(from.pmus, from.n_pmus),
			NewPMUs: copyStrs(from.new_pmus, from.n_new_pmus), Name: textOf(from.name), Before: textOf(from.before),
			After: textOf(from.after), Text: textOf(from.text)})
	}
	return changes, nil
}
