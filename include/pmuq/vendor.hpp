/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Vendors' event tables, in C++: made by pmuq::Store (store.hpp).
 */
#ifndef PMUQ_VENDOR_HPP
#define PMUQ_VENDOR_HPP

#include <pmuq/pmu.hpp>
#include <pmuq/vendor.h>

namespace pmuq
{

/** An event of a vendor's table. */
class VendorEvent
{
      public:
	explicit VendorEvent(const struct pmuq_vendor_event *event) noexcept : event_(event)
	{
	}
	static VendorEvent at(const pmuq_vendor *vendor, std::size_t index) noexcept
	{
		return VendorEvent(::pmuq_vendor_get(vendor, index));
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_vendor_event_name(event_));
	}
	std::string_view pmu() const noexcept
	{
		return detail::text(pmuq_vendor_event_pmu(event_));
	}
	std::string_view terms() const noexcept
	{
		return detail::text(pmuq_vendor_event_terms(event_));
	}
	std::string_view unit() const noexcept
	{
		return detail::text(pmuq_vendor_event_unit(event_));
	}
	std::string_view scale() const noexcept
	{
		return detail::text(pmuq_vendor_event_scale(event_));
	}
	bool is_per_pkg() const noexcept
	{
		return pmuq_vendor_event_is_per_pkg(event_);
	}
	bool is_deprecated() const noexcept
	{
		return pmuq_vendor_event_is_deprecated(event_);
	}
	std::string_view topic() const noexcept
	{
		return detail::text(pmuq_vendor_event_topic(event_));
	}
	std::string_view description() const noexcept
	{
		return detail::text(pmuq_vendor_event_description(event_));
	}
	std::string_view long_description() const noexcept
	{
		return detail::text(pmuq_vendor_event_long_description(event_));
	}
	std::string_view compat() const noexcept
	{
		return detail::text(pmuq_vendor_event_compat(event_));
	}

      private:
	const struct pmuq_vendor_event *event_;
};

/** The events of one CPU; any number of threads may use it. */
class Vendor : public detail::Owner<pmuq_vendor, pmuq_vendor_free>
{
      public:
	using Owner::Owner;
	std::string_view cpuid() const noexcept
	{
		return detail::text(pmuq_vendor_cpuid(get()));
	}
	std::string_view import() const noexcept
	{
		return detail::text(pmuq_vendor_import(get()));
	}
	std::string_view folder() const noexcept
	{
		return detail::text(pmuq_vendor_folder(get()));
	}
	std::string_view version() const noexcept
	{
		return detail::text(pmuq_vendor_version(get()));
	}
	auto events() const noexcept
	{
		return Range<const pmuq_vendor *, VendorEvent, pmuq_vendor_event_count>(get());
	}
	/** The event that a name, in any case, means on a PMU of a machine. */
	std::optional<VendorEvent> find_event(Pmu pmu, CString name) const noexcept
	{
		const auto *event = pmuq_vendor_find_event(get(), pmu.get(), name.get());

		return event ? std::optional<VendorEvent>(event) : std::nullopt;
	}
};

/** An event that was left out of an import. */
struct ImportProblem {
	std::string_view path, message;
	std::size_t line;
	pmuq_code code;
};

/** A vendor's tables, as they were imported. */
class Import
{
      public:
	Import(const pmuq_vendors *vendors, std::size_t index) noexcept
	    : vendors_(vendors), index_(index)
	{
	}
	static Import at(const pmuq_vendors *vendors, std::size_t index) noexcept
	{
		return { vendors, index };
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_vendors_name(vendors_, index_));
	}
	std::string_view directory() const noexcept
	{
		return detail::text(pmuq_vendors_directory(vendors_, index_));
	}
	std::string_view layout() const noexcept
	{
		return detail::text(pmuq_vendors_layout(vendors_, index_));
	}
	std::int64_t time_s() const noexcept
	{
		return pmuq_vendors_time_s(vendors_, index_);
	}
	std::size_t folder_count() const noexcept
	{
		return pmuq_vendors_folder_count(vendors_, index_);
	}
	std::size_t cpu_count() const noexcept
	{
		return pmuq_vendors_cpu_count(vendors_, index_);
	}
	std::size_t event_count() const noexcept
	{
		return pmuq_vendors_event_count(vendors_, index_);
	}
	std::size_t metric_count() const noexcept
	{
		return pmuq_vendors_metric_count(vendors_, index_);
	}
	auto problems() const noexcept
	{
		return Range<Import, ImportProblem, Import::problem_count, &Import::problem_at>(
			*this);
	}

      private:
	static std::size_t problem_count(Import i) noexcept
	{
		return pmuq_vendors_problem_count(i.vendors_, i.index_);
	}
	static ImportProblem problem_at(Import i, std::size_t n) noexcept
	{
		return { detail::text(pmuq_vendors_problem_path(i.vendors_, i.index_, n)),
			 detail::text(pmuq_vendors_problem_message(i.vendors_, i.index_, n)),
			 pmuq_vendors_problem_line(i.vendors_, i.index_, n),
			 pmuq_vendors_problem_code(i.vendors_, i.index_, n) };
	}

	const pmuq_vendors *vendors_;
	std::size_t index_;
};

class Imports : public detail::List<pmuq_vendors, pmuq_vendors_free, Import, pmuq_vendors_count>
{
      public:
	using List::List;
};

/** An event that a search found. */
struct Found {
	std::string_view folders, pmu, name;
	pmuq_match match;
	bool is_libpfm4, is_deprecated;
	std::optional<std::string_view> terms; /**< none where the CPUs that have it differ */
	std::string_view topic, description, long_description;

	static Found at(const pmuq_found *found, std::size_t i) noexcept
	{
		return { detail::text(pmuq_found_folders(found, i)),
			 detail::text(pmuq_found_pmu(found, i)),
			 detail::text(pmuq_found_name(found, i)),
			 pmuq_found_match(found, i),
			 pmuq_found_is_libpfm4(found, i),
			 pmuq_found_is_deprecated(found, i),
			 detail::text_if(pmuq_found_terms(found, i)),
			 detail::text(pmuq_found_topic(found, i)),
			 detail::text(pmuq_found_description(found, i)),
			 detail::text(pmuq_found_long_description(found, i)) };
	}
};

class Findings : public detail::List<pmuq_found, pmuq_found_free, Found, pmuq_found_count>
{
      public:
	using List::List;
};

} // namespace pmuq

#endif
