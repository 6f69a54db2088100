// What the values of options must be, said in words; for all commands.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace tessera::app {

/// Why `text` is no whole number from `low` to `high`; empty where it is one. CLI11 alone would take -1
/// for the largest number of an unsigned option.
std::string not_whole_number(const std::string& text, std::uint64_t low, std::uint64_t high);

/// A whole number from `low` to `high`, by default to the largest that the option holds.
template <class Integer>
CLI::Validator whole_number(Integer low = 0, Integer high = std::numeric_limits<Integer>::max()) {
    return {[low, high](std::string& text) {
                return not_whole_number(text, static_cast<std::uint64_t>(low),
                                        static_cast<std::uint64_t>(high));
            },
            low == 0 ? std::string()  // in the help
                     : "in [" + std::to_string(low) + " - " + std::to_string(high) + "]"};
}

/// A number from 0 to `high`.
CLI::Validator number_from_0(double high);

/// A number above 0, at most `high` (and not so small that it is none).
CLI::Validator number_above_0(double high);

/// `what`: "a list of orbitals".
CLI::Validator not_empty(const std::string& what);

}  // namespace tessera::app
