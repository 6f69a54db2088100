// What --plddt asks for.
#pragma once

#include <string>

namespace tessera::docking {

/// Below it the place of the backbone is uncertain (docs/method/docking-atoms.md, "Confidence of
/// predicted models").
inline constexpr double default_plddt = 70;

/// How the residues of a partner are treated that have a low pLDDT.
struct PlddtRule {
    enum class Kind {
        automatic,  ///< left out if the file says that it is a predicted model
        off,        ///< kept
        given,      ///< as automatic, and one of the partners must be such a model
        forced,     ///< left out: if the file says nothing, its B column is taken for pLDDT
    };
    Kind kind = Kind::automatic;
    double threshold = default_plddt;

    bool operator==(const PlddtRule&) const = default;
};

struct PlddtRules {
    PlddtRule receptor, ligand;
};

/// Reads "auto", "off" or a number from 1 to 100 for both partners, or
/// "receptor=VALUE,ligand=VALUE" (also with ";"). A partner that is not named is automatic. A
/// number for one partner is forced. Throws Error for any other text.
PlddtRules parse_plddt(const std::string& text);

}  // namespace tessera::docking
