#include "docking/model/bonded_atoms.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "docking/model/bond_graph.hpp"
#include "docking/model/component_table.hpp"

namespace tessera::docking {

namespace {

using Index = std::size_t;
using Indices = std::vector<Index>;

/// Bonds shorter than this are conjugated or double, Angstrom.
constexpr double short_c_c = 1.45, short_c_n = 1.41, short_c_o = 1.32;

/// Metals whose usual charge is not +2.
constexpr std::array<std::string_view, 8> univalent{"LI", "NA", "K", "RB", "CS", "AG", "AU", "TL"};
constexpr std::array<std::string_view, 18> trivalent{"AL", "SC", "GA", "Y",  "IN", "LA",
                                                     "CE", "PR", "ND", "SM", "EU", "GD",
                                                     "TB", "DY", "HO", "ER", "YB", "LU"};

bool is_halogen(const std::string& element) {
    return element == "F" || element == "CL" || element == "BR" || element == "I";
}

/// Gives the chosen atoms types and radii one by one, and then charges group by group.
class BondedTyper {
  public:
    BondedTyper(const std::vector<io::AtomRecord>& atoms, const Indices& chosen)
        : atoms_(atoms), chosen_(chosen), graph_(atoms) {
        for (const Index i : chosen) found_[i] = {type_of(i), 0, radius_of(i)};
        for (const Index i : chosen) add_charges(i);
    }

    std::vector<AtomParameters> found() const {
        std::vector<AtomParameters> list;
        list.reserve(chosen_.size());
        for (const Index i : chosen_) list.push_back(found_.at(i));
        return list;
    }

  private:
    const std::string& element(Index i) const { return graph_.element(i); }

    /// The neighbours of this element that have no other neighbour.
    Indices ends(Index i, const char* of_element) {
        Indices list;
        for (const Index j : Indices(graph_.neighbors(i)))
            if (element(j) == of_element && graph_.ends_at(j, i)) list.push_back(j);
        return list;
    }

    /// Oxygen and sulfur at the end of phosphates and their thio analogues.
    Indices acid_ends(Index i) {
        Indices list = ends(i, "O");
        if (element(i) == "P")
            for (const Index j : ends(i, "S")) list.push_back(j);
        return list;
    }

    bool is_carboxylate(Index i) { return element(i) == "C" && ends(i, "O").size() == 2; }

    bool is_carbonyl(Index i) {
        const Indices oxygens = element(i) == "C" ? ends(i, "O") : Indices{};
        return oxygens.size() == 1 && graph_.length(i, oxygens.front()) < short_c_o;
    }

    /// Amidinium and guanidinium: two amino groups at one carbon.
    bool is_amidinium(Index i) {
        return element(i) == "C" && ends(i, "N").size() == 2 && ends(i, "O").empty() &&
               graph_.length(i, ends(i, "N").front()) < short_c_n;
    }

    bool is_acid(Index i) {
        const std::size_t oxygens = acid_ends(i).size();
        return (element(i) == "P" && oxygens >= 2) || (element(i) == "S" && oxygens >= 3);
    }

    bool is_short(Index i, Index j) const {
        const double d = graph_.length(i, j);
        if (element(j) == "C") return d < (element(i) == "C" ? short_c_c : short_c_n);
        return (element(j) == "N" && d < short_c_n) || (element(j) == "O" && d < short_c_o);
    }

    bool is_conjugated(Index i) {
        return std::ranges::any_of(Indices(graph_.neighbors(i)),
                                   [&](Index j) { return is_short(i, j); });
    }

    /// An amine that takes up a proton: single bonds to carbons that are not conjugated themselves,
    /// as those of anilines, enamines and amides are.
    bool is_ammonium(Index i) {
        return element(i) == "N" && std::ranges::all_of(Indices(graph_.neighbors(i)), [&](Index j) {
                   return element(j) == "C" && !is_short(i, j) && !is_conjugated(j);
               });
    }

    /// A nitrogen within an aromatic ring.
    bool is_aromatic_nitrogen(Index i) {
        const Indices bonded = graph_.neighbors(i);
        return bonded.size() >= 2 &&
               std::ranges::all_of(bonded,
                                   [&](Index j) { return !is_carbonyl(j) && !is_amidinium(j); }) &&
               std::ranges::count_if(bonded, [&](Index j) { return is_short(i, j); }) >= 2;
    }

    const char* type_of_carbon(Index i) {
        if (is_carboxylate(i)) return "DOD";
        if (is_amidinium(i)) return "RNH";
        if (is_carbonyl(i)) return "NND";
        if (is_conjugated(i)) return "FCZ";
        for (const Index j : Indices(graph_.neighbors(i)))
            if (is_ammonium(j)) return "KCD";
        if (graph_.count(i, "O") > 0) return "SOG";
        if (graph_.count(i, "N") > 0) return "CB";
        return graph_.neighbors(i).size() <= 1 ? "LCD" : "FCZ";
    }

    const char* type_of_nitrogen(Index i) {
        if (is_ammonium(i)) return "KNZ";
        for (const Index j : Indices(graph_.neighbors(i)))
            if (is_amidinium(j)) return "RNH";
        return is_aromatic_nitrogen(i) ? "HNE" : "NND";
    }

