/* SPDX-License-Identifier: MIT */
/* Times of documents, without a locale or a time zone: mktime(3) and strftime(3) depend on both. */
#include "core/text/time.h"
#include "core/num.h"

#define SECONDS_A_DAY 86400
#define TIME_BYTES (sizeof("9999-12-31T23:59:59Z") - 1)
#define LAST_DAY 2932896 /* 9999-12-31, from 1970-01-01 */

static bool is_leap(int64_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int64_t days_of_month(int64_t year, int64_t month)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return days[month] + (month == 1 && is_leap(year));
}

/* From 1970-01-01 to the first day of the year. */
static int64_t days_before(int64_t year)
{
	int64_t last = year - 1, n_leap = last / 4 - last / 100 + last / 400;
	const int64_t n_leap_before_1970 = 477;

	return 365 * (year - 1970) + n_leap - n_leap_before_1970;
}

/* 400 years have 146097 days; the quotient is right or a year too early. */
static int64_t year_of(int64_t days)
{
	int64_t year = 1970 + (days - 1) * 400 / 146097;

	return year + (days >= days_before(year + 1));
}

/* Appends `n` digits and `end`. A table of hosts has thousands of times, and printf() would take
 * longer than the rest of a row. */
static char *put_number(char *to, int64_t number, size_t n, char end)
{
	for (size_t i = n; i-- > 0; number /= 10)
		to[i] = (char)('0' + number % 10);
	to[n] = end;
	return to + n + 1;
}

bool pq_time_is_valid(int64_t time_s)
{
	return time_s >= 0 && time_s / SECONDS_A_DAY <= LAST_DAY;
}

bool pq_time_print(struct pq_buf *buf, int64_t time_s)
{
	int64_t days = time_s / SECONDS_A_DAY, second = time_s % SECONDS_A_DAY;
	int64_t year = year_of(days), month = 0;
	char *to;

	if (!pq_time_is_valid(time_s))
		return false;
	days -= days_before(year);
	for (; days >= days_of_month(year, month); month++)
		days -= days_of_month(year, month);
	to = pq_buf_reserve(buf, TIME_BYTES);
	if (!to)
		return true; /* buf->failed is set */
	to = put_number(to, year, 4, '-');
	to = put_number(to, month + 1, 2, '-');
	to = put_number(to, days + 1, 2, 'T');
	to = put_number(to, second / 3600, 2, ':');
	to = put_number(to, second / 60 % 60, 2, ':');
	put_number(to, second % 60, 2, 'Z');
	buf->n += TIME_BYTES;
	return true;
}

/* Reads `n` digits at *at, followed by `end`. */
static bool take_number(struct pmuq_str text, size_t *at, size_t n, char end, int64_t *ret)
{
	uint64_t number;

	if (text.n - *at < n + 1 || text.p[*at + n] != end ||
	    pq_num_decimal(str_part(text, *at, *at + n), &number) != PQ_NUM_OK)
		return false;
	*ret = (int64_t)number;
	*at += n + 1;
	return true;
}

bool pq_time_read(struct pmuq_str text, int64_t *ret)
{
	int64_t year, month, day, hour, minute, second, days;
	size_t at = 0;

	if (!take_number(text, &at, 4, '-', &year) || !take_number(text, &at, 2, '-', &month) ||
	    !take_number(text, &at, 2, 'T', &day) || !take_number(text, &at, 2, ':', &hour) ||
	    !take_number(text, &at, 2, ':', &minute) || !take_number(text, &at, 2, 'Z', &second) ||
	    at != text.n)
		return false;
	if (year < 1970 || month < 1 || month > 12 || day < 1 ||
	    day > days_of_month(year, month - 1) || hour > 23 || minute > 59 || second > 59)
		return false;
	days = days_before(year);
	for (int64_t m = 0; m < month - 1; m++)
		days += days_of_month(year, m);
	*ret = ((days + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
	return true;
}
