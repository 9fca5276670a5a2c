/* SPDX-License-Identifier: MIT */
/** @file
 * The members of records as functions, for the classes of these headers. */
#ifndef PMUQ_DETAIL_MEMBERS_HPP
#define PMUQ_DETAIL_MEMBERS_HPP
#pragma GCC system_header

#include <pmuq/pmuq.h>

// clang-format off
inline const char *pmuq_attr_field_name(unsigned index)
{
	return pmuq_attr_field(index) ? pmuq_attr_field(index)->name.p : nullptr;
}

inline enum pmuq_field_format pmuq_attr_field_kind(unsigned index)
{
	return pmuq_attr_field(index)->format;
}

inline uint64_t pmuq_attr_field_get(const struct pmuq_attr *attr, unsigned index)
{
	return pmuq_attr_get(attr, index);
}

inline bool pmuq_attr_field_set(struct pmuq_attr *attr, unsigned index, uint64_t value)
{
	return pmuq_attr_set(attr, index, value);
}

inline unsigned pmuq_attr_field_end(unsigned index)
{
	return pmuq_attr_field(index)->end_bytes;
}

inline const struct pmuq_catalog *pmuq_capture_catalog(const struct pmuq_capture *capture)
{
	return pmuq_capture_content(capture)->catalog;
}

inline size_t pmuq_capture_tracepoint_count(const struct pmuq_capture *capture)
{
	return pmuq_capture_content(capture)->n_tracepoints;
}

inline size_t pmuq_capture_file_count(const struct pmuq_capture *capture)
{
	return pmuq_capture_content(capture)->n_files;
}

inline const char *pmuq_capture_file_path(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_file(capture, index)->path.p;
}

inline size_t pmuq_capture_file_bytes(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_file(capture, index)->n_bytes;
}

inline size_t pmuq_capture_redaction_count(const struct pmuq_capture *capture)
{
	return pmuq_capture_content(capture)->n_redactions;
}

inline const char *pmuq_capture_redaction_path(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_content(capture)->redactions[index].name.p;
}

inline const char *pmuq_capture_redaction_text(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_content(capture)->redactions[index].text.p;
}

inline size_t pmuq_capture_unread_count(const struct pmuq_capture *capture)
{
	return pmuq_capture_content(capture)->n_unread;
}

inline const char *pmuq_capture_unread_path(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_unread(capture, index)->path.p;
}

inline const char *pmuq_capture_unread_why(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_unread(capture, index)->message.p;
}

inline int pmuq_capture_unread_errno(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_unread(capture, index)->errnum;
}

inline size_t pmuq_catalog_fact_count(const struct pmuq_catalog *catalog)
{
	return pmuq_catalog_machine(catalog)->n_facts;
}

inline const char *pmuq_catalog_fact_name(const struct pmuq_catalog *catalog, size_t index)
{
	return pmuq_catalog_machine(catalog)->facts[index].name.p;
}

inline const char *pmuq_catalog_fact_text(const struct pmuq_catalog *catalog, size_t index)
{
	return pmuq_catalog_machine(catalog)->facts[index].text.p;
}

inline bool pmuq_catalog_is_live(const struct pmuq_catalog *catalog)
{
	return pmuq_catalog_machine(catalog)->is_live;
}

inline size_t pmuq_catalog_pmu_count(const struct pmuq_catalog *catalog)
{
	return pmuq_catalog_machine(catalog)->n_pmus;
}

inline size_t pmuq_catalog_problem_count(const struct pmuq_catalog *catalog)
{
	return pmuq_catalog_machine(catalog)->n_problems;
}

inline const char *pmuq_catalog_problem_path(const struct pmuq_catalog *catalog, size_t index)
{
	return pmuq_catalog_problem(catalog, index)->path.p;
}

inline const char *pmuq_catalog_problem_message(const struct pmuq_catalog *catalog, size_t index)
{
	return pmuq_catalog_problem(catalog, index)->message.p;
}

inline enum pmuq_code pmuq_catalog_problem_code(const struct pmuq_catalog *catalog, size_t index)
{
	return pmuq_catalog_problem(catalog, index)->code;
}

inline const char *pmuq_pmu_name(const struct pmuq_pmu *pmu)
{
	return pmu->name.p;
}

inline const char *pmuq_pmu_alias(const struct pmuq_pmu *pmu)
{
	return pmu->alias.n ? pmu->alias.p : nullptr;
}

inline bool pmuq_pmu_type(const struct pmuq_pmu *pmu, uint32_t *ret)
{
	if (pmu->has_type) *ret = pmu->type;
	return pmu->has_type;
}

inline const char *pmuq_pmu_cpus(const struct pmuq_pmu *pmu)
{
	return pmu->cpus.p;
}

