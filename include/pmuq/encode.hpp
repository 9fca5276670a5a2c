/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Encodings, in C++: what an event string means on a machine. Made by pmuq::Source and
 * pmuq::Catalog, which they must not outlive.
 */
#ifndef PMUQ_ENCODE_HPP
#define PMUQ_ENCODE_HPP

#include <pmuq/encode.h>
#include <pmuq/open.hpp>

#include <array>

namespace pmuq
{

struct EncodeOptions : pmuq_encode_options {
	EncodeOptions() noexcept : pmuq_encode_options{}
	{
		size = sizeof(pmuq_encode_options);
	}
};

/** The group that an event is in. */
struct Group {
	std::size_t leader;  /**< its index */
	std::size_t members; /**< the leader too */
	std::string_view name;
};

/** A term that only a sampling or counting tool applies. */
struct Deferred {
	std::string_view name, text;
	bool is_number;

	static Deferred at(const pmuq_encoding *encoding, std::size_t i) noexcept
	{
		return { detail::text(pmuq_encoding_deferred_name(encoding, i)),
			 detail::text(pmuq_encoding_deferred_text(encoding, i)),
			 pmuq_encoding_deferred_is_number(encoding, i) };
	}
};

/** Which term put which value where. */
class Assignment
{
      public:
	explicit Assignment(const pmuq_assignment *assignment) noexcept : assignment_(assignment)
	{
	}
	static Assignment at(const pmuq_encoding *encoding, std::size_t index) noexcept
	{
		return Assignment(pmuq_encoding_assignment(encoding, index));
	}
	std::string_view term() const noexcept
	{
		return detail::text(pmuq_assignment_term(assignment_));
	}
	std::string_view field() const noexcept
	{
		return detail::text(pmuq_assignment_field(assignment_));
	}
	std::uint64_t mask() const noexcept
	{
		return pmuq_assignment_mask(assignment_);
	}
	std::uint64_t value() const noexcept
	{
		return pmuq_assignment_value(assignment_);
	}
	/** The value before it was spread over the mask. */
	std::uint64_t number() const noexcept
	{
		return pmuq_assignment_number(assignment_);
	}
	std::optional<std::string_view> format() const noexcept
	{
		return detail::text_if(pmuq_assignment_format(assignment_));
	}
	pmuq_cause cause() const noexcept
	{
		return pmuq_assignment_cause(assignment_);
	}
	std::optional<std::string_view> event() const noexcept
	{
		return detail::text_if(pmuq_assignment_event(assignment_));
	}
	std::optional<std::string_view> origin() const noexcept
	{
		return detail::text_if(pmuq_assignment_origin(assignment_));
	}
	/** What the span points into; none: the event string. */
	std::optional<std::string_view> input() const noexcept
	{
		return detail::text_if(pmuq_assignment_input(assignment_));
	}
	std::size_t offset() const noexcept
	{
		return pmuq_assignment_offset(assignment_);
	}
	std::size_t length() const noexcept
	{
		return pmuq_assignment_length(assignment_);
	}
	bool is_overridden() const noexcept
	{
		return pmuq_assignment_is_overridden(assignment_);
	}

      private:
	const pmuq_assignment *assignment_;
};

/** One event: an attr, and what goes with it. */
class Encoding
{
	static ErrorView warning_at(const pmuq_encoding *encoding, std::size_t i) noexcept
	{
		return ErrorView(pmuq_encoding_warning(encoding, i));
	}

