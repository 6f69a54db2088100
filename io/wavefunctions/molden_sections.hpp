// What stands where in a Molden file: sections, frames, the tags of spherical functions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/cartesian_order.hpp"

namespace tessera::io {

/// Letters and digits in lower case: "[5D 7F]" is "5d7f".
std::string molden_name(std::string_view text);

struct MoldenSection {
    std::string name;       ///< by molden_name
    std::string_view rest;  ///< of the line with the name
    std::string_view body;  ///< the lines behind it
};

/// Every line that begins with '[', in file order. Only these are looked for, so that sections may
/// stand in any order and unknown ones cost nothing.
std::vector<MoldenSection> find_molden_sections(const TextSource& source);

/// Where each frame begins among the sections, and the number of sections: a frame starts at
/// [Molden Format] or [Atoms] once the one before has atoms.
std::vector<std::size_t> molden_frame_starts(const std::vector<MoldenSection>& sections);

/// Which shells are spherical.
class SphericalTags {
  public:
    bool is_spherical(int l) const { return given_[static_cast<std::size_t>(l)].value_or(false); }
    /// "5d10f": spherical d, Cartesian f. Other names change nothing.
    void read(std::string_view name);
    /// [5D] alone means f as well; a tag for f, before or after, has the last word. After all tags.
    void settle();

  private:
    std::array<std::optional<bool>, highest_l + 1> given_;
};

}  // namespace tessera::io
