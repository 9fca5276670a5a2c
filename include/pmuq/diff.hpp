/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Diffs, in C++: what changed between two machines. A diff does not need the catalogs afterwards.
 */
#ifndef PMUQ_DIFF_HPP
#define PMUQ_DIFF_HPP

#include <pmuq/catalog.hpp>
#include <pmuq/diff.h>

namespace pmuq
{

struct DiffOptions : pmuq_diff_options {
	DiffOptions() noexcept : pmuq_diff_options{}
	{
		size = sizeof(pmuq_diff_options);
	}
};

/** One thing that changed. */
class Change
{
	static std::string_view pmu_at(const pmuq_change *change, std::size_t i) noexcept
	{
		return detail::text(pmuq_change_pmu(change, i));
	}
	static std::string_view new_pmu_at(const pmuq_change *change, std::size_t i) noexcept
	{
		return detail::text(pmuq_change_new_pmu(change, i));
	}

      public:
	explicit Change(const pmuq_change *change) noexcept : change_(change)
	{
	}
	static Change at(const pmuq_diff *diff, std::size_t index) noexcept
	{
		return Change(pmuq_diff_get(diff, index));
	}
	pmuq_change_type kind() const noexcept
	{
		return pmuq_change_get_kind(change_);
	}
	/** "event-bits" */
	std::string_view kind_name() const noexcept
	{
		return detail::text(pmuq_change_kind_name(kind()));
	}
	pmuq_weight weight() const noexcept
	{
		return pmuq_change_get_weight(change_);
	}
	/** As they are called before (new ones: after); none: the host. */
	auto pmus() const noexcept
	{
		return Range<const pmuq_change *, std::string_view, pmuq_change_pmu_count,
			     &Change::pmu_at>(change_);
	}
	/** The new names of PMUs that were renamed. */
	auto new_pmus() const noexcept
	{
		return Range<const pmuq_change *, std::string_view, pmuq_change_new_pmu_count,
			     &Change::new_pmu_at>(change_);
	}
	/** Of the event, format, cap, file, fact or tracepoint. */
	std::optional<std::string_view> name() const noexcept
	{
		return detail::text_if(pmuq_change_name(change_));
	}
	std::optional<std::string_view> before() const noexcept
	{
		return detail::text_if(pmuq_change_before(change_));
	}
	std::optional<std::string_view> after() const noexcept
	{
		return detail::text_if(pmuq_change_after(change_));
	}
	/** What is set in a config word (0: config … 4: config4), before and after, if it differs.
	 */
	std::optional<std::pair<std::uint64_t, std::uint64_t>> word(unsigned word) const noexcept
	{
		std::pair<std::uint64_t, std::uint64_t> words;

		if (!pmuq_change_word(change_, word, &words.first, &words.second))
			return std::nullopt;
		return words;
	}
	/** What happened, in a sentence without the PMU's name. */
	std::string_view text() const noexcept
	{
		return detail::text(pmuq_change_text(change_));
	}

      private:
	const pmuq_change *change_;
};

/** All changes, the heaviest first. */
class Diff : public detail::List<pmuq_diff, pmuq_diff_free, Change, pmuq_diff_count>
{
      public:
	using List::List;
	static Result<Diff> of(CatalogView before, CatalogView after,
			       const DiffOptions &options = {}) noexcept
	{
		return detail::make<Diff, pmuq_diff>(pmuq_catalog_diff, before.get(), after.get(),
						     &options);
	}
	using List::size;
	std::size_t size(pmuq_weight weight) const noexcept
	{
		return pmuq_diff_weight_count(get(), weight);
	}
};

} // namespace pmuq

#endif
