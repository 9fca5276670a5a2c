// SPDX-License-Identifier: MIT

package pmuq

/*
#include "batch.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

// Dialect is the rules for event strings.
type Dialect uint32

const (
	DialectPmuq Dialect = C.PMUQ_DIALECT_PMUQ // like perf, but without its surprises
	DialectPerf Dialect = C.PMUQ_DIALECT_PERF // the attr of perf 7.2, except for size
)

// Origin is the source of an event's name; also bits of EncodeOptions.From.
type Origin uint32

const (
	FromFormat     Origin = C.PMUQ_FROM_FORMAT     // terms of the PMU's own formats, no event name
	FromSysfs      Origin = C.PMUQ_FROM_SYSFS      // a file in events/
	FromGeneric    Origin = C.PMUQ_FROM_GENERIC    // the kernel's generic hardware, software and cache events
	FromRaw        Origin = C.PMUQ_FROM_RAW        // rNNN or TYPE:CONFIG
	FromBreakpoint Origin = C.PMUQ_FROM_BREAKPOINT // mem:ADDR
	FromTracepoint Origin = C.PMUQ_FROM_TRACEPOINT // subsystem:event
	FromProbe      Origin = C.PMUQ_FROM_PROBE      // kprobe, uprobe
	FromJSON       Origin = C.PMUQ_FROM_JSON       // an imported table of the CPU's events
	FromPFM        Origin = C.PMUQ_FROM_PFM        // a name of libpfm4
)

// String returns the name of one origin: "format", "sysfs" …
func (o Origin) String() string {
	return C.GoString(C.pmuq_origin_name(uint32(o)))
}

// Preset is what a tool adds to the attrs of an event string.
type Preset uint32

const (
	PresetNone   Preset = C.PMUQ_PRESET_NONE
	PresetStat   Preset = C.PMUQ_PRESET_STAT   // perf stat, for a command that it starts
	PresetRecord Preset = C.PMUQ_PRESET_RECORD // perf record, for a command that it starts
	PresetSample Preset = C.PMUQ_PRESET_SAMPLE // a sampler of tasks that run already
)

// Privilege is whose events are counted, for events without a modifier u, k or h.
type Privilege uint32

const (
	PrivilegeAny    Privilege = C.PMUQ_PRIVILEGE_ANY // everything, the hypervisor included
	PrivilegeUser   Privilege = C.PMUQ_PRIVILEGE_USER
	PrivilegeKernel Privilege = C.PMUQ_PRIVILEGE_KERNEL
	PrivilegeBoth   Privilege = C.PMUQ_PRIVILEGE_BOTH
)

// EncodeOptions is how to encode a string. The zero value, or nil, has the defaults.
type EncodeOptions struct {
	Dialect         Dialect
	From            Origin // bits: the allowed sources of names; 0: all
	Strict          bool   // a warning is an error
	AsWritten       bool   // keep the order and the groups of the string, and add no event
	WithAssignments bool   // store which term set which bits
	Preset          Preset
	Privilege       Privilege
	Vendor          *Vendor // the CPU's imported events, or nil; they take precedence over the machine's own events of the same name
	PFM             *PFM    // libpfm4, for its names ("skx::EVENT", "pfm:EVENT", and bare names without another meaning); or nil
	SystemWide      bool    // of PresetStat: the events are opened on CPUs and follow no task; groups depend on it
	AnyCPU          bool    // take libpfm4's names of another CPU than the machine's, too
}

// Calls a function with the options in C. No other goroutine closes what they name meanwhile.
func (o *EncodeOptions) with(function func(how *C.struct_pmuq_encode_options)) error {
	how := o.c()
	if o != nil && o.Vendor != nil {
		o.Vendor.mu.RLock()
		defer o.Vendor.mu.RUnlock()
		if o.Vendor.p == nil {
			return ErrClosed
		}
		how.vendor = o.Vendor.p
	}
	if o != nil && o.PFM != nil {
		o.PFM.mu.Lock()
		defer o.PFM.mu.Unlock()
		if o.PFM.p == nil {
			return ErrClosed
		}
		how.pfm = o.PFM.p
	}
	function(&how)
	return nil
}

func (o *EncodeOptions) c() C.struct_pmuq_encode_options {
	c := C.struct_pmuq_encode_options{size: C.sizeof_struct_pmuq_encode_options}
	if o != nil {
		c.dialect = uint32(o.Dialect)
		c.from = C.uint(o.From)
		c.is_strict = C.bool(o.Strict)
		c.is_as_written = C.bool(o.AsWritten)
		c.with_assignments = C.bool(o.WithAssignments)
		c.preset = uint32(o.Preset)
		c.privilege = uint32(o.Privilege)
		c.accepts_other_cpus = C.bool(o.AnyCPU)
		c.is_system_wide = C.bool(o.SystemWide)
	}
	return c
}

// An Encoding is one event to open.
type Encoding struct {
	Attr        Attr         // its size is the smallest published size that contains every field that is set
	Name        string       // as written, or the value of name=
	PMU         string       // the PMU that counts it; "" if no PMU has that type
	CPUs        string       // the CPUs to open it on, as a list: "0-3,8"
	Unit        string       // the unit of its counts, or ""
	Scale       string       // the factor of a count, as exact decimal text; "1" by default
	GroupName   string       // the name of its group, or ""
	ProbeText   string       // the function of a kprobe or the file of an uprobe: the kernel expects a pointer to it in config1
	ProbeField  string       // "kprobe_func", "uprobe_path" or ""
	PFMName     string       // the complete name in libpfm4, with all umasks and modifiers, if the name is one of libpfm4; or ""
	Event       int          // the index of its event in the string
	Offset      int          // where that event begins in the string, in bytes
	Length      int          // of that event, in bytes
	Leader      int          // the index of the group's leader
	Members     int          // of the group, with the leader; 0: not in a group
	Origin      Origin       // the source of its name
	NeedsCPU    bool         // the PMU counts only per CPU (pid -1)
	PerPkg      bool         // one count for each package
	Snapshot    bool         // a state, not a count
	Added       bool         // pmuq added it: the slots event before a topdown metric
	ToolTerms   []ToolTerm   // terms that a sampling tool applies; they are not part of the attr
	Warnings    []*Error     // something legal but surprising
	Assignments []Assignment // which term set which bits, with EncodeOptions.WithAssignments
	Vendor      *VendorEvent // what the vendor's table has about it, or nil
}

// A ToolTerm is a term that a sampling tool applies: call-graph, stack-size …
type ToolTerm struct {
	Name     string // as written
	Text     string // the value; a number is decimal
	IsNumber bool
}

// A VendorEvent is what a vendor's table has about an event.
type VendorEvent struct {
	Description string // or ""
	Table       Table
}

// Cause is what caused an assignment.
type Cause uint32

const (
	CauseText    Cause = C.PMUQ_CAUSE_TEXT    // the event string, at the offset
	CauseEvent   Cause = C.PMUQ_CAUSE_EVENT   // the terms of a sysfs event, at the offset
	CausePMU     Cause = C.PMUQ_CAUSE_PMU     // a file of the PMU
	CauseDefault Cause = C.PMUQ_CAUSE_DEFAULT // a default of such events, or of the options
	CausePreset  Cause = C.PMUQ_CAUSE_PRESET  // the preset; the term is the tool's name
)

// An Assignment is one write of a term to bits of the attr.
type Assignment struct {
	Term, Field         string // "umask"; the kernel's name of the attr's field
	Format              string // the text of the format ("config:0-7,32-35"), or ""
	Event               string // the sysfs event that contains the term, or ""
	Origin              string // the file of that event or of the PMU, or ""
	Input               string // what the offset points into: the event's terms; "": the event string
	Offset, Length      int    // of the term, in bytes
	Mask, Value, Number uint64 // the bits that it assigns, their value, and the value before it was spread over them
	Cause               Cause
	IsOverridden        bool // a later assignment replaced it
}

// A Batch is what many strings gave, in Go's memory. It never changes; any number of goroutines may use one.
type Batch struct {
	texts       string // all of them; those of the encodings are parts of it
	results     []C.struct_pmuq_go_result
	encodings   []C.struct_pmuq_go_encoding
	attrs       []byte
	names       []C.struct_pmuq_go_name
	toolTerms   []C.struct_pmuq_go_tool_term
	errors      []C.struct_pmuq_go_error
	assignments []C.struct_pmuq_go_assignment
	invalid     map[int]error // strings with a NUL byte
}

// Len returns the number of strings.
func (b *Batch) Len() int {
	return len(b.results)
}

// Get returns what a string gave: its encodings, or an *Error.
func (b *Batch) Get(index int) ([]Encoding, error) {
	return b.Append(nil, index)
}

// Append appends the encodings of a string to a slice, so that a loop over a batch needs no memory for each string.
func (b *Batch) Append(to []Encoding, index int) ([]Encoding, error) {
	if err := b.invalid[index]; err != nil {
		return to, err
	}
	result := &b.results[index]
	if result.has_error {
		return to, b.error(int(result.first))
	}
	if to == nil {
		to = make([]Encoding, 0, result.n_encodings)
	}
	from := b.encodings[result.first : result.first+result.n_encodings]
	for i := range from {
		to = append(to, Encoding{})
		b.read(&from[i], &to[len(to)-1])
	}
	return to, nil
}

// Encode turns an event string (one event, a list, a group) into attrs. It opens nothing.
func (s *Source) Encode(text string, options *EncodeOptions) (encodings []Encoding, err error) {
	failed := s.encode([]string{text}, options, func(batch *Batch) { encodings, err = batch.Get(0) })
	if failed != nil {
		return nil, failed
	}
	return encodings, err
}

// EncodeBatch encodes many strings by one call of the library. A string that is not valid has an error of its own.
func (s *Source) EncodeBatch(texts []string, options *EncodeOptions) (*Batch, error) {
	var made *Batch
	err := s.encode(texts, options, func(batch *Batch) { made = batch.clone() })
	return made, err
}

func (s *Source) encode(texts []string, options *EncodeOptions, use func(batch *Batch)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p == nil {
		return ErrClosed
	}
	return encodeBatch(s.p, nil, texts, options, use)
}

// Encode turns an event string into attrs, as Source.Encode.
func (c *Catalog) Encode(text string, options *EncodeOptions) (encodings []Encoding, err error) {
	failed := c.encode([]string{text}, options, func(batch *Batch) { encodings, err = batch.Get(0) })
	if failed != nil {
		return nil, failed
	}
	return encodings, err
}

// EncodeBatch encodes many strings by one call of the library, as Source.EncodeBatch. Goroutines do not wait for each other.
func (c *Catalog) EncodeBatch(texts []string, options *EncodeOptions) (*Batch, error) {
	var made *Batch
	err := c.encode(texts, options, func(batch *Batch) { made = batch.clone() })
	return made, err
}

func (c *Catalog) encode(texts []string, options *EncodeOptions, use func(batch *Batch)) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.p == nil {
		return ErrClosed
	}
	return encodeBatch(nil, c.p, texts, options, use)
}

// A workspace is the memory of a batch, which is used again: fresh pages would take a third of the time of a batch.
type workspace struct {
	strings []byte // each with a NUL byte
	batch   C.struct_pmuq_go_batch
}

// Memory that no batch has used for some time is freed: a pool forgets its objects, and their finalizers run.
var workspaces = sync.Pool{New: func() interface{} {
	w := &workspace{}
	runtime.SetFinalizer(w, func(w *workspace) { C.pmuq_go_batch_free(&w.batch) })
	return w
}}

// Larger ones are not kept.
const workspaceBytesMax = 32 << 20

func takeWorkspace() *workspace {
	return workspaces.Get().(*workspace)
}

func (w *workspace) giveBack() {
	b := &w.batch
	if int(b.encodings.capacity+b.attrs.capacity+b.errors.capacity+b.assignments.capacity+b.texts.capacity)+cap(w.strings) > workspaceBytesMax {
		C.pmuq_go_batch_free(b)
		w.strings = nil
	}
	workspaces.Put(w)
}

// Copies the strings of a batch. One that contains a NUL byte is replaced by an empty string.
func (w *workspace) join(texts []string) (invalid map[int]error) {
	all := w.strings[:0]
	for i, text := range texts {
		if err := checkTexts(text); err != nil {
			if invalid == nil {
				invalid = map[int]error{}
			}
			invalid[i] = err
			text = ""
		}
		all = append(append(all, text...), 0)
	}
	w.strings = all
	return invalid
}

// Encodes strings, and calls a function with a batch that is in the workspace, except for its texts.
func encodeBatch(source *C.struct_pmuq_source, catalog *C.struct_pmuq_catalog, texts []string, options *EncodeOptions,
	use func(batch *Batch)) error {
	if len(texts) == 0 {
		use(&Batch{})
		return nil
	}
	w := takeWorkspace()
	defer w.giveBack()
	invalid := w.join(texts)
	isDone := C.bool(false)
	err := options.with(func(how *C.struct_pmuq_encode_options) {
		isDone = C.pmuq_go_encode(source, catalog, (*C.char)(unsafe.Pointer(&w.strings[0])), C.size_t(len(texts)), how, &w.batch)
	})
	if err == nil && !isDone {
		err = errNoMemory
	}
	if err == nil {
		batch := batchIn(&w.batch)
		batch.invalid = invalid
		use(batch)
	}
	return err
}

// Copies encodings that C keeps.
func copyEncodings(encodings *C.struct_pmuq_encodings) ([]Encoding, error) {
	w := takeWorkspace()
	defer w.giveBack()
	if !C.pmuq_go_copy(encodings, nil, &w.batch) {
		return nil, errNoMemory
	}
	return batchIn(&w.batch).Get(0)
}

func elements[T any](array *C.struct_pmuq_go_array) []T {
	var element T
	return unsafe.Slice((*T)(unsafe.Pointer(array.p)), uintptr(array.bytes)/unsafe.Sizeof(element))
}

// A batch whose texts are in Go's memory. Its arrays are in C's.
func batchIn(from *C.struct_pmuq_go_batch) *Batch {
	return &Batch{texts: string(elements[byte](&from.texts)), results: elements[C.struct_pmuq_go_result](&from.results),
		encodings: elements[C.struct_pmuq_go_encoding](&from.encodings), attrs: elements[byte](&from.attrs),
		names:     elements[C.struct_pmuq_go_name](&from.names),
		toolTerms: elements[C.struct_pmuq_go_tool_term](&from.tool_terms), errors: elements[C.struct_pmuq_go_error](&from.errors),
		assignments: elements[C.struct_pmuq_go_assignment](&from.assignments)}
}

func copyOf[T any](array []T) []T {
	return append([]T(nil), array...)
}

// All in Go's memory. The arrays have no pointers, so that the garbage collector need not scan them.
func (b *Batch) clone() *Batch {
	return &Batch{texts: b.texts, results: copyOf(b.results), encodings: copyOf(b.encodings), attrs: copyOf(b.attrs), names: copyOf(b.names),
		toolTerms: copyOf(b.toolTerms), errors: copyOf(b.errors), assignments: copyOf(b.assignments), invalid: b.invalid}
}

func (b *Batch) text(text C.struct_pmuq_go_text) string {
	return b.texts[text.at : text.at+text.n]
}

func (b *Batch) read(from *C.struct_pmuq_go_encoding, to *Encoding) {
	attr := b.attrs[from.attr:]
	size := *(*uint32)(unsafe.Pointer(&attr[4]))
	if size == 64 {
		*(*[64]byte)(unsafe.Pointer(&to.Attr)) = *(*[64]byte)(unsafe.Pointer(&attr[0]))
	} else {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&to.Attr)), size), attr)
	}
	to.Name = b.text(from.name)
	to.PMU = b.text(from.pmu)
	to.CPUs = b.text(from.cpus)
	to.Unit = b.text(from.unit)
	to.Scale = b.text(from.scale)
	to.GroupName = b.text(from.group_name)
	to.ProbeText = b.text(from.probe_text)
	to.ProbeField = b.text(from.probe_field)
	to.Event = int(from.event)
	to.Offset = int(from.offset)
	to.Length = int(from.length)
	to.Leader = int(from.leader)
	to.Members = int(from.n_members)
	to.Origin = Origin(from.origin)
	to.NeedsCPU = bool(from.needs_cpu)
	to.PerPkg = bool(from.is_per_pkg)
	to.Snapshot = bool(from.is_snapshot)
	to.Added = bool(from.is_added)
	if from.name_of_others != 0 {
		b.readName(&b.names[from.name_of_others-1], to)
	}
	if from.n_tool_terms|from.n_warnings|from.n_assignments != 0 {
		b.readMore(from, to)
	}
}

func (b *Batch) readName(from *C.struct_pmuq_go_name, to *Encoding) {
	to.PFMName = b.text(from.libpfm4_name)
	if from.has_vendor {
		to.Vendor = &VendorEvent{Description: b.text(from.description),
			Table: Table{Import: b.text(from.table_import), Folder: b.text(from.table_folder), Version: b.text(from.table_version)}}
	}
}

func (b *Batch) readMore(from *C.struct_pmuq_go_encoding, to *Encoding) {
	for _, term := range b.toolTerms[from.tool_term : from.tool_term+from.n_tool_terms] {
		to.ToolTerms = append(to.ToolTerms, ToolTerm{Name: b.text(term.name), Text: b.text(term.text), IsNumber: bool(term.is_number)})
	}
	for i := 0; i < int(from.n_warnings); i++ {
		to.Warnings = append(to.Warnings, b.error(int(from.warning)+i))
	}
	if from.n_assignments > 0 {
		to.Assignments = make([]Assignment, from.n_assignments)
	}
	for i := range to.Assignments {
		a := &b.assignments[int(from.assignment)+i]
		to.Assignments[i] = Assignment{Term: b.text(a.term), Field: b.text(a.field), Format: b.text(a.format), Event: b.text(a.event),
			Origin: b.text(a.origin), Input: b.text(a.input), Offset: int(a.offset), Length: int(a.length), Mask: uint64(a.mask),
			Value: uint64(a.value), Number: uint64(a.number), Cause: Cause(a.cause), IsOverridden: bool(a.is_overridden)}
	}
}

func (b *Batch) error(index int) *Error {
	from := &b.errors[index]
	made := &Error{Code: int(from.code), Name: b.text(from.name), Message: b.text(from.message), Hint: b.text(from.hint),
		Input: b.text(from.input), Offset: int(from.offset), Length: int(from.length), Origin: b.text(from.origin),
		Errno: syscall.Errno(from.errnum), IsWarning: bool(from.is_warning)}
	return made.WithText(b.text(from.whole))
}
