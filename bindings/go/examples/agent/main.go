// SPDX-License-Identifier: MIT

// A small agent: counts on all CPUs, and prints the new counts once a second. It reports events that this machine does not have or
// does not count, and leaves them out.
//
//	agent [SECONDS [EVENT...]]
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"pmuq.dev/pmuq"
)

func report(event, why, hint string) {
	fmt.Fprintf(os.Stderr, "not counted: %s: %s\n", event, why)
	if hint != "" {
		fmt.Fprintln(os.Stderr, " ", hint)
	}
}

// The events that this machine has, as one event string.
func choose(machine *pmuq.Source, events []string) (string, error) {
	var known []string
	batch, err := machine.EncodeBatch(events, nil)
	if err != nil {
		return "", err
	}
	for i, event := range events {
		var failed *pmuq.Error
		if _, err := batch.Get(i); errors.As(err, &failed) {
			report(event, failed.Message, failed.Hint)
		} else {
			known = append(known, event)
		}
	}
	return strings.Join(known, ","), nil
}

func open(events []string) (*pmuq.Opened, error) {
	machine, err := pmuq.OpenLive()
	if err != nil {
		return nil, err
	}
	defer machine.Close()
	list, err := choose(machine, events)
	if err != nil {
		return nil, err
	}
	online, err := machine.Fact("cpus_online")
	if err != nil {
		return nil, err
	}
	return machine.Open(list, nil, &pmuq.OpenOptions{CPUs: online})
}

func run(seconds int, events []string) error {
	opened, err := open(events)
	if err != nil {
		return err
	}
	defer opened.Close()
	for i, result := range opened.Results() {
		if result.Status != pmuq.StatusOpened {
			report(opened.Encodings()[i].Name, result.Reason, result.Hint)
		}
	}
	if err := opened.Enable(); err != nil {
		return err
	}
	before := make([]uint64, len(opened.Encodings()))
	for ; seconds > 0; seconds-- {
		time.Sleep(time.Second)
		values, err := opened.ReadAll()
		if err != nil {
			return err
		}
		for i, event := range opened.Encodings() {
			if !values[i].IsRead {
				continue
			}
			scale, _ := strconv.ParseFloat(event.Scale, 64)
			fmt.Printf("%s %.15g %s\n", event.Name, float64(values[i].Scaled-before[i])*scale, event.Unit)
			before[i] = values[i].Scaled
		}
	}
	return nil
}

func main() {
	seconds, events := 3, []string{"msr/tsc/", "page-faults", "sched:sched_switch"}
	if len(os.Args) > 1 {
		seconds, _ = strconv.Atoi(os.Args[1])
	}
	if len(os.Args) > 2 {
		events = os.Args[2:]
	}
	if err := run(seconds, events); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
