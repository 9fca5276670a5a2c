// SPDX-License-Identifier: MIT

//go:build !race

package pmuq

const isRace = false
