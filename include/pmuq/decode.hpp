/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Decodings, in C++: the event string that an attr means on a machine. Made by pmuq::Source and
 * pmuq::Catalog, which they need not afterwards.
 */
#ifndef PMUQ_DECODE_HPP
#define PMUQ_DECODE_HPP

#include <pmuq/decode.h>
#include <pmuq/result.hpp>

namespace pmuq
{

struct DecodeOptions : pmuq_decode_options {
	DecodeOptions() noexcept : pmuq_decode_options{}
	{
		size = sizeof(pmuq_decode_options);
	}
};

/** A field of the attr that the string does not say. */
struct Left {
	std::string_view name;
	std::uint64_t value;
	pmuq_field_format kind;
	bool is_event; /**< a part of the event itself */

	static Left at(const pmuq_decoding *decoding, std::size_t i) noexcept
	{
		return { detail::text(pmuq_decoding_left_name(decoding, i)),
			 pmuq_decoding_left_value(decoding, i),
			 pmuq_decoding_left_kind(decoding, i),
			 pmuq_decoding_left_is_event(decoding, i) };
	}
};

class Decoding : public detail::Owner<pmuq_decoding, pmuq_decoding_free>
{
	static std::string_view reading_at(const pmuq_decoding *decoding, std::size_t i) noexcept
	{
		return detail::text(pmuq_decoding_reading(decoding, i));
	}

      public:
	using Owner::Owner;
	/** The event string. */
	std::string_view text() const noexcept
	{
		return detail::text(pmuq_decoding_text(get()));
	}
	std::optional<std::string_view> pmu() const noexcept
	{
		return detail::text_if(pmuq_decoding_pmu(get()));
	}
	pmuq_origin origin() const noexcept
	{
		return pmuq_decoding_origin(get());
	}
	/** Whether the string says the event whole. */
	bool is_exact() const noexcept
	{
		return pmuq_decoding_is_exact(get());
	}
	auto left() const noexcept
	{
		return Range<const pmuq_decoding *, Left, pmuq_decoding_left_count>(get());
	}
	/** Other strings that give the same attr. */
	auto readings() const noexcept
	{
		return Range<const pmuq_decoding *, std::string_view, pmuq_decoding_reading_count,
			     &Decoding::reading_at>(get());
	}
};

/** An attr from text: its bytes in hex, or fields by the kernel's names. */
inline Result<pmuq_attr> parse_attr(CString text) noexcept
{
	pmuq_attr attr{};
	pmuq_error *error = nullptr;

	if (pmuq_attr_parse(text.get(), &attr, &error) < 0)
		return Error(error);
	return attr;
}

} // namespace pmuq

#endif
