// SPDX-License-Identifier: MIT

package perfevent

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"syscall"
)

// Error is why a call failed, or a warning. Offset and Length are in bytes of Input.
type Error struct {
	Code      int           // stable forever; `pmuq help PMUQ-NNN` explains it
	Name      string        // of the code: "unknown-term"
	Message   string        // one sentence without a full stop
	Hint      string        // what to do about it, or ""
	Input     string        // the text that the offset points into: the event string, or an alias's; or ""
	Offset    int           // where the span begins in the input
	Length    int           // of the span; 0: just before that byte
	Origin    string        // the file, directory or database concerned, or ""
	Errno     syscall.Errno // of the failed call, or 0
	IsWarning bool          // the call did not fail because of it
	text      string        // as the library prints it, or ""
	hasInput  bool          // Input is known, even if it is ""
}

// WithText returns the error with the text that Error() returns, as libpmuq prints it.
func (e *Error) WithText(text string) *Error {
	e.text = text
	return e
}

// WithInput returns the error with its input, which a document leaves out if it is that of the row.
func (e *Error) WithInput(input string) *Error {
	e.Input, e.hasInput = input, true
	return e
}

// Error returns the whole diagnosis, with a caret under the span. It has several lines; the last one does not end with a newline.
func (e *Error) Error() string {
	if e.text != "" {
		return e.text
	}
	var text strings.Builder
	level := "error"
	if e.IsWarning {
		level = "warning"
	}
	fmt.Fprintf(&text, "%s[PMUQ-%03d] %s: %s", level, e.Code, e.Name, e.Message)
	if e.hasInput || e.Offset != 0 || e.Length != 0 {
		text.WriteByte('\n')
		drawCaret(&text, e.Input, e.Offset, e.Length)
	}
	if e.Origin != "" {
		text.WriteString("\nin: " + e.Origin)
	}
	if e.Hint != "" {
		text.WriteString("\nhint: " + e.Hint)
	}
	return text.String()
}

// Unwrap returns the errno of a failed call, so that errors.Is(err, syscall.ENOENT) works.
func (e *Error) Unwrap() error {
	if e.Errno == 0 {
		return nil
	}
	return e.Errno
}

const shownBytes, shownBeforeBytes = 90, 36

func visible(text string) string {
	shown := []byte(text)
	for i, c := range shown {
		if c < ' ' || c >= 0x7f {
			shown[i] = '.'
		}
	}
	return string(shown)
}

// As core/caret.c does: the part of a long input that has the span.
func drawCaret(text *strings.Builder, input string, offset, length int) {
	if offset > len(input) {
		offset = len(input)
	}
	from, to := 0, len(input)
	if len(input) > shownBytes {
		if offset > shownBeforeBytes {
			from = offset - shownBeforeBytes
		}
		if from+shownBytes < to {
			to = from + shownBytes
		}
	}
	before, after := "", ""
	if from > 0 {
		before = "..."
	}
	if to < len(input) {
		after = "..."
	}
	if length > to-offset {
		length = to - offset
	}
	if length < 1 {
		length = 1
	}
	text.WriteString("  " + before + visible(input[from:to]) + after + "\n  ")
	text.WriteString(strings.Repeat(" ", len(before)+offset-from) + strings.Repeat("^", length))
}

// UnmarshalJSON reads an error of a document: {"code": "PMUQ-034", "name": "unknown-term", …}.
func (e *Error) UnmarshalJSON(text []byte) error {
	var members struct {
		Code, Name, Message, Hint, Input, Origin string
		Offset, Length                           int
	}
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	code, err := strconv.Atoi(strings.TrimPrefix(members.Code, "PMUQ-"))
	if err != nil {
		return fmt.Errorf("'%s' is not a code of pmuq", members.Code)
	}
	*e = Error{Code: code, Name: members.Name, Message: members.Message, Hint: members.Hint, Input: members.Input, Origin: members.Origin,
		Offset: members.Offset, Length: members.Length}
	return nil
}
