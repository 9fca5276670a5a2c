// SPDX-License-Identifier: MIT

package pmuq

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"pmuq.dev/pmuq/internal/cases"
	"pmuq.dev/pmuq/perfevent"
)

func catalogOf(t testing.TB, name string) *Catalog {
	catalog, err := tree(t, name).ReadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { catalog.Close() })
	return catalog
}

// The *Error of a call that must fail.
func failure(t testing.TB, err error) *Error {
	t.Helper()
	var failed *Error
	if !errors.As(err, &failed) {
		t.Fatalf("not an *Error: %v", err)
	}
	return failed
}

func TestVersion(t *testing.T) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(Version()) {
		t.Error(Version())
	}
}

func TestErrors(t *testing.T) {
	machine := tree(t, "skylake-sp")
	_, err := machine.Encode("cpu/umsk=1/", nil)
	failed := failure(t, err)
	if failed.Code != 34 || failed.Name != "unknown-term" || failed.Message != "PMU 'cpu' has no term 'umsk'" || failed.Offset != 4 ||
		failed.Length != 4 || !strings.HasPrefix(failed.Hint, "did you mean 'umask'") || failed.Input != "cpu/umsk=1/" || failed.IsWarning {
		t.Errorf("%+v", failed)
	}
	if !strings.HasPrefix(err.Error(), "error[PMUQ-034] unknown-term: PMU 'cpu' has no term 'umsk'\n  cpu/umsk=1/\n      ^^^^\nhint: ") {
		t.Error(err)
	}
	_, err = OpenTree("/nowhere")
	if failure(t, err).Name != "no-root" || !errors.Is(err, syscall.ENOENT) {
		t.Error(err)
	}
	_, err = OpenTree("a\x00b")
	if failure(t, err).Offset != 1 {
		t.Error(err)
	}
	_, err = machine.Encode("cycles\x00", nil)
	if failed := failure(t, err); failed.Name != "bad-call" || failed.Offset != 6 {
		t.Errorf("%+v", failed)
	}
	_, err = machine.PMU("nix")
	if failure(t, err).Name != "unknown-pmu" {
		t.Error(err)
	}
	_, err = OpenService("/nowhere/io.pmuq")
	if failure(t, err).Name != "no-service" {
		t.Error(err)
	}
	_, err = ParseAttr("type=nix")
	failure(t, err)
}

func TestBatch(t *testing.T) {
	catalog := catalogOf(t, "skylake-sp")
	results, err := catalog.EncodeBatch([]string{"cycles", "a\x00b", "cpu/umsk=1/", "", "uncore_imc/cas_count_read/", "instructions"}, nil)
	if err != nil || results.Len() != 6 {
		t.Fatal(results, err)
	}
	var all []Encoding
	for i, n := range []int{1, 0, 0, 0, 6, 1} {
		encodings, err := results.Get(i)
		if len(encodings) != n || (err == nil) != (n > 0) {
			t.Errorf("%d: %+v %v", i, encodings, err)
		}
		all, _ = results.Append(all, i)
	}
	if len(all) != 8 || all[7].Name != "instructions" {
		t.Errorf("%+v", all)
	}
	last := all[6]
	if last.PMU != "uncore_imc_5" || last.Unit != "MiB" || last.CPUs != "0,8" || last.Origin != FromSysfs || last.Origin.String() != "sysfs" {
		t.Errorf("%+v", last)
	}
	if results, err := catalog.EncodeBatch(nil, nil); err != nil || results.Len() != 0 {
		t.Error("an empty batch:", results, err)
	}
}

func TestOptions(t *testing.T) {
	machine := tree(t, "skylake-sp")
	encode := func(text string, options *EncodeOptions) Encoding {
		t.Helper()
		encodings, err := machine.Encode(text, options)
		if err != nil {
			t.Fatal(err)
		}
		return encodings[0]
	}
	if attr := encode("cycles", &EncodeOptions{Privilege: PrivilegeUser}).Attr; attr.Field("exclude_kernel") != 1 {
		t.Error(attr)
	}
	if attr := encode("cycles", &EncodeOptions{Preset: PresetStat}).Attr; attr.Field("enable_on_exec") != 1 {
		t.Error(attr)
	}
	if _, err := machine.Encode("cpu/event=0x1,offcore_rsp=3,ldlat=4/", &EncodeOptions{Strict: true}); err == nil {
		t.Error("a warning is not an error")
	}
	if _, err := machine.Encode("cycles", &EncodeOptions{From: FromSysfs}); failure(t, err).Name != "excluded-source" {
		t.Error(err)
	}
	explained := encode("cpu/mem-loads,ldlat=30/u", &EncodeOptions{WithAssignments: true})
	sum := map[string]uint64{}
	for _, assignment := range explained.Assignments {
		if !assignment.IsOverridden {
			sum[assignment.Field] |= assignment.Value
		}
	}
	for _, field := range perfevent.Fields() {
		if field.Name != "size" && sum[field.Name] != field.Of(&explained.Attr) {
			t.Errorf("%s is %d, assigned is %d", field.Name, field.Of(&explained.Attr), sum[field.Name])
		}
	}
	if len(explained.Assignments) < 4 || encode("cycles", nil).Assignments != nil {
		t.Errorf("%+v", explained.Assignments)
	}
}

