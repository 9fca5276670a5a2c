// SPDX-License-Identifier: MIT

package pmuq

// #include <stdlib.h>
// #include <pmuq/pmuq.h>
import "C"

import "unsafe"

// ParseCPUs reads a list of CPUs such as Encoding.CPUs, "0-3,8": their numbers, ascending, each once.
func ParseCPUs(text string) ([]int, error) {
	var list *C.struct_pmuq_cpu_list
	var failure *C.struct_pmuq_error

	if err := checkTexts(text); err != nil {
		return nil, err
	}
	cText := C.CString(text)
	defer free(cText)
	if C.pmuq_cpu_list_from_text(cText, &list, &failure) < 0 {
		return nil, takeError(failure)
	}
	defer C.pmuq_cpu_list_free(list)
	cpus := make([]int, 0, list.n_numbers)
	for _, number := range unsafe.Slice(list.numbers, list.n_numbers) {
		cpus = append(cpus, int(number))
	}
	return cpus, nil
}
