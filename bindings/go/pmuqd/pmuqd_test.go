// SPDX-License-Identifier: MIT

package pmuqd

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pmuq.dev/pmuq/internal/cases"
	"pmuq.dev/pmuq/perfevent"
)

// A daemon with a socket of its own until the end of the test. Without PMUQD the test is skipped.
func daemon(t testing.TB, words ...string) string {
	program := os.Getenv("PMUQD")
	if program == "" {
		t.Skip("PMUQD is not set")
	}
	path := filepath.Join(t.TempDir(), "io.pmuq")
	child := exec.Command(program, append([]string{"--socket", path}, words...)...)
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		child.Process.Kill()
		child.Wait()
	})
	return path
}

// Connects when the daemon listens.
func connected(t testing.TB, path string) *Client {
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		client, err := Dial(context.Background(), path)
		if err == nil {
			t.Cleanup(func() { client.Close() })
			return client
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func machine(t testing.TB, name string) *Client {
	return connected(t, daemon(t, "--sysroot", cases.Machine(t, name)))
}

func termsOf(terms Members) (all [][2]string) {
	for _, term := range terms {
		all = append(all, [2]string{term.Name, term.Text})
	}
	return all
}

// What the two forms of an encoding have in common.
func common(name, pmu, cpus, unit, scale string, attr Attr, perPkg, snapshot, added bool, probe *Probe, group *Group, terms Members,
	warnings []*Error) cases.Encoding {
	one := cases.Encoding{Name: name, PMU: pmu, CPUs: cpus, Unit: unit, Scale: scale, Attr: attr, PerPkg: perPkg, Snapshot: snapshot,
		Added: added, ToolTerms: termsOf(terms), Warnings: warnings}
	if probe != nil {
		one.ProbeField, one.ProbeText = probe.Field, probe.Text
	}
	if group != nil {
		one.Leader, one.Members, one.GroupName = int(group.Leader), int(group.Members), group.Name
	}
	return one
}

func outcome(t testing.TB, row *Input, compact *EncodeCompactInput) string {
	var all []cases.Encoding
	for i, e := range row.Encodings {
		one := common(e.Name, e.PMU, e.CPUs, e.Unit, e.Scale, e.Attr, e.PerPkg, e.Snapshot, e.Added, e.Probe, e.Group, e.ToolTerms, e.Warnings)
		one.Origin, one.Event = e.Source, int(e.From.Index)
		all = append(all, one)
		c := compact.Encodings[i]
		attr, err := c.AttrHex.Attr()
		if err != nil || attr != e.Attr {
			t.Errorf("%s: %v, compact %v: %v", row.Input, e.Attr, attr, err)
		}
		small := common(c.Name, c.PMU, c.CPUs, c.Unit, c.Scale, attr, c.PerPkg, c.Snapshot, c.Added, c.Probe, c.Group, c.ToolTerms, c.Warnings)
		small.Origin, small.Event = e.Source, int(e.From.Index)
		got := cases.Outcome(row.Input, []cases.Encoding{small}, nil)
		if want := cases.Outcome(row.Input, []cases.Encoding{one}, nil); got != want {
			t.Errorf("%s: compact\n%swanted\n%s", row.Input, got, want)
		}
	}
	if row.Error != nil {
		return cases.Outcome(row.Input, all, row.Error)
	}
	return cases.Outcome(row.Input, all, nil)
}

type key struct {
	isPerf    bool
	preset    string
	asWritten bool
}

func checkMachine(t *testing.T, name string, byOptions map[key][]cases.Case) {
	ctx := context.Background()
	client := machine(t, name)
	for options, batch := range byOptions {
		// The cases are without libpfm4, which the daemon uses if its helper is installed.
		parameters := EncodeParameters{Preset: options.preset, AsWritten: options.asWritten,
			From: "format,sysfs,generic,raw,breakpoint,tracepoint,probe,json"}
		if options.isPerf {
			parameters.Dialect = "perf"
		}
		for _, c := range batch {
			parameters.Events = append(parameters.Events, c.Event)
		}
		reply, err := client.Encode(ctx, parameters)
		if err != nil {
			t.Error(err)
			continue
		}
		compact, err := client.EncodeCompact(ctx, EncodeCompactParameters{Events: parameters.Events, Dialect: parameters.Dialect,
			Preset: parameters.Preset, AsWritten: parameters.AsWritten, From: parameters.From})
		if err != nil {
			t.Error(err)
			continue
		}
		for i, c := range batch {
			if got := outcome(t, &reply.Inputs[i], &compact.Inputs[i]); got != c.Wanted {
				t.Errorf("%s: got\n%swanted\n%s", c.Where, got, c.Wanted)
			}
		}
	}
}

// Every case through a daemon of its machine.
func TestCases(t *testing.T) {
	byMachine := map[string]map[key][]cases.Case{}
	for _, c := range cases.All(t) {
		if byMachine[c.Machine] == nil {
			byMachine[c.Machine] = map[key][]cases.Case{}
		}
		how := key{c.IsPerf, c.Preset, c.AsWritten}
		byMachine[c.Machine][how] = append(byMachine[c.Machine][how], c)
	}
	for name, byOptions := range byMachine {
		name, byOptions := name, byOptions
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkMachine(t, name, byOptions)
		})
	}
}

