/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Catalogs, in C++: all that a machine offers, in memory, immutable; any number of threads may use
 * one. Made by pmuq::Source.
 */
#ifndef PMUQ_CATALOG_HPP
#define PMUQ_CATALOG_HPP

#include <pmuq/check.hpp>
#include <pmuq/decode.hpp>
#include <pmuq/encode.hpp>
#include <pmuq/pmu.hpp>

namespace pmuq
{

/** What could not be read or understood, and why. */
struct Problem {
	std::string_view path, message;
	pmuq_code code;

	static Problem at(const pmuq_catalog *catalog, std::size_t i) noexcept
	{
		return { detail::text(pmuq_catalog_problem_path(catalog, i)),
			 detail::text(pmuq_catalog_problem_message(catalog, i)),
			 pmuq_catalog_problem_code(catalog, i) };
	}
};

/** A catalog that belongs to somebody else. */
class CatalogView
{
	static Pair fact_at(const pmuq_catalog *catalog, std::size_t i) noexcept
	{
		return { detail::text(pmuq_catalog_fact_name(catalog, i)),
			 detail::text(pmuq_catalog_fact_text(catalog, i)) };
	}

      public:
	explicit CatalogView(const pmuq_catalog *catalog) noexcept : catalog_(catalog)
	{
	}
	auto facts() const noexcept
	{
		return Range<const pmuq_catalog *, Pair, pmuq_catalog_fact_count,
			     &CatalogView::fact_at>(catalog_);
	}
	std::optional<std::string_view> fact(CString name) const noexcept
	{
		return detail::text_if(pmuq_catalog_find_fact(catalog_, name.get()));
	}
	bool is_live() const noexcept
	{
		return pmuq_catalog_is_live(catalog_);
	}
	auto pmus() const noexcept
	{
		return Range<const pmuq_catalog *, Pmu, pmuq_catalog_pmu_count>(catalog_);
	}
	/** By name or alias; case matters. */
	std::optional<Pmu> find_pmu(CString name) const noexcept
	{
		const pmuq_pmu *pmu = pmuq_catalog_find_pmu(catalog_, name.get());

		return pmu ? std::optional<Pmu>(pmu) : std::nullopt;
	}
	auto problems() const noexcept
	{
		return Range<const pmuq_catalog *, Problem, pmuq_catalog_problem_count>(catalog_);
	}
	/** What is known of a stored machine: its last check. */
	std::optional<CheckView> check() const noexcept
	{
		const pmuq_check *check = pmuq_catalog_check(catalog_);

		return check ? std::optional<CheckView>(check) : std::nullopt;
	}
	Result<Encodings> encode(CString event, const EncodeOptions &options = {}) const noexcept
	{
		return detail::make<Encodings, pmuq_encodings>(pmuq_catalog_encode, catalog_,
							       event.get(), &options);
	}
	Result<Decoding> decode(const pmuq_attr &attr,
				const DecodeOptions &options = {}) const noexcept
	{
		return detail::make<Decoding, pmuq_decoding>(pmuq_catalog_decode, catalog_, &attr,
							     &options);
	}
	/** Begin to ask the running kernel for every event. */
	Result<Check> begin_check(std::int64_t time_s) const noexcept
	{
		return detail::make<Check, pmuq_check>(pmuq_check_begin, catalog_, time_s);
	}
	const pmuq_catalog *get() const noexcept
	{
		return catalog_;
	}

      private:
	const pmuq_catalog *catalog_;
};

class Catalog : public detail::Owner<pmuq_catalog, pmuq_catalog_free>
{
      public:
	using Owner::Owner;
	CatalogView view() const noexcept
	{
		return CatalogView(get());
	}
	auto facts() const noexcept
	{
		return view().facts();
	}
	std::optional<std::string_view> fact(CString name) const noexcept
	{
		return view().fact(name);
	}
	bool is_live() const noexcept
	{
		return view().is_live();
	}
	auto pmus() const noexcept
	{
		return view().pmus();
	}
	std::optional<Pmu> find_pmu(CString name) const noexcept
	{
		return view().find_pmu(name);
	}
	auto problems() const noexcept
	{
		return view().problems();
	}
	std::optional<CheckView> check() const noexcept
	{
		return view().check();
	}
	Result<Encodings> encode(CString event, const EncodeOptions &options = {}) const noexcept
	{
		return view().encode(event, options);
	}
	Result<Decoding> decode(const pmuq_attr &attr,
				const DecodeOptions &options = {}) const noexcept
	{
		return view().decode(attr, options);
	}
	Result<Check> begin_check(std::int64_t time_s) const noexcept
	{
		return view().begin_check(time_s);
	}
};

} // namespace pmuq

#endif
