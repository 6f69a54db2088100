#include "docking/model/molecule.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "docking/model/residue_ranges.hpp"
#include "docking/model/surface_area.hpp"

namespace tessera::docking {
namespace {

constexpr double surface_area_threshold = 1.0;  // A^2, as in ZDOCK's mark_sur
const AtomParameters unknown_atom{"CB", 0.0, 2.0};

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

std::vector<AtomParameters> look_up(const std::vector<io::AtomRecord>& atoms,
                                    const std::string& path, std::vector<std::string>& warnings) {
    const AtomTable& table = built_in_atom_table();
    std::set<std::pair<std::string, std::string>> named;
    std::vector<AtomParameters> parameters;
    for (const io::AtomRecord& atom : atoms) {
        const AtomParameters* row = table.find(atom.variant, atom.residue, atom.name);
        parameters.push_back(row ? *row : unknown_atom);
        if (!row && named.emplace(atom.variant, atom.name).second)
            warnings.push_back("atom " + atom.name + " of residue " + atom.variant + " in '" +
                               path + "' is unknown: taken as type CB, charge 0, radius 2.0 A");
    }
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
        if (begins) residue.make_n_terminus();
        const bool last = r + 1 == residues.size() ||
                          atoms[residues[r + 1].begin].segment != residue.first().segment;
        begins = last || residue.find("OXT");
        if (begins) residue.make_c_terminus();
    }
}

int row_of(const io::AtomRecord& atom, const std::string& type,
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
        types.push_back(row_of(atoms[i], own ? *own : parameters[i].type, rows));
    }
    return types;
}

}  // namespace

Molecule make_molecule(const io::Structure& structure, std::vector<std::string>& warnings,
                       const std::vector<std::string>& type_names, const AtomTypes* atom_types) {
    std::vector<AtomParameters> parameters = look_up(structure.atoms, structure.path, warnings);
    charge_termini(structure.atoms, parameters);
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
