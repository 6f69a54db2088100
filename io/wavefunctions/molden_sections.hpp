// The structure of a Molden file: sections, frames, the tags of spherical functions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/cartesian_order.hpp"

namespace tessera::io {

/// What an Error advises for a Molden file that is incomplete or inconsistent.
inline constexpr const char* molden_advice =
    "write the Molden file again, with atoms, basis and orbitals";

/// The letters and digits in lower case: "[5D 7F]" gives "5d7f".
std::string molden_name(std::string_view text);

struct MoldenSection {
    std::string name;       ///< converted by molden_name()
    std::string_view rest;  ///< rest of the line with the name
    std::string_view body;  ///< the following lines
};

/// Returns a section for every line that begins with '[', in file order. Only these lines are
/// searched, so sections may come in any order, and unknown ones cost nothing.
std::vector<MoldenSection> find_molden_sections(const TextSource& source);

/// The first section of each frame, and at the end the number of sections. A frame starts at
/// [Molden Format] or [Atoms] once the frame before has atoms.
std::vector<std::size_t> molden_frame_starts(const std::vector<MoldenSection>& sections);

/// Tells which shells are spherical.
class SphericalTags {
  public:
    bool is_spherical(int l) const { return given_[static_cast<std::size_t>(l)].value_or(false); }
    /// Reads a tag: "5d10f" means spherical d and Cartesian f. Other names are ignored.
    void read(std::string_view name);
    /// Call it after all tags. [5D] alone applies to f as well, unless a tag for f comes before or
    /// after it.
    void settle();

  private:
    std::array<std::optional<bool>, highest_l + 1> given_;
};

}  // namespace tessera::io