func TestParts(t *testing.T) {
	machine, catalog := tree(t, "skylake-sp"), catalogOf(t, "skylake-sp")
	parts := &Parts{PMU: "cpu", Event: "mem-loads", Terms: []Term{{"ldlat", 30}, {"cmask", 2}}, Modifiers: "u"}
	for _, encode := range []func(*Parts, *EncodeOptions) ([]Encoding, error){machine.EncodeParts, catalog.EncodeParts} {
		encodings, err := encode(parts, nil)
		if err != nil || encodings[0].Attr.String() != "type=4 size=64 config=0x20001cd exclude_kernel=1 exclude_hv=1 config1=0x1e" {
			t.Errorf("%v %v", encodings, err)
		}
		_, err = encode(&Parts{PMU: "cpu", Terms: []Term{{"umsk", 1}}}, nil)
		if failure(t, err).Name != "unknown-term" {
			t.Error(err)
		}
		_, err = encode(&Parts{PMU: "c\x00"}, nil)
		failure(t, err)
	}
	catalog.Close()
	if _, err := catalog.EncodeParts(parts, nil); err != ErrClosed {
		t.Error(err)
	}
}

// A database that the command has made.
func databaseBy(t *testing.T, words ...string) string {
	command := os.Getenv("PMUQ")
	if command == "" {
		t.Skip("PMUQ is not set")
	}
	path := t.TempDir() + "/db"
	if out, err := exec.Command(command, append([]string{"--db", path}, words...)...).CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	return path
}

func TestMetrics(t *testing.T) {
	database := databaseOf(t, map[string]string{"metrics.json": `[{"MetricName": "ipc", "MetricExpr": "instructions / cycles",` +
		`"MetricGroup": "Base;Ratio", "MetricThreshold": "ipc < 1", "BriefDescription": "instructions per cycle"},` +
		`{"MetricName": "absent", "MetricExpr": "no_such@clockticks@", "MetricGroup": "Other"}]`})
	metrics, err := OpenMetrics(database, "GenuineIntel-6-55-4")
	if err != nil || len(metrics.List()) != 2 {
		t.Fatal(metrics, err)
	}
	defer metrics.Close()
	machine, catalog := tree(t, "skylake-sp"), catalogOf(t, "skylake-sp")
	for _, plan := range []func(*Metrics, string, *EncodeOptions, *MetricOptions) (*MetricPlan, error){machine.PlanMetrics, catalog.PlanMetrics} {
		made, err := plan(metrics, "base,absent", nil, nil)
		if err != nil || len(made.Lists) != 1 || made.Lists[0] != "{instructions,cycles}:W" || len(made.Events) != 2 || len(made.Metrics) != 2 {
			t.Fatalf("%+v %v", made, err)
		}
		first := made.Metrics[0]
		if first.Metric.Name != "ipc" || first.Metric.Groups != "Base;Ratio" || first.Metric.File != "x86/m/metrics.json" ||
			first.Metric.Version != "v1" || first.Err != nil || len(first.Needs) != 2 || len(first.Needs[0].Encodings) != 1 {
			t.Errorf("%+v", first)
		}
		if failure(t, made.Metrics[1].Err).Name != "unknown-pmu" {
			t.Error(made.Metrics[1].Err)
		}
		value, err := made.Evaluate(0, []MetricCount{{Value: 6}, {Value: 3}})
		if err != nil || value.Value != 2 || value.Reason != ReasonKnown || value.Rating != RatingGood || value.Event != -1 {
			t.Errorf("%+v %v", value, err)
		}
		value, err = made.Evaluate(0, []MetricCount{{Value: 6}, {Value: math.NaN()}})
		if err != nil || !math.IsNaN(value.Value) || value.Reason != ReasonNotCounted || value.Event != 1 {
			t.Errorf("%+v %v", value, err)
		}
		_, err = made.Evaluate(0, nil)
		if failure(t, err).Message != "the plan has 2 events, not 0" {
			t.Error(err)
		}
		_, err = made.Evaluate(-1, nil)
		if failure(t, err).Message != "there is no metric -1" {
			t.Error(err)
		}
		others, _ := OpenMetrics(database, "GenuineIntel-6-55-4")
		longer, err := plan(others, "ipc", nil, nil)
		others.Close()
		if value, failed := longer.Evaluate(0, []MetricCount{{Value: 1}, {Value: 2}}); err != nil || failed != nil || value.Value != 0.5 || others.List() != nil {
			t.Error("a plan outlives its metrics", value, err, failed)
		}
		longer.Close()
		made.Close()
		if _, err := made.Evaluate(0, nil); err != ErrClosed {
			t.Error(err)
		}
	}
	_, err = machine.PlanMetrics(metrics, "nix", nil, &MetricOptions{WithoutGroups: true})
	if failure(t, err).Name != "unknown-metric" {
		t.Error(err)
	}
}

