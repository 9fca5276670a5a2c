// SPDX-License-Identifier: MIT

// Package perfevent has what the packages pmuq and pmuqd share: attrs, and errors of event strings. It needs neither cgo nor libpmuq.
package perfevent

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"
)

// SizeMax is the size of an Attr in bytes: PERF_ATTR_SIZE_VER9.
const SizeMax = 144

// Attr is struct perf_event_attr: its layout is the kernel's, so that a pointer to it may be passed to perf_event_open(2). The
// kernel reads Size bytes. Flags contains the fields of one bit, and precise_ip: use Field and SetField, because the order of
// bits depends on the machine.
type Attr struct {
	Type             uint32
	Size             uint32 // bytes
	Config           uint64
	SamplePeriod     uint64 // sample_freq, in Hz, if freq is set
	SampleType       uint64
	ReadFormat       uint64
	Flags            uint64
	WakeupEvents     uint32 // wakeup_watermark, in bytes, if watermark is set
	BPType           uint32
	Config1          uint64 // bp_addr of a breakpoint; a pointer for kprobe and uprobe
	Config2          uint64 // bp_len of a breakpoint, in bytes
	BranchSampleType uint64
	SampleRegsUser   uint64
	SampleStackUser  uint32 // bytes
	ClockID          int32
	SampleRegsIntr   uint64
	AuxWatermark     uint32 // bytes
	SampleMaxStack   uint16
	_                uint16
	AuxSampleSize    uint32 // bytes
	AuxAction        uint32
	SigData          uint64
	Config3          uint64
	Config4          uint64
}

// A Field of an attr.
type Field struct {
	Name     string // the kernel's name
	IsWord   bool   // 64 bits, shown in hex
	EndBytes int    // the smallest Attr.Size that contains the field
	offset   uintptr
	bytes    uintptr // of the word that contains it
	bit      uint    // of a flag
	width    uint    // of a flag in bits; 0: it is not a flag
}

// The sizes that kernels published.
var publishedSizes = []uint32{64, 72, 80, 96, 104, 112, 120, 128, 136, 144}

var flagNames = []string{"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel", "exclude_hv", "exclude_idle", "mmap",
	"comm", "freq", "inherit_stat", "enable_on_exec", "task", "watermark", "precise_ip", "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2", "comm_exec", "use_clockid", "context_switch",
	"write_backward", "namespaces", "ksymbol", "bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap", "defer_callchain", "defer_output"}

// Names of other members of a union.
var otherNames = map[string]string{"sample_freq": "sample_period", "wakeup_watermark": "wakeup_events", "bp_addr": "config1",
	"kprobe_func": "config1", "uprobe_path": "config1", "bp_len": "config2", "kprobe_addr": "config2", "probe_offset": "config2"}

var fields, fieldOf = fieldTable()

var isBigEndian = func() bool {
	word := uint16(1)
	return *(*byte)(unsafe.Pointer(&word)) == 0
}()

