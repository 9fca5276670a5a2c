/* SPDX-License-Identifier: MIT */
/* Documents as YAML, by libyaml's emitter. A text that a reader of YAML could take for something
 * else is quoted. */
#include "core/text/sink.h"
#include "core/text/utf8.h"
#include "core/text/yaml_lib.h"
#include "core/text/yaml_words.h"

struct yaml {
	struct pq_sink sink;
	struct pq_yaml lib;
	yaml_emitter_t emitter;
	struct pq_buf *buf;
	bool is_started; /* the stream, and its first document */
};

static struct yaml *yaml_of(struct pq_sink *sink)
{
	return (struct yaml *)sink;
}

/* Passes an event on to the emitter, which then owns it. Nothing follows a failure. */
static void pass_on(struct yaml *yaml, yaml_event_t *event, int is_made)
{
	if (is_made && yaml->sink.failed)
		yaml->lib.event_delete(event);
	else if (!is_made || !yaml->lib.emitter_emit(&yaml->emitter, event))
		yaml->sink.failed = true;
}

/* Makes an event with libyaml's function what_event_initialize. */
#define EMIT(emitting, what, ...)                                                                  \
	do {                                                                                       \
		struct yaml *to_ = (emitting);                                                     \
		yaml_event_t event_;                                                               \
		pass_on(to_, &event_, to_->lib.what##_event_initialize(&event_, ##__VA_ARGS__));   \
	} while (0)

static void yaml_close(struct pq_sink *sink, char bracket)
{
	if (bracket == '}')
		EMIT(yaml_of(sink), mapping_end);
	else
		EMIT(yaml_of(sink), sequence_end);
}

static void put_scalar(struct pq_sink *sink, struct pmuq_str text, yaml_scalar_style_t style)
{
	sink->failed |= text.n > INT32_MAX;
	EMIT(yaml_of(sink), scalar, NULL, NULL, (const yaml_char_t *)text.p, (int)text.n, 1, 1,
	     style);
}

static void put_text(struct pq_sink *sink, struct pmuq_str text)
{
	cleanup(pq_buf_free) struct pq_buf valid = PQ_BUF_NULL;

	if (pq_yaml_is_plain(text)) {
		put_scalar(sink, text, YAML_PLAIN_SCALAR_STYLE);
		return;
	}
	if (!pq_utf8_is_valid(text)) {
		pq_utf8_repair(&valid, text);
		sink->failed |= valid.failed;
		text = pq_buf_str(&valid);
	}
	put_scalar(sink, text, YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

static void put_name(struct pq_sink *sink)
{
	struct pmuq_str name = pq_sink_take_name(sink);

	if (name.n)
		put_text(sink, name);
}

static void yaml_open(struct pq_sink *sink, char bracket)
{
	put_name(sink);
	if (bracket == '{')
		EMIT(yaml_of(sink), mapping_start, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE);
	else
		EMIT(yaml_of(sink), sequence_start, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE);
}

static void yaml_text(struct pq_sink *sink, struct pmuq_str text)
{
	put_name(sink);
	put_text(sink, text);
}

static void yaml_bare(struct pq_sink *sink, struct pmuq_str text)
{
	put_name(sink);
	put_scalar(sink, text, YAML_PLAIN_SCALAR_STYLE);
}

static int write_buf(void *to, unsigned char *bytes, size_t n)
{
	struct pq_buf *buf = to;

	pq_buf_add(buf, (struct pmuq_str){ .p = (const char *)bytes, .n = n });
	return !buf->failed;
}

/* The first document does not begin with a line of "---". */
static void yaml_begin(struct pq_sink *sink)
{
	struct yaml *yaml = yaml_of(sink);

	if (!yaml->is_started)
		EMIT(yaml, stream_start, YAML_UTF8_ENCODING);
	EMIT(yaml, document_start, NULL, NULL, NULL, !yaml->is_started);
	yaml->is_started = true;
}

static void yaml_end(struct pq_sink *sink)
{
	EMIT(yaml_of(sink), document_end, 1);
}

static void yaml_finish(struct pq_sink *sink)
{
	struct yaml *yaml = yaml_of(sink);

	if (yaml->is_started)
		EMIT(yaml, stream_end);
	sink->failed |= yaml->buf->failed;
}

static void yaml_free(struct pq_sink *sink)
{
	struct yaml *yaml = yaml_of(sink);

	yaml->lib.emitter_delete(&yaml->emitter);
	free(yaml);
}

static const struct pq_sink_ops yaml_ops = {
	.open = yaml_open,
	.close = yaml_close,
	.key = put_text,
	.text = yaml_text,
	.plain = yaml_text,
	.bare = yaml_bare,
	.begin = yaml_begin,
	.end = yaml_end,
	.finish = yaml_finish,
	.free = yaml_free,
};

static void set_up(struct yaml *yaml, struct pq_buf *buf)
{
	yaml->sink.ops = &yaml_ops;
	yaml->buf = buf;
	yaml->lib.emitter_set_output(&yaml->emitter, write_buf, buf);
	yaml->lib.emitter_set_unicode(&yaml->emitter, 1);
	yaml->lib.emitter_set_width(&yaml->emitter, -1);
}

int pq_sink_yaml(struct pq_buf *buf, struct pq_sink **ret, struct pmuq_error **reterr)
{
	struct yaml *yaml = calloc(1, sizeof(*yaml));
	int r = yaml ? pq_yaml_load(&yaml->lib, reterr) : pq_fail_memory(reterr);

	if (r == 0 && !yaml->lib.emitter_initialize(&yaml->emitter))
		r = pq_fail_memory(reterr);
	if (r < 0) {
		free(yaml);
		return r;
	}
	set_up(yaml, buf);
	*ret = &yaml->sink;
	return 0;
}
