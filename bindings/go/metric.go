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
	"unsafe"
)

// Metrics are those of one CPU in vendors' tables. Any number of goroutines may use them.
type Metrics struct {
	mu       sync.RWMutex
	p        *C.struct_pmuq_metrics
	plans    int // that are open: they need the metrics
	isClosed bool
}

// A Metric is a formula over counts of events.
type Metric struct {
	Name            string // its name
	PMU             string // the PMU's name in the tables: "default_core" (every core PMU), "cpu_atom" …
	Groups          string // the metric groups that it is in, with semicolons
	Formula         string // in the words of its table
	Threshold       string // a formula that is not 0 if the value is bad; or ""
	Scale           string // exact decimal text; the value is multiplied by it
	HasScale        bool   // the table has a scale
	Unit            string // of the value times the scale: "%", "MB/s"; or ""
	Topic           string // or ""
	Description     string // one sentence, or ""
	LongDescription string // the whole description, or ""
	Constraint      string // when its events are not a group: "NO_GROUP_EVENTS", "NO_GROUP_EVENTS_NMI", …; or ""
	NoGroup         string // the metric groups in which they are not a group, with semicolons
	DefaultGroup    string // its headline in `perf stat` without events; or ""
	ShowsEvents     bool   // `perf stat` without events prints the counts, too
	Aggregation     string // "PerChip" or "PerCore": the formula is for one, whose number is its parameter; or ""
	Compat          string // a regular expression (POSIX extended) for the whole content of a PMU's file "identifier"; "": any machine
	Import          string // the name of the import
	Folder          string // "ARCH/FOLDER"
	File            string // where it comes from: "ARCH/FOLDER/FILE"
	Version         string // of that file or, if it names none, of the table; or ""
}

// Watchdog is whether the kernel's NMI watchdog takes a counter.
type Watchdog uint32

const (
	WatchdogOfMachine Watchdog = 0 // as on the machine
	WatchdogOn        Watchdog = 1
	WatchdogOff       Watchdog = 2
)

// MetricOptions is how to count metrics. The zero value, or nil, has the defaults.
type MetricOptions struct {
	WithoutThresholds bool // do not count what only thresholds need
	WithoutGroups     bool // open each event alone
	WithoutSharing    bool // open the events of each metric for it alone
	Watchdog          Watchdog
}

// MetricEventType is how an event of a plan is counted.
type MetricEventType uint32

const (
	MetricCounted    MetricEventType = C.PMUQ_METRIC_COUNT       // by the encodings of a list
	MetricDuration   MetricEventType = C.PMUQ_METRIC_DURATION    // the time that was counted, in seconds
	MetricUserTime   MetricEventType = C.PMUQ_METRIC_USER_TIME   // time in user mode, in seconds
	MetricSystemTime MetricEventType = C.PMUQ_METRIC_SYSTEM_TIME // time in the kernel, in seconds
	MetricLatency    MetricEventType = C.PMUQ_METRIC_LATENCY     // of the retirement of an event, in cycles; its count is NaN: see Latency
)

// A MetricEvent is an event that formulas of a plan need.
type MetricEvent struct {
	Name string // as in an event string
	Type MetricEventType
	// A time in seconds instead of a count.
	IsTime bool
	List   int // the index of its list in MetricPlan.Lists, of a count
	Event  int // the index of the event in the list: Encoding.Event
	// How many encodings it has: 64 for 64 instances.
	Encodings int
	// The mean latency of its retirement in cycles, by the vendor's table, of an event that is not counted; else NaN. Its count is NaN.
	Latency float64
}

// A MetricNeed is an event that a metric needs: the sum of the counts of these encodings of its list.
type MetricNeed struct {
	Event     int   // the index in MetricPlan.Events
	Encodings []int // the indexes of encodings that Encode gives for the list
}

// A PlannedMetric is a value that a plan gives.
type PlannedMetric struct {
	Metric    Metric
	Modifiers string // that its events got; or ""
	PMU       string // the core PMU that it is of, if the machine has several; or ""
	Needs     []MetricNeed
	Err       error // why it cannot be counted on this machine, or nil
	// The formula as a text over its events: $N is Needs[N], formulas of other metrics are in brackets, and facts of the machine are
	// numbers. "": it cannot be counted, or the text would have more than 128 KiB.
	Expression string
	// How many counters the events need, of one instance of each PMU. Times and events that have a counter of their own need none.
	Counters int
}

