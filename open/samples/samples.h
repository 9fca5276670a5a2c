/* SPDX-License-Identifier: MIT */
/*
 * The ring buffers of opened events. samples.c maps them and waits for them; merge.c takes the
 * records out of them in the order of time.
 */
#pragma once

#include "open/opened.h"
#include "open/samples/sample.h"

/* An event on one target, which writes records. */
struct pq_sampler {
	uint64_t id;  /* of its records; 0: not known */
	size_t index; /* of its encoding */
};

/* A ring, whose events have one place of the id and the time in a record. */
struct pq_sample_ring {
	struct pq_ring ring;
	struct pq_sample_layout layout;
	int fd, cpu;	/* of the event that it is mapped for; -1: any CPU */
	size_t index;	/* of the encoding of that event */
	bool is_shared; /* other events write to it, too */
	/* The next record, if there is one. */
	const struct pq_record_header *next;
	uint64_t next_time_ns;
	size_t next_index;
	uint64_t sure; /* the records before it may be taken: merge.c */
	char *copy;    /* for a record that goes across the end of the ring */
};

struct pmuq_samples {
	struct pq_kernel kernel;
	struct pq_arena arena;
	struct pq_sample_layout *layouts; /* by the index of the encoding */
	struct pq_sampler *samplers;	  /* sorted by id when all are known */
	size_t n_samplers;
	struct pq_sample_ring *rings;
	size_t n_rings, n_waiting; /* whose tasks have not ended */
	size_t bytes;		   /* of each mapping, with its first page */
	int epoll;
	struct pmuq_sample_record record; /* the last one that was taken */
	struct pq_sample_ring *taken;	  /* its ring; NULL: none */
	uint64_t lost;
};

/* Compares two samplers by id, for qsort() and bsearch(). */
int pq_sampler_compare(const void *a, const void *b);
