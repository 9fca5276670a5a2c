/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the running kernel says, in C++: verdicts, counts, and events that stay open. All are made
 * by pmuq::Encodings (encode.hpp).
 */
#ifndef PMUQ_OPEN_HPP
#define PMUQ_OPEN_HPP

#include <pmuq/open.h>
#include <pmuq/opened.h>
#include <pmuq/result.hpp>

#include <vector>

namespace pmuq
{

/** What to open for: this task, unless something is set. */
struct OpenOptions : pmuq_open_options {
	OpenOptions() noexcept : pmuq_open_options{}
	{
		size = sizeof(pmuq_open_options);
	}
};

/** What an event counted, summed over its CPUs. */
struct Reading : pmuq_value {
	Reading() noexcept : pmuq_value{}
	{
		size = sizeof(pmuq_value);
	}
};
static_assert(sizeof(Reading) == sizeof(pmuq_value), "an array of one is an array of the other");

/** How many descriptors it takes to keep all events open. */
struct Budget : pmuq_budget {
	Budget() noexcept : pmuq_budget{}
	{
		size = sizeof(pmuq_budget);
	}
	bool fits() const noexcept
	{
		return pmuq_budget_fits(this);
	}
	std::string text() const
	{
		return detail::owned_text(pmuq_budget_text(this));
	}
};

/** What the page that the kernel maps for an event says. */
struct Page : pmuq_page {
	Page() noexcept : pmuq_page{}
	{
		pmuq_page::size = sizeof(pmuq_page);
	}
};

/** What the kernel said to an event. */
class Verdict
{
      public:
	Verdict(const pmuq_open_results *verdicts, std::size_t index) noexcept
	    : verdicts_(verdicts), index_(index)
	{
	}
	static Verdict at(const pmuq_open_results *verdicts, std::size_t index) noexcept
	{
		return { verdicts, index };
	}
	pmuq_open_status status() const noexcept
	{
		return pmuq_verdict_status(verdicts_, index_);
	}
	bool is_open() const noexcept
	{
		return status() == PMUQ_OPENED;
	}
	int pid() const noexcept
	{
		return pmuq_verdict_pid(verdicts_, index_);
	}
	std::string_view cpus() const noexcept
	{
		return detail::text(pmuq_verdict_cpus(verdicts_, index_));
	}
	/** The errno of a refusal, else 0. */
	int error_number() const noexcept
	{
		return pmuq_verdict_errno(verdicts_, index_);
	}
	/** The reason's name, stable for ever: "paranoid-kernel". */
	std::optional<std::string_view> name() const noexcept
	{
		return detail::text_if(pmuq_verdict_name(verdicts_, index_));
	}
	std::optional<std::string_view> reason() const noexcept
	{
		return detail::text_if(pmuq_verdict_reason(verdicts_, index_));
	}
	std::optional<std::string_view> hint() const noexcept
	{
		return detail::text_if(pmuq_verdict_hint(verdicts_, index_));
	}
	/** The smallest change that opens, as tried. */
	std::optional<std::string_view> change() const noexcept
	{
		return detail::text_if(pmuq_verdict_change(verdicts_, index_));
	}
	/** What that change is made of, by name. */
	auto steps() const noexcept
	{
		return Range<Verdict, std::string_view, Verdict::step_count, &Verdict::step_at>(
			*this);
	}
	/** The attr that opened after the change, or nullptr. */
	const pmuq_attr *changed_attr() const noexcept
	{
		return pmuq_verdict_changed_attr(verdicts_, index_);
	}

      private:
	static std::size_t step_count(Verdict v) noexcept
	{
		return pmuq_verdict_step_count(v.verdicts_, v.index_);
	}
	static std::string_view step_at(Verdict v, std::size_t step) noexcept
	{
		return detail::text(pmuq_verdict_step(v.verdicts_, v.index_, step));
	}

