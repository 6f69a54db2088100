// The form of a verb that agrees with a number, for messages.
#pragma once

#include <string>

namespace tessera::io {

/// agreeing(n, "lies", "lie") is "lies" for one, and "lie" for any other number.
template <class Whole>
std::string agreeing(Whole number, const std::string& of_one, const std::string& of_several) {
    return number == 1 ? of_one : of_several;
}

}  // namespace tessera::io