inline const char *pmuq_pmu_cpumask(const struct pmuq_pmu *pmu)
{
	return pmu->cpumask.p;
}

inline bool pmuq_pmu_is_core(const struct pmuq_pmu *pmu)
{
	return pmu->is_core;
}

inline bool pmuq_pmu_is_uncore(const struct pmuq_pmu *pmu)
{
	return pmu->is_uncore;
}

inline uint64_t pmuq_pmu_kind(const struct pmuq_pmu *pmu)
{
	return pmu->definition->hash;
}

inline size_t pmuq_pmu_attribute_count(const struct pmuq_pmu *pmu)
{
	return pmu->n_attributes;
}

inline const char *pmuq_pmu_attribute_name(const struct pmuq_pmu *pmu, size_t index)
{
	return pmu->attributes[index].name.p;
}

inline const char *pmuq_pmu_attribute_text(const struct pmuq_pmu *pmu, size_t index)
{
	return pmu->attributes[index].text.p;
}

inline size_t pmuq_pmu_cap_count(const struct pmuq_pmu *pmu)
{
	return pmu->definition->n_caps;
}

inline const char *pmuq_pmu_cap_name(const struct pmuq_pmu *pmu, size_t index)
{
	return pmu->definition->caps[index].name.p;
}

inline const char *pmuq_pmu_cap_text(const struct pmuq_pmu *pmu, size_t index)
{
	return pmu->definition->caps[index].text.p;
}

inline size_t pmuq_pmu_format_count(const struct pmuq_pmu *pmu)
{
	return pmu->definition->n_formats;
}

inline const char *pmuq_format_name(const struct pmuq_format *format)
{
	return format->name.p;
}

inline const char *pmuq_format_text(const struct pmuq_format *format)
{
	return format->text.p;
}

inline int pmuq_format_word(const struct pmuq_format *format)
{
	return format->bits.word;
}

inline uint64_t pmuq_format_mask(const struct pmuq_format *format)
{
	return format->bits.mask;
}

inline size_t pmuq_pmu_event_count(const struct pmuq_pmu *pmu)
{
	return pmu->definition->n_events;
}

inline const char *pmuq_event_name(const struct pmuq_event *event)
{
	return event->name.p;
}

inline const char *pmuq_event_terms(const struct pmuq_event *event)
{
	return event->terms.p;
}

inline const char *pmuq_event_unit(const struct pmuq_event *event)
{
	return event->unit.p;
}

inline const char *pmuq_event_scale(const struct pmuq_event *event)
{
	return event->scale.p;
}

inline bool pmuq_event_is_per_pkg(const struct pmuq_event *event)
{
	return event->is_per_pkg;
}

inline bool pmuq_event_is_snapshot(const struct pmuq_event *event)
{
	return event->is_snapshot;
}

inline size_t pmuq_check_count(const struct pmuq_check *check)
{
	return pmuq_check_progress(check)->n_results;
}

inline size_t pmuq_check_total(const struct pmuq_check *check)
{
	return pmuq_check_progress(check)->n_events;
}

inline int64_t pmuq_check_time_s(const struct pmuq_check *check)
{
	return pmuq_check_progress(check)->time_s;
}

inline const char *pmuq_check_kernel(const struct pmuq_check *check)
{
	return pmuq_check_progress(check)->kernel.p;
}

inline const char *pmuq_answer_pmu(const struct pmuq_check_result *answer)
{
	return answer->pmu.p;
}

inline const char *pmuq_answer_event(const struct pmuq_check_result *answer)
{
	return answer->event.p;
}

inline const char *pmuq_answer_string(const struct pmuq_check_result *answer)
{
	return answer->event_string.p;
}

inline enum pmuq_open_status pmuq_answer_status(const struct pmuq_check_result *answer)
{
	return answer->open->status;
}

inline const char *pmuq_answer_cpus(const struct pmuq_check_result *answer)
{
	return answer->open->cpus.p;
}

inline int pmuq_answer_errno(const struct pmuq_check_result *answer)
{
	return answer->open->errnum;
}

inline const char *pmuq_answer_name(const struct pmuq_check_result *answer)
{
	return answer->open->name.p;
}

inline const char *pmuq_answer_reason(const struct pmuq_check_result *answer)
{
	return answer->open->reason.p;
}

inline const char *pmuq_answer_hint(const struct pmuq_check_result *answer)
{
	return answer->open->hint.p;
}

inline const char *pmuq_answer_change(const struct pmuq_check_result *answer)
{
	return answer->open->change.p;
}

inline const struct pmuq_check *pmuq_catalog_check(const struct pmuq_catalog *catalog)
{
	return pmuq_catalog_machine(catalog)->check;
}

inline const char *pmuq_decoding_text(const struct pmuq_decoding *decoding)
{
	return decoding->text.p;
}

