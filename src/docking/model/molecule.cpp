#include "docking/model/molecule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.hpp"
#include "docking/model/bonded_atoms.hpp"
#include "docking/model/component_table.hpp"
#include "docking/model/nucleotide_atoms.hpp"
#include "docking/model/residue_ranges.hpp"
#include "docking/model/surface_area.hpp"

namespace tessera::docking {
namespace {

constexpr double surface_area_threshold = 1.0;  // A^2, as in ZDOCK's mark_sur
constexpr double longest_metal_bond = 2.8;      // Angstrom, to sulfur

/// Finds the atoms of a residue by name and sets their parameters.
class ResidueTyper {
  public:
    ResidueTyper(const std::vector<io::AtomRecord>& atoms, ResidueRange range,
                 std::vector<AtomParameters>& parameters)
        : atoms_(atoms), range_(range), parameters_(parameters) {}

    AtomParameters* find(const std::string& name) {
        for (std::size_t i = range_.begin; i < range_.end; ++i)
            if (atoms_[i].name == name) return &parameters_[i];
        return nullptr;
    }

    const io::AtomRecord& first() const { return atoms_[range_.begin]; }

    // Takes the charges of the patch `terminus` from the atom table, for the atoms that are
    // present.
    void set_charges(const std::string& terminus) {
        for (std::size_t i = range_.begin; i < range_.end; ++i)
            if (const AtomParameters* row = built_in_atom_table().find(terminus, atoms_[i].name))
                parameters_[i].charge = row->charge;
    }

    // Puts a total charge of +1 on N and its neighbours, unless the chain begins with a cap or
    // pyroglutamate.
    void make_n_terminus() {
        const bool amine = find("N") && find("CA");
        if (amine && first().variant != "PCA")
            set_charges(first().residue == "PRO" && find("CD") ? "NTER_PRO" : "NTER");
    }

    // Puts a total charge of -1 on the carboxylate. If the file lacks OXT, O carries both halves.
    void make_c_terminus() {
        if (!find("C") || !find("O") || !find("CA")) return;
        set_charges("CTER");
        if (!find("OXT")) find("O")->charge += built_in_atom_table().find("CTER", "OXT")->charge;
    }