// The order is that of enum pmuq_attr_field, whose numbers never change.
func fieldTable() ([]Field, map[string]int) {
	var a Attr
	var all []Field
	member := func(name string, isWord bool, offset uintptr, bytes uintptr) {
		all = append(all, Field{Name: name, IsWord: isWord, EndBytes: int(offset + bytes), offset: offset, bytes: bytes})
	}
	member("type", false, unsafe.Offsetof(a.Type), 4)
	member("size", false, unsafe.Offsetof(a.Size), 4)
	member("config", true, unsafe.Offsetof(a.Config), 8)
	member("sample_period", true, unsafe.Offsetof(a.SamplePeriod), 8)
	member("sample_type", true, unsafe.Offsetof(a.SampleType), 8)
	member("read_format", true, unsafe.Offsetof(a.ReadFormat), 8)
	bit := uint(0)
	for _, name := range flagNames {
		width := uint(1)
		if name == "precise_ip" {
			width = 2
		}
		offset := unsafe.Offsetof(a.Flags)
		all = append(all, Field{Name: name, EndBytes: int(offset) + 8, offset: offset, bytes: 8, bit: bit, width: width})
		bit += width
	}
	member("wakeup_events", false, unsafe.Offsetof(a.WakeupEvents), 4)
	member("bp_type", false, unsafe.Offsetof(a.BPType), 4)
	member("config1", true, unsafe.Offsetof(a.Config1), 8)
	member("config2", true, unsafe.Offsetof(a.Config2), 8)
	member("branch_sample_type", true, unsafe.Offsetof(a.BranchSampleType), 8)
	member("sample_regs_user", true, unsafe.Offsetof(a.SampleRegsUser), 8)
	member("sample_stack_user", false, unsafe.Offsetof(a.SampleStackUser), 4)
	member("clockid", false, unsafe.Offsetof(a.ClockID), 4)
	member("sample_regs_intr", true, unsafe.Offsetof(a.SampleRegsIntr), 8)
	member("aux_watermark", false, unsafe.Offsetof(a.AuxWatermark), 4)
	member("sample_max_stack", false, unsafe.Offsetof(a.SampleMaxStack), 2)
	member("aux_sample_size", false, unsafe.Offsetof(a.AuxSampleSize), 4)
	member("aux_action", false, unsafe.Offsetof(a.AuxAction), 4)
	member("sig_data", true, unsafe.Offsetof(a.SigData), 8)
	member("config3", true, unsafe.Offsetof(a.Config3), 8)
	member("config4", true, unsafe.Offsetof(a.Config4), 8)
	byName := map[string]int{}
	for i := range all {
		byName[all[i].Name] = i
	}
	for other, name := range otherNames {
		byName[other] = byName[name]
	}
	return all, byName
}

// Fields returns all fields of an attr, in the order of enum pmuq_attr_field.
func Fields() []Field {
	return append([]Field(nil), fields...)
}

// FindField returns the field with the kernel's name ("clockid"), or the name of another member of its union ("sample_freq").
func FindField(name string) (Field, bool) {
	i, isKnown := fieldOf[name]
	if !isKnown {
		return Field{}, false
	}
	return fields[i], true
}

func (f *Field) shift() uint {
	if isBigEndian {
		return 64 - f.bit - f.width
	}
	return f.bit
}

func (f *Field) mask() uint64 {
	return (uint64(1)<<f.width - 1) << f.shift()
}

// Of returns the value of the field. A negative clockid is a number of 32 bits.
func (f Field) Of(a *Attr) uint64 {
	p := unsafe.Add(unsafe.Pointer(a), f.offset)
	switch {
	case f.width > 0:
		return (*(*uint64)(p) & f.mask()) >> f.shift()
	case f.bytes == 8:
		return *(*uint64)(p)
	case f.bytes == 4 && f.Name == "clockid":
		return uint64(int64(*(*int32)(p)))
	case f.bytes == 4:
		return uint64(*(*uint32)(p))
	}
	return uint64(*(*uint16)(p))
}

func (f *Field) holds(value uint64) bool {
	switch {
	case f.width > 0:
		return value < uint64(1)<<f.width
	case f.Name == "clockid":
		return int64(value) >= math.MinInt32 && int64(value) <= math.MaxUint32
	}
	return f.bytes == 8 || value < uint64(1)<<(8*f.bytes)
}

func (f *Field) set(a *Attr, value uint64) {
	p := unsafe.Add(unsafe.Pointer(a), f.offset)
	switch {
	case f.width > 0:
		*(*uint64)(p) = *(*uint64)(p)&^f.mask() | value<<f.shift()
	case f.bytes == 8:
		*(*uint64)(p) = value
	case f.bytes == 4:
		*(*uint32)(p) = uint32(value)
	default:
		*(*uint16)(p) = uint16(value)
	}
}

// Field returns the value of a field by the kernel's name; 0 if there is no such field.
func (a *Attr) Field(name string) uint64 {
	i, isKnown := fieldOf[name]
	if !isKnown {
		return 0
	}
	return fields[i].Of(a)
}

