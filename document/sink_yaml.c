/* SPDX-License-Identifier: MIT */
/* Documents as YAML, by libyaml's emitter. What a reader of YAML might take for anything but a
 * string is quoted. */
#include "document/sink.h"
#include "document/yaml_lib.h"

struct yaml {
	struct pq_sink sink;
	struct pq_yaml lib;
	yaml_emitter_t emitter;
	struct pq_buf *buf;
	bool is_started, is_next; /* a document has been begun, and one before it ended */
};

/* Passes the event on, which takes it over, if it could be made. */
static void emit(struct yaml *yaml, yaml_event_t *event, int is_made)
{
	if (!is_made || !yaml->lib.emitter_emit(&yaml->emitter, event))
		yaml->sink.failed = true;
}

static void yaml_open(struct pq_sink *sink, char bracket)
{
	struct yaml *yaml = (struct yaml *)sink;
	yaml_event_t event;

	if (sink->failed)
		return;
	if (bracket == '{')
		emit(yaml, &event,
		     yaml->lib.mapping_start_event_initialize(&event, NULL, NULL, 1,
							      YAML_BLOCK_MAPPING_STYLE));
	else
		emit(yaml, &event,
		     yaml->lib.sequence_start_event_initialize(&event, NULL, NULL, 1,
							       YAML_BLOCK_SEQUENCE_STYLE));
}

static void yaml_close(struct pq_sink *sink, char bracket)
{
	struct yaml *yaml = (struct yaml *)sink;
	yaml_event_t event;

	if (sink->failed)
		return;
	if (bracket == '}')
		emit(yaml, &event, yaml->lib.mapping_end_event_initialize(&event));
	else
		emit(yaml, &event, yaml->lib.sequence_end_event_initialize(&event));
}

static void put_scalar(struct pq_sink *sink, struct pmuq_str text, yaml_scalar_style_t style)
{
	struct yaml *yaml = (struct yaml *)sink;
	yaml_event_t event;

	if (sink->failed || text.n > INT32_MAX) {
		sink->failed = true;
		return;
	}
	emit(yaml, &event,
	     yaml->lib.scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text.p,
					       (int)text.n, 1, 1, style));
}

static void yaml_text(struct pq_sink *sink, struct pmuq_str text)
{
	put_scalar(sink, text,
		   pq_is_plain(text) ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

static void yaml_bare(struct pq_sink *sink, struct pmuq_str text)
{
	put_scalar(sink, text, YAML_PLAIN_SCALAR_STYLE);
}

static int write_buf(void *to, unsigned char *bytes, size_t n)
{
	struct pq_buf *buf = to;

	pq_buf_add(buf, (struct pmuq_str){ .p = (const char *)bytes, .n = n });
	return !buf->failed;
}

/* The first begins with the schema, all others with a line that parts them. */
static void begin(struct pq_sink *sink)
{
	struct yaml *yaml = (struct yaml *)sink;
	yaml_event_t event;

	if (!yaml->is_started) {
		yaml->is_started = true;
		emit(yaml, &event,
		     yaml->lib.stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
	}
	if (!sink->failed)
		emit(yaml, &event,
		     yaml->lib.document_start_event_initialize(&event, NULL, NULL, NULL,
							       !yaml->is_next));
	yaml->is_next = true;
}

static void end(struct pq_sink *sink)
{
	struct yaml *yaml = (struct yaml *)sink;
	yaml_event_t event;

	if (!sink->failed)
		emit(yaml, &event, yaml->lib.document_end_event_initialize(&event, 1));
}

static int finish(struct pq_sink *sink, struct pmuq_error **reterr)
{
	struct yaml *yaml = (struct yaml *)sink;
	yaml_event_t event;

	if (!sink->failed && yaml->is_started)
		emit(yaml, &event, yaml->lib.stream_end_event_initialize(&event));
	return sink->failed || yaml->buf->failed ? pq_fail_memory(reterr) : 0;
}

static void free_yaml(struct pq_sink *sink)
{
	struct yaml *yaml = (struct yaml *)sink;

	yaml->lib.emitter_delete(&yaml->emitter);
	free(yaml);
}

static void set_up(struct yaml *yaml, struct pq_buf *buf)
{
	yaml->sink = (struct pq_sink){ .open = yaml_open,
				       .close = yaml_close,
				       .key = yaml_text,
				       .text = yaml_text,
				       .bare = yaml_bare };
	yaml->buf = buf;
	yaml->lib.emitter_set_output(&yaml->emitter, write_buf, buf);
	yaml->lib.emitter_set_unicode(&yaml->emitter, 1);
	yaml->lib.emitter_set_width(&yaml->emitter, -1);
}

int pq_form_yaml(struct pq_buf *buf, struct pq_form *ret, struct pmuq_error **reterr)
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
	*ret = (struct pq_form){
		.sink = &yaml->sink, .begin = begin, .end = end, .finish = finish, .free = free_yaml
	};
	return 0;
}
