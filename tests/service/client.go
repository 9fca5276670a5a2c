// SPDX-License-Identifier: MIT

// A client of pmuqd that uses the Go library of varlink. The package iopmuq was generated from the interface file.
//
//	client describe ADDRESS             print the interface
//	client call ADDRESS METHOD JSON     call a method; the reply must match the interface
//	client error ADDRESS EVENT CPU      call Encode with the vendor's table of a CPU, print the error
//	client subscribe ADDRESS N          print N states of the machine
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iopmuq"
	"os"
	"strconv"

	"github.com/varlink/go/varlink"
	"github.com/varlink/go/varlink/idl"
)

func check(err error) {
	if err == nil {
		return
	}
	if failed, is := err.(*varlink.Error); is {
		text, _ := json.Marshal(map[string]interface{}{"error": failed.Name, "parameters": failed.Parameters})
		fmt.Println(string(text))
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func describe(ctx context.Context, connection *varlink.Connection) (string, *idl.IDL) {
	text, err := connection.GetInterfaceDescription(ctx, "io.pmuq")
	check(err)
	parsed, err := idl.New(text)
	check(err)
	return text, parsed
}

func call(ctx context.Context, connection *varlink.Connection, name string, parameters string) {
	var reply json.RawMessage
	check(connection.Call(ctx, "io.pmuq."+name, json.RawMessage(parameters), &reply))
	_, description := describe(ctx, connection)
	for _, method := range description.Methods {
		if method.Name == name {
			checkReply(description, method.Out, reply)
		}
	}
	fmt.Println(string(reply))
}

// The generated function makes an error of the interface a Go type of its own.
func fail(ctx context.Context, connection *varlink.Connection, event string, cpu string) {
	_, _, _, _, err := iopmuq.Encode().Call(ctx, connection, []string{event}, nil, nil, nil, nil, nil, nil, nil, &cpu)
	if own, is := err.(*iopmuq.PmuqError); is {
		text, _ := json.Marshal(map[string]interface{}{"error": "io.pmuq.PmuqError", "parameters": own})
		fmt.Println(string(text))
		os.Exit(1)
	}
	check(err)
}

func subscribe(ctx context.Context, connection *varlink.Connection, n int) {
	receive, err := connection.Send(ctx, "io.pmuq.Subscribe", nil, varlink.More)
	check(err)
	for ; n > 0; n-- {
		var state json.RawMessage
		flags, err := receive(ctx, &state)
		check(err)
		if flags&varlink.Continues == 0 {
			check(fmt.Errorf("the reply ends"))
		}
		fmt.Println(string(state))
	}
}

func main() {
	ctx := context.Background()
	connection, err := varlink.NewConnection(ctx, os.Args[2])
	check(err)
	defer connection.Close()
	switch os.Args[1] {
	case "describe":
		text, _ := describe(ctx, connection)
		fmt.Print(text)
	case "call":
		call(ctx, connection, os.Args[3], os.Args[4])
	case "error":
		fail(ctx, connection, os.Args[3], os.Args[4])
	case "subscribe":
		n, err := strconv.Atoi(os.Args[3])
		check(err)
		subscribe(ctx, connection, n)
	}
}