inline const char *pmuq_decoding_pmu(const struct pmuq_decoding *decoding)
{
	return decoding->pmu.p;
}

inline enum pmuq_origin pmuq_decoding_origin(const struct pmuq_decoding *decoding)
{
	return decoding->origin;
}

inline bool pmuq_decoding_is_exact(const struct pmuq_decoding *decoding)
{
	return decoding->is_exact;
}

inline size_t pmuq_decoding_left_count(const struct pmuq_decoding *decoding)
{
	return decoding->n_left;
}

inline const char *pmuq_decoding_left_name(const struct pmuq_decoding *decoding, size_t index)
{
	return pmuq_decoding_left(decoding, index)->name.p;
}

inline uint64_t pmuq_decoding_left_value(const struct pmuq_decoding *decoding, size_t index)
{
	return pmuq_decoding_left(decoding, index)->value;
}

inline enum pmuq_field_format pmuq_decoding_left_kind(const struct pmuq_decoding *decoding, size_t index)
{
	return pmuq_decoding_left(decoding, index)->format;
}

inline bool pmuq_decoding_left_is_event(const struct pmuq_decoding *decoding, size_t index)
{
	return pmuq_decoding_left(decoding, index)->is_event;
}

inline size_t pmuq_decoding_reading_count(const struct pmuq_decoding *decoding)
{
	return decoding->n_alternatives;
}

inline const char *pmuq_decoding_reading(const struct pmuq_decoding *decoding, size_t index)
{
	return decoding->alternatives[index].p;
}

inline const char *pmuq_change_kind_name(enum pmuq_change_type kind)
{
	return pmuq_change_type_name(kind);
}

inline enum pmuq_change_type pmuq_change_get_kind(const struct pmuq_change *change)
{
	return change->type;
}

inline enum pmuq_weight pmuq_change_get_weight(const struct pmuq_change *change)
{
	return change->weight;
}

inline size_t pmuq_change_pmu_count(const struct pmuq_change *change)
{
	return change->n_pmus;
}

inline const char *pmuq_change_pmu(const struct pmuq_change *change, size_t index)
{
	return change->pmus[index].p;
}

inline size_t pmuq_change_new_pmu_count(const struct pmuq_change *change)
{
	return change->n_new_pmus;
}

inline const char *pmuq_change_new_pmu(const struct pmuq_change *change, size_t index)
{
	return change->new_pmus[index].p;
}

inline const char *pmuq_change_name(const struct pmuq_change *change)
{
	return change->name.p;
}

inline const char *pmuq_change_before(const struct pmuq_change *change)
{
	return change->before.p;
}

inline const char *pmuq_change_after(const struct pmuq_change *change)
{
	return change->after.p;
}

inline bool pmuq_change_word(const struct pmuq_change *change, unsigned word, uint64_t *ret_before, uint64_t *ret_after)
{
	if (word >= change->n_words || change->words_before[word] == change->words_after[word]) return false;
	*ret_before = change->words_before[word]; *ret_after = change->words_after[word];
	return true;
}

inline const char *pmuq_change_text(const struct pmuq_change *change)
{
	return change->text.p;
}

inline const char *pmuq_reader_name(const struct pmuq_reader *reader)
{
	return pmuq_reader_host(reader)->name.p;
}

inline int64_t pmuq_reader_first_seen(const struct pmuq_reader *reader)
{
	return pmuq_reader_host(reader)->first_seen_s;
}

inline size_t pmuq_reader_document(const struct pmuq_reader *reader)
{
	return pmuq_reader_host(reader)->document;
}

inline const char *pmuq_encoding_name(const struct pmuq_encoding *encoding)
{
	return encoding->name.p;
}

inline const char *pmuq_encoding_pmu(const struct pmuq_encoding *encoding)
{
	return encoding->pmu.p;
}

inline enum pmuq_origin pmuq_encoding_origin(const struct pmuq_encoding *encoding)
{
	return encoding->origin;
}

inline const struct pmuq_attr *pmuq_encoding_attr(const struct pmuq_encoding *encoding)
{
	return encoding->attr;
}

inline const char *pmuq_encoding_probe_text(const struct pmuq_encoding *encoding)
{
	return encoding->probe_text.p;
}

inline const char *pmuq_encoding_probe_field(const struct pmuq_encoding *encoding)
{
	return encoding->probe_field.p;
}

inline const char *pmuq_encoding_cpus(const struct pmuq_encoding *encoding)
{
	return encoding->cpus.p;
}

inline bool pmuq_encoding_needs_cpu(const struct pmuq_encoding *encoding)
{
	return encoding->needs_cpu;
}

inline const char *pmuq_encoding_unit(const struct pmuq_encoding *encoding)
{
	return encoding->unit.p;
}

