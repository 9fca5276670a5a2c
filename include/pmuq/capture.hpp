/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Captures, in C++: the files of a machine that pmuq reads, redacted.
 */
#ifndef PMUQ_CAPTURE_HPP
#define PMUQ_CAPTURE_HPP

#include <pmuq/capture.h>
#include <pmuq/source.hpp>

namespace pmuq
{

struct CaptureOptions : pmuq_capture_options {
	CaptureOptions() noexcept : pmuq_capture_options{}
	{
		size = sizeof(pmuq_capture_options);
	}
};

/** A file of a capture. */
struct CapturedFile {
	std::string_view path;
	std::size_t bytes;

	static CapturedFile at(const pmuq_capture *capture, std::size_t i) noexcept
	{
		return { detail::text(pmuq_capture_file_path(capture, i)),
			 pmuq_capture_file_bytes(capture, i) };
	}
};

/** What could not be read. */
struct Unread {
	std::string_view path, why;
	int error_number; /**< the errno behind it, or 0 */

	static Unread at(const pmuq_capture *capture, std::size_t i) noexcept
	{
		return { detail::text(pmuq_capture_unread_path(capture, i)),
			 detail::text(pmuq_capture_unread_why(capture, i)),
			 pmuq_capture_unread_errno(capture, i) };
	}
};

class Capture : public detail::Owner<pmuq_capture, pmuq_capture_free>
{
	static Pair redaction_at(const pmuq_capture *capture, std::size_t i) noexcept
	{
		return { detail::text(pmuq_capture_redaction_path(capture, i)),
			 detail::text(pmuq_capture_redaction_text(capture, i)) };
	}

      public:
	using Owner::Owner;
	static Result<Capture> take(Source &source, const CaptureOptions &options = {}) noexcept
	{
		return detail::make<Capture, pmuq_capture>(pmuq_capture_take, source.get(),
							   &options);
	}
	/** To a new or empty directory, or a new tar. */
	Result<void> write(CString path) const noexcept
	{
		return detail::call(pmuq_capture_write, get(), path.get());
	}
	/** The machine as it was read; lives as long as the capture. */
	CatalogView catalog() const noexcept
	{
		return CatalogView(pmuq_capture_catalog(get()));
	}
	std::size_t tracepoint_count() const noexcept
	{
		return pmuq_capture_tracepoint_count(get());
	}
	auto files() const noexcept
	{
		return Range<const pmuq_capture *, CapturedFile, pmuq_capture_file_count>(get());
	}
	/** What was left out or changed, and how. */
	auto redactions() const noexcept
	{
		return Range<const pmuq_capture *, Pair, pmuq_capture_redaction_count,
			     &Capture::redaction_at>(get());
	}
	auto unread() const noexcept
	{
		return Range<const pmuq_capture *, Unread, pmuq_capture_unread_count>(get());
	}
};

} // namespace pmuq

#endif
