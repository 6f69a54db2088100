#include "io/proteins/mmcif_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>  // gemmi uses its types without it
#include <sstream>
#include <string_view>
#include <utility>

#include <gemmi/to_cif.hpp>

#include "core/error.hpp"
#include "io/files/whole_file.hpp"
#include "io/text/fixed_point.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

namespace cif = gemmi::cif;

/// A, B, …, Z, AA, AB, …
std::string label(std::size_t number) {
    std::string text;
    for (++number; number > 0; number = (number - 1) / 26)
        text.insert(text.begin(), static_cast<char>('A' + (number - 1) % 26));
    return text;
}

bool begins_segment(const std::vector<AtomRecord>& atoms, std::size_t i) {
    return i == 0 || atoms[i].segment != atoms[i - 1].segment ||
           atoms[i].chain != atoms[i - 1].chain;
}

/// The first atom of a part belongs to segment `segments` of the file and has the number `serial`.
struct Place {
    std::size_t segments = 0, serial = 1;
};

std::size_t number_of_atoms(const std::vector<ComplexModel>& models) {
    std::size_t number = 0;
    for (const ComplexModel& model : models)
        for (const ComplexPart& part : model.parts) number += part.structure->atoms.size();
    return number;
}

/// The loop of all atoms as text. gemmi would keep each of its values as a string and write them
/// one by one, which costs a quarter of an export.
class AtomLoop {
  public:
    AtomLoop(std::string& text, const ChainPlan& plan, const std::string& path)
        : text_(text), plan_(plan), path_(path) {
        text_ += "\nloop_\n";
        for (const char* column : {"group_PDB",      "id",
                                   "type_symbol",    "label_atom_id",
                                   "label_alt_id",   "label_comp_id",
                                   "label_asym_id",  "label_entity_id",
                                   "label_seq_id",   "pdbx_PDB_ins_code",
                                   "Cartn_x",        "Cartn_y",
                                   "Cartn_z",        "occupancy",
                                   "B_iso_or_equiv", "auth_seq_id",
                                   "auth_comp_id",   "auth_asym_id",
                                   "auth_atom_id",   "pdbx_PDB_model_num"})
            text_.append("_atom_site.").append(column).append("\n");
    }

    void add(const ComplexPart& part, std::size_t index, int model, Place& place) {
        const auto& atoms = part.structure->atoms;
        Segment segment;
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            if (begins_segment(atoms, i))
                segment = {label(place.segments), ++place.segments, atoms[i].residue_index,
                           cif::quote(plan_.names.at({index, atoms[i].chain}))};
            add_row(atoms[i], part.position(i), segment, place.serial++, model);
        }
    }

  private:
    struct Segment {
        std::string label;
        std::size_t number = 0;
        int first_residue = 0;
        std::string chain;
    };

    void add_row(const AtomRecord& atom, Vec3 at, const Segment& segment, std::size_t serial,
                 int model) {
        const std::string name = cif::quote(atom.name), residue = cif::quote(atom.residue);
        add(atom.hetero ? "HETATM" : "ATOM"), add_whole(serial), add(cif::quote(atom.element)),
            add(name);
        add("."), add(residue), add(segment.label), add_whole(segment.number);
        add_whole(atom.residue_index - segment.first_residue + 1);
        add(atom.insertion_code == ' ' ? "?" : cif::quote(std::string(1, atom.insertion_code)));
        for (const double value : {at.x, at.y, at.z}) add_coordinate(value);
        add("1.00"), add_fixed(atom.b_factor, 2), add_whole(atom.residue_number), add(residue);
        add(segment.chain), add(name), add_whole(model);
        text_.back() = '\n';
    }

    /// Adds a value and a space. What has both kinds of quotation marks has lines of its own.
    void add(std::string_view value) {
        const bool has_lines =
            value.substr(0, 1) == ";" && value.find('\n') != std::string_view::npos;
        if (has_lines) text_.back() = '\n';
        text_.append(value) += has_lines ? '\n' : ' ';
    }
    template <class Integer>
    void add_whole(Integer value) {
        add(std::to_string(value));
    }
    void add_fixed(double value, int decimals) {
        append_fixed(text_, value, decimals);
        text_ += ' ';
    }
    void add_coordinate(double value) {
        if (!std::isfinite(value))
            throw Error("cannot write '" + path_ + "'", "a coordinate is not finite",
                        "please report this", ExitCode::internal);
        add_fixed(value, 3);
    }

    std::string& text_;
    const ChainPlan& plan_;
    const std::string& path_;
};

