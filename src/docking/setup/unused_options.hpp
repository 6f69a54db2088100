// Options of tessera dock that change nothing beside others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "docking/setup/dock_input.hpp"

namespace tessera::docking {

/// A line for a warning about each group of options that change nothing in this docking.
std::vector<std::string> unused_options(const DockInput& input);

/// Likewise for options that change nothing in any of `pairs`, whose inputs are `input_of(i)`.
template <class InputOf>
std::vector<std::string> unused_by_all(std::size_t pairs, const InputOf& input_of) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::vector<std::string> of_pair = unused_options(input_of(i));
        if (i == 0) lines = of_pair;
        std::erase_if(lines, [&](const std::string& line) {
            return std::ranges::find(of_pair, line) == of_pair.end();
        });
        if (lines.empty()) break;
    }
    return lines;
}

}  // namespace tessera::docking
