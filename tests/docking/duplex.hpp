// A made double helix for tests: the places of its atoms are only near those of B-DNA.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "io/proteins/structure.hpp"

namespace tessera::docking::testing {

struct HelixSite {
    const char* name;
    const char* element;
    double radius, degrees, height;  ///< of the first nucleotide, Angstrom and degrees
};

/// O3' is 1.6 A from the P of the next nucleotide.
inline constexpr std::array<HelixSite, 14> helix_sites{{{"P", "P", 8.9, 0, 0},
                                                        {"OP1", "O", 10.3, -3, 0.6},
                                                        {"OP2", "O", 9.0, -1, -1.4},
                                                        {"O5'", "O", 7.8, 6, 0.8},
                                                        {"C5'", "C", 7.9, 15, 0.3},
                                                        {"C4'", "C", 7.6, 22, 1.3},
                                                        {"O4'", "O", 6.3, 20, 1.6},
                                                        {"C3'", "C", 8.3, 31, 1.2},
                                                        {"O3'", "O", 8.9, 29, 2.2},
                                                        {"C2'", "C", 7.2, 37, 0.6},
                                                        {"C1'", "C", 5.9, 30, 1.0},
                                                        {"N9", "N", 4.6, 34, 0.8},
                                                        {"C8", "C", 4.8, 52, 0.8},
                                                        {"C4", "C", 3.2, 30, 0.8}}};
constexpr double helix_twist = 36, helix_rise = 3.38;

/// Both strands have the chain name `chain` and are numbered through, as in some files. The axis is
/// z. Nucleotides are adenosines; the second strand runs down.
inline io::Structure duplex(int pairs, const std::string& chain) {
    io::Structure structure;
    for (int strand = 0; strand < 2; ++strand)
        for (int i = 0; i < pairs; ++i)
            for (const HelixSite& site : helix_sites) {
                if (i == 0 && (site.name[0] == 'P' || site.name[1] == 'P')) continue;
                const double turn = (site.degrees + helix_twist * i) * std::numbers::pi / 180;
                const double up = site.height + helix_rise * i - helix_rise * pairs / 2;
                const double sign = strand == 0 ? 1 : -1;
                io::AtomRecord atom;
                atom.name = site.name;
                atom.residue = atom.variant = "DA";
                atom.chain = chain;
                atom.element = site.element;
                atom.residue_index = strand * pairs + i;
                atom.residue_number = atom.residue_index + 1;
                atom.segment = strand;
                atom.nucleic = true;
                atom.position = {site.radius * std::cos(turn), sign * site.radius * std::sin(turn),
                                 sign * up};
                structure.atoms.push_back(atom);
            }
    return structure;
}

}  // namespace tessera::docking::testing