// A database with these files of a CPU, in the layout of the kernel's tables.
func databaseOf(t *testing.T, files map[string]string) string {
	tables := t.TempDir() + "/x86"
	if err := os.MkdirAll(tables+"/m", 0o700); err != nil {
		t.Fatal(err)
	}
	files["../mapfile.csv"] = "Family-model,Version,Filename,EventType\nGenuineIntel-6-55,v1,m,core\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(tables, "m", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return databaseBy(t, "vendor", "import", "--no-libpfm4", filepath.Dir(tables))
}

func TestMetricMembers(t *testing.T) {
	database := databaseOf(t, map[string]string{
		"topic.json": `[{"MetricName": "busy", "MetricExpr": "half * cycles / duration_time", "MetricGroup": "Base", "ScaleUnit": "100%",` +
			`"BriefDescription": "Short.", "PublicDescription": "Long.", "MetricConstraint": "NO_GROUP_EVENTS_NMI", "MetricgroupNoGroup": "Other",` +
			`"DefaultMetricgroupName": "Head", "AggregationMode": "PerCore", "DefaultShowEvents": "1"},` +
			`{"MetricName": "half", "MetricExpr": "instructions / 2"}, {"MetricName": "late", "MetricExpr": "SLOW:R"}]`,
		"events.json":       `[{"EventName": "SLOW", "EventCode": "0xd0", "RetirementLatencyMean": 2.5}]`,
		"metricgroups.json": `{"Base": "What one reads first"}`,
	})
	groups, err := ListMetricGroups(database, "GenuineIntel-6-55-4")
	if err != nil || len(groups) != 1 || groups[0] != (MetricGroup{"Base", "What one reads first", 1}) {
		t.Errorf("%+v %v", groups, err)
	}
	_, err = ListMetricGroups(database, "nix")
	if err == nil {
		t.Error("an unknown CPU has groups")
	}
	metrics, err := OpenMetrics(database, "GenuineIntel-6-55-4")
	if err != nil {
		t.Fatal(err)
	}
	defer metrics.Close()
	plan, err := tree(t, "skylake-sp").PlanMetrics(metrics, "busy", nil, &MetricOptions{Watchdog: WatchdogOff})
	if err != nil || len(plan.Metrics) != 1 || len(plan.Events) != 3 || plan.Lists[0] != "{instructions,cycles}:W" {
		t.Fatalf("%+v %v", plan, err)
	}
	defer plan.Close()
	want := Metric{Name: "busy", PMU: "default_core", Groups: "Base", Formula: "half * cycles / duration_time", Scale: "100", HasScale: true, Unit: "%",
		Topic: "topic", Description: "Short", LongDescription: "Long", Constraint: "NO_GROUP_EVENTS_NMI", NoGroup: "Other", DefaultGroup: "Head",
		ShowsEvents: true, Aggregation: "PerCore", Import: "perf", Folder: "x86/m", File: "x86/m/topic.json", Version: "v1"}
	got := plan.Metrics[0]
	if got.Metric != want {
		t.Errorf("%+v, wanted %+v", got.Metric, want)
	}
	if got.Expression != "(($0 / 2) * $1 / $2)" || got.Counters != 2 || plan.Events[2].Type != MetricDuration || !plan.Events[2].IsTime ||
		plan.Events[0].Type != MetricCounted || plan.Events[0].Encodings != 1 {
		t.Errorf("%+v %+v", got, plan.Events)
	}
	watched, err := tree(t, "skylake-sp").PlanMetrics(metrics, "busy", nil, &MetricOptions{Watchdog: WatchdogOn})
	if err != nil || strings.Join(watched.Lists, " ") == strings.Join(plan.Lists, " ") {
		t.Error("the watchdog changes no group:", watched.Lists, err)
	}
	watched.Close()
	table, err := OpenVendor(database, "GenuineIntel-6-55-4")
	if err != nil || table.List()[0].Latency != "2.5" {
		t.Fatal(table, err)
	}
	defer table.Close()
	late, err := tree(t, "skylake-sp").PlanMetrics(metrics, "late", &EncodeOptions{Vendor: table}, nil)
	if err != nil || late.Events[0].Type != MetricLatency || late.Events[0].IsTime || late.Events[0].Latency != 2.5 {
		t.Errorf("%+v %v", late, err)
	}
	late.Close()
}

