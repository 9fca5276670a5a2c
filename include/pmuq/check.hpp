/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Checks, in C++: what the running kernel says of every event of a machine. Begun by
 * pmuq::Catalog, which must outlive the last step.
 */
#ifndef PMUQ_CHECK_HPP
#define PMUQ_CHECK_HPP

#include <pmuq/check.h>
#include <pmuq/result.hpp>

namespace pmuq
{

/** What the kernel said to an event of a PMU. */
class Answer
{
      public:
	explicit Answer(const pmuq_check_result *answer) noexcept : answer_(answer)
	{
	}
	static Answer at(const pmuq_check *check, std::size_t index) noexcept
	{
		return Answer(pmuq_check_get(check, index));
	}
	std::string_view pmu() const noexcept
	{
		return detail::text(pmuq_answer_pmu(answer_));
	}
	std::string_view event() const noexcept
	{
		return detail::text(pmuq_answer_event(answer_));
	}
	/** The event string that was opened. */
	std::string_view string() const noexcept
	{
		return detail::text(pmuq_answer_string(answer_));
	}
	pmuq_open_status status() const noexcept
	{
		return pmuq_answer_status(answer_);
	}
	std::optional<std::string_view> cpus() const noexcept
	{
		return detail::text_if(pmuq_answer_cpus(answer_));
	}
	int error_number() const noexcept
	{
		return pmuq_answer_errno(answer_);
	}
	std::optional<std::string_view> name() const noexcept
	{
		return detail::text_if(pmuq_answer_name(answer_));
	}
	std::optional<std::string_view> reason() const noexcept
	{
		return detail::text_if(pmuq_answer_reason(answer_));
	}
	std::optional<std::string_view> hint() const noexcept
	{
		return detail::text_if(pmuq_answer_hint(answer_));
	}
	std::optional<std::string_view> change() const noexcept
	{
		return detail::text_if(pmuq_answer_change(answer_));
	}

      private:
	const pmuq_check_result *answer_;
};

/** A check that belongs to somebody else. */
class CheckView
{
	using All = Range<const pmuq_check *, Answer, pmuq_check_count>;

      public:
	explicit CheckView(const pmuq_check *check) noexcept : check_(check)
	{
	}
	/** How many events were asked for, and how many there are. */
	std::size_t size() const noexcept
	{
		return pmuq_check_count(check_);
	}
	std::size_t total() const noexcept
	{
		return pmuq_check_total(check_);
	}
	auto begin() const noexcept
	{
		return All(check_).begin();
	}
	auto end() const noexcept
	{
		return All(check_).end();
	}
	std::int64_t time_s() const noexcept
	{
		return pmuq_check_time_s(check_);
	}
	std::optional<std::string_view> kernel() const noexcept
	{
		return detail::text_if(pmuq_check_kernel(check_));
	}
	std::optional<Answer> find(CString pmu, CString event) const noexcept
	{
		const pmuq_check_result *answer = pmuq_check_find(check_, pmu.get(), event.get());

		return answer ? std::optional<Answer>(answer) : std::nullopt;
	}
	const pmuq_check *get() const noexcept
	{
		return check_;
	}

      private:
	const pmuq_check *check_;
};

class Check : public detail::Owner<pmuq_check, pmuq_check_free>
{
      public:
	using Owner::Owner;
	/** What is known so far. */
	CheckView view() const noexcept
	{
		return CheckView(get());
	}
	/** What will be opened next; none when all is done. */
	std::optional<std::string_view> upcoming() const noexcept
	{
		return detail::text_if(pmuq_check_upcoming(get()));
	}
	/** Ask for the next event. */
	Result<void> step() noexcept
	{
		return detail::call(pmuq_check_next, get());
	}
};

} // namespace pmuq

#ifdef __cpp_lib_ranges
template <> inline constexpr bool std::ranges::enable_borrowed_range<pmuq::CheckView> = true;
template <> inline constexpr bool std::ranges::enable_view<pmuq::CheckView> = true;
#endif

#endif
