/* SPDX-License-Identifier: MIT */
extern int pq_room_is_empty;