void add_remarks(cif::Block& block, const std::vector<ComplexModel>& models,
                 const ChainPlan& plan) {
    cif::Loop& loop = block.init_loop("_tessera_remark.", {"pdbx_PDB_model_num", "text"});
    for (std::size_t m = 0; m < models.size(); ++m)
        for (const std::string& remark : models[m].remarks)
            loop.add_row({std::to_string(m + 1), cif::quote(one_line(remark, 1000))});
    for (const std::string& remark : plan.remarks) loop.add_row({"?", cif::quote(remark)});
}

enum class Polymer { none, protein, dna, rna };

const char* name_of(Polymer polymer) {
    return polymer == Polymer::protein ? "polypeptide(L)"
           : polymer == Polymer::dna   ? "polydeoxyribonucleotide"
                                       : "polyribonucleotide";
}

/// Every segment is an entity. `polymers` says for each what kind of chain it is. The kinds are
/// written if there are nucleic acids.
void add_segments(cif::Block& block, const std::vector<Polymer>& polymers) {
    cif::Loop& entities = block.init_loop("_entity.", {"id", "type"});
    for (std::size_t s = 0; s < polymers.size(); ++s)
        entities.add_row(
            {std::to_string(s + 1), polymers[s] == Polymer::none ? "non-polymer" : "polymer"});
    const auto is_nucleic = [](Polymer p) { return p == Polymer::dna || p == Polymer::rna; };
    if (std::any_of(polymers.begin(), polymers.end(), is_nucleic)) {
        cif::Loop& kinds = block.init_loop("_entity_poly.", {"entity_id", "type"});
        for (std::size_t s = 0; s < polymers.size(); ++s)
            if (polymers[s] != Polymer::none)
                kinds.add_row({std::to_string(s + 1), cif::quote(name_of(polymers[s]))});
    }
    cif::Loop& asymmetric = block.init_loop("_struct_asym.", {"id", "entity_id"});
    for (std::size_t s = 0; s < polymers.size(); ++s)
        asymmetric.add_row({label(s), std::to_string(s + 1)});
}

Polymer polymer_of(const AtomRecord& atom) {
    if (atom.hetero) return Polymer::none;
    if (!atom.nucleic) return Polymer::protein;
    return atom.residue.size() == 1 ? Polymer::rna : Polymer::dna;
}

std::vector<Polymer> polymers_of(const std::vector<ComplexPart>& parts) {
    std::vector<Polymer> polymers;
    for (const ComplexPart& part : parts) {
        const auto& atoms = part.structure->atoms;
        for (std::size_t i = 0; i < atoms.size(); ++i)
            if (begins_segment(atoms, i)) polymers.push_back(polymer_of(atoms[i]));
    }
    return polymers;
}

}  // namespace

void write_mmcif(const std::string& path, const std::vector<ComplexModel>& models) {
    cif::Document document;
    cif::Block& block = document.blocks.emplace_back("tessera");
    block.set_pair("_entry.id", "tessera");
    const ChainPlan plan = plan_chains(models.at(0).parts, mmcif_chain_rules, path);
    add_remarks(block, models, plan);
    add_segments(block, polymers_of(models[0].parts));
    std::ostringstream header;
    if (!models[0].remarks.empty()) header << "# " << one_line(models[0].remarks[0], 1000) << "\n";
    cif::write_cif_to_stream(header, document);
    std::string text = std::move(header).str();
    text.reserve(text.size() + 100 * number_of_atoms(models));
    AtomLoop atoms(text, plan, path);
    Place place;
    for (std::size_t m = 0; m < models.size(); ++m) {
        place.segments = 0;
        for (std::size_t p = 0; p < models[m].parts.size(); ++p)
            atoms.add(models[m].parts[p], p, static_cast<int>(m + 1), place);
    }
    WholeFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace tessera::io
