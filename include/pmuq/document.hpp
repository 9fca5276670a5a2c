/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Documents, in C++: machines as text, YAML or JSON.
 */
#ifndef PMUQ_DOCUMENT_HPP
#define PMUQ_DOCUMENT_HPP

#include <pmuq/catalog.hpp>
#include <pmuq/document.h>

namespace pmuq
{

/** Gathers machines, and writes them. */
class Writer : public detail::Owner<pmuq_writer, pmuq_writer_free>
{
      public:
	using Owner::Owner;
	static Result<Writer> make() noexcept
	{
		return detail::make<Writer, pmuq_writer>(pmuq_writer_new);
	}
	/**
	 * @param name          the host's in a store, or nullptr
	 * @param first_seen_s  seconds since 1970; 0: not known
	 */
	Result<void> add(CatalogView catalog, const char *name = nullptr,
			 std::int64_t first_seen_s = 0) noexcept
	{
		return detail::call(pmuq_writer_add, get(), catalog.get(), name, first_seen_s);
	}
	std::size_t machine_count() const noexcept
	{
		return pmuq_writer_machine_count(get());
	}
	std::size_t document_count() const noexcept
	{
		return pmuq_writer_document_count(get());
	}
	/** All that was added: the same text for the same machines. */
	Result<std::string> text(pmuq_document_form form = PMUQ_DOCUMENT_YAML) const
	{
		char *text = nullptr;
		std::size_t bytes = 0;
		pmuq_error *error = nullptr;

		if (pmuq_writer_text(get(), form, &text, &bytes, &error) < 0)
			return Error(error);
		return detail::owned_text(text);
	}
	/** The same to a file that is open. */
	Result<void> write(int fd, pmuq_document_form form = PMUQ_DOCUMENT_YAML) const noexcept
	{
		return detail::call(pmuq_writer_write, get(), form, fd);
	}
};

/** Reads documents, machine by machine. */
class Reader : public detail::Owner<pmuq_reader, pmuq_reader_free>
{
      public:
	using Owner::Owner;
	static Result<Reader> make() noexcept
	{
		return detail::make<Reader, pmuq_reader>(pmuq_reader_new);
	}
	/** The file to read next. */
	Result<void> open(CString path) noexcept
	{
		return detail::call(pmuq_reader_open, get(), path.get());
	}
	Result<void> open_fd(int fd, CString origin) noexcept
	{
		return detail::call(pmuq_reader_open_fd, get(), fd, origin.get());
	}
	/** Of text, which must live until another file is opened or the reader is gone. */
	Result<void> open_bytes(std::string_view bytes, CString origin) noexcept
	{
		return detail::call(pmuq_reader_open_bytes, get(), bytes.data(), bytes.size(),
				    origin.get());
	}
	/** The next machine; an empty catalog (false) behind the last. */
	Result<Catalog> next() noexcept
	{
		return detail::make<Catalog, pmuq_catalog>(pmuq_reader_next, get());
	}
	/** Of the machine last put out: its name in a store, when it was first seen, its document.
	 */
	std::optional<std::string_view> name() const noexcept
	{
		return detail::text_if(pmuq_reader_name(get()));
	}
	std::int64_t first_seen() const noexcept
	{
		return pmuq_reader_first_seen(get());
	}
	std::size_t document() const noexcept
	{
		return pmuq_reader_document(get());
	}
};

} // namespace pmuq

#endif
