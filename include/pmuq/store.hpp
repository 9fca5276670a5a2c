/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Stores, in C++: snapshots of machines, and vendors' tables, in a database.
 */
#ifndef PMUQ_STORE_HPP
#define PMUQ_STORE_HPP

#include <pmuq/libpfm4.hpp>
#include <pmuq/source.hpp>
#include <pmuq/store.h>
#include <pmuq/vendor.hpp>

namespace pmuq
{

/** What became of a catalog that was saved. */
struct Saved : pmuq_saved {
	Saved() noexcept : pmuq_saved{}
	{
		size = sizeof(pmuq_saved);
	}
};

struct HostsFilter : pmuq_hosts_filter {
	HostsFilter() noexcept : pmuq_hosts_filter{}
	{
		size = sizeof(pmuq_hosts_filter);
	}
};

struct ForgetOptions : pmuq_forget_options {
	ForgetOptions() noexcept : pmuq_forget_options{}
	{
		size = sizeof(pmuq_forget_options);
	}
};

/** What was forgotten. */
struct Forgotten : pmuq_forgotten {
	Forgotten() noexcept : pmuq_forgotten{}
	{
		size = sizeof(pmuq_forgotten);
	}
};

/** How a machine was, for some time. */
class Snapshot
{
      public:
	Snapshot(const pmuq_hosts *hosts, std::size_t host, std::size_t index) noexcept
	    : hosts_(hosts), host_(host), index_(index)
	{
	}
	/** Its number in the store. */
	std::int64_t number() const noexcept
	{
		return pmuq_hosts_snapshot_number(hosts_, host_, index_);
	}
	/** Seconds since 1970. */
	std::int64_t first_seen() const noexcept
	{
		return pmuq_hosts_first_seen(hosts_, host_, index_);
	}
	std::int64_t last_seen() const noexcept
	{
		return pmuq_hosts_last_seen(hosts_, host_, index_);
	}
	std::optional<std::string_view> kernel() const noexcept
	{
		return detail::text_if(pmuq_hosts_kernel(hosts_, host_, index_));
	}
	/** A fact that machines may share ("cpuid"). */
	std::optional<std::string_view> fact(CString name) const noexcept
	{
		return detail::text_if(pmuq_hosts_fact(hosts_, host_, index_, name.get()));
	}
	bool is_checked() const noexcept
	{
		return pmuq_hosts_is_checked(hosts_, host_, index_);
	}

      private:
	const pmuq_hosts *hosts_;
	std::size_t host_, index_;
};

class Host
{
      public:
	Host(const pmuq_hosts *hosts, std::size_t index) noexcept : hosts_(hosts), index_(index)
	{
	}
	static Host at(const pmuq_hosts *hosts, std::size_t index) noexcept
	{
		return { hosts, index };
	}
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_hosts_name(hosts_, index_));
	}
	std::optional<std::string_view> machine_id() const noexcept
	{
		return detail::text_if(pmuq_hosts_machine_id(hosts_, index_));
	}
	/** Those in the list, oldest first; one at least. */
	auto snapshots() const noexcept
	{
		return Range<Host, Snapshot, Host::snapshot_count, &Host::snapshot_at>(*this);
	}
	/** How many the store has of it. */
	std::size_t kept_count() const noexcept
	{
		return pmuq_hosts_kept_count(hosts_, index_);
	}
	/** The index of its kind. */
	std::optional<std::size_t> kind() const noexcept
	{
		return detail::index_if(pmuq_hosts_kind(hosts_, index_));
	}
	/** Which of the checks of its kind it has; none when it was not checked. */
	std::optional<std::size_t> check() const noexcept
	{
		return detail::index_if(pmuq_hosts_check(hosts_, index_));
	}

      private:
	static std::size_t snapshot_count(Host h) noexcept
	{
		return pmuq_hosts_snapshot_count(h.hosts_, h.index_);
	}
	static Snapshot snapshot_at(Host h, std::size_t i) noexcept
	{
		return { h.hosts_, h.index_, i };
	}

	const pmuq_hosts *hosts_;
	std::size_t index_;
};

/** Hosts that give the same answers to every event string. */
class Kind
{
      public:
	Kind(const pmuq_hosts *hosts, std::size_t index) noexcept : hosts_(hosts), index_(index)
	{
	}
	static Kind at(const pmuq_hosts *hosts, std::size_t index) noexcept
	{
		return { hosts, index };
	}
	/** Eight hex digits: the same in every store. */
	std::string_view name() const noexcept
	{
		return detail::text(pmuq_hosts_kind_name(hosts_, index_));
	}
	auto hosts() const noexcept
	{
		return Range<Kind, Host, Kind::host_count, &Kind::host_at>(*this);
	}
	/** For each different answer of the kernels, a host that has it. */
	auto check_hosts() const noexcept
	{
		return Range<Kind, Host, Kind::check_count, &Kind::check_at>(*this);
	}

      private:
	static std::size_t host_count(Kind k) noexcept
	{
		return pmuq_hosts_kind_host_count(k.hosts_, k.index_);
	}
	static Host host_at(Kind k, std::size_t i) noexcept
	{
		return { k.hosts_, pmuq_hosts_kind_host(k.hosts_, k.index_, i) };
	}
	static std::size_t check_count(Kind k) noexcept
	{
		return pmuq_hosts_kind_check_count(k.hosts_, k.index_);
	}
	static Host check_at(Kind k, std::size_t i) noexcept
	{
		return { k.hosts_, pmuq_hosts_kind_check_host(k.hosts_, k.index_, i) };
	}

