#include "docking/model/nucleotide_atoms.hpp"

#include <algorithm>
#include <string_view>

#include "docking/model/residue_ranges.hpp"
#include "io/files/data_files.hpp"

namespace tessera::docking {
namespace {

const AtomTable& table() {
    static const AtomTable rows(io::data_file("chemistry/nucleotides.csv"));
    return rows;
}

bool is_backbone(std::string_view name) {
    return name == "P" || name.starts_with("OP") || name.ends_with('\'');
}

/// A nucleotide with its atoms and their parameters.
class Nucleotide {
  public:
    Nucleotide(const std::vector<io::AtomRecord>& atoms, ResidueRange range,
               std::vector<AtomParameters>& parameters)
        : atoms_(atoms), range_(range), parameters_(parameters) {}

    bool has(std::string_view name) const {
        for (std::size_t i = range_.begin; i < range_.end; ++i)
            if (atoms_[i].name == name) return true;
        return false;
    }

    /// Takes the charges of an end from the table, for the atoms that are present.
    void set_charges(const char* end) {
        for (std::size_t i = range_.begin; i < range_.end; ++i)
            if (const AtomParameters* row = table().find(end, atoms_[i].name))
                parameters_[i].charge = row->charge;
    }

  private:
    const std::vector<io::AtomRecord>& atoms_;
    ResidueRange range_;
    std::vector<AtomParameters>& parameters_;
};

}  // namespace

const AtomParameters* nucleotide_row(const io::AtomRecord& atom) {
    if (const auto* row = table().find(atom.variant, atom.name)) return row;
    if (const auto* row = table().find(atom.residue, atom.name)) return row;
    if (!is_backbone(atom.name)) return nullptr;
    if (const auto* row = table().find("DA", atom.name)) return row;
    return table().find("A", atom.name);
}

bool has_screened_charge(const io::AtomRecord& atom) {
    return atom.nucleic && is_backbone(atom.name);
}

void charge_strand_ends(const std::vector<io::AtomRecord>& atoms,
                        std::vector<AtomParameters>& parameters) {
    const std::vector<ResidueRange> residues = residues_of(atoms);
    const auto segment = [&](std::size_t r) { return atoms[residues[r].begin].segment; };
    for (std::size_t r = 0; r < residues.size(); ++r) {
        if (!atoms[residues[r].begin].nucleic) continue;
        Nucleotide nucleotide(atoms, residues[r], parameters);
        if (r == 0 || segment(r - 1) != segment(r))
            nucleotide.set_charges(!nucleotide.has("P")    ? "5TER"
                                   : nucleotide.has("OP3") ? "5PHO"
                                                           : "5P");
        if (r + 1 == residues.size() || segment(r + 1) != segment(r))
            nucleotide.set_charges("3TER");
    }
}

bool has_nucleotides(const io::Structure& structure) {
    return std::ranges::any_of(structure.atoms, &io::AtomRecord::nucleic);
}

NucleicAcid nucleic_acid_of(const io::Structure& structure) {
    NucleicAcid found;
    int residue = -1, segment = -1;
    for (const io::AtomRecord& atom : structure.atoms) {
        if (!atom.nucleic) continue;
        found.nucleotides += atom.residue_index != residue;
        found.strands += atom.segment != segment;
        residue = atom.residue_index;
        segment = atom.segment;
    }
    return found;
}

}  // namespace tessera::docking
