// SPDX-License-Identifier: MIT

module pmuq.dev/pmuq

go 1.19
