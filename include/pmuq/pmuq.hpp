/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpmuq in C++17: owners that free what they own, results that hold a value or an error, ranges
 * to loop over. Header only, without exceptions; the rules are those of pmuq.h.
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
 * Options are the structs of the C headers with their size set and all else zero:
 *
 *     pmuq::EncodeOptions options;
 *     options.preset = PMUQ_PRESET_STAT;
 */
#ifndef PMUQ_HPP
#define PMUQ_HPP

#include <pmuq/capture.hpp>
#include <pmuq/diff.hpp>
#include <pmuq/document.hpp>
#include <pmuq/recording.hpp>
#include <pmuq/store.hpp>

#include <pmuq/pmuq.h>

namespace pmuq
{

/** The version of the library that runs. */
inline std::string_view version() noexcept
{
	return detail::text(pmuq_version());
}

/** How the library was built and what it found, a line each. */
inline std::string build_info()
{
	return detail::owned_text(pmuq_build_info());
}

} // namespace pmuq

#endif