// A MetricPlan is how to count metrics. Any number of goroutines may use one.
type MetricPlan struct {
	Lists   []string // event strings, each to be opened together
	Events  []MetricEvent
	Metrics []PlannedMetric

	mu      sync.RWMutex
	p       *C.struct_pmuq_metric_plan
	metrics *Metrics
}

// A MetricCount is the count of an event of a plan for a metric.
type MetricCount struct {
	Value     float64 // the sum over all encodings and CPUs; of a time, seconds; NaN: not counted
	EnabledNs uint64  // how long it was enabled, and how long a counter counted it
	RunningNs uint64
	Counts    uint32 // how many counts the value is the sum of; 0: 1
	PMUs      uint32 // on how many PMUs; 0: 1
}

// Rating is the value of a metric by its threshold.
type Rating uint32

const (
	RatingNone Rating = C.PMUQ_RATING_NONE // it has no threshold, or what it needs is not known
	RatingGood Rating = C.PMUQ_RATING_GOOD // the threshold is 0
	RatingBad  Rating = C.PMUQ_RATING_BAD  // the threshold is not 0
)

// Reason is why the value of a metric is not known.
type Reason uint32

const (
	ReasonKnown        Reason = C.PMUQ_FORMULA_KNOWN         // it is a number
	ReasonNotCounted   Reason = C.PMUQ_FORMULA_NOT_COUNTED   // a count is not known
	ReasonDividedBy0   Reason = C.PMUQ_FORMULA_DIVIDED_BY_0  // a divisor is 0
	ReasonTooLarge     Reason = C.PMUQ_FORMULA_TOO_LARGE     // too large for a float64
	ReasonBadRemainder Reason = C.PMUQ_FORMULA_BAD_REMAINDER // a side of % is above 2^63, or the right below 1
	ReasonNaN          Reason = C.PMUQ_FORMULA_NAN           // the formula contains NaN
)

// A MetricValue is the value of a metric.
type MetricValue struct {
	Value      float64 // in the metric's unit; NaN: not known
	ErrorBound float64 // how far it may be off because counters were shared; 0: not shared
	Reason     Reason  // why it is not known
	Rating     Rating
	Event      int // the index in the plan of the event that made it unknown, or -1
}

// OpenMetrics opens the metrics of one CPU in a database of pmuq. The fact "cpuid" of a machine names its CPU.
func OpenMetrics(database, cpuid string) (*Metrics, error) {
	m := &Metrics{}
	if err := checkTexts(cpuid); err != nil {
		return nil, err
	}
	cpu := C.CString(cpuid)
	defer free(cpu)
	err := withStore(database, C.PMUQ_STORE_READ, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		return C.pmuq_store_open_metrics(store, cpu, &m.p, reterr)
	})
	if err != nil {
		return nil, err
	}
	runtime.SetFinalizer(m, (*Metrics).Close)
	return m, nil
}

// Close frees the metrics, as soon as no plan needs them. It waits for calls of other goroutines.
func (m *Metrics) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	runtime.SetFinalizer(m, nil)
	m.isClosed = true
	m.free()
	return nil
}

func (m *Metrics) free() {
	if m.isClosed && m.plans == 0 {
		C.pmuq_metrics_free(m.p)
		m.p = nil
	}
}

// For a plan. False if they are closed.
func (m *Metrics) retain() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.isClosed {
		m.plans++
	}
	return !m.isClosed
}

func (m *Metrics) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.plans--
	m.free()
}

// List returns all of them; nil after Close.
func (m *Metrics) List() []Metric {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.isClosed {
		return nil
	}
	all := make([]Metric, C.pmuq_metrics_count(m.p))
	for i := range all {
		all[i] = metricOf(C.pmuq_metrics_get(m.p, C.size_t(i)))
	}
	return all
}