func TestMethods(t *testing.T) {
	ctx := context.Background()
	client := machine(t, "skylake-sp")
	info, err := client.GetInfo(ctx)
	if err != nil || info.Generation != 1 || info.PMUs < 10 || info.Live || info.Rights.User != int64(os.Geteuid()) {
		t.Errorf("GetInfo: %+v %v", info, err)
	}
	list, err := client.List(ctx, ListParameters{Type: "formats", Globs: []string{"cpu/event"}})
	if err != nil || len(list.Formats) != 1 || list.Formats[0].Bits != "config:0-7" {
		t.Errorf("List: %+v %v", list, err)
	}
	show, err := client.Show(ctx, ShowParameters{Names: []string{"cpu", "nix"}})
	if err != nil || show.Shown[0].Found != "pmu" || show.Shown[0].PMU.Name != "cpu" || show.Shown[1].Error == nil {
		t.Errorf("Show: %+v %v", show, err)
	}
	explain, err := client.Explain(ctx, ExplainParameters{Events: []string{"cpu/event=0x2,inv/"}})
	if err != nil || len(explain.Inputs[0].Encodings[0].Assignments) < 3 {
		t.Errorf("Explain: %+v %v", explain, err)
	}
	decoded, err := client.Decode(ctx, DecodeParameters{Attrs: []string{"type=4 config=0x1cd config1=30 inherit=1"}})
	if err != nil || decoded.Inputs[0].Decodings[0].String != "cpu/mem-loads,ldlat=0x1e/" || decoded.Inputs[0].Decodings[0].Left[0].Name != "inherit" {
		t.Errorf("Decode: %+v %v", decoded, err)
	}
	found, err := client.Search(ctx, SearchParameters{Words: []string{"mem", "loads"}, Limit: 3, From: "sysfs"})
	if err != nil || len(found.Events) == 0 || !found.Events[0].Here {
		t.Errorf("Search: %+v %v", found, err)
	}
	diff, err := client.Diff(ctx, DiffParameters{Generation: 1})
	if err != nil || diff.Differ {
		t.Errorf("Diff: %+v %v", diff, err)
	}
	whole, err := client.Export(ctx)
	if err != nil || whole.Document == nil {
		t.Errorf("Export: %v", err)
	}
}

// An attr has the fields of the interface, in its order.
func TestFields(t *testing.T) {
	program := os.Getenv("PMUQD")
	if program == "" {
		t.Skip("PMUQD is not set")
	}
	text, err := exec.Command(program, "--interface").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "type Attr (")
	body, _, _ := strings.Cut(rest, ")")
	var want, got []string
	for _, match := range regexp.MustCompile(`(\w+): `).FindAllStringSubmatch(body, -1) {
		want = append(want, match[1])
	}
	for _, field := range perfevent.Fields() {
		got = append(got, field.Name)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") || len(want) < 60 {
		t.Errorf("%v, in the interface %v", got, want)
	}
}

