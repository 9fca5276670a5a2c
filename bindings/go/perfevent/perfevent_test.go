// SPDX-License-Identifier: MIT

package perfevent

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
)

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string]string{"": "[]", "0": "[0]", "0-3,8": "[0 1 2 3 8]", "8,1-2,2": "[1 2 8]", "65535": "[65535]"} {
		if cpus, err := ParseCPUs(text); err != nil || fmt.Sprint(cpus) != want {
			t.Errorf("%q: %v %v", text, cpus, err)
		}
	}
	for _, text := range []string{",", "0-", "-1", "3-1", "a", "65536", "0,,1", "0x1"} {
		if cpus, err := ParseCPUs(text); err == nil {
			t.Errorf("%q: %v", text, cpus)
		}
	}
}

// The text of an error is that of pmuq; the cases of tests/cases/ compare others.
func TestErrorText(t *testing.T) {
	long := Error{Code: 34, Name: "unknown-term", Message: "no", Input: strings.Repeat("a", 100) + "\xff" + strings.Repeat("b", 100), Offset: 100,
		Length: 1, Origin: "file", Hint: "yes"}
	want := "error[PMUQ-034] unknown-term: no\n  ..." + strings.Repeat("a", 36) + "." + strings.Repeat("b", 53) + "...\n" +
		strings.Repeat(" ", 2+3+36) + "^\nin: file\nhint: yes"
	if long.Error() != want {
		t.Errorf("got\n%s\nwanted\n%s", long.Error(), want)
	}
	warning := Error{Code: 60, Name: "shared-bits", Message: "no", IsWarning: true, Errno: syscall.ENOENT}
	if warning.Error() != "warning[PMUQ-060] shared-bits: no" || !errors.Is(&warning, syscall.ENOENT) || errors.Is(&long, syscall.ENOENT) {
		t.Error(warning.Error())
	}
	if empty := (&Error{Code: 11, Name: "empty", Message: "no"}).WithInput(""); empty.Error() != "error[PMUQ-011] empty: no\n  \n  ^" {
		t.Error(empty.Error())
	}
}

func TestUnmarshal(t *testing.T) {
	var attr Attr
	if err := attr.UnmarshalJSON([]byte(`{"type": 4, "size": 64, "config": "0x8000000000000002", "clockid": -1, "precise_ip": 2}`)); err != nil {
		t.Fatal(err)
	}
	if attr.String() != "type=4 size=64 config=0x8000000000000002 precise_ip=2 clockid=18446744073709551615" || attr.ClockID != -1 {
		t.Error(attr)
	}
	for _, text := range []string{`{"nix": 1}`, `{"precise_ip": 4}`, `{"config": "nix"}`, `[]`} {
		if attr.UnmarshalJSON([]byte(text)) == nil {
			t.Error(text)
		}
	}
	var e Error
	if e.UnmarshalJSON([]byte(`{"code": "nix"}`)) == nil || e.UnmarshalJSON([]byte(`[]`)) == nil {
		t.Error(e)
	}
}