    const char* type_of_oxygen(Index i) {
        const Indices bonded = graph_.neighbors(i);
        const auto in_acid = [&](Index j) {
            return element(j) == "P" || is_acid(j) || is_carboxylate(j);
        };
        if (!bonded.empty() && std::ranges::all_of(bonded, in_acid)) return "DOD";
        return bonded.size() == 1 && is_carbonyl(bonded.front()) ? "NND" : "SOG";
    }

    const char* type_of(Index i) {
        const std::string& e = element(i);
        if (e == "C") return type_of_carbon(i);
        if (e == "N") return type_of_nitrogen(i);
        if (e == "O") return type_of_oxygen(i);
        if (e == "P" || is_acid(i)) return "DOD";
        if (e == "S" || e == "SE") {
            for (const Index j : Indices(graph_.neighbors(i)))
                if (element(j) == "P") return "DOD";
            return graph_.neighbors(i).size() <= 1 ? "CSG" : "FCZ";
        }
        if (is_halogen(e)) return graph_.neighbors(i).empty() ? "DOD" : "LCD";
        return is_metal(e) ? "KNZ" : "CB";
    }

    double radius_of(Index i) {
        const std::string& e = element(i);
        if (e == "N" || e == "O" || e == "F") return 1.6;
        if (e == "P") return 2.15;
        if (e == "S") return 1.89;
        if (e == "CL") return graph_.neighbors(i).empty() ? 2.27 : 1.86;
        if (e == "BR") return 1.97;
        if (e == "I") return 2.19;
        if (is_metal(e)) return 1.2;
        if (e != "C") return 2.0;
        if (is_conjugated(i) || is_carboxylate(i)) return 2.1;
        const std::size_t bonds = graph_.neighbors(i).size();
        return bonds <= 1 ? 2.165 : bonds == 2 ? 2.235 : 2.365;
    }

    bool is_chosen(Index i) const { return found_.contains(i); }

    void add(Index i, double charge) { found_.at(i).charge += charge; }

    /// A dipole inside of the chosen atoms. Does nothing if one end is not chosen.
    void add_dipole(Index negative, Index positive, double charge) {
        if (!is_chosen(negative) || !is_chosen(positive)) return;
        add(negative, -charge);
        add(positive, charge);
    }

    /// Spreads a charge evenly over those of the atoms that are chosen, or gives it to atom i.
    void spread(double charge, const Indices& atoms, Index i) {
        Indices ours;
        for (const Index j : atoms)
            if (is_chosen(j)) ours.push_back(j);
        if (ours.empty()) ours.push_back(i);
        for (const Index j : ours) add(j, charge / static_cast<double>(ours.size()));
    }

    void add_charges(Index i) {
        const std::string& e = element(i);
        if (e == "C") add_carbon(i);
        if (e == "N") add_nitrogen(i);
        if (e == "O") add_oxygen(i);
        if (e == "S" || e == "P") add_acid_or_sulfur(i);
        if (is_halogen(e) && graph_.neighbors(i).empty() && is_alone(i)) add(i, -1);
        if (is_metal(e) && is_alone(i)) add(i, charge_of_ion(e));
    }

    bool is_alone(Index i) const {
        const auto same = [&](Index j) {
            return j < atoms_.size() && atoms_[j].residue_index == atoms_[i].residue_index;
        };
        return (i == 0 || !same(i - 1)) && !same(i + 1);
    }

    static double charge_of_ion(std::string_view metal) {
        if (std::ranges::count(univalent, metal) > 0) return 1;
        return std::ranges::count(trivalent, metal) > 0 ? 3 : 2;
    }

    void add_carbon(Index i) {
        if (is_carboxylate(i)) {
            spread(-1.2, ends(i, "O"), i);
            add(i, 0.2);
        } else if (is_amidinium(i)) {
            spread(0.5, ends(i, "N"), i);
            add(i, 0.5);
        }
    }

    void add_nitrogen(Index i) {
        const Indices bonded = graph_.neighbors(i);
        if (is_ammonium(i)) {
            add(i, 1);
            for (const Index j : bonded) add_dipole(i, j, 0.25);
        } else if (bonded.size() == 2 && is_aromatic_nitrogen(i)) {
            for (const Index j : bonded) add_dipole(i, j, 0.1);
        }
    }

    void add_oxygen(Index i) {
        for (const Index j : Indices(graph_.neighbors(i))) {
            if (element(j) != "C" || is_carboxylate(j)) continue;
            add_dipole(i, j, graph_.ends_at(i, j) && is_carbonyl(j) ? 0.55 : 0.25);
        }
    }

    void add_acid_or_sulfur(Index i) {
        if (is_acid(i)) {
            const Indices oxygens = acid_ends(i);
            const int count = static_cast<int>(oxygens.size());
            const int charge = element(i) == "P" ? std::min(count - 1, 2) : count - 2;
            spread(-charge, oxygens, i);
        } else if (element(i) == "S") {
            const Indices bonded = graph_.neighbors(i);
            for (const Index j : bonded)
                if (element(j) == "C") add_dipole(i, j, bonded.size() == 1 ? 0.19 : 0.06);
        }
    }

    const std::vector<io::AtomRecord>& atoms_;
    const Indices& chosen_;
    BondGraph graph_;
    std::map<Index, AtomParameters> found_;
};

}  // namespace

std::vector<AtomParameters> parameters_by_bonding(const std::vector<io::AtomRecord>& atoms,
                                                  const std::vector<std::size_t>& chosen) {
    if (chosen.empty()) return {};
    return BondedTyper(atoms, chosen).found();
}

}  // namespace tessera::docking
