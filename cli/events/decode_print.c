/* SPDX-License-Identifier: MIT */
/*
 * Decoded attrs as text: event strings that `pmuq encode -f -` can read. Everything else is in
 * comments after a #. Also the struct that holds attrs until they are printed: a group is printed
 * after all of its members are decoded.
 */
#include "cli/events/decode_output.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <inttypes.h>
#include <string.h>

void decode_input_clear(struct decode_input *input)
{
	for (size_t i = 0; i < input->n; i++) {
		free(input->v[i].text);
		free(input->v[i].probe);
		free(input->v[i].tool_terms);
		free(input->v[i].group_name);
		free(input->v[i].about);
		pmuq_decoding_free(input->v[i].decoding);
	}
	pq_vec_free(input);
	free(input->input);
	free(input->refused);
	*input = (struct decode_input){ 0 };
}

void decode_inputs_clear(struct decode_inputs *inputs)
{
	for (size_t i = 0; i < inputs->n; i++)
		decode_input_clear(&inputs->v[i]);
	pq_vec_free(inputs);
}

/* ----------------------------------------------------------------------------------- strings */

/* By leader; members of a group in their order. */
static int compare_groups(const void *a, const void *b)
{
	const struct attr_input *x = *(struct attr_input *const *)a;
	const struct attr_input *y = *(struct attr_input *const *)b;

	if (x->leader != y->leader)
		return x->leader < y->leader ? -1 : 1;
	return x < y ? -1 : x > y;
}

void decode_input_link(struct decode_input *input)
{
	auto_free struct attr_input **grouped =
		or_die(calloc(input->n + 1, sizeof(struct attr_input *)));
	size_t n = 0;

	for (size_t i = 0; i < input->n; i++)
		if (input->v[i].is_grouped)
			grouped[n++] = &input->v[i];
	qsort(grouped, n, sizeof(struct attr_input *), compare_groups);
	for (size_t i = 1; i < n; i++) {
		if (grouped[i]->leader != grouped[i - 1]->leader)
			continue;
		grouped[i - 1]->next = (size_t)(grouped[i] - input->v);
		grouped[i]->is_later = true;
	}
}

static const struct attr_input *next_of(const struct decode_input *input,
					const struct attr_input *attr)
{
	return attr->next ? &input->v[attr->next] : NULL;
}

void decode_print_string(struct pq_buf *to, const struct decode_input *input, size_t index)
{
	const struct attr_input *attr = &input->v[index];
	auto_free char *name = NULL;
	bool is_first = true;

	if (!attr->is_grouped) {
		pq_buf_add(to, attr->decoding->text);
		return;
	}
	if (attr->group_name)
		optional_or_die(pmuq_name_in_event(attr->group_name, &name, NULL));
	/* The name is left out if no event string can contain it. */
	if (name)
		pq_buf_add(to, str_of(name));
	pq_buf_char(to, '{', 1);
	for (; attr; attr = next_of(input, attr)) {
		pq_buf_char(to, ',', !is_first);
		pq_buf_add(to, attr->decoding->text);
		is_first = false;
	}
	pq_buf_char(to, '}', 1);
}

/* -------------------------------------------------------------------------------------- text */

/* The fields that belong to the event, or those that belong to the tool that opened it. */
static void print_left(const struct pmuq_decoding *decoding, bool is_event, const char *label,
		       const char **before)
{
	const struct pmuq_left_field *left;
	bool is_first = true;

	for (size_t i = 0; (left = pmuq_decoding_left(decoding, i)); i++) {
		if (left->is_event != is_event)
			continue;
		if (is_first)
			printf("%s%s", *before, label);
		printf(left->format == PMUQ_FIELD_WORD ? " %s=0x%" PRIx64 : " %s=%" PRId64,
		       left->name.p, left->value);
		is_first = false;
		*before = "; ";
	}
}

static void print_comment(const struct decode_request *request, const struct attr_input *attr,
			  const char **before)
{
	/* A form that was left out may express the fields. */
	print_left(attr->decoding, true,
		   request->options.from ? "cannot be written from these sources:"
					 : "cannot be written:",
		   before);
	/* The whole attr is printed below. */
	if (attr->about)
		return;
	print_left(attr->decoding, false, "left to a tool:", before);
	if (attr->tool_terms && *attr->tool_terms) {
		printf("%stool terms: ", *before);
		print_safe(stdout, attr->tool_terms);
		*before = "; ";
	}
}

/* As comments, so that the output can be encoded again. */
static void print_below(const struct attr_input *attr, bool with_all)
{
	const struct pmuq_decoding *decoding = attr->decoding;

	if (attr->about)
		print_safe_line(stdout, "#   %s", attr->about);
	for (size_t i = 0; with_all && i < decoding->n_alternatives; i++)
		printf("#   or %s\n", decoding->alternatives[i].p);
}

static void print_string(const struct decode_input *input, size_t index)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	decode_print_string(&text, input, index);
	fputs(text_or_die(&text), stdout);
}

/* A group is printed with its first member. */
void decode_print_text(const struct decode_request *request, const struct decode_input *input)
{
	for (size_t i = 0; i < input->n; i++) {
		const struct attr_input *attr = &input->v[i];
		const char *before = "  # ";

		if (attr->is_later)
			continue;
		print_string(input, i);
		for (; attr; attr = next_of(input, attr))
			print_comment(request, attr, &before);
		putchar('\n');
		for (attr = &input->v[i]; attr; attr = next_of(input, attr))
			print_below(attr, request->with_all);
	}
}