inline const char *pmuq_encoding_scale(const struct pmuq_encoding *encoding)
{
	return encoding->scale.p;
}

inline bool pmuq_encoding_is_per_pkg(const struct pmuq_encoding *encoding)
{
	return encoding->is_per_pkg;
}

inline bool pmuq_encoding_is_snapshot(const struct pmuq_encoding *encoding)
{
	return encoding->is_snapshot;
}

inline bool pmuq_encoding_group(const struct pmuq_encoding *encoding, size_t *ret_leader, size_t *ret_members, const char **ret_name)
{
	if (!encoding->n_members) return false;
	*ret_leader = encoding->leader; *ret_members = encoding->n_members; *ret_name = encoding->group_name.p;
	return true;
}

inline size_t pmuq_encoding_deferred_count(const struct pmuq_encoding *encoding)
{
	return encoding->n_tool_terms;
}

inline const char *pmuq_encoding_deferred_name(const struct pmuq_encoding *encoding, size_t index)
{
	return pmuq_encoding_tool_term(encoding, index)->name.p;
}

inline const char *pmuq_encoding_deferred_text(const struct pmuq_encoding *encoding, size_t index)
{
	return pmuq_encoding_tool_term(encoding, index)->text.p;
}

inline bool pmuq_encoding_deferred_is_number(const struct pmuq_encoding *encoding, size_t index)
{
	return pmuq_encoding_tool_term(encoding, index)->is_number;
}

inline size_t pmuq_encoding_warning_count(const struct pmuq_encoding *encoding)
{
	return encoding->n_warnings;
}

inline size_t pmuq_encoding_assignment_count(const struct pmuq_encoding *encoding)
{
	return encoding->n_assignments;
}

inline const char *pmuq_assignment_term(const struct pmuq_assignment *assignment)
{
	return assignment->term.p;
}

inline const char *pmuq_assignment_field(const struct pmuq_assignment *assignment)
{
	return assignment->field.p;
}

inline uint64_t pmuq_assignment_mask(const struct pmuq_assignment *assignment)
{
	return assignment->mask;
}

inline uint64_t pmuq_assignment_value(const struct pmuq_assignment *assignment)
{
	return assignment->value;
}

inline uint64_t pmuq_assignment_number(const struct pmuq_assignment *assignment)
{
	return assignment->number;
}

inline const char *pmuq_assignment_format(const struct pmuq_assignment *assignment)
{
	return assignment->format.p;
}

inline enum pmuq_cause pmuq_assignment_cause(const struct pmuq_assignment *assignment)
{
	return assignment->cause;
}

inline const char *pmuq_assignment_event(const struct pmuq_assignment *assignment)
{
	return assignment->event.p;
}

inline const char *pmuq_assignment_origin(const struct pmuq_assignment *assignment)
{
	return assignment->origin.p;
}

inline const char *pmuq_assignment_input(const struct pmuq_assignment *assignment)
{
	return assignment->input.p;
}

inline size_t pmuq_assignment_offset(const struct pmuq_assignment *assignment)
{
	return assignment->offset;
}

inline size_t pmuq_assignment_length(const struct pmuq_assignment *assignment)
{
	return assignment->length;
}

inline bool pmuq_assignment_is_overridden(const struct pmuq_assignment *assignment)
{
	return assignment->is_overridden;
}

inline enum pmuq_code pmuq_error_code(const struct pmuq_error *error)
{
	return error->code;
}

inline const char *pmuq_error_name(const struct pmuq_error *error)
{
	return pmuq_code_name(error->code);
}

inline const char *pmuq_error_message(const struct pmuq_error *error)
{
	return error->message.p;
}

inline const char *pmuq_error_hint(const struct pmuq_error *error)
{
	return error->hint.p;
}

inline const char *pmuq_error_input(const struct pmuq_error *error)
{
	return error->input.p;
}

inline size_t pmuq_error_offset(const struct pmuq_error *error)
{
	return error->offset;
}

inline size_t pmuq_error_length(const struct pmuq_error *error)
{
	return error->length;
}

inline const char *pmuq_error_origin(const struct pmuq_error *error)
{
	return error->origin.p;
}

inline int pmuq_error_errno(const struct pmuq_error *error)
{
	return error->errnum;
}

inline void pmuq_pfm_answers_free(struct pmuq_pfm_encodings *answers)
{
	pmuq_pfm_encodings_free(answers);
}

inline size_t pmuq_pfm_answers_count(const struct pmuq_pfm_encodings *answers)
{
	return pmuq_pfm_encodings_count(answers);
}

inline const struct pmuq_pfm_encoding *pmuq_pfm_answers_get(const struct pmuq_pfm_encodings *answers, size_t index)
{
	return pmuq_pfm_encodings_get(answers, index);
}

