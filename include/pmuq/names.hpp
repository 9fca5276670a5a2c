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

/** A list of names, a range of std::string_view that live as long as it. */
class Names : public detail::Owner<pmuq_names, pmuq_names_free>
{
	static std::string_view at(const pmuq_names *names, std::size_t index) noexcept
	{
		return detail::text(pmuq_names_get(names, index));
	}
	using All = Range<const pmuq_names *, std::string_view, pmuq_names_count, at>;

      public:
	using Owner::Owner;
	std::size_t size() const noexcept
	{
		return pmuq_names_count(get());
	}
	bool empty() const noexcept
	{
		return size() == 0;
	}
	std::string_view operator[](std::size_t index) const noexcept
	{
		return at(get(), index);
	}
	auto begin() const noexcept
	{
		return All(get()).begin();
	}
	auto end() const noexcept
	{
		return All(get()).end();
	}
};

} // namespace pmuq

#endif
