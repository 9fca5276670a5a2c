/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Names, in C++, for who offers or completes them: listed by pmuq::Source (source.hpp).
 */
#ifndef PMUQ_NAMES_HPP
#define PMUQ_NAMES_HPP

#include <pmuq/names.h>
#include <pmuq/result.hpp>

namespace pmuq
{

namespace detail
{

inline std::string_view name_at(const pmuq_names *names, std::size_t index) noexcept
{
	return text(pmuq_names_get(names, index));
}

} // namespace detail

/** A list of names: of std::string_view that live as long as it. */
class Names : public detail::List<pmuq_names, pmuq_names_free, std::string_view, pmuq_names_count,
				  detail::name_at>
{
      public:
	using List::List;
};

} // namespace pmuq

#endif
