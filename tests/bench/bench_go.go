// SPDX-License-Identifier: MIT

// The Go package compared with C: the same strings by EncodeBatch, and by a loop in C that reads each encoding. They take turns.
//
//	bench_go TREE
package main

/*
#cgo pkg-config: pmuq
#include <pmuq/pmuq.h>
#include <string.h>

static struct pmuq_catalog *read_machine(const char *tree)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;

	if (pmuq_source_open_tree(tree, &source, NULL) == 0)
		pmuq_source_read_catalog(source, &catalog, NULL);
	pmuq_source_free(source);
	return catalog;
}

// What a program in C does with the encodings of a string: it reads them, and frees them. Returns a sum, so that nothing is left out.
static uint64_t encode_all(const struct pmuq_catalog *catalog, const char *strings, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++, strings += strlen(strings) + 1) {
		struct pmuq_encodings *encodings = NULL;
		struct pmuq_error *error = NULL;

		if (pmuq_catalog_encode(catalog, strings, NULL, &encodings, &error) < 0)
			sum += error->message.n;
		for (size_t j = 0; encodings && j < pmuq_encodings_count(encodings); j++) {
			const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, j);

			sum += encoding->attr->config + encoding->name.n + encoding->cpus.n;
		}
		pmuq_encodings_free(encodings);
		pmuq_error_free(error);
	}
	return sum;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"pmuq.dev/pmuq"
)

const (
	nStrings   = 10000
	rounds     = 101
	turns      = 21
	callsATurn = 10
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// The usual forms of events, and values that differ.
func someStrings() []string {
	forms := []string{"cpu/event=0x%x,inv,ldlat=3/", "cpu/event=0x%x,umask=0x1/u", "cpu/event=0x%x,umask=0x2,cmask=1,name=mine/", "cycles:u",
		"L1-dcache-load-misses", "r1a%x", "uncore_imc_0/cas_count_read/", "cpu/mem-loads,ldlat=%d/"}
	all := make([]string, nStrings)
	for i := range all {
		all[i] = forms[i%len(forms)]
		if strings.Contains(all[i], "%") {
			all[i] = fmt.Sprintf(all[i], i%200)
		}
	}
	return all
}

func sumOf(encodings []pmuq.Encoding) (sum uint64) {
	for i := range encodings {
		sum += encodings[i].Attr.Config + uint64(len(encodings[i].Name)) + uint64(len(encodings[i].CPUs))
	}
	return sum
}

func sumOfBatch(batch *pmuq.Batch) (sum uint64) {
	var encodings []pmuq.Encoding
	var err error
	for i := 0; i < batch.Len(); i++ {
		encodings, err = batch.Append(encodings[:0], i)
		check(err)
		sum += sumOf(encodings)
	}
	return sum
}

func best(now, before time.Duration) time.Duration {
	if before > 0 && before < now {
		return before
	}
	return now
}

func line(name string, ours, peer time.Duration) {
	ns := func(all time.Duration) float64 { return float64(all.Nanoseconds()) / nStrings }
	fmt.Printf("%-44s %10.1f ns %10.1f ns %7.2f\n", name, ns(ours), ns(peer), float64(ours)/float64(peer))
}

// The CPU time of the process, of all its threads.
func cpuTime() time.Duration {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// The CPU times of both in turns, so that a machine that changes its speed changes both; the pair whose ratio is the median. The garbage
// of a turn is collected in it.
func cpuTimes(ours, peer func() uint64) (time.Duration, time.Duration) {
	turn := func(work func() uint64) time.Duration {
		start := cpuTime()
		for i := 0; i < callsATurn; i++ {
			work()
		}
		runtime.GC()
		return (cpuTime() - start) / callsATurn
	}
	pairs := make([][2]time.Duration, turns)
	for i := range pairs {
		pairs[i] = [2]time.Duration{turn(ours), turn(peer)}
	}
	sort.Slice(pairs, func(i, j int) bool { return pairs[i][0]*pairs[j][1] < pairs[j][0]*pairs[i][1] })
	return pairs[turns/2][0], pairs[turns/2][1]
}

// The best times of both, which take turns, and then their CPU times, in which the garbage collections are.
func compare(name string, ours func() uint64, peer func() uint64) {
	var bestOurs, bestPeer time.Duration
	for i := 0; i < rounds; i++ {
		start := time.Now()
		sum := ours()
		bestOurs = best(time.Since(start), bestOurs)
		start = time.Now()
		sumOfPeer := peer()
		bestPeer = best(time.Since(start), bestPeer)
		if sum != sumOfPeer || sum == 0 {
			check(fmt.Errorf("the results differ: %d, in C %d", sum, sumOfPeer))
		}
	}
	line(name, bestOurs, bestPeer)
	cpuOurs, cpuPeer := cpuTimes(ours, peer)
	line("the same, CPU time with garbage collections", cpuOurs, cpuPeer)
}

func main() {
	if len(os.Args) != 2 {
		check(fmt.Errorf("usage: bench_go TREE"))
	}
	all := someStrings()
	joined := append([]byte(strings.Join(all, "\x00")), 0)
	catalogOfC := C.read_machine(C.CString(os.Args[1]))
	if catalogOfC == nil {
		check(fmt.Errorf("cannot read %s", os.Args[1]))
	}
	machine, err := pmuq.OpenTree(os.Args[1])
	check(err)
	catalog, err := machine.ReadCatalog()
	check(err)
	inC := func() uint64 {
		return uint64(C.encode_all(catalogOfC, (*C.char)(unsafe.Pointer(&joined[0])), nStrings))
	}
	compare("a string in a batch of 10,000, Go and C", func() uint64 {
		batch, err := catalog.EncodeBatch(all, nil)
		check(err)
		return sumOfBatch(batch)
	}, inC)
	compare("one string a call, Go and C", func() (sum uint64) {
		for _, text := range all {
			encodings, err := catalog.Encode(text, nil)
			check(err)
			sum += sumOf(encodings)
		}
		return sum
	}, inC)
}
