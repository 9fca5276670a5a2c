/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpmuq in C++17: owners that free their objects, results that contain a value or an error, and
 * ranges. Header only, without exceptions; the rules are those of pmuq.h. A class has the name of
 * the C struct, and a method that of the C function: pmuq_encodings_test_open() is
 * pmuq::Encodings::test_open(). The classes are in views.hpp and objects.hpp, which are generated.
 *
 *     auto machine = pmuq::Source::live();
 *     if (!machine)
 *             return complain(machine.error());
 *     auto events = machine->encode("msr/tsc/");
 *     if (!events)
 *             return complain(events.error());
 *     for (pmuq::Encoding event : *events)
 *             std::printf("%" PRIx64 "\n", event.attr().config);
 *
 * Options are the structs of the C headers; their size is set and the other members are zero:
 *
 *     pmuq::EncodeOptions options;
 *     options.preset = PMUQ_PRESET_STAT;
 */
#ifndef PMUQ_HPP
#define PMUQ_HPP

#include <pmuq/objects.hpp>

#include <array>
#include <vector>

namespace pmuq
{

/** The kernel's generic events by their usual names; empty past the last. */
inline std::optional<std::string> generic_name(std::size_t index)
{
	std::array<char, PMUQ_GENERIC_NAME_MAX> name{};

	return pmuq_generic_name(index, name.data()) ? std::optional<std::string>(name.data())
						     : std::nullopt;
}

/** Read all events, each group by one system call on each target. The value of an event that is not
 *  open is 0. */
inline Result<std::vector<Value>> read_all(const Opened &opened)
{
	std::vector<Value> values(opened.count());
	Result<void> done = opened.read_all(values.data(), values.size());

	if (!done)
		return std::move(done).error();
	return values;
}

/** Copy an attr into a struct perf_event_attr of any version. If the struct ends before a field
 * that is not 0, the error names the field. */
template <class T> Result<void> attr_copy(const pmuq_attr &attr, T &ret) noexcept
{
	static_assert(std::is_trivially_copyable_v<T>, "a struct perf_event_attr");
	return detail::call(pmuq_attr_copy, &attr, &ret, sizeof(ret));
}

} // namespace pmuq

#endif
