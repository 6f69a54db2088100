// A number and what it counts, for messages.
#pragma once

#include <string>

namespace tessera::io {

/// "1 star", "2 stars": `one` names one of them. `several` is its plural if that is not `one` and
/// an s.
template <class Whole>
std::string counted(Whole number, const std::string& one, const std::string& several = "") {
    std::string text = std::to_string(number) + " ";
    if (number == 1) return text + one;
    return text + (several.empty() ? one + "s" : several);
}

}  // namespace tessera::io