inline const struct pmuq_error *pmuq_pfm_answer_error(const struct pmuq_pfm_encoding *answer)
{
	return answer->error;
}

inline bool pmuq_pfm_answer_modifier(const struct pmuq_pfm_encoding *answer, enum pmuq_pfm_modifier modifier, uint64_t *ret)
{
	return pmuq_pfm_encoding_modifier(answer, modifier, ret);
}

inline size_t pmuq_pfm_answer_code_count(const struct pmuq_pfm_encoding *answer)
{
	return answer->n_codes;
}

inline const struct pmuq_pfm_code *pmuq_pfm_answer_code(const struct pmuq_pfm_encoding *answer, size_t index)
{
	return pmuq_pfm_encoding_code(answer, index);
}

inline enum pmuq_pfm_scope pmuq_pfm_code_place(const struct pmuq_pfm_code *code)
{
	return code->scope;
}

inline const char *pmuq_pfm_code_sysfs(const struct pmuq_pfm_code *code)
{
	return code->sysfs.p;
}

inline uint32_t pmuq_pfm_code_type(const struct pmuq_pfm_code *code)
{
	return code->type;
}

inline const char *pmuq_pfm_code_terms(const struct pmuq_pfm_code *code)
{
	return code->terms.p;
}

inline uint64_t pmuq_pfm_code_config(const struct pmuq_pfm_code *code, size_t word)
{
	return code->config[word];
}

inline const char *pmuq_pfm_code_pmu(const struct pmuq_pfm_code *code)
{
	return code->pmu.p;
}

inline const char *pmuq_pfm_code_event(const struct pmuq_pfm_code *code)
{
	return code->event.p;
}

inline const char *pmuq_pfm_code_canonical(const struct pmuq_pfm_code *code)
{
	return code->canonical.p;
}

inline const char *pmuq_pfm_pmu_name(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->name.p;
}

inline const char *pmuq_pfm_pmu_description(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->description.p;
}

inline const char *pmuq_pfm_pmu_sysfs(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->sysfs.p;
}

inline const char *pmuq_pfm_pmu_family(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->family.p;
}

inline uint32_t pmuq_pfm_pmu_instance(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->instance;
}

inline enum pmuq_pfm_pmu_type pmuq_pfm_pmu_kind(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->type;
}

inline bool pmuq_pfm_pmu_is_present(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->is_present;
}

inline size_t pmuq_pfm_pmu_event_count(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->n_events;
}

inline const char *pmuq_pfm_event_name(const struct pmuq_pfm_event *event)
{
	return event->name.p;
}

inline const char *pmuq_pfm_event_description(const struct pmuq_pfm_event *event)
{
	return event->description.p;
}

inline const char *pmuq_pfm_event_same_as(const struct pmuq_pfm_event *event)
{
	return event->same_as.p;
}

inline size_t pmuq_pfm_event_attribute_count(const struct pmuq_pfm_event *event)
{
	return event->n_attributes;
}

inline const char *pmuq_pfm_attribute_name(const struct pmuq_pfm_event *event, size_t index)
{
	return pmuq_pfm_event_attribute(event, index)->name.p;
}

inline const char *pmuq_pfm_attribute_description(const struct pmuq_pfm_event *event, size_t index)
{
	return pmuq_pfm_event_attribute(event, index)->description.p;
}

inline const char *pmuq_pfm_attribute_same_as(const struct pmuq_pfm_event *event, size_t index)
{
	return pmuq_pfm_event_attribute(event, index)->same_as.p;
}

inline enum pmuq_pfm_attribute_type pmuq_pfm_attribute_kind(const struct pmuq_pfm_event *event, size_t index)
{
	return pmuq_pfm_event_attribute(event, index)->type;
}

inline bool pmuq_pfm_attribute_is_default(const struct pmuq_pfm_event *event, size_t index)
{
	return pmuq_pfm_event_attribute(event, index)->is_default;
}

inline void pmuq_verdicts_free(struct pmuq_open_results *verdicts)
{
	pmuq_open_results_free(verdicts);
}

inline size_t pmuq_verdicts_count(const struct pmuq_open_results *verdicts)
{
	return pmuq_open_results_count(verdicts);
}

inline enum pmuq_open_status pmuq_verdict_status(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->status;
}

inline int pmuq_verdict_pid(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->pid;
}

inline const char *pmuq_verdict_cpus(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->cpus.p;
}

inline int pmuq_verdict_errno(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->errnum;
}

inline const char *pmuq_verdict_reason(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->reason.p;
}

inline const char *pmuq_verdict_hint(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->hint.p;
}

inline const char *pmuq_verdict_change(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->change.p;
}

inline const char *pmuq_verdict_name(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->name.p;
}

