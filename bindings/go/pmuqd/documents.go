// SPDX-License-Identifier: MIT

package pmuqd

// The documents leave out the input of an error if it is that of the row, and what is clear from the list that has it. Error()
// needs both.

func finishError(input string, e *Error) {
	if e != nil && e.Input == "" {
		e.WithInput(input)
	}
}

func finishWarnings(input string, warnings []*Error) {
	for _, warning := range warnings {
		warning.IsWarning = true
		finishError(input, warning)
	}
}

func (r *EncodeReply) finish() {
	for _, row := range r.Inputs {
		finishError(row.Input, row.Error)
		for i := range row.Encodings {
			finishWarnings(row.Input, row.Encodings[i].Warnings)
		}
	}
}

func (r *EncodeCompactReply) finish() {
	for _, row := range r.Inputs {
		finishError(row.Input, row.Error)
		for i := range row.Encodings {
			finishWarnings(row.Input, row.Encodings[i].Warnings)
		}
	}
}

func (r *ExplainReply) finish() {
	for _, row := range r.Inputs {
		finishError(row.Input, row.Error)
		for i := range row.Encodings {
			finishWarnings(row.Input, row.Encodings[i].Warnings)
		}
	}
}

func (r *DecodeReply) finish() {
	for _, row := range r.Inputs {
		finishError(row.Input, row.Error)
	}
}

func (r *CheckReply) finish() {
	for _, row := range r.Inputs {
		finishError(row.Input, row.Error)
	}
}

func (r *ShowReply) finish() {
	for _, row := range r.Shown {
		finishError(row.Input, row.Error)
		if row.Encoding != nil {
			finishWarnings(row.Encoding.Name, row.Encoding.Warnings)
		}
	}
}
