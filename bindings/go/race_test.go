// SPDX-License-Identifier: MIT

//go:build race

package pmuq

// The race detector has memory of its own for all memory of the program.
const isRace = true
