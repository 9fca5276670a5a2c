/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Names of libpfm4, in C++: see libpfm4.h.
 */
#ifndef PMUQ_LIBPFM4_HPP
#define PMUQ_LIBPFM4_HPP

#include <pmuq/libpfm4.h>
#include <pmuq/result.hpp>

namespace pmuq
{

struct PfmOptions : pmuq_pfm_options {
	PfmOptions() noexcept : pmuq_pfm_options{}
	{
		size = sizeof(pmuq_pfm_options);
	}
};

/** What libpfm4 makes of a name on one kind of PMU. */
class PfmCode
{
      public:
	explicit PfmCode(const pmuq_pfm_code *code) noexcept : code_(code)
	{
	}
	static PfmCode at(const pmuq_pfm_encoding *answer, std::size_t index) noexcept
	{
		return PfmCode(pmuq_pfm_answer_code(answer, index));
	}
	pmuq_pfm_scope place() const noexcept
	{
		return pmuq_pfm_code_place(code_);
	}
	std::string_view sysfs() const noexcept
	{
		return detail::text(pmuq_pfm_code_sysfs(code_));
	}
	std::uint32_t type() const noexcept
	{
		return pmuq_pfm_code_type(code_);
	}
	std::string_view terms() const noexcept
	{
		return detail::text(pmuq_pfm_code_terms(code_));
	}
	/** Word 0 is config, 1 and 2 config1 and config2. */
	std::uint64_t config(std::size_t word) const noexcept
	{
		return pmuq_pfm_code_config(code_, word);
	}
	std::string_view pmu() const noexcept
	{
		return detail::text(pmuq_pfm_code_pmu(code_));
	}
	std::string_view event() const noexcept
	{
		return detail::text(pmuq_pfm_code_event(code_));
	}
	std::string_view canonical() const noexcept
	{
		return detail::text(pmuq_pfm_code_canonical(code_));
	}

      private:
	const pmuq_pfm_code *code_;
};

/** What became of one name. */
class PfmAnswer
{
      public:
	explicit PfmAnswer(const pmuq_pfm_encoding *answer) noexcept : answer_(answer)
	{
	}
	static PfmAnswer at(const pmuq_pfm_encodings *answers, std::size_t index) noexcept
	{
		return PfmAnswer(pmuq_pfm_answers_get(answers, index));
	}
	/** What is wrong with the name, with its place there. */
	std::optional<ErrorView> error() const noexcept
	{
		const pmuq_error *error = pmuq_pfm_answer_error(answer_);

		return error ? std::optional<ErrorView>(error) : std::nullopt;
	}
	std::optional<std::uint64_t> modifier(pmuq_pfm_modifier modifier) const noexcept
	{
		std::uint64_t value = 0;

		return pmuq_pfm_answer_modifier(answer_, modifier, &value)
			       ? std::optional<std::uint64_t>(value)
			       : std::nullopt;
	}
	auto codes() const noexcept
	{
		return Range<const pmuq_pfm_encoding *, PfmCode, pmuq_pfm_answer_code_count>(answer_);
	}

      private:
	const pmuq_pfm_encoding *answer_;
};

/** One answer a name. */
class PfmAnswers : public detail::List<pmuq_pfm_encodings, pmuq_pfm_answers_free, PfmAnswer,
				       pmuq_pfm_answers_count>
{
      public:
	using List::List;
};

/** A PMU that libpfm4 has tables of. */
class PfmPmu
{
      public:
	explicit PfmPmu(const pmuq_pfm_pmu *pmu) noexcept : pmu_(pmu)
	{
	}
	static PfmPmu at(const pmuq_pfm_pmus *pmus, std::size_t index) noexcept
	{
		return PfmPmu(pmuq_pfm_pmus_get(pmus, index));
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_pfm_pmu_name(pmu_));
	}
	std::string_view description() const noexcept
	{
		return detail::text(pmuq_pfm_pmu_description(pmu_));
	}
	std::string_view sysfs() const noexcept
	{
		return detail::text(pmuq_pfm_pmu_sysfs(pmu_));
	}
	std::string_view family() const noexcept
	{
		return detail::text(pmuq_pfm_pmu_family(pmu_));
	}
	std::uint32_t instance() const noexcept
	{
		return pmuq_pfm_pmu_instance(pmu_);
	}
	enum pmuq_pfm_pmu_type kind() const noexcept
	{
		return ::pmuq_pfm_pmu_kind(pmu_);
	}
	bool is_present() const noexcept
	{
		return pmuq_pfm_pmu_is_present(pmu_);
	}
	std::size_t event_count() const noexcept
	{
		return pmuq_pfm_pmu_event_count(pmu_);
	}