func TestFit(t *testing.T) {
	database := databaseOf(t, map[string]string{
		"counter.json": `[{"Unit": "core", "CountersNumFixed": "3", "CountersNumGeneric": "4"}]`,
		"events.json": `[{"EventName": "one", "EventCode": "0x10", "Counter": "2"}, {"EventName": "two", "EventCode": "0x11", "Counter": "2"},` +
			`{"EventName": "any", "EventCode": "0x12", "Counter": "0,1,2,3"}]`,
	})
	table, err := OpenVendor(database, "GenuineIntel-6-55-4")
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	machine := tree(t, "skylake-sp")
	counters, err := machine.Counters("cpu", table)
	if err != nil || counters.Generic != 4 || counters.GenericMost != 4 || counters.Fixed != 3 || counters.GenericSource != CountersFromTable ||
		counters.GenericSource.String() != "table" {
		t.Errorf("%+v %v", counters, err)
	}
	_, err = machine.Counters("nix", nil)
	if failure(t, err).Name != "unknown-pmu" {
		t.Error(err)
	}
	if event, err := machine.TableEvent("cpu", "ONE", table); err != nil || event.Counters != "2" || event.TakenAlone || event.Deprecated {
		t.Errorf("%+v %v", event, err)
	}
	if found, err := machine.Search(database, "one", nil); err != nil && failure(t, err).Name != "no-search" || err == nil && (len(found) != 1 ||
		!found[0].IsOfCPU || !found[0].IsHere || found[0].Terms != "event=0x10" || found[0].IsPFM || found[0].Deprecated) {
		t.Errorf("%+v %v", found, err)
	}
	with := &EncodeOptions{Vendor: table}
	sets, err := machine.Fit("{one,two,any}", with, &FitOptions{WithoutWatchdog: true})
	if err != nil || len(sets) == 0 {
		t.Fatal(sets, err)
	}
	set := sets[0]
	if set.PMU != "cpu" || set.Leader != 0 || set.Counts != FitNo || set.Parts != 2 || !set.Smallest || len(set.Events) != 3 || set.Reason == "" ||
		!strings.HasPrefix(set.Split, "{") {
		t.Errorf("%+v", set)
	}
	if first := set.Events[0]; first.Counters != "2" || first.Counter != "2" || !first.Competes || set.Events[0].Part == set.Events[1].Part {
		t.Errorf("%+v", set.Events)
	}
	if set.Counts.String() != "no" || set.Warning == nil || !set.Warning.IsWarning || !strings.Contains(set.Warning.Hint, set.Split) || set.Events[0].Added {
		t.Errorf("%+v", set.Warning)
	}
	sets, err = machine.Fit("{one,any}", with, &FitOptions{UnfitOnly: true})
	if err != nil || len(sets) != 0 {
		t.Errorf("%+v %v", sets, err)
	}
	for watchdog, want := range map[Watchdog]Fits{WatchdogOn: FitNo, WatchdogOff: FitYes} {
		sets, err := tree(t, "zen3-epyc").Fit("{r1,r2,r4,r5,r6,r7}", nil, &FitOptions{Watchdog: watchdog})
		if err != nil || len(sets) != 1 || sets[0].Counts != want {
			t.Errorf("%+v %v", sets, err)
		}
	}
	sets, err = tree(t, "alderlake-hybrid-k6.12").Fit("cpu_core/topdown-retiring/", nil, nil)
	if err != nil || len(sets) == 0 || len(sets[0].Events) != 2 || !sets[0].Events[0].Added || sets[0].Events[1].Added {
		t.Errorf("%+v %v", sets, err)
	}
	sets, err = machine.Fit("{one,any}", with, nil)
	if err != nil || sets[0].Counts != FitYes || sets[0].Reason != "" || sets[0].Warning != nil {
		t.Errorf("%+v %v", sets, err)
	}
	_, err = machine.Fit("{a", with, nil)
	failure(t, err)
	machine.Close()
	if _, err := machine.Fit("a", nil, nil); err != ErrClosed {
		t.Error(err)
	}
}