      public:
	explicit Encoding(const pmuq_encoding *encoding) noexcept : encoding_(encoding)
	{
	}
	static Encoding at(const pmuq_encodings *encodings, std::size_t index) noexcept
	{
		return Encoding(pmuq_encodings_get(encodings, index));
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_encoding_name(encoding_));
	}
	/** The PMU that counts it; none when the machine has none of that type. */
	std::optional<std::string_view> pmu() const noexcept
	{
		return detail::text_if(pmuq_encoding_pmu(encoding_));
	}
	pmuq_origin origin() const noexcept
	{
		return pmuq_encoding_origin(encoding_);
	}
	std::string_view origin_name() const noexcept
	{
		return detail::text(pmuq_origin_name(origin()));
	}
	/** As the system call takes it. */
	const pmuq_attr &attr() const noexcept
	{
		return *pmuq_encoding_attr(encoding_);
	}
	std::optional<std::string_view> probe_text() const noexcept
	{
		return detail::text_if(pmuq_encoding_probe_text(encoding_));
	}
	std::optional<std::string_view> probe_field() const noexcept
	{
		return detail::text_if(pmuq_encoding_probe_field(encoding_));
	}
	/** The CPUs to open it on, as a list. */
	std::string_view cpus() const noexcept
	{
		return detail::text(pmuq_encoding_cpus(encoding_));
	}
	bool needs_cpu() const noexcept
	{
		return pmuq_encoding_needs_cpu(encoding_);
	}
	std::string_view unit() const noexcept
	{
		return detail::text(pmuq_encoding_unit(encoding_));
	}
	/** The exact decimal text to multiply a count by. */
	std::string_view scale() const noexcept
	{
		return detail::text(pmuq_encoding_scale(encoding_));
	}
	bool is_per_pkg() const noexcept
	{
		return pmuq_encoding_is_per_pkg(encoding_);
	}
	bool is_snapshot() const noexcept
	{
		return pmuq_encoding_is_snapshot(encoding_);
	}
	std::optional<Group> group() const noexcept
	{
		const char *name = nullptr;
		Group group{};

		if (!pmuq_encoding_group(encoding_, &group.leader, &group.members, &name))
			return std::nullopt;
		group.name = detail::text(name);
		return group;
	}
	auto deferred() const noexcept
	{
		return Range<const pmuq_encoding *, Deferred, pmuq_encoding_deferred_count>(
			encoding_);
	}
	/** What is legal but surprising. */
	auto warnings() const noexcept
	{
		return Range<const pmuq_encoding *, ErrorView, pmuq_encoding_warning_count,
			     &Encoding::warning_at>(encoding_);
	}
	/** None unless the options asked for them. */
	auto assignments() const noexcept
	{
		return Range<const pmuq_encoding *, Assignment, pmuq_encoding_assignment_count>(
			encoding_);
	}
	const pmuq_encoding *get() const noexcept
	{
		return encoding_;
	}

      private:
	const pmuq_encoding *encoding_;
};

/** What an event string means: one string may give many. */
class Encodings
    : public detail::List<pmuq_encodings, pmuq_encodings_free, Encoding, pmuq_encodings_count>
{
      public:
	using List::List;
	/** Ask the running kernel: each is opened, never enabled, and closed at once. */
	Result<Verdicts> test_open(const OpenOptions &options = {}) const noexcept
	{
		return detail::make<Verdicts, pmuq_open_results>(pmuq_encodings_test_open, get(),
							     &options);
	}
	Result<Budget> budget(const OpenOptions &options = {}) const noexcept
	{
		Budget budget;
		pmuq_error *error = nullptr;

		if (pmuq_encodings_budget(get(), &options, &budget, &error) < 0)
			return Error(error);
		return budget;
	}
	/** Ask whether they count. */
	Result<Counts> measure(const OpenOptions &options = {}) const noexcept
	{
		return detail::make<Counts, pmuq_counts>(pmuq_encodings_measure, get(), &options);
	}
	/** Open them and keep them open, disabled. */
	Result<Opened> open(const OpenOptions &options = {}) const noexcept
	{
		return detail::make<Opened, pmuq_opened>(pmuq_encodings_open, get(), &options);
	}
};

/** A name of one of the kernel's generic events, with its room. */
using GenericName = std::array<char, PMUQ_GENERIC_NAME_MAX>;

/** The kernel's generic events by their usual names; none beyond the last. */
inline std::optional<std::string> generic_name(std::size_t index)
{
	GenericName name;

	return pmuq_generic_name(index, name.data()) ? std::optional<std::string>(name.data())
						     : std::nullopt;
}

} // namespace pmuq

#endif