	const pmuq_open_results *verdicts_;
	std::size_t index_;
};

using VerdictRange = Range<const pmuq_open_results *, Verdict, pmuq_verdicts_count>;

/** One verdict an encoding. */
class Verdicts
    : public detail::List<pmuq_open_results, pmuq_verdicts_free, Verdict, pmuq_verdicts_count>
{
      public:
	using List::List;
};

/** Whether an event counts. */
class Count
{
      public:
	Count(const pmuq_counts *counts, std::size_t index) noexcept
	    : counts_(counts), index_(index)
	{
	}
	static Count at(const pmuq_counts *counts, std::size_t index) noexcept
	{
		return { counts, index };
	}
	pmuq_counting status() const noexcept
	{
		return pmuq_count_status(counts_, index_);
	}
	/** Of the status: "never-scheduled". */
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_counting_name(status()));
	}
	int error_number() const noexcept
	{
		return pmuq_count_errno(counts_, index_);
	}
	/** None when it was not counted. */
	std::optional<Reading> reading() const noexcept
	{
		Reading reading;

		return pmuq_count_reading(counts_, index_, &reading)
			       ? std::optional<Reading>(reading)
			       : std::nullopt;
	}
	/** None when it was not asked for. */
	std::optional<Page> page() const noexcept
	{
		Page page;

		return pmuq_count_page(counts_, index_, &page) ? std::optional<Page>(page)
							       : std::nullopt;
	}
	std::optional<std::string_view> page_reason() const noexcept
	{
		return detail::text_if(pmuq_count_page_reason(counts_, index_));
	}
	struct Group {
		std::size_t parts;		    /**< how many groups its members fit in */
		std::optional<std::size_t> breaker; /**< the first that did not fit */
		std::optional<std::size_t> part;    /**< which part it fits into */
	};
	/** About its group; none when it is in no group. */
	std::optional<Group> group() const noexcept
	{
		std::size_t parts = 0, breaker = 0;

		if (!pmuq_counts_group(counts_, index_, &parts, &breaker))
			return std::nullopt;
		return Group{ parts, detail::index_if(breaker),
			      detail::index_if(pmuq_count_part(counts_, index_)) };
	}

      private:
	const pmuq_counts *counts_;
	std::size_t index_;
};

/** One count an encoding. */
class Counts : public detail::List<pmuq_counts, pmuq_counts_free, Count, pmuq_counts_count>
{
      public:
	using List::List;
};

/** Events that stay open until the end of its scope. */
class Opened : public detail::Owner<pmuq_opened, pmuq_opened_free>
{
      public:
	using Owner::Owner;
	/** As many as there were encodings, opened or not. */
	std::size_t size() const noexcept
	{
		return pmuq_opened_count(get());
	}
	/** What the kernel said to each; lives with it. */
	VerdictRange verdicts() const noexcept
	{
		return VerdictRange(pmuq_opened_verdicts(get()));
	}
	Result<void> enable() noexcept
	{
		return detail::call(pmuq_opened_enable, get());
	}
	Result<void> disable() noexcept
	{
		return detail::call(pmuq_opened_disable, get());
	}
	Result<void> reset() noexcept
	{
		return detail::call(pmuq_opened_reset, get());
	}
	/** The sum over its places. */
	Result<Reading> read(std::size_t index) const noexcept
	{
		Reading reading;
		pmuq_error *error = nullptr;

		if (pmuq_opened_read(get(), index, &reading, &error) < 0)
			return Error(error);
		return reading;
	}
	/** In one of its places. */
	Result<Reading> read_at(std::size_t index, std::size_t place) const noexcept
	{
		Reading reading;
		pmuq_error *error = nullptr;

		if (pmuq_opened_read_at(get(), index, place, &reading, &error) < 0)
			return Error(error);
		return reading;
	}
	/** All of them, each group by one system call, into room for n. */
	Result<void> read_all(Reading *ret, std::size_t n) const noexcept
	{
		pmuq_error *error = nullptr;

		if (pmuq_opened_read_all(get(), ret, n, &error) < 0)
			return Error(error);
		return {};
	}
	Result<std::vector<Reading>> read_all() const
	{
		std::vector<Reading> readings(size());
		Result<void> done = read_all(readings.data(), readings.size());

		if (!done)
			return std::move(done).error();
		return readings;
	}
	/** In how many places it is open. */
	std::size_t place_count(std::size_t index) const noexcept
	{
		return pmuq_opened_place_count(get(), index);
	}
	/** The CPU of a place; -1: any. */
	int cpu(std::size_t index, std::size_t place) const noexcept
	{
		return pmuq_opened_cpu(get(), index, place);
	}
	/** To be mapped or polled, not closed. */
	int fd(std::size_t index, std::size_t place) const noexcept
	{
		return pmuq_opened_fd(get(), index, place);
	}
	std::uint64_t id(std::size_t index, std::size_t place) const noexcept
	{
		return pmuq_opened_id(get(), index, place);
	}
	std::uint64_t read_format(std::size_t index) const noexcept
	{
		return pmuq_opened_read_format(get(), index);
	}
};

} // namespace pmuq

#endif