func TestVendor(t *testing.T) {
	trees := filepath.Join(os.Getenv("PMUQ_TEST_CASES"), "../vendor/arch")
	if _, err := os.Stat(trees); err != nil {
		t.Skip("there are no tables of vendors")
	}
	database := databaseBy(t, "vendor", "import", "--no-libpfm4", trees)
	table, err := OpenVendor(database, "GenuineIntel-6-F0-1")
	if err != nil || table.Events() < 5 {
		t.Fatal(table, err)
	}
	defer table.Close()
	machine, catalog := tree(t, "skylake-sp"), catalogOf(t, "skylake-sp")
	options := &EncodeOptions{Vendor: table}
	for _, encode := range []func(string, *EncodeOptions) ([]Encoding, error){machine.Encode, catalog.Encode} {
		encodings, err := encode("inst_retired.any", options)
		if err != nil || encodings[0].Attr.Config != 0xc0 || encodings[0].Origin != FromJSON || encodings[0].Vendor.Table.Import != "perf" ||
			encodings[0].Vendor.Table.Folder != "x86/testlake" || encodings[0].Vendor.Description == "" {
			t.Errorf("%+v %v", encodings, err)
		}
	}
	parts := &Parts{Event: "mem_load_retired.l3_miss"}
	if encodings, err := machine.EncodeParts(parts, options); err != nil || encodings[0].Attr.Config != 0x20d1 {
		t.Error(encodings, err)
	}
	attr, _ := ParseAttr("type=4 config=0x20d1")
	if meant, err := catalog.Decode(&attr, &DecodeOptions{Vendor: table}); err != nil || !strings.Contains(meant.Text, "mem_load_retired.l3_miss") {
		t.Error(meant, err)
	}
	if encodings, err := machine.Encode("cycles", nil); err != nil || encodings[0].Vendor != nil {
		t.Error(encodings, err)
	}
	testTableEvents(t, table, machine, catalog)
	testSearch(t, database, machine)
	_, err = OpenVendor(database, "nix")
	if failure(t, err).Name != "no-vendor-table" {
		t.Error(err)
	}
	table.Close()
	if _, err := machine.Encode("inst_retired.any", options); err != ErrClosed || table.Events() != 0 {
		t.Error(err)
	}
	if _, err := catalog.Decode(&attr, &DecodeOptions{Vendor: table}); err != ErrClosed {
		t.Error(err)
	}
	if _, err := catalog.TableEvent("cpu", "inst_retired.any", table); err != ErrClosed || table.List() != nil || table.Table() != (Table{}) {
		t.Error(err)
	}
}

func testSearch(t *testing.T, database string, machine *Source) {
	found, err := Search(database, "third level", 10)
	if err != nil && failure(t, err).Name == "no-search" {
		return
	}
	if err != nil || len(found) == 0 || found[0].Name != "mem_load_retired.l3_miss" || found[0].Match != MatchAll || found[0].IsOfCPU ||
		found[0].Folders != "x86/testlake" || found[0].PMU != "default_core" || found[0].LongDescription == "" || found[0].Formula != "" {
		t.Errorf("%+v %v", found, err)
	}
	found, err = Search(database, "ipc", 1)
	if err != nil || len(found) != 1 || found[0].Match != MatchName || found[0].Formula == "" {
		t.Errorf("%+v %v", found, err)
	}
	for _, limit := range []int{0, -1} {
		_, err := Search(database, "ipc", limit)
		if failure(t, err).Name != "bad-call" {
			t.Error(err)
		}
	}
	if _, err := Search(database, "a\x00", 1); err == nil {
		t.Error("a NUL byte is a word")
	}
	found, err = machine.Search(database, "any", nil)
	if err != nil || len(found) < 2 {
		t.Errorf("%+v %v", found, err)
	}
	if few, err := machine.Search(database, "any", &SearchOptions{Limit: 1, WithPFM: true}); err != nil || len(few) != 1 || few[0] != found[0] {
		t.Errorf("%+v %v", few, err)
	}
}

func testTableEvents(t *testing.T, table *Vendor, machine *Source, catalog *Catalog) {
	all := table.List()
	if len(all) != table.Events() || table.Table().Folder != "x86/testlake" || table.Table().Import != "perf" {
		t.Error(len(all), table.Table())
	}
	for _, find := range []func(pmu, name string, table *Vendor) (*TableEvent, error){machine.TableEvent, catalog.TableEvent} {
		event, err := find("cpu", "MEM_LOAD_RETIRED.L3_MISS", table)
		if err != nil || event.Name != "mem_load_retired.l3_miss" || !strings.Contains(event.Terms, "event=0xd1") || event.PMU != "default_core" ||
			!strings.HasPrefix(event.Description, "Loads that missed the third level") || event.LongDescription == "" || event.Topic != "cache" ||
			event.File != "x86/testlake/cache.json" || event.Version != table.Table().Version {
			t.Fatalf("%+v %v", event, err)
		}
		isListed := false
		for _, one := range all {
			isListed = isListed || reflect.DeepEqual(one, *event)
		}
		if !isListed {
			t.Error("the list does not have it")
		}
		if event, err := find("cpu", "nix", table); err != nil || event != nil {
			t.Error(event, err)
		}
		_, err = find("nix", "inst_retired.any", table)
		if failure(t, err).Name != "unknown-pmu" {
			t.Error(err)
		}
		_, err = find("cpu", "a\x00", table)
		failure(t, err)
	}
}

// A snapshot that the command stored.
func TestSnapshot(t *testing.T) {
	database := databaseBy(t, "--sysroot", cases.Machine(t, "skylake-sp"), "scan", "--name", "here")
	machine, err := OpenSnapshot(database, "here")
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Close()
	if encodings, err := machine.Encode("cpu/mem-loads/", nil); err != nil || encodings[0].Attr.Config != 0x1cd {
		t.Error(encodings, err)
	}
	_, err = OpenSnapshot(database, "nix")
	if failure(t, err).Name != "unknown-host" {
		t.Error(err)
	}
	_, err = OpenSnapshot("/nowhere/db", "here")
	failure(t, err)
}