inline size_t pmuq_verdict_step_count(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->n_steps;
}

inline const char *pmuq_verdict_step(const struct pmuq_open_results *verdicts, size_t index, size_t step)
{
	return pmuq_open_results_get(verdicts, index)->steps[step].p;
}

inline const struct pmuq_attr *pmuq_verdict_changed_attr(const struct pmuq_open_results *verdicts, size_t index)
{
	return pmuq_open_results_get(verdicts, index)->changed_attr;
}

inline enum pmuq_counting pmuq_count_status(const struct pmuq_counts *counts, size_t index)
{
	return pmuq_counts_get(counts, index)->status;
}

inline int pmuq_count_errno(const struct pmuq_counts *counts, size_t index)
{
	return pmuq_counts_get(counts, index)->errnum;
}

inline bool pmuq_count_reading(const struct pmuq_counts *counts, size_t index, struct pmuq_value *ret)
{
	const pmuq_count *c = pmuq_counts_get(counts, index);
	if (!c->is_read) return false;
	ret->value = c->value; ret->time_enabled_ns = c->time_enabled_ns; ret->time_running_ns = c->time_running_ns; ret->scaled = c->scaled;
	return true;
}

inline bool pmuq_counts_group(const struct pmuq_counts *counts, size_t index, size_t *ret_parts, size_t *ret_breaker)
{
	const pmuq_count *c = pmuq_counts_get(counts, index);
	if (!c->is_grouped) return false;
	*ret_parts = c->n_subgroups; *ret_breaker = c->breaker;
	return true;
}

inline size_t pmuq_count_part(const struct pmuq_counts *counts, size_t index)
{
	return pmuq_counts_get(counts, index)->subgroup;
}

inline bool pmuq_count_page(const struct pmuq_counts *counts, size_t index, struct pmuq_page *ret)
{
	const pmuq_count *c = pmuq_counts_get(counts, index);
	if (!c->page) return false;
	*ret = *c->page;
	return true;
}

inline const char *pmuq_count_page_reason(const struct pmuq_counts *counts, size_t index)
{
	const pmuq_count *c = pmuq_counts_get(counts, index);
	return c->page ? c->page->reason.p : nullptr;
}

inline const struct pmuq_open_results *pmuq_opened_verdicts(const struct pmuq_opened *opened)
{
	return pmuq_opened_results(opened);
}

inline size_t pmuq_opened_place_count(const struct pmuq_opened *opened, size_t index)
{
	return pmuq_opened_target_count(opened, index);
}

inline int pmuq_opened_cpu(const struct pmuq_opened *opened, size_t index, size_t place)
{
	pmuq_target t = {}; t.size = sizeof(t);
	return pmuq_opened_target(opened, index, place, &t) ? t.cpu : -1;
}

inline int pmuq_opened_fd(const struct pmuq_opened *opened, size_t index, size_t place)
{
	pmuq_target t = {}; t.size = sizeof(t);
	return pmuq_opened_target(opened, index, place, &t) ? t.fd : -1;
}

inline uint64_t pmuq_opened_id(const struct pmuq_opened *opened, size_t index, size_t place)
{
	pmuq_target t = {}; t.size = sizeof(t);
	return pmuq_opened_target(opened, index, place, &t) ? t.id : 0;
}

inline uint64_t pmuq_opened_read_format(const struct pmuq_opened *opened, size_t index)
{
	pmuq_target t = {}; t.size = sizeof(t);
	return pmuq_opened_target(opened, index, 0, &t) ? t.read_format : 0;
}

inline bool pmuq_recording_is_stream(const struct pmuq_recording *recording)
{
	return pmuq_recording_content(recording)->is_stream;
}

inline bool pmuq_recording_is_big_endian(const struct pmuq_recording *recording)
{
	return pmuq_recording_content(recording)->is_big_endian;
}

inline uint64_t pmuq_recording_bytes_read(const struct pmuq_recording *recording)
{
	return pmuq_recording_content(recording)->bytes_read;
}

inline size_t pmuq_recording_problem_count(const struct pmuq_recording *recording)
{
	return pmuq_recording_content(recording)->n_problems;
}

inline size_t pmuq_recording_event_count(const struct pmuq_recording *recording)
{
	return pmuq_recording_content(recording)->n_events;
}

inline const struct pmuq_attr *pmuq_recording_event_attr(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->attr;
}

inline uint32_t pmuq_recording_event_attr_size(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->attr_size;
}

inline bool pmuq_recording_event_has_unknown_tail(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->has_unknown_tail;
}

inline const char *pmuq_recording_event_name(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->name.p;
}

inline const char *pmuq_recording_event_unit(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->unit.p;
}

inline const char *pmuq_recording_event_scale(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->scale.p;
}