  private:
    const std::vector<io::AtomRecord>& atoms_;
    ResidueRange range_;
    std::vector<AtomParameters>& parameters_;
};

/// The row of an atom in the tables. Of a residue that is unknown, the backbone and CB are those of
/// alanine. Null if there is none.
const AtomParameters* row_of(const io::AtomRecord& atom) {
    if (atom.nucleic) return nucleotide_row(atom);
    const AtomTable& protein = built_in_atom_table();
    if (const AtomParameters* row = protein.find(atom.variant, atom.residue, atom.name)) return row;
    if (const AtomParameters* row = built_in_component_atoms().find(atom.variant, atom.name))
        return row;
    return atom.hetero ? nullptr : protein.find("ALA", "ALA", atom.name);
}

/// Makes the charge of each residue with such atoms a whole number.
void round_charges(const std::vector<io::AtomRecord>& atoms, const std::vector<std::size_t>& ruled,
                   std::vector<AtomParameters>& parameters) {
    for (const ResidueRange& range : residues_of(atoms)) {
        const auto first = std::ranges::lower_bound(ruled, range.begin);
        const auto last = std::ranges::lower_bound(ruled, range.end);
        if (first == last) continue;
        double charge = 0;
        for (std::size_t i = range.begin; i < range.end; ++i)
            if (!has_screened_charge(atoms[i])) charge += parameters[i].charge;
        const double excess = charge - std::round(charge);
        for (auto i = first; i != last; ++i)
            parameters[*i].charge -= excess / static_cast<double>(last - first);
    }
}

std::string names_of(const std::vector<io::AtomRecord>& atoms,
                     const std::vector<std::size_t>& ruled) {
    std::map<std::string, std::set<std::string>> names;  // atoms by residue
    for (const std::size_t i : ruled) names[atoms[i].variant].insert(atoms[i].name);
    std::string text;
    for (const auto& [residue, of_it] : names)
        text += (text.empty() ? "" : ", ") + residue + " (" +
                (of_it.size() == 1 ? *of_it.begin() : std::to_string(of_it.size()) + " atoms") +
                ")";
    return text;
}

/// A cysteine at a kept metal ion is a thiolate.
void deprotonate_cysteines(const std::vector<io::AtomRecord>& atoms,
                           std::vector<AtomParameters>& parameters) {
    std::vector<Vec3> metals;
    for (const io::AtomRecord& atom : atoms)
        if (atom.hetero && is_metal(atom.element)) metals.push_back(atom.position);
    if (metals.empty()) return;
    const auto at_metal = [&](const io::AtomRecord& atom) {
        return atom.name == "SG" && atom.variant == "CYS" && !atom.hetero &&
               std::ranges::any_of(metals, [&](Vec3 metal) {
                   return norm(metal - atom.position) < longest_metal_bond;
               });
    };
    for (const ResidueRange& range : residues_of(atoms)) {
        if (std::none_of(&atoms[range.begin], &atoms[range.begin] + (range.end - range.begin),
                         at_metal))
            continue;
        for (std::size_t i = range.begin; i < range.end; ++i)
            if (const auto* row = built_in_component_atoms().find("CYM", atoms[i].name))
                parameters[i].charge = row->charge;
    }
}

std::vector<AtomParameters> look_up(const std::vector<io::AtomRecord>& atoms,
                                    const std::string& path, std::vector<std::string>& warnings) {
    std::vector<std::size_t> ruled;
    std::vector<AtomParameters> parameters(atoms.size());
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const AtomParameters* row = row_of(atoms[i]);
        if (row)
            parameters[i] = *row;
        else
            ruled.push_back(i);
    }
    deprotonate_cysteines(atoms, parameters);
    if (ruled.empty()) return parameters;
    const std::vector<AtomParameters> found = parameters_by_bonding(atoms, ruled);
    for (std::size_t k = 0; k < ruled.size(); ++k) parameters[ruled[k]] = found[k];
    round_charges(atoms, ruled, parameters);
    warnings.push_back("residues of '" + path +
                       "' have atoms that are in no table: " + names_of(atoms, ruled) +
                       ". Their types and charges follow from element and bonding");
    return parameters;
}

// Charges the termini: the first and last residue of a segment, and both sides of a residue with
// OXT. The ends of gaps within a segment (disordered loops) are not charged.
void charge_termini(const std::vector<io::AtomRecord>& atoms,
                    std::vector<AtomParameters>& parameters) {
    const std::vector<ResidueRange> residues = residues_of(atoms);
    bool begins = true;
    for (std::size_t r = 0; r < residues.size(); ++r) {
        ResidueTyper residue(atoms, residues[r], parameters);
        if (residue.first().hetero) break;  // they follow the protein
        if (begins) residue.make_n_terminus();
        const bool last = r + 1 == residues.size() ||
                          atoms[residues[r + 1].begin].segment != residue.first().segment;
        begins = last || residue.find("OXT");
        if (begins) residue.make_c_terminus();
    }
}

int place_of(const io::AtomRecord& atom, const std::string& type,
             const std::map<std::string, int>& rows) {
    const auto row = rows.find(type);
    if (row == rows.end())
        throw Error("the pair potential does not fit",
                    "atom " + atom.name + " of residue " + atom.variant + " has type " + type +
                        ", which its table lacks",
                    "give an atom-type table (residue,atom,type) that matches the potential");
    return row->second;
}

std::vector<int> type_rows(const std::vector<io::AtomRecord>& atoms,
                           const std::vector<AtomParameters>& parameters,
                           const std::vector<std::string>& type_names,
                           const AtomTypes* atom_types) {
    std::map<std::string, int> rows;
    for (std::size_t k = 0; k < type_names.size(); ++k)
        rows.emplace(type_names[k], static_cast<int>(k));
    std::vector<int> types;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const std::string* own =
            atom_types ? atom_types->find(atoms[i].variant, atoms[i].residue, atoms[i].name)
                       : nullptr;
        types.push_back(place_of(atoms[i], own ? *own : parameters[i].type, rows));
    }
    return types;
}

}  // namespace

Molecule make_molecule(const io::Structure& structure, std::vector<std::string>& warnings,
                       const std::vector<std::string>& type_names, const AtomTypes* atom_types) {
    std::vector<AtomParameters> parameters = look_up(structure.atoms, structure.path, warnings);
    charge_termini(structure.atoms, parameters);
    charge_strand_ends(structure.atoms, parameters);
    Molecule molecule;
    molecule.types = type_rows(structure.atoms, parameters, type_names, atom_types);
    for (std::size_t i = 0; i < structure.atoms.size(); ++i) {
        molecule.positions.push_back(structure.atoms[i].position);
        molecule.charges.push_back(parameters[i].charge);
        molecule.radii.push_back(parameters[i].radius);
        molecule.structure_index.push_back(static_cast<int>(i));
    }
    for (const double area : solvent_accessible_areas(molecule.positions, molecule.radii))
        molecule.on_surface.push_back(area > surface_area_threshold);
    return molecule;
}

}  // namespace tessera::docking
