// What the framework of a variable domain looks like.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::docking {

/// Positions of a variable domain in the numbering of IMGT (Lefranc et al. 2003).
inline constexpr int imgt_positions = 128;

/// The first and the last position of each CDR.
inline constexpr std::array<std::array<int, 2>, 3> cdr_ranges{{{27, 38}, {56, 65}, {105, 117}}};

/// The CDR of a position, from 0. -1 in the framework.
int cdr_of(int position);

/// Scores of amino acids along the framework of a class of domains, in nats.
struct AntibodyProfile {
    struct Position {
        bool framework = false;
        double gap = 0;                  ///< cost of a missing position
        std::array<double, 26> score{};  ///< of the letters A to Z
    };
    std::string name;                                    ///< "heavy", "kappa" or "lambda"
    std::array<Position, imgt_positions + 1> positions;  ///< by IMGT position; the first is unused
};

/// The program's own profiles, data/antibody/profiles.csv. Throws Error if the file is missing.
std::vector<AntibodyProfile> load_antibody_profiles();

/// Reads a table "class,position,gap,A,C,..." (potentials/derive_antibody_profiles). Throws Error
/// if a position is missing or malformed.
std::vector<AntibodyProfile> parse_antibody_profiles(const io::TextSource& source);

}  // namespace tessera::docking
