// The numbers of the background's profiles: their keys, ranges and bounds.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/streams/stream_model.hpp"

namespace tessera::io {

struct ProfileNumber {
    std::string_view key;  ///< in files; the parameter is background.KEY
    double Background::*value;
    const char* unit;
    double least, most;              ///< valid values
    double lower, upper;             ///< bounds of a fit by default
    bool fitted;                     ///< whether a fit changes it by default
    std::optional<double> standard;  ///< if a file leaves it out; without one it is required
};

/// The numbers of a profile that is not the application's. Those of hernquist and broken_power_law
/// depend on the model, so the list is empty.
std::span<const ProfileNumber> own_numbers(Profile profile);
/// One of them, or null.
const ProfileNumber* own_number(Profile profile, std::string_view key);

/// Numbers that any profile may have besides. A background has all of a group or none.
struct NumberGroup {
    bool Background::*given;  ///< whether it has them
    std::span<const ProfileNumber> numbers;
};
/// The shape of a triaxial and tilted halo, the thin disk, and the thick disk.
std::span<const NumberGroup> number_groups();
/// The numbers of all groups that a background has.
std::vector<const ProfileNumber*> further_numbers(const Background& background);
/// One of the numbers that stream_profiles.hpp lists for this background, or null.
const ProfileNumber* listed_number(const Background& background, std::string_view key);

/// Whether the density of the background depends on its number `key`. The log weight epsilon of the
/// classic model does not count: the weights of the streams have the same effect. The numbers of
/// populations do, although the density in space does not depend on them.
bool background_depends_on(const StreamModel& model, std::string_view key);

}  // namespace tessera::io