// A daemon's machine gives the results of the machine itself.
func TestService(t *testing.T) {
	program := os.Getenv("PMUQD")
	if program == "" {
		t.Skip("PMUQD is not set")
	}
	socket := t.TempDir() + "/io.pmuq"
	child := exec.Command(program, "--socket", socket, "--sysroot", cases.Machine(t, "skylake-sp"))
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	var machine *Source
	var err error
	for end := time.Now().Add(time.Minute); machine == nil && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		machine, err = OpenService(socket)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Close()
	if encodings, err := machine.Encode("cpu/mem-loads/", nil); err != nil || encodings[0].Attr.Config != 0x1cd {
		t.Error(encodings, err)
	}
}

func TestAttr(t *testing.T) {
	// pmuq reads each field by the same name, and makes the attr as large.
	for _, field := range perfevent.Fields() {
		if field.Name == "size" {
			continue
		}
		want, err := ParseAttr(field.Name + "=1")
		if err != nil {
			t.Error(err)
			continue
		}
		got := Attr{Size: 64}
		if err := got.SetField(field.Name, 1); err != nil || got != want || got.Field(field.Name) != 1 {
			t.Errorf("%s: %v, wanted %v (%v)", field.Name, got, want, err)
		}
	}
	var attr Attr
	if attr.SetField("precise_ip", 4) == nil || attr.SetField("nix", 1) == nil || attr.SetField("sample_max_stack", 1<<16) == nil {
		t.Error("a field holds a value that is too large")
	}
	if err := attr.SetField("sample_freq", 99); err != nil || attr.SamplePeriod != 99 {
		t.Error(attr, err)
	}
	negative, err := ParseAttr("clockid=-1")
	if err == nil && (negative.ClockID != -1 || int64(negative.Field("clockid")) != -1) {
		t.Error(negative)
	}
	large, _ := ParseAttr("type=4 config3=1")
	older := make([]byte, 112)
	if large.CopyTo(older) == nil {
		t.Error("config3 is lost in a struct of 112 bytes")
	}
	newer := make([]byte, 160)
	if err := large.CopyTo(newer); err != nil || string(newer[:len(large.Bytes())]) != string(large.Bytes()) {
		t.Error(newer, err)
	}
	small, _ := ParseAttr("type=4 config1=7")
	if err := small.CopyTo(older); err != nil || string(older[:64]) != string(small.Bytes()) || len(small.Bytes()) != 64 {
		t.Error(older, err)
	}
	if again, err := perfevent.FromBytes(large.Bytes()); err != nil || again != large {
		t.Error(again, err)
	}
}

func TestDecode(t *testing.T) {
	attr, err := ParseAttr("type=4 config=0x1cd config1=30 inherit=1")
	if err != nil {
		t.Fatal(err)
	}
	machine, catalog := tree(t, "skylake-sp"), catalogOf(t, "skylake-sp")
	for _, decode := range []func(*Attr, *DecodeOptions) (*Decoding, error){machine.Decode, catalog.Decode} {
		meant, err := decode(&attr, nil)
		if err != nil || meant.Text != "cpu/mem-loads,ldlat=0x1e/" || meant.PMU != "cpu" || !meant.IsExact ||
			len(meant.Left) != 1 || meant.Left[0].Name != "inherit" || meant.Origin != FromSysfs {
			t.Errorf("%+v %v", meant, err)
		}
	}
	probe, err := ParseAttr("type=6")
	if err != nil {
		t.Fatal(err)
	}
	if meant, err := machine.Decode(&probe, &DecodeOptions{ProbeText: "do_exit"}); err != nil || !strings.Contains(meant.Text, "do_exit") {
		t.Errorf("%+v %v", meant, err)
	}
}