      private:
	const pmuq_pfm_pmu *pmu_;
};

class PfmPmus : public detail::List<pmuq_pfm_pmus, pmuq_pfm_pmus_free, PfmPmu, pmuq_pfm_pmus_count>
{
      public:
	using List::List;
};

/** A umask or modifier of an event. */
struct PfmAttribute {
	std::string_view name, description, same_as;
	enum pmuq_pfm_attribute_type kind;
	bool is_default;

	static PfmAttribute at(const pmuq_pfm_event *event, std::size_t i) noexcept
	{
		return { detail::text(pmuq_pfm_attribute_name(event, i)),
			 detail::text(pmuq_pfm_attribute_description(event, i)),
			 detail::text(pmuq_pfm_attribute_same_as(event, i)),
			 ::pmuq_pfm_attribute_kind(event, i),
			 pmuq_pfm_attribute_is_default(event, i) };
	}
};

class PfmEvent
{
      public:
	explicit PfmEvent(const pmuq_pfm_event *event) noexcept : event_(event)
	{
	}
	static PfmEvent at(const pmuq_pfm_events *events, std::size_t index) noexcept
	{
		return PfmEvent(pmuq_pfm_events_get(events, index));
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_pfm_event_name(event_));
	}
	std::string_view description() const noexcept
	{
		return detail::text(pmuq_pfm_event_description(event_));
	}
	std::string_view same_as() const noexcept
	{
		return detail::text(pmuq_pfm_event_same_as(event_));
	}
	/** None unless they were asked for. */
	auto attributes() const noexcept
	{
		return Range<const pmuq_pfm_event *, PfmAttribute, pmuq_pfm_event_attribute_count>(
			event_);
	}

      private:
	const pmuq_pfm_event *event_;
};

class PfmEvents
    : public detail::List<pmuq_pfm_events, pmuq_pfm_events_free, PfmEvent, pmuq_pfm_events_count>
{
      public:
	using List::List;
};

/** Who is asked: a helper process, started with the first question. */
class Pfm : public detail::Owner<pmuq_pfm, pmuq_pfm_free>
{
      public:
	using Owner::Owner;
	static Result<Pfm> open(const PfmOptions &options = {}) noexcept
	{
		return detail::make<Pfm, pmuq_pfm>(pmuq_pfm_open, &options);
	}
	/** The name of libpfm4's file, and its build id. */
	Result<std::pair<std::string_view, std::string_view>> library() noexcept
	{
		const char *file = nullptr, *build_id = nullptr;
		pmuq_error *error = nullptr;

		if (pmuq_pfm_library(get(), &file, &build_id, &error) < 0)
			return Error(error);
		return std::pair(detail::text(file), detail::text(build_id));
	}
	/** @param cpuid  for names without a PMU, or nullptr */
	Result<PfmAnswers> encode(const char *const *names, std::size_t n,
				  const char *cpuid = nullptr) noexcept
	{
		return detail::make<PfmAnswers, pmuq_pfm_encodings>(pmuq_pfm_encode, get(), cpuid,
								  names, n);
	}
	Result<PfmAnswers> encode(CString name, const char *cpuid = nullptr) noexcept
	{
		const char *const names[] = { name.get() };

		return encode(names, 1, cpuid);
	}
	Result<PfmPmus> pmus() noexcept
	{
		return detail::make<PfmPmus, pmuq_pfm_pmus>(pmuq_pfm_list_pmus, get());
	}
	Result<PfmEvents> events(CString pmu, bool with_attributes = false) noexcept
	{
		return detail::make<PfmEvents, pmuq_pfm_events>(pmuq_pfm_list_events, get(),
								pmu.get(), with_attributes);
	}
};

} // namespace pmuq

#endif