func metricOf(m *C.struct_pmuq_metric) Metric {
	return Metric{Name: textOf(m.name), PMU: textOf(m.pmu), Groups: textOf(m.groups), Formula: textOf(m.formula),
		Threshold: textOf(m.threshold), Scale: textOf(m.scale), HasScale: bool(m.has_scale), Unit: textOf(m.unit), Topic: textOf(m.topic),
		Description: textOf(m.description), LongDescription: textOf(m.long_description), Constraint: textOf(m.constraint),
		NoGroup: textOf(m.no_group), DefaultGroup: textOf(m.default_group), ShowsEvents: bool(m.shows_events),
		Aggregation: textOf(m.aggregation), Compat: textOf(m.compat), Import: textOf(m._import), Folder: textOf(m.folder),
		File: textOf(m.file), Version: textOf(m.version)}
}

// A MetricGroup is a set of metrics of a CPU.
type MetricGroup struct {
	Name        string
	Description string // or ""
	Metrics     int    // how many metrics are in it
}

// ListMetricGroups lists the metric groups of one CPU in a database of pmuq by name: those that its metrics are in, and those that its
// tables describe.
func ListMetricGroups(database, cpuid string) ([]MetricGroup, error) {
	if err := checkTexts(cpuid); err != nil {
		return nil, err
	}
	cpu := C.CString(cpuid)
	defer free(cpu)
	var all []MetricGroup
	err := withStore(database, C.PMUQ_STORE_READ, func(store *C.struct_pmuq_store, reterr **C.struct_pmuq_error) C.int {
		var groups *C.struct_pmuq_metric_groups
		r := C.pmuq_store_list_metric_groups(store, cpu, &groups, reterr)
		if r < 0 {
			return r
		}
		for i := C.size_t(0); i < C.pmuq_metric_groups_count(groups); i++ {
			group := C.pmuq_metric_groups_get(groups, i)
			all = append(all, MetricGroup{Name: textOf(group.name), Description: textOf(group.description), Metrics: int(group.n_metrics)})
		}
		C.pmuq_metric_groups_free(groups)
		return 0
	})
	return all, err
}

// PlanMetrics plans metrics: names, metric groups and patterns with * and ?, separated by commas. The vendor of the encode options is the
// CPU's table of events, whose names most formulas use. The table must stay open until the plan is closed.
func (s *Source) PlanMetrics(metrics *Metrics, names string, encode *EncodeOptions, options *MetricOptions) (*MetricPlan, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p == nil {
		return nil, ErrClosed
	}
	return planMetrics(s.p, nil, metrics, names, encode, options)
}

// PlanMetrics plans metrics, as Source.PlanMetrics.
func (c *Catalog) PlanMetrics(metrics *Metrics, names string, encode *EncodeOptions, options *MetricOptions) (*MetricPlan, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.p == nil {
		return nil, ErrClosed
	}
	return planMetrics(nil, c.p, metrics, names, encode, options)
}

// One of source and catalog is nil.
func planMetrics(source *C.struct_pmuq_source, catalog *C.struct_pmuq_catalog, metrics *Metrics, names string, encode *EncodeOptions,
	options *MetricOptions) (*MetricPlan, error) {
	if err := checkTexts(names); err != nil {
		return nil, err
	}
	text := C.CString(names)
	defer free(text)
	if !metrics.retain() {
		return nil, ErrClosed
	}
	var p *C.struct_pmuq_metric_plan
	var failed *C.struct_pmuq_error
	var r C.int
	err := encode.with(func(how *C.struct_pmuq_encode_options) {
		c := options.c()
		if source != nil {
			r = C.pmuq_source_plan_metrics(source, metrics.p, text, how, &c, &p, &failed)
		} else {
			r = C.pmuq_catalog_plan_metrics(catalog, metrics.p, text, how, &c, &p, &failed)
		}
	})
	if err == nil && r < 0 {
		err = takeError(failed)
	}
	if err != nil {
		metrics.release()
		return nil, err
	}
	made := &MetricPlan{p: p, metrics: metrics}
	made.read()
	runtime.SetFinalizer(made, (*MetricPlan).Close)
	return made, nil
}

