/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sources, in C++: a machine to ask, read as questions come. Snapshots are opened by pmuq::Store
 * (store.hpp).
 */
#ifndef PMUQ_SOURCE_HPP
#define PMUQ_SOURCE_HPP

#include <pmuq/catalog.hpp>
#include <pmuq/source.h>

namespace pmuq
{

class Source : public detail::Owner<pmuq_source, pmuq_source_free>
{
      public:
	using Owner::Owner;
	/** This machine. */
	static Result<Source> live() noexcept
	{
		return detail::make<Source, pmuq_source>(pmuq_source_open_live);
	}
	/** A captured tree: a directory that holds sys/ and perhaps proc/. */
	static Result<Source> tree(CString dir) noexcept
	{
		return detail::make<Source, pmuq_source>(pmuq_source_open_tree, dir.get());
	}
	/** A catalog as a source, which it becomes a part of; on failure it stays where it is. */
	static Result<Source> of(Catalog &&catalog) noexcept
	{
		auto made =
			detail::make<Source, pmuq_source>(pmuq_source_open_catalog, catalog.get());

		if (made)
			catalog.release();
		return made;
	}
	bool is_live() const noexcept
	{
		return pmuq_source_is_live(get());
	}
	/** One PMU in full, by its name or alias; lives as long as the source. */
	Result<Pmu> find_pmu(CString name) noexcept
	{
		const pmuq_pmu *pmu = nullptr;
		pmuq_error *error = nullptr;

		if (pmuq_source_find_pmu(get(), name.get(), &pmu, &error) < 0)
			return Error(error);
		return Pmu(pmu);
	}
	/** A fact about the host ("cpuid"). */
	std::optional<std::string_view> fact(CString name) noexcept
	{
		return detail::text_if(pmuq_source_find_fact(get(), name.get()));
	}
	/** How many files and directories it has opened so far. */
	std::uint64_t opens() const noexcept
	{
		return pmuq_source_opens(get());
	}
	/** All that it offers; does not need the source afterwards. */
	Result<Catalog> read_catalog() noexcept
	{
		return detail::make<Catalog, pmuq_catalog>(pmuq_source_read_catalog, get());
	}
	Result<Encodings> encode(CString event, const EncodeOptions &options = {}) noexcept
	{
		return detail::make<Encodings, pmuq_encodings>(pmuq_source_encode, get(),
							       event.get(), &options);
	}
	Result<Decoding> decode(const pmuq_attr &attr, const DecodeOptions &options = {}) noexcept
	{
		return detail::make<Decoding, pmuq_decoding>(pmuq_source_decode, get(), &attr,
							     &options);
	}
};

} // namespace pmuq

#endif