func TestCheck(t *testing.T) {
	checked, err := connected(t, daemon(t)).Check(context.Background(), CheckParameters{Events: []string{"page-faults"}})
	if err != nil || checked.Inputs[0].Encodings[0].Open.Status != "opened" || !checked.Budget.Fits {
		t.Errorf("%+v %v", checked, err)
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	client := machine(t, "skylake-sp")
	reply, err := client.Encode(ctx, EncodeParameters{Events: []string{"cpu/umsk=1/"}})
	if err != nil {
		t.Fatal(err)
	}
	wrong := reply.Inputs[0].Error
	if wrong == nil || wrong.Code != 34 || wrong.Name != "unknown-term" || wrong.Offset != 4 || wrong.Length != 4 || wrong.Hint == "" ||
		wrong.Input != "cpu/umsk=1/" {
		t.Errorf("%+v", wrong)
	}
	var ofCall *CallError
	_, err = client.List(ctx, ListParameters{Globs: []string{"nix"}})
	if !errors.As(err, &ofCall) || ofCall.Name != "io.pmuq.NotFound" || err.Error() != "io.pmuq.NotFound: no PMU matches 'nix'" {
		t.Error(err)
	}
	_, err = client.Encode(ctx, EncodeParameters{})
	if !errors.As(err, &ofCall) || ofCall.Parameter != "events" {
		t.Error(err)
	}
	var ofString *Error
	_, err = client.Encode(ctx, EncodeParameters{Events: []string{"cycles"}, Vendor: "nix"})
	if !errors.As(err, &ofString) && !errors.As(err, &ofCall) {
		t.Error(err)
	}
	if _, err = client.Encode(ctx, EncodeParameters{Events: []string{"a\xffb"}}); err == nil {
		t.Error("a text that is not UTF-8 was changed without an error")
	}
	if reply, err = client.Encode(ctx, EncodeParameters{Events: []string{`a\ufffdb`, "a\ufffdb"}}); err != nil || reply.Inputs[0].Input != `a\ufffdb` {
		t.Error("texts that look like replaced bytes:", err)
	}
	if _, err = Dial(ctx, "/nowhere/io.pmuq"); err == nil {
		t.Error("a socket that does not exist")
	}
	if _, err = client.GetInfo(ctx); err != nil {
		t.Error("an error ends the connection:", err)
	}
}

func TestSubscribe(t *testing.T) {
	tree := filepath.Join(t.TempDir(), "tree")
	if out, err := exec.Command("cp", "-a", cases.Machine(t, "core2-merom"), tree).CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	client := connected(t, daemon(t, "--sysroot", tree))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	changes, err := client.Subscribe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	first := <-changes.C
	if first == nil || first.Generation != 1 || first.PMUs < 3 {
		t.Fatalf("%+v", first)
	}
	if err := os.RemoveAll(filepath.Join(tree, "sys/bus/event_source/devices/msr")); err != nil {
		t.Fatal(err)
	}
	// A call finds the change, because nothing announces one in a captured machine. The daemon does not read the machine again for each call.
	for generation := int64(1); generation == 1; time.Sleep(5 * time.Millisecond) {
		info, err := client.GetInfo(ctx)
		if err != nil {
			t.Fatal(err)
		}
		generation = info.Generation
	}
	second := <-changes.C
	if second == nil || second.Generation != 2 || len(second.Changes) == 0 || second.PMUs != first.PMUs-1 {
		t.Fatalf("%+v", second)
	}
	changes.Close()
	if _, isOpen := <-changes.C; isOpen || changes.Err() != context.Canceled {
		t.Errorf("%v %v", isOpen, changes.Err())
	}
}

// A context ends a wait: of a subscription, and of a call that gets no reply.
func TestContext(t *testing.T) {
	client := machine(t, "skylake-sp")
	ctx, cancel := context.WithCancel(context.Background())
	changes, err := client.Subscribe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	<-changes.C
	cancel()
	if changes.Err() != context.Canceled {
		t.Error(changes.Err())
	}
	if _, err := client.GetInfo(ctx); err != context.Canceled {
		t.Error(err)
	}
	if _, err := client.GetInfo(context.Background()); err != nil {
		t.Error(err)
	}
	// Contexts that end during a call, before it or after it: the next call has no trace of them.
	for i := 0; i < 200; i++ {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*time.Microsecond)
		if _, err := client.GetInfo(ctx); err != nil && err != context.DeadlineExceeded {
			t.Fatal(i, err)
		}
		cancel()
		if _, err := client.GetInfo(context.Background()); err != nil {
			t.Fatal(i, err)
		}
	}
}

func TestDaemonStartsAgain(t *testing.T) {
	path := daemon(t, "--sysroot", cases.Machine(t, "skylake-sp"))
	client := connected(t, path)
	if _, err := client.GetInfo(context.Background()); err != nil {
		t.Fatal(err)
	}
	client.conn.Close()
	if _, err := client.GetInfo(context.Background()); err != nil {
		t.Error("a connection that the daemon ended:", err)
	}
}

func TestGoroutinesAndLeaks(t *testing.T) {
	client := machine(t, "skylake-sp")
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			for j := 0; j < 100; j++ {
				reply, err := client.EncodeCompact(ctx, EncodeCompactParameters{Events: []string{"cycles", "cpu/umsk=1/"}})
				if err != nil || !reply.Inputs[0].OK || reply.Inputs[1].OK {
					t.Errorf("%+v %v", reply, err)
				}
			}
			changes, err := client.Subscribe(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			<-changes.C
			changes.Close()
		}()
	}
	all.Wait()
	// One that has ended may still be counted for a moment.
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

// A context ends a call that waits for the call of another goroutine.
func TestContextOfSecondCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := Dial(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	server, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	first := make(chan error)
	go func() {
		_, err := client.Encode(context.Background(), EncodeParameters{})
		first <- err
	}()
	// The first call has the connection now, and gets no reply.
	if _, err := server.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	second := make(chan error, 1)
	go func() {
		_, err := client.Encode(ctx, EncodeParameters{})
		second <- err
	}()
	select {
	case err := <-second:
		if err != context.DeadlineExceeded {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the second call waits without end")
	}
	// The first call connects again, and that fails, too.
	listener.Close()
	server.Close()
	if err := <-first; err == nil {
		t.Error("a call without a reply has succeeded")
	}
}

func TestWrongMembers(t *testing.T) {
	var members Members
	for _, text := range []string{"[1]", "3", `"a"`} {
		if err := json.Unmarshal([]byte(text), &members); err == nil {
			t.Error(text, members)
		}
	}
	if err := json.Unmarshal([]byte("null"), &members); err != nil || members != nil {
		t.Error(err)
	}
}