func (o *MetricOptions) c() C.struct_pmuq_metric_options {
	c := C.struct_pmuq_metric_options{size: C.sizeof_struct_pmuq_metric_options}
	if o != nil {
		c.without_thresholds = C.bool(o.WithoutThresholds)
		c.without_groups = C.bool(o.WithoutGroups)
		c.without_sharing = C.bool(o.WithoutSharing)
		c.nmi_watchdog = C.uint(o.Watchdog)
	}
	return c
}

// Copies what the plan has.
func (p *MetricPlan) read() {
	for i := C.size_t(0); i < C.pmuq_metric_plan_list_count(p.p); i++ {
		p.Lists = append(p.Lists, textOf(C.pmuq_metric_plan_list(p.p, i).string))
	}
	for i := C.size_t(0); i < C.pmuq_metric_plan_event_count(p.p); i++ {
		event := C.pmuq_metric_plan_event(p.p, i)
		kind := MetricEventType(event._type)
		p.Events = append(p.Events, MetricEvent{Name: textOf(event.name), Type: kind, IsTime: kind != MetricCounted && kind != MetricLatency,
			List: int(event.list), Event: int(event.event), Encodings: int(event.n_encodings), Latency: float64(event.latency)})
	}
	for i := C.size_t(0); i < C.pmuq_metric_plan_count(p.p); i++ {
		planned := C.pmuq_metric_plan_get(p.p, i)
		metric := PlannedMetric{Metric: metricOf(planned.metric), Modifiers: textOf(planned.modifiers), PMU: textOf(planned.pmu),
			Counters: int(planned.n_counters)}
		if expression := C.pmuq_metric_plan_expression(p.p, i); expression != nil {
			metric.Expression = C.GoString(expression)
			free(expression)
		}
		if planned.error != nil {
			metric.Err = copyError(planned.error)
		}
		for _, event := range unsafe.Slice(planned.events, planned.n_events) {
			metric.Needs = append(metric.Needs, p.need(i, event))
		}
		p.Metrics = append(p.Metrics, metric)
	}
}

func (p *MetricPlan) need(metric, event C.size_t) MetricNeed {
	need := MetricNeed{Event: int(event)}
	if p.Events[event].Type != MetricCounted {
		return need
	}
	encodings := C.pmuq_metric_plan_list(p.p, C.size_t(p.Events[event].List)).encodings
	for i := C.size_t(0); i < C.pmuq_encodings_count(encodings); i++ {
		if C.pmuq_metric_plan_counts(p.p, metric, event, C.pmuq_encodings_get(encodings, i)) {
			need.Encodings = append(need.Encodings, int(i))
		}
	}
	return need
}

// Close frees the plan. It waits for calls of other goroutines.
func (p *MetricPlan) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	runtime.SetFinalizer(p, nil)
	if p.p != nil {
		C.pmuq_metric_plan_free(p.p)
		p.p = nil
		p.metrics.release()
	}
	return nil
}

// Evaluate computes a metric of the plan, with a count for each of the plan's events, in their order.
func (p *MetricPlan) Evaluate(metric int, counts []MetricCount) (MetricValue, error) {
	if err := checkIndex("metric", metric); err != nil {
		return MetricValue{}, err
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.p == nil {
		return MetricValue{}, ErrClosed
	}
	all := make([]C.struct_pmuq_metric_count, len(counts)+1)
	for i, count := range counts {
		all[i] = C.struct_pmuq_metric_count{value: C.double(count.Value), enabled_ns: C.uint64_t(count.EnabledNs),
			running_ns: C.uint64_t(count.RunningNs), n_counts: C.uint32_t(orOne(count.Counts)), n_pmus: C.uint32_t(orOne(count.PMUs))}
	}
	var value C.struct_pmuq_metric_value
	var failed *C.struct_pmuq_error
	if C.pmuq_metric_plan_evaluate(p.p, C.size_t(metric), &all[0], C.size_t(len(counts)), &value, &failed) < 0 {
		return MetricValue{}, takeError(failed)
	}
	ret := MetricValue{Value: float64(value.value), ErrorBound: float64(value.error_bound), Reason: Reason(value.reason),
		Rating: Rating(value.rating), Event: indexOf(value.event)}
	return ret, nil
}

func orOne(n uint32) uint32 {
	if n == 0 {
		return 1
	}
	return n
}
