// Checks of option values for all commands. They explain in words what is wrong.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace tessera::app {

/// Says why `text` is not a whole number from `low` to `high`. Returns an empty string if it is
/// one. CLI11 alone would read -1 as the largest number of an unsigned option.
std::string not_whole_number(const std::string& text, std::uint64_t low, std::uint64_t high);

/// Accepts a whole number from `low` to `high`, by default the largest that the option can hold.
template <class Integer>
CLI::Validator whole_number(Integer low = 0, Integer high = std::numeric_limits<Integer>::max()) {
    return {[low, high](std::string& text) {
                return not_whole_number(text, static_cast<std::uint64_t>(low),
                                        static_cast<std::uint64_t>(high));
            },
            low == 0 ? std::string()  // the help shows no range
                     : "in [" + std::to_string(low) + " - " + std::to_string(high) + "]"};
}

/// Accepts a number from 0 to `high`.
CLI::Validator number_from_0(double high);

/// Accepts a number above 0 and up to `high`. Numbers that vanish in single precision are refused.
CLI::Validator number_above_0(double high);

/// Refuses an empty text. `what` names what is expected, such as "a list of orbitals".
CLI::Validator not_empty(const std::string& what);

}  // namespace tessera::app
