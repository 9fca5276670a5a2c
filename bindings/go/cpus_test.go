// SPDX-License-Identifier: MIT

package pmuq_test

import (
	"errors"
	"reflect"
	"testing"

	"pmuq.dev/pmuq"
	"pmuq.dev/pmuq/perfevent"
)

// perfevent has a list without cgo: it accepts the same texts.
func TestTwoParsers(t *testing.T) {
	for _, text := range []string{"", "0", "0-3,8", "8,1-2,2", "65535", ",", "0-", "-1", "3-1", "a", "65536", "0,,1", "0x1", " ", "0 ,1", "0\n", "1-2-3", "00", "0 -3", "0- 3", "\t0", "0 1", "0, ", " ,0"} {
		got, err := pmuq.ParseCPUs(text)
		other, failed := perfevent.ParseCPUs(text)
		if (err == nil) != (failed == nil) || len(got) != len(other) || len(got) > 0 && !reflect.DeepEqual(got, other) {
			t.Errorf("%q: %v %v, without cgo %v %v", text, got, err, other, failed)
		}
	}
}

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