inline size_t pmuq_recording_event_id_count(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->n_ids;
}

inline uint64_t pmuq_recording_event_id(const struct pmuq_recording *recording, size_t event, size_t index)
{
	return pmuq_recording_event(recording, event)->ids[index];
}

inline size_t pmuq_recording_event_leader(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->leader;
}

inline size_t pmuq_recording_event_group_size(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->n_members;
}

inline const char *pmuq_recording_event_group_name(const struct pmuq_recording *recording, size_t event)
{
	return pmuq_recording_event(recording, event)->group_name.p;
}

inline size_t pmuq_recording_feature_count(const struct pmuq_recording *recording)
{
	return pmuq_recording_content(recording)->n_features;
}

inline unsigned pmuq_recording_feature_number(const struct pmuq_recording *recording, size_t feature)
{
	return pmuq_recording_feature(recording, feature)->number;
}

inline const char *pmuq_recording_feature_name(const struct pmuq_recording *recording, size_t feature)
{
	return pmuq_recording_feature(recording, feature)->name.p;
}

inline uint64_t pmuq_recording_feature_bytes(const struct pmuq_recording *recording, size_t feature)
{
	return pmuq_recording_feature(recording, feature)->bytes;
}

inline bool pmuq_recording_feature_is_read(const struct pmuq_recording *recording, size_t feature)
{
	return pmuq_recording_feature(recording, feature)->is_read;
}

inline size_t pmuq_recording_value_count(const struct pmuq_recording *recording, size_t feature)
{
	return pmuq_recording_feature(recording, feature)->n_values;
}

inline const char *pmuq_recording_value_name(const struct pmuq_recording *recording, size_t feature, size_t value)
{
	return pmuq_recording_feature(recording, feature)->values[value].name.p;
}

inline const char *pmuq_recording_value_text(const struct pmuq_recording *recording, size_t feature, size_t value)
{
	return pmuq_recording_feature(recording, feature)->values[value].text.p;
}

inline const char *pmuq_hosts_name(const struct pmuq_hosts *hosts, size_t host)
{
	return pmuq_hosts_get(hosts, host)->name.p;
}

inline const char *pmuq_hosts_machine_id(const struct pmuq_hosts *hosts, size_t host)
{
	return pmuq_hosts_get(hosts, host)->machine_id.p;
}

inline size_t pmuq_hosts_snapshot_count(const struct pmuq_hosts *hosts, size_t host)
{
	return pmuq_hosts_get(hosts, host)->n_snapshots;
}

inline size_t pmuq_hosts_kept_count(const struct pmuq_hosts *hosts, size_t host)
{
	return pmuq_hosts_get(hosts, host)->n_stored;
}

inline int64_t pmuq_hosts_snapshot_number(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	return pmuq_hosts_snapshot(hosts, host, snapshot)->number;
}

inline int64_t pmuq_hosts_first_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	return pmuq_hosts_snapshot(hosts, host, snapshot)->first_seen_s;
}

inline int64_t pmuq_hosts_last_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	return pmuq_hosts_snapshot(hosts, host, snapshot)->last_seen_s;
}

inline const char *pmuq_hosts_kernel(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	return pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, host, snapshot), "kernel");
}

inline const char *pmuq_hosts_fact(const struct pmuq_hosts *hosts, size_t host, size_t snapshot, const char *name)
{
	return pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, host, snapshot), name);
}

inline bool pmuq_hosts_is_checked(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	return pmuq_hosts_snapshot(hosts, host, snapshot)->is_checked;
}

inline size_t pmuq_hosts_kind_count(const struct pmuq_hosts *hosts)
{
	return pmuq_hosts_class_count(hosts);
}

inline const char *pmuq_hosts_kind_name(const struct pmuq_hosts *hosts, size_t kind)
{
	return pmuq_hosts_class(hosts, kind)->name.p;
}

inline size_t pmuq_hosts_kind_host_count(const struct pmuq_hosts *hosts, size_t kind)
{
	return pmuq_hosts_class(hosts, kind)->n_hosts;
}

inline size_t pmuq_hosts_kind_host(const struct pmuq_hosts *hosts, size_t kind, size_t index)
{
	return pmuq_hosts_class(hosts, kind)->hosts[index];
}

inline size_t pmuq_hosts_kind(const struct pmuq_hosts *hosts, size_t host)
{
	return pmuq_hosts_get(hosts, host)->host_class;
}

inline size_t pmuq_hosts_kind_check_count(const struct pmuq_hosts *hosts, size_t kind)
{
	return pmuq_hosts_class(hosts, kind)->n_checks;
}

inline size_t pmuq_hosts_kind_check_host(const struct pmuq_hosts *hosts, size_t kind, size_t check)
{
	return pmuq_hosts_class(hosts, kind)->check_hosts[check];
}

