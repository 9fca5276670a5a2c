// SPDX-License-Identifier: MIT

package pmuq_test

import (
	"errors"
	"reflect"
	"testing"

	"pmuq.dev/pmuq"
)

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string][]int{"0-3,8": {0, 1, 2, 3, 8}, "5,1-2,2": {1, 2, 5}, "": {}} {
		if got, err := pmuq.ParseCPUs(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	var bad *pmuq.Error
	if _, err := pmuq.ParseCPUs("0-x"); !errors.As(err, &bad) || bad.Name != "bad-cpus" {
		t.Errorf("0-x: %v", err)
	}
	if _, err := pmuq.ParseCPUs("0\x00"); err == nil {
		t.Error("a NUL byte is accepted")
	}
}