	const pmuq_hosts *hosts_;
	std::size_t index_;
};

/** Hosts by name. */
class Hosts : public detail::List<pmuq_hosts, pmuq_hosts_free, Host, pmuq_hosts_count>
{
      public:
	using List::List;
	/** The one with most hosts first. */
	auto kinds() const noexcept
	{
		return Range<const pmuq_hosts *, Kind, pmuq_hosts_kind_count>(get());
	}
	/** How many hosts a glob of the filter matched. */
	std::size_t matched(std::size_t glob) const noexcept
	{
		return pmuq_hosts_matched(get(), glob);
	}
};

class Store : public detail::Owner<pmuq_store, pmuq_store_free>
{
      public:
	using Owner::Owner;
	static Result<Store> open(CString path, pmuq_store_mode mode = PMUQ_STORE_READ) noexcept
	{
		return detail::make<Store, pmuq_store>(pmuq_store_open, path.get(), mode);
	}
	/** A machine as a source, which does not need the store; 0: its newest snapshot. */
	Result<Source> open_host(CString name, std::int64_t snapshot = 0) noexcept
	{
		return detail::make<Source, pmuq_source>(pmuq_store_open_host, get(), name.get(),
							 snapshot);
	}
	/** The number of the snapshot that a number, a date or a kernel means. */
	Result<std::int64_t> find_snapshot(CString name, CString when) noexcept
	{
		std::int64_t number = 0;
		pmuq_error *error = nullptr;

		if (pmuq_store_find_snapshot(get(), name.get(), when.get(), &number, &error) < 0)
			return Error(error);
		return number;
	}
	Result<Hosts> hosts(const HostsFilter &filter = {}) noexcept
	{
		return detail::make<Hosts, pmuq_hosts>(pmuq_store_list_hosts, get(), &filter);
	}
	/**
	 * Keep a catalog as a snapshot, with what a check of it found.
	 *
	 * @param name  of the host; nullptr: the catalog's hostname
	 */
	Result<Saved> save(CatalogView catalog, const char *name, std::int64_t time_s,
			   const Check *check = nullptr) noexcept
	{
		Saved saved;
		pmuq_error *error = nullptr;

		if (pmuq_store_save(get(), catalog.get(), check ? check->get() : nullptr,
					    name, time_s, &saved, &error) < 0)
			return Error(error);
		return saved;
	}
	Result<Saved> save(const Catalog &catalog, const char *name, std::int64_t time_s,
			   const Check *check = nullptr) noexcept
	{
		return save(catalog.view(), name, time_s, check);
	}
	/** Between these two, what is saved is saved together. */
	Result<void> begin_transaction() noexcept
	{
		return detail::call(pmuq_store_begin, get());
	}
	Result<void> commit() noexcept
	{
		return detail::call(pmuq_store_commit, get());
	}
	void roll_back() noexcept
	{
		pmuq_store_roll_back(get());
	}
	/** What the check of a snapshot found; empty when it was not checked. */
	Result<Check> read_check(CString name, std::int64_t snapshot = 0) noexcept
	{
		return detail::make<Check, pmuq_check>(pmuq_store_read_check, get(), name.get(),
						       snapshot);
	}
	/** The last check of this very machine; empty when there is none. */
	Result<Check> find_check(CatalogView catalog) noexcept
	{
		return detail::make<Check, pmuq_check>(pmuq_store_find_check, get(), catalog.get());
	}
	Result<void> rename_host(CString name, CString new_name) noexcept
	{
		return detail::call(pmuq_store_rename_host, get(), name.get(), new_name.get());
	}
	/** As pmuq_store_forget(). */
	Result<Forgotten> forget(const char *const *names, const std::int64_t *snapshots,
				 std::size_t n, const ForgetOptions &options) noexcept
	{
		Forgotten forgotten;
		pmuq_error *error = nullptr;

		if (pmuq_store_forget(get(), names, snapshots, n, &options, &forgotten, &error) < 0)
			return Error(error);
		return forgotten;
	}
	/** The imported events of one CPU. */
	Result<Vendor> open_vendor(CString cpuid) noexcept
	{
		return detail::make<Vendor, pmuq_vendor>(pmuq_store_open_vendor, get(),
							 cpuid.get());
	}
	Result<Imports> imports() noexcept
	{
		return detail::make<Imports, pmuq_vendors>(pmuq_store_list_vendors, get());
	}
	/** @param name  of the import; nullptr: as the tree is */
	Result<Imports> import_vendor(CString dir, const char *name, std::int64_t time_s) noexcept
	{
		return detail::make<Imports, pmuq_vendors>(pmuq_store_import_vendor, get(),
							   dir.get(), name, time_s);
	}
	Result<Imports> import_pfm(Pfm &pfm, const char *name, std::int64_t time_s) noexcept
	{
		return detail::make<Imports, pmuq_vendors>(pmuq_store_import_pfm, get(), pfm.get(),
							   name, time_s);
	}
	Result<void> remove_vendor(CString name) noexcept
	{
		return detail::call(pmuq_store_remove_vendor, get(), name.get());
	}
	/** Events of all imported tables by words, best first. */
	Result<Findings> search(CString words, std::size_t limit = 20) noexcept
	{
		return detail::make<Findings, pmuq_found>(pmuq_store_search, get(), words.get(),
							  limit);
	}
};

} // namespace pmuq

#endif
