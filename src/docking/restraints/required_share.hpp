// How many restraints of a group a pose must satisfy.
#pragma once

#include <optional>
#include <string>

namespace tessera::docking {

/// A number of restraints, a percentage of them, or nothing.
struct RequiredShare {
    std::optional<int> number;
    std::optional<double> percent;

    bool is_given() const { return number || percent; }
    /// The number among `count` restraints. A percentage is rounded up. All of them if nothing is
    /// given. May be larger than `count`.
    int among(int count) const;
};

/// What a text may hold, for errors.
inline constexpr const char* required_share_range =
    "a whole number from 1 on, or a percentage above 0% and up to 100%";

/// Reads "3" or "50%". Empty for a text that is not in this range. An empty text gives nothing.
std::optional<RequiredShare> parse_required_share(const std::string& text);

}  // namespace tessera::docking