func TestMachine(t *testing.T) {
	machine, catalog := tree(t, "skylake-sp"), catalogOf(t, "skylake-sp")
	names, err := machine.ListPMUs("")
	if err != nil || len(names) != len(catalog.PMUs()) {
		t.Error(names, err)
	}
	for i, pmu := range catalog.PMUs() {
		if pmu.Name != names[i] {
			t.Errorf("%s, %s", pmu.Name, names[i])
		}
	}
	for _, cpu := range []*PMU{catalog.PMU("cpu"), func() *PMU { pmu, _ := machine.PMU("cpu"); return pmu }()} {
		if cpu == nil || !cpu.IsCore || cpu.IsUncore || cpu.Type != 4 || len(cpu.Definition.Formats) < 5 || len(cpu.Definition.Events) < 5 {
			t.Fatalf("%+v", cpu)
		}
		for _, format := range cpu.Definition.Formats {
			if format.Name == "event" && (format.Text != "config:0-7" || format.Word != 0 || format.Mask != 0xff || format.Max != 0xff) {
				t.Errorf("%+v", format)
			}
		}
	}
	if catalog.PMU("uncore_imc_0").Definition != catalog.PMU("uncore_imc_1").Definition {
		t.Error("instances do not share their definition")
	}
	if catalog.PMU("nix") != nil || catalog.PMU("") != nil {
		t.Error("a PMU that does not exist")
	}
	events, err := machine.ListEvents("mem-")
	if err != nil || strings.Join(events, " ") != "mem-loads mem-stores" {
		t.Error(events, err)
	}
	events, err = machine.ListEventsOf("uncore_imc_3")
	if err != nil || strings.Join(events, " ") != "cas_count_read cas_count_write clockticks" {
		t.Error(events, err)
	}
	if _, err := machine.ListEventsOf("uncore_imc_9"); err == nil {
		t.Error("a PMU that is not there has a list")
	}
	if tracepoints, err := machine.ListTracepoints(""); err != nil || len(tracepoints) != len(catalog.Tracepoints()) {
		t.Error(len(tracepoints), err)
	}
	cpuid, err := machine.Fact("cpuid")
	if err != nil || cpuid == "" || cpuid != catalog.Fact("cpuid") || catalog.Fact("nix") != "" {
		t.Error(cpuid, err)
	}
	if none, err := machine.Fact("nix"); err != nil || none != "" {
		t.Error(none, err)
	}
	if changed, err := machine.Refresh(); err != nil || !changed {
		t.Error("the first refresh:", changed, err)
	}
	if changed, err := machine.Refresh(); err != nil || changed {
		t.Error("nothing has changed:", changed, err)
	}
	if machine.IsLive() || catalog.IsLive() || machine.Opens() == 0 {
		t.Error("a captured machine")
	}
	catalog.Problems()
	source, err := catalog.Source()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	catalog.Close()
	if encodings, err := source.Encode("mem-loads", nil); err != nil || len(encodings) != 1 {
		t.Error("a source of a closed catalog:", encodings, err)
	}
}

func TestSysfs(t *testing.T) {
	machine, err := OpenSysfs(cases.Machine(t, "skylake-sp") + "/sys")
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Close()
	if encodings, err := machine.Encode("cpu/mem-loads/", nil); err != nil || encodings[0].Attr.Config != 0x1cd {
		t.Error(encodings, err)
	}
}

func TestClosed(t *testing.T) {
	machine := tree(t, "skylake-sp")
	catalog := catalogOf(t, "skylake-sp")
	encodings, _ := machine.Encode("cpu/mem-loads,name=mine/", nil)
	machine.Close()
	machine.Close()
	catalog.Close()
	if _, err := machine.Encode("cycles", nil); err != ErrClosed {
		t.Error(err)
	}
	if _, err := machine.Fact("cpuid"); err != ErrClosed {
		t.Error(err)
	}
	if _, err := catalog.Encode("cycles", nil); err != ErrClosed {
		t.Error(err)
	}
	if _, err := catalog.Source(); err != ErrClosed {
		t.Error(err)
	}
	if catalog.Facts() != nil || catalog.Problems() != nil {
		t.Error("a closed catalog has facts")
	}
	if encodings[0].Name != "mine" || encodings[0].Attr.Config != 0x1cd {
		t.Error("encodings change when their source is closed")
	}
}

