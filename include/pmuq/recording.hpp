/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Recordings, in C++: what a perf.data file says of its events and of its machine.
 */
#ifndef PMUQ_RECORDING_HPP
#define PMUQ_RECORDING_HPP

#include <pmuq/catalog.hpp>
#include <pmuq/recording.h>

namespace pmuq
{

/** An event of a recording. */
class RecordedEvent
{
      public:
	RecordedEvent(const pmuq_recording *recording, std::size_t index) noexcept
	    : recording_(recording), index_(index)
	{
	}
	static RecordedEvent at(const pmuq_recording *recording, std::size_t index) noexcept
	{
		return { recording, index };
	}
	/** In this machine's byte order, the part that pmuq knows. */
	const pmuq_attr &attr() const noexcept
	{
		return *pmuq_recording_event_attr(recording_, index_);
	}
	/** How long the file says that it is. */
	std::uint32_t attr_size() const noexcept
	{
		return pmuq_recording_event_attr_size(recording_, index_);
	}
	bool has_unknown_tail() const noexcept
	{
		return pmuq_recording_event_has_unknown_tail(recording_, index_);
	}
	std::optional<std::string_view> name() const noexcept
	{
		return detail::text_if(pmuq_recording_event_name(recording_, index_));
	}
	std::string_view unit() const noexcept
	{
		return detail::text(pmuq_recording_event_unit(recording_, index_));
	}
	std::string_view scale() const noexcept
	{
		return detail::text(pmuq_recording_event_scale(recording_, index_));
	}
	/** The numbers that samples carry. */
	auto ids() const noexcept
	{
		return Range<RecordedEvent, std::uint64_t, RecordedEvent::id_count,
			     &RecordedEvent::id_at>(*this);
	}
	std::size_t leader() const noexcept
	{
		return pmuq_recording_event_leader(recording_, index_);
	}
	std::size_t group_size() const noexcept
	{
		return pmuq_recording_event_group_size(recording_, index_);
	}
	std::optional<std::string_view> group_name() const noexcept
	{
		return detail::text_if(pmuq_recording_event_group_name(recording_, index_));
	}

      private:
	static std::size_t id_count(RecordedEvent e) noexcept
	{
		return pmuq_recording_event_id_count(e.recording_, e.index_);
	}
	static std::uint64_t id_at(RecordedEvent e, std::size_t i) noexcept
	{
		return pmuq_recording_event_id(e.recording_, e.index_, i);
	}

	const pmuq_recording *recording_;
	std::size_t index_;
};

/** Something that the file says of machine and recording. */
class Feature
{
      public:
	Feature(const pmuq_recording *recording, std::size_t index) noexcept
	    : recording_(recording), index_(index)
	{
	}
	static Feature at(const pmuq_recording *recording, std::size_t index) noexcept
	{
		return { recording, index };
	}
	unsigned number() const noexcept
	{
		return pmuq_recording_feature_number(recording_, index_);
	}
	std::optional<std::string_view> name() const noexcept
	{
		return detail::text_if(pmuq_recording_feature_name(recording_, index_));
	}
	std::uint64_t bytes() const noexcept
	{
		return pmuq_recording_feature_bytes(recording_, index_);
	}
	bool is_read() const noexcept
	{
		return pmuq_recording_feature_is_read(recording_, index_);
	}
	/** Names ("" where there is none) and texts. */
	auto values() const noexcept
	{
		return Range<Feature, Pair, Feature::value_count, &Feature::value_at>(*this);
	}

      private:
	static std::size_t value_count(Feature f) noexcept
	{
		return pmuq_recording_value_count(f.recording_, f.index_);
	}
	static Pair value_at(Feature f, std::size_t i) noexcept
	{
		return { detail::text(pmuq_recording_value_name(f.recording_, f.index_, i)),
			 detail::text(pmuq_recording_value_text(f.recording_, f.index_, i)) };
	}

	const pmuq_recording *recording_;
	std::size_t index_;
};

/** A perf.data file; any number of threads may look at one. */
class Recording : public detail::Owner<pmuq_recording, pmuq_recording_free>
{
	static ErrorView problem_at(const pmuq_recording *recording, std::size_t i) noexcept
	{
		return ErrorView(pmuq_recording_problem(recording, i));
	}

      public:
	using Owner::Owner;
	static Result<Recording> open(CString path) noexcept
	{
		return detail::make<Recording, pmuq_recording>(pmuq_recording_open, path.get());
	}
	/** @param name  what errors call it */
	static Result<Recording> open_fd(int fd, CString name) noexcept
	{
		return detail::make<Recording, pmuq_recording>(pmuq_recording_open_fd, fd,
							       name.get());
	}
	auto events() const noexcept
	{
		return Range<const pmuq_recording *, RecordedEvent, pmuq_recording_event_count>(
			get());
	}
	auto features() const noexcept
	{
		return Range<const pmuq_recording *, Feature, pmuq_recording_feature_count>(get());
	}
	/** What was cut off, or contradicts itself. */
	auto problems() const noexcept
	{
		return Range<const pmuq_recording *, ErrorView, pmuq_recording_problem_count,
			     &Recording::problem_at>(get());
	}
	bool is_stream() const noexcept
	{
		return pmuq_recording_is_stream(get());
	}
	bool is_big_endian() const noexcept
	{
		return pmuq_recording_is_big_endian(get());
	}
	std::uint64_t bytes_read() const noexcept
	{
		return pmuq_recording_bytes_read(get());
	}
	/** The machine as far as the recording tells. */
	Result<Catalog> catalog() const noexcept
	{
		return detail::make<Catalog, pmuq_catalog>(pmuq_recording_catalog, get());
	}
};

} // namespace pmuq

#endif
