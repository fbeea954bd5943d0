/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people read them, in tables and in sentences. */
#ifndef COMMON_NUMBER_H
#define COMMON_NUMBER_H

/* By value, so that calls can be nested. */
struct number {
	char text[32];
};

struct number number_seconds(double s);   /* "12.4 s", "3.21 ms", "0.4 us" */
struct number number_share(double share); /* "38.0 %", "<0.1 %" */
/* Shares: "5.2-7.0", "-47.5 to -18.8", "" when equal in print. */
struct number number_bounds(double low, double high);
struct number number_change(double ratio); /* 0.05 is "+5.0 %" */
struct number number_count(double n);      /* "1234", "56.7 k", "1.2 M" */
struct number number_words(double n); /* "4.7", "93", "12000", "4.10 million"; never an exponent */
struct number number_bytes(double n); /* "512 B", "4.0 KiB", "1.2 MiB": of sizes */
struct number number_room(double bytes); /* "100 kB", "482 MB", "1.35 GB": of memory and disks */
struct number number_rate(double bytes_per_s); /* "5.88 MB/s", "1.35 GB/s": powers of 1000 */

#endif