// Software events open on every kernel, except where perf_event_open(2) is forbidden.
func TestOpen(t *testing.T) {
	machine, err := OpenLive()
	if err != nil {
		t.Skip(err)
	}
	defer machine.Close()
	results, err := machine.TestOpen("page-faults:u,task-clock:u", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Status != StatusOpened {
		if results[0].Reason == "" || results[0].Name == "" || results[0].Errno == 0 {
			t.Errorf("a refusal without a reason: %+v", results[0])
		}
		t.Skip(results[0].Reason)
	}
	opened, err := machine.Open("{page-faults:u,task-clock:u}", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if len(opened.Encodings()) != 2 || len(opened.Results()) != 2 || len(opened.Targets(0)) != 1 || opened.Targets(0)[0].FD < 3 ||
		len(opened.Targets(2)) != 0 {
		t.Errorf("%+v %+v", opened.Encodings(), opened.Targets(0))
	}
	for _, step := range []func() error{opened.Enable, touch, opened.Disable} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	values, err := opened.ReadAll()
	if err != nil || !values[0].IsRead || values[1].TimeEnabledNS == 0 {
		t.Errorf("%+v %v", values, err)
	}
	value, err := opened.Read(0)
	if err != nil || value != values[0] {
		t.Errorf("%+v %v", value, err)
	}
	if at, err := opened.ReadAt(0, 0); err != nil || at != value {
		t.Errorf("%+v %v", at, err)
	}
	_, err = opened.Read(7)
	failure(t, err)
	_, err = opened.Read(-1)
	if failed := failure(t, err); failed.Name != "bad-call" || failed.Message != "there is no event -1" {
		t.Error(err)
	}
	_, err = opened.ReadAt(0, -1)
	if failure(t, err).Message != "there is no target -1" {
		t.Error(err)
	}
	if err := opened.Reset(); err != nil {
		t.Error(err)
	}
	if value, _ := opened.Read(0); value.Value != 0 {
		t.Error(value)
	}
	opened.Close()
	if _, err := opened.ReadAll(); err != ErrClosed || opened.Targets(0) != nil {
		t.Error(err)
	}
	counts, err := machine.Measure("task-clock:u", nil, &OpenOptions{WorkMS: 1})
	if err != nil || len(counts) != 1 || counts[0].Status == "" || counts[0].IsGrouped || counts[0].Subgroup != -1 {
		t.Errorf("%+v %v", counts, err)
	}
	counts, err = machine.Measure("{page-faults:u,task-clock:u}", nil, &OpenOptions{WorkMS: 1})
	if err != nil || !counts[1].IsGrouped || counts[1].Subgroups != 1 || counts[1].Subgroup != 0 || counts[1].Breaker != -1 {
		t.Errorf("%+v %v", counts, err)
	}
	_, err = machine.TestOpen("page-faults:u", nil, &OpenOptions{CPUs: "0-"})
	if failure(t, err).Name != "bad-cpus" {
		t.Error(err)
	}
	_, err = machine.Open("page-fautls", nil, nil)
	failure(t, err)
}

// An attr that no string made is opened as one of a string.
func TestOwnAttr(t *testing.T) {
	machine, err := OpenLive()
	if err != nil {
		t.Skip(err)
	}
	defer machine.Close()
	attr, _ := ParseAttr("type=1 config=0x2 exclude_kernel=1 exclude_hv=1")
	encoding, err := machine.EncodeAttr(&attr)
	if err != nil || encoding.Attr != attr || encoding.PMU != "software" {
		t.Fatalf("%+v %v", encoding, err)
	}
	result, err := machine.TestOpenAttr(&attr, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.Status != StatusOpened {
		t.Skip(result.Reason)
	}
	opened, err := machine.OpenAttr(&attr, nil)
	if err != nil || len(opened.Results()) != 1 || opened.Results()[0].Status != StatusOpened || opened.Encodings()[0].Attr != attr {
		t.Fatalf("%+v %v", opened, err)
	}
	opened.Close()
	count, err := machine.MeasureAttr(&attr, &OpenOptions{WorkMS: 1})
	if err != nil || count.Status == "" {
		t.Errorf("%+v %v", count, err)
	}
	if sets, err := machine.FitAttr(&attr, nil, nil); err != nil || len(sets) > 1 {
		t.Errorf("%+v %v", sets, err)
	}
	core := tree(t, "zen3-epyc")
	raw, _ := ParseAttr("type=4 config=0x76")
	if sets, err := core.FitAttr(&raw, nil, nil); err != nil || len(sets) != 1 || sets[0].PMU != "cpu" || sets[0].Counts != FitYes {
		t.Errorf("%+v %v", sets, err)
	}
	large := attr
	large.Size = 4096
	_, err = machine.EncodeAttr(&large)
	if failure(t, err).Name != "attr-size" {
		t.Error(err)
	}
	_, err = machine.Decode(&large, nil)
	if failure(t, err).Name != "attr-size" {
		t.Error(err)
	}
	_, err = machine.ExplainErrno(nil, Call{CPU: -1, GroupFD: -1, Errno: syscall.EINVAL})
	if failure(t, err).Message != "the attr is NULL" {
		t.Error(err)
	}
}

func TestBudget(t *testing.T) {
	machine, err := OpenLive()
	if err != nil {
		t.Skip(err)
	}
	defer machine.Close()
	budget, err := machine.Budget("page-faults,task-clock", nil, nil)
	if err != nil || budget.Needed != 2 || !budget.Fits || !strings.Contains(budget.Text, "file descriptors") || budget.Limit > budget.HardLimit {
		t.Errorf("%+v %v", budget, err)
	}
	_, err = machine.Budget("page-faults", nil, &OpenOptions{CPUs: "x"})
	if failure(t, err).Name != "bad-cpus" {
		t.Error(err)
	}
}

func touch() error {
	return os.WriteFile(os.DevNull, make([]byte, 4<<20), 0)
}

func TestExplainErrno(t *testing.T) {
	machine, err := OpenLive()
	if err != nil {
		t.Skip(err)
	}
	defer machine.Close()
	attr, _ := ParseAttr("type=1 config=0x7777")
	result, err := machine.ExplainErrno(&attr, Call{CPU: -1, GroupFD: -1, Errno: syscall.ENOENT})
	if err != nil || result.Status != StatusRefused || result.Reason == "" || result.Errno != syscall.ENOENT {
		t.Errorf("%+v %v", result, err)
	}
}
