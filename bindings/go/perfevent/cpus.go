// SPDX-License-Identifier: MIT

package perfevent

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// As in pmuq_cpus(3): a list of more numbers is a mistake.
const cpuMax = 65535

// ParseCPUs reads a list of CPUs, such as Encoding.CPUs: "0-3,8" is 0, 1, 2, 3 and 8. The numbers ascend, each once. "" is no CPU.
func ParseCPUs(text string) ([]int, error) {
	seen := map[int]bool{}
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.ParseUint(strings.TrimSpace(first), 10, 16)
		to, other := strconv.ParseUint(strings.TrimSpace(last), 10, 16)
		if err != nil || other != nil || from > to || to > cpuMax {
			return nil, fmt.Errorf("'%s' is not a list of CPUs: '%s' is neither a number nor a range", text, part)
		}
		for cpu := from; cpu <= to; cpu++ {
			seen[int(cpu)] = true
		}
	}
	cpus := make([]int, 0, len(seen))
	for cpu := range seen {
		cpus = append(cpus, cpu)
	}
	sort.Ints(cpus)
	return cpus, nil
}
