// SPDX-License-Identifier: MIT

// An agent that uses the daemon pmuqd: it encodes a list of events, and again after each change of the machine, which it prints.
// It is built without cgo, and needs neither libpmuq nor the right to read sysfs.
//
//	service_agent SOCKET CHANGES EVENT...
//
// SOCKET "" is the usual one. The agent ends after that many changes.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"

	"pmuq.dev/pmuq/pmuqd"
)

func printEvents(ctx context.Context, client *pmuqd.Client, events []string) error {
	reply, err := client.EncodeCompact(ctx, pmuqd.EncodeCompactParameters{Events: events})
	if err != nil {
		return err
	}
	for _, input := range reply.Inputs {
		if !input.OK {
			fmt.Println(input.Error)
		}
		for _, encoding := range input.Encodings {
			attr, err := encoding.AttrHex.Attr()
			if err != nil {
				return err
			}
			fmt.Printf("%s on %s: open on the CPUs %s: %s\n", encoding.Name, encoding.PMU, encoding.CPUs, attr)
		}
	}
	return nil
}

func printState(state *pmuqd.SubscribeReply) {
	fmt.Printf("generation %d: %d PMUs\n", state.Generation, state.PMUs)
	for _, cause := range state.Causes {
		fmt.Println("announced:", cause.Cause, cause.Action, cause.Name)
	}
	for _, change := range state.Changes {
		fmt.Printf("%s: %v: %s\n", change.Weight, change.PMUs, change.Text)
	}
}

func run(socket string, changes int, events []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client, err := pmuqd.Dial(ctx, socket)
	if err != nil {
		return err
	}
	defer client.Close()
	states, err := client.Subscribe(ctx)
	if err != nil {
		return err
	}
	defer states.Close()
	// The first state is that of the beginning: after it, no change is missed.
	for state := range states.C {
		printState(state)
		if err := printEvents(ctx, client, events); err != nil {
			return err
		}
		if changes--; changes < 0 {
			return nil
		}
	}
	return states.Err()
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: service_agent SOCKET CHANGES EVENT...")
		os.Exit(2)
	}
	changes, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = run(os.Args[1], changes, os.Args[3:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
