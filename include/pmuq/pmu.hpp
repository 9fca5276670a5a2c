/* SPDX-License-Identifier: MIT */
/**
 * @file
 * PMUs, and what they consist of, in C++. Views: they live as long as the catalog or source.
 */
#ifndef PMUQ_PMU_HPP
#define PMUQ_PMU_HPP

#include <pmuq/catalog.h>
#include <pmuq/result.hpp>

namespace pmuq
{

/** A name and what stands there: a fact of the host, a cap or a plain file of a PMU. */
struct Pair {
	std::string_view name, text;
};

/** Which bits of the attr a term's value goes to. */
class Format
{
      public:
	explicit Format(const pmuq_format *format) noexcept : format_(format)
	{
	}
	static Format at(const pmuq_pmu *pmu, std::size_t index) noexcept
	{
		return Format(pmuq_pmu_format(pmu, index));
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_format_name(format_));
	}
	/** As the kernel wrote it: "config1:0-7,32-35". */
	std::string_view text() const noexcept
	{
		return detail::text(pmuq_format_text(format_));
	}
	/** 0 for config … 4 for config4; -1 when the text names no word that pmuq knows. */
	int word() const noexcept
	{
		return pmuq_format_word(format_);
	}
	std::uint64_t mask() const noexcept
	{
		return pmuq_format_mask(format_);
	}

      private:
	const pmuq_format *format_;
};

/** An event that a PMU names in its directory events/. */
class Event
{
      public:
	explicit Event(const pmuq_event *event) noexcept : event_(event)
	{
	}
	static Event at(const pmuq_pmu *pmu, std::size_t index) noexcept
	{
		return Event(pmuq_pmu_event(pmu, index));
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_event_name(event_));
	}
	std::string_view terms() const noexcept
	{
		return detail::text(pmuq_event_terms(event_));
	}
	std::string_view unit() const noexcept
	{
		return detail::text(pmuq_event_unit(event_));
	}
	/** The exact decimal text to multiply a count by. */
	std::string_view scale() const noexcept
	{
		return detail::text(pmuq_event_scale(event_));
	}
	bool is_per_pkg() const noexcept
	{
		return pmuq_event_is_per_pkg(event_);
	}
	bool is_snapshot() const noexcept
	{
		return pmuq_event_is_snapshot(event_);
	}

      private:
	const pmuq_event *event_;
};

/** The files of a PMU's directory that pmuq knows, by index; NULL after the last. */
inline const pmuq_pmu_file *pmu_file(std::size_t index) noexcept
{
	return pmuq_pmu_file_at(index);
}

class Pmu
{
	static Pair cap_at(const pmuq_pmu *pmu, std::size_t i) noexcept
	{
		return { detail::text(pmuq_pmu_cap_name(pmu, i)),
			 detail::text(pmuq_pmu_cap_text(pmu, i)) };
	}
	static Pair attribute_at(const pmuq_pmu *pmu, std::size_t i) noexcept
	{
		return { detail::text(pmuq_pmu_attribute_name(pmu, i)),
			 detail::text(pmuq_pmu_attribute_text(pmu, i)) };
	}

      public:
	explicit Pmu(const pmuq_pmu *pmu) noexcept : pmu_(pmu)
	{
	}
	static Pmu at(const pmuq_catalog *catalog, std::size_t index) noexcept
	{
		return Pmu(pmuq_catalog_pmu(catalog, index));
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_pmu_name(pmu_));
	}
	std::optional<std::string_view> alias() const noexcept
	{
		return detail::text_if(pmuq_pmu_alias(pmu_));
	}
	/** perf_event_attr.type, where the machine tells it. */
	std::optional<std::uint32_t> type() const noexcept
	{
		std::uint32_t type = 0;

		return pmuq_pmu_type(pmu_, &type) ? std::optional<std::uint32_t>(type)
						  : std::nullopt;
	}
	/** The CPUs to open events on, as a list ("0,8"). */
	std::string_view cpus() const noexcept
	{
		return detail::text(pmuq_pmu_cpus(pmu_));
	}
	std::optional<std::string_view> cpumask() const noexcept
	{
		return detail::text_if(pmuq_pmu_cpumask(pmu_));
	}
	/** The content of a plain file of the directory: "cpumask", "caps/max_precise". */
	std::optional<std::string_view> file(CString path) const noexcept
	{
		return detail::text_if(pmuq_pmu_file_text(pmu_, path.get()));
	}
	bool is_core() const noexcept
	{
		return pmuq_pmu_is_core(pmu_);
	}
	bool is_uncore() const noexcept
	{
		return pmuq_pmu_is_uncore(pmu_);
	}
	/** The same for PMUs of one catalog with the same formats, events and caps. */
	std::uint64_t kind() const noexcept
	{
		return pmuq_pmu_kind(pmu_);
	}
	auto formats() const noexcept
	{
		return Range<const pmuq_pmu *, Format, pmuq_pmu_format_count>(pmu_);
	}
	auto events() const noexcept
	{
		return Range<const pmuq_pmu *, Event, pmuq_pmu_event_count>(pmu_);
	}
	auto caps() const noexcept
	{
		return Range<const pmuq_pmu *, Pair, pmuq_pmu_cap_count, &Pmu::cap_at>(pmu_);
	}
	/** Plain files of its directory that have no place of their own here. */
	auto attributes() const noexcept
	{
		return Range<const pmuq_pmu *, Pair, pmuq_pmu_attribute_count, &Pmu::attribute_at>(
			pmu_);
	}
	const pmuq_pmu *get() const noexcept
	{
		return pmu_;
	}

      private:
	const pmuq_pmu *pmu_;
};

} // namespace pmuq

#endif