// SetField sets a field by the kernel's name. If Size is too small for the field, it becomes the smallest published size that
// contains all fields that are not 0, because the kernel ignores the bytes after it.
func (a *Attr) SetField(name string, value uint64) error {
	i, isKnown := fieldOf[name]
	if !isKnown {
		return fmt.Errorf("an attr has no field '%s'", name)
	}
	if !fields[i].holds(value) {
		return fmt.Errorf("the field '%s' cannot hold %d", name, value)
	}
	fields[i].set(a, value)
	if size := a.neededSize(); a.Size < size && name != "size" {
		a.Size = size
	}
	return nil
}

func (a *Attr) neededSize() uint32 {
	end := 64
	for i := range fields {
		if fields[i].EndBytes > end && fields[i].Of(a) != 0 {
			end = fields[i].EndBytes
		}
	}
	for _, size := range publishedSizes {
		if int(size) >= end {
			return size
		}
	}
	return SizeMax
}

func (a *Attr) all() *[SizeMax]byte {
	return (*[SizeMax]byte)(unsafe.Pointer(a))
}

// Bytes returns a copy of the Size bytes that the kernel reads.
func (a *Attr) Bytes() []byte {
	size := int(a.Size)
	if size > SizeMax {
		size = SizeMax
	}
	return append([]byte(nil), a.all()[:size]...)
}

// CopyTo copies the attr into a struct perf_event_attr of another version, such as unix.PerfEventAttr:
//
//	err := attr.CopyTo(unsafe.Slice((*byte)(unsafe.Pointer(&theirs)), unsafe.Sizeof(theirs)))
//
// The bytes after the last field are zeroed, and size becomes at most len(to). It is an error if the struct ends before a field
// that is not 0.
func (a *Attr) CopyTo(to []byte) error {
	if len(to) < 64 {
		return fmt.Errorf("a struct perf_event_attr has 64 bytes or more, not %d", len(to))
	}
	for i := range fields {
		if fields[i].EndBytes > len(to) && fields[i].Of(a) != 0 {
			return fmt.Errorf("a struct of %d bytes ends before the field '%s'", len(to), fields[i].Name)
		}
	}
	copied := *a
	if int(copied.Size) > len(to) {
		copied.Size = uint32(len(to))
	}
	if size := a.neededSize(); copied.Size < size {
		copied.Size = size
	}
	n := copy(to, copied.all()[:])
	for i := n; i < len(to); i++ {
		to[i] = 0
	}
	return nil
}

// FromBytes returns the attr in these bytes, which are in the order of this machine.
func FromBytes(from []byte) (Attr, error) {
	var a Attr
	if len(from) > SizeMax {
		return a, fmt.Errorf("an attr has at most %d bytes, not %d", SizeMax, len(from))
	}
	copy(a.all()[:], from)
	return a, nil
}

// String returns the fields that are not 0 by the kernel's names, and always the type: "type=4 size=64 config=0x3c".
func (a Attr) String() string {
	var text strings.Builder
	for i := range fields {
		value := fields[i].Of(&a)
		if value == 0 && i > 0 {
			continue
		}
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(fields[i].Name)
		if fields[i].IsWord {
			text.WriteString("=0x" + strconv.FormatUint(value, 16))
		} else {
			text.WriteString("=" + strconv.FormatUint(value, 10))
		}
	}
	return text.String()
}

// UnmarshalJSON reads the fields of an attr as pmuq writes them: {"type": 4, "size": 64, "config": "0x3c"}.
func (a *Attr) UnmarshalJSON(text []byte) error {
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	*a = Attr{}
	for name, raw := range values {
		value, err := numberOf(string(raw))
		if err != nil {
			return fmt.Errorf("the field '%s' of an attr: %w", name, err)
		}
		i, isKnown := fieldOf[name]
		if !isKnown || !fields[i].holds(value) {
			return fmt.Errorf("an attr cannot have %s=%s", name, raw)
		}
		fields[i].set(a, value)
	}
	return nil
}

// A number of JSON, or a text with a decimal or hexadecimal number.
func numberOf(raw string) (uint64, error) {
	text := strings.Trim(raw, `"`)
	if strings.HasPrefix(text, "-") {
		value, err := strconv.ParseInt(text, 0, 64)
		return uint64(value), err
	}
	return strconv.ParseUint(text, 0, 64)
}
