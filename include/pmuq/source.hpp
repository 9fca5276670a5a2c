/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sources, in C++: a machine to ask, read as questions come. Snapshots are opened by pmuq::Store
 * (store.hpp).
 */
#ifndef PMUQ_SOURCE_HPP
#define PMUQ_SOURCE_HPP

#include <pmuq/catalog.hpp>
#include <pmuq/names.hpp>
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
	/** A captured tree: a directory that holds sys/ and perhaps proc/, or a tar of one. */
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
	/** The names of all PMUs that begin with `head`, read without the PMUs themselves. */
	Result<Names> pmu_names(CString head = "") noexcept
	{
		return detail::make<Names, pmuq_names>(pmuq_source_list_pmus, get(), head.get());
	}
	/** Of the events of all PMUs, each once. */
	Result<Names> event_names(CString head = "") noexcept
	{
		return detail::make<Names, pmuq_names>(pmuq_source_list_events, get(), head.get());
	}
	/** "sched:sched_switch"; those whose number can be read. */
	Result<Names> tracepoint_names(CString head = "") noexcept
	{
		return detail::make<Names, pmuq_names>(pmuq_source_list_tracepoints, get(),
						       head.get());
	}
	/**
	 * Whether the machine has become another one since the last time, or this is the first;
	 * what was handed out before stays as it was.
	 */
	Result<bool> refresh() noexcept
	{
		pmuq_error *error = nullptr;
		bool is_changed = false;

		if (pmuq_source_refresh(get(), &is_changed, &error) < 0)
			return Error(error);
		return is_changed;
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