inline size_t pmuq_hosts_check(const struct pmuq_hosts *hosts, size_t host)
{
	return pmuq_hosts_get(hosts, host)->check;
}

inline const char *pmuq_vendors_name(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->name.p;
}

inline const char *pmuq_vendors_directory(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->directory.p;
}

inline const char *pmuq_vendors_layout(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->layout.p;
}

inline int64_t pmuq_vendors_time_s(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->time_s;
}

inline size_t pmuq_vendors_folder_count(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->n_folders;
}

inline size_t pmuq_vendors_cpu_count(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->n_cpus;
}

inline size_t pmuq_vendors_event_count(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->n_events;
}

inline size_t pmuq_vendors_metric_count(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->n_metrics;
}

inline size_t pmuq_vendors_problem_count(const struct pmuq_vendors *vendors, size_t index)
{
	return pmuq_vendors_get(vendors, index)->n_problems;
}

inline const char *pmuq_vendors_problem_path(const struct pmuq_vendors *vendors, size_t index, size_t problem)
{
	return pmuq_vendors_problem(vendors, index, problem)->path.p;
}

inline size_t pmuq_vendors_problem_line(const struct pmuq_vendors *vendors, size_t index, size_t problem)
{
	return pmuq_vendors_problem(vendors, index, problem)->line;
}

inline const char *pmuq_vendors_problem_message(const struct pmuq_vendors *vendors, size_t index, size_t problem)
{
	return pmuq_vendors_problem(vendors, index, problem)->message.p;
}

inline enum pmuq_code pmuq_vendors_problem_code(const struct pmuq_vendors *vendors, size_t index, size_t problem)
{
	return pmuq_vendors_problem(vendors, index, problem)->code;
}

inline const char *pmuq_vendor_cpuid(const struct pmuq_vendor *vendor)
{
	return pmuq_vendor_content(vendor)->cpuid.p;
}

inline const char *pmuq_vendor_import(const struct pmuq_vendor *vendor)
{
	return pmuq_vendor_content(vendor)->import.p;
}

inline const char *pmuq_vendor_folder(const struct pmuq_vendor *vendor)
{
	return pmuq_vendor_content(vendor)->folder.p;
}

inline const char *pmuq_vendor_version(const struct pmuq_vendor *vendor)
{
	return pmuq_vendor_content(vendor)->version.p;
}

inline size_t pmuq_vendor_event_count(const struct pmuq_vendor *vendor)
{
	return pmuq_vendor_content(vendor)->n_events;
}

inline const char *pmuq_vendor_event_name(const struct pmuq_vendor_event *event)
{
	return event->event->name.p;
}

inline const char *pmuq_vendor_event_pmu(const struct pmuq_vendor_event *event)
{
	return event->pmu.p;
}

inline const char *pmuq_vendor_event_terms(const struct pmuq_vendor_event *event)
{
	return event->event->terms.p;
}

inline const char *pmuq_vendor_event_unit(const struct pmuq_vendor_event *event)
{
	return event->event->unit.p;
}

inline const char *pmuq_vendor_event_scale(const struct pmuq_vendor_event *event)
{
	return event->event->scale.p;
}

inline bool pmuq_vendor_event_is_per_pkg(const struct pmuq_vendor_event *event)
{
	return event->event->is_per_pkg;
}

inline bool pmuq_vendor_event_is_deprecated(const struct pmuq_vendor_event *event)
{
	return event->is_deprecated;
}

inline const char *pmuq_vendor_event_topic(const struct pmuq_vendor_event *event)
{
	return event->topic.p;
}

inline const char *pmuq_vendor_event_description(const struct pmuq_vendor_event *event)
{
	return event->description.p;
}

inline const char *pmuq_vendor_event_long_description(const struct pmuq_vendor_event *event)
{
	return event->long_description.p;
}

inline const char *pmuq_vendor_event_compat(const struct pmuq_vendor_event *event)
{
	return event->compat.p;
}

inline const char *pmuq_found_folders(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->folders.p;
}

inline const char *pmuq_found_pmu(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->pmu.p;
}

inline const char *pmuq_found_name(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->name.p;
}

inline enum pmuq_match pmuq_found_match(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->match;
}

inline bool pmuq_found_is_libpfm4(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->is_libpfm4;
}

inline const char *pmuq_found_terms(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->terms.p;
}

inline const char *pmuq_found_topic(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->topic.p;
}

inline const char *pmuq_found_description(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->description.p;
}

inline const char *pmuq_found_long_description(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->long_description.p;
}

inline bool pmuq_found_is_deprecated(const struct pmuq_found *found, size_t index)
{
	return pmuq_found_get(found, index)->is_deprecated;
}

// clang-format on
#endif
