#include "io/proteins/mmcif_writer.hpp"

#include <cmath>
#include <cstdint>  // gemmi uses its types without it
#include <sstream>

#include <fmt/format.h>

#include <gemmi/to_cif.hpp>

#include "core/error.hpp"
#include "io/files/whole_file.hpp"
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

std::string coordinate(double value, const std::string& path) {
    if (!std::isfinite(value))
        throw Error("cannot write '" + path + "'", "a coordinate is not finite",
                    "please report this", ExitCode::internal);
    return fmt::format("{:.3f}", value);
}

bool begins_segment(const std::vector<AtomRecord>& atoms, std::size_t i) {
    return i == 0 || atoms[i].segment != atoms[i - 1].segment ||
           atoms[i].chain != atoms[i - 1].chain;
}

/// The first atom of a part belongs to segment `segments` of the file and has the number `serial`.
struct Place {
    std::size_t segments = 0, serial = 1;
};

/// The rows of atom_site for one part of a model.
class AtomRows {
  public:
    AtomRows(cif::Loop& loop, const ChainPlan& plan, const std::string& path)
        : loop_(loop), plan_(plan), path_(path) {}

    void add(const ComplexPart& part, std::size_t index, int model, Place& place) {
        const auto& atoms = part.structure->atoms;
        int first_residue = 0;
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            const AtomRecord& atom = atoms[i];
            if (begins_segment(atoms, i)) {
                ++place.segments;
                first_residue = atom.residue_index;
            }
            const std::string chain = cif::quote(plan_.names.at({index, atom.chain}));
            add_row(atom, part.position(i), chain, place,
                    {atom.residue_index - first_residue + 1, model});
        }
    }

  private:
    struct Numbers {
        int residue, model;
    };

    void add_row(const AtomRecord& atom, Vec3 at, const std::string& chain, Place& place,
                 const Numbers& numbers) {
        const std::string name = cif::quote(atom.name), residue = cif::quote(atom.residue);
        const std::string code =
            atom.insertion_code == ' ' ? "?" : cif::quote(std::string(1, atom.insertion_code));
        loop_.add_row({"ATOM",
                       std::to_string(place.serial++),
                       cif::quote(atom.element),
                       name,
                       ".",
                       residue,
                       label(place.segments - 1),
                       std::to_string(place.segments),
                       std::to_string(numbers.residue),
                       code,
                       coordinate(at.x, path_),
                       coordinate(at.y, path_),
                       coordinate(at.z, path_),
                       "1.00",
                       fmt::format("{:.2f}", atom.b_factor),
                       std::to_string(atom.residue_number),
                       residue,
                       chain,
                       name,
                       std::to_string(numbers.model)});
    }

    cif::Loop& loop_;
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

/// Every segment is an entity.
void add_segments(cif::Block& block, std::size_t segments) {
    cif::Loop& entities = block.init_loop("_entity.", {"id", "type"});
    for (std::size_t s = 0; s < segments; ++s) entities.add_row({std::to_string(s + 1), "polymer"});
    cif::Loop& asymmetric = block.init_loop("_struct_asym.", {"id", "entity_id"});
    for (std::size_t s = 0; s < segments; ++s)
        asymmetric.add_row({label(s), std::to_string(s + 1)});
}

std::size_t segments_of(const std::vector<ComplexPart>& parts) {
    std::size_t count = 0;
    for (const ComplexPart& part : parts) {
        const auto& atoms = part.structure->atoms;
        for (std::size_t i = 0; i < atoms.size(); ++i) count += begins_segment(atoms, i) ? 1 : 0;
    }
    return count;
}

}  // namespace

void write_mmcif(const std::string& path, const std::vector<ComplexModel>& models) {
    cif::Document document;
    cif::Block& block = document.blocks.emplace_back("tessera");
    block.set_pair("_entry.id", "tessera");
    const ChainPlan plan = plan_chains(models.at(0).parts, mmcif_chain_rules, path);
    add_remarks(block, models, plan);
    add_segments(block, segments_of(models[0].parts));
    cif::Loop& atoms = block.init_loop("_atom_site.", {"group_PDB",      "id",
                                                       "type_symbol",    "label_atom_id",
                                                       "label_alt_id",   "label_comp_id",
                                                       "label_asym_id",  "label_entity_id",
                                                       "label_seq_id",   "pdbx_PDB_ins_code",
                                                       "Cartn_x",        "Cartn_y",
                                                       "Cartn_z",        "occupancy",
                                                       "B_iso_or_equiv", "auth_seq_id",
                                                       "auth_comp_id",   "auth_asym_id",
                                                       "auth_atom_id",   "pdbx_PDB_model_num"});
    AtomRows rows(atoms, plan, path);
    Place place;
    for (std::size_t m = 0; m < models.size(); ++m) {
        place.segments = 0;
        for (std::size_t p = 0; p < models[m].parts.size(); ++p)
            rows.add(models[m].parts[p], p, static_cast<int>(m + 1), place);
    }
    std::ostringstream text;
    if (!models[0].remarks.empty()) text << "# " << one_line(models[0].remarks[0], 1000) << "\n";
    cif::write_cif_to_stream(text, document);
    WholeFile file(path);
    file.write(text.str());
    file.commit();
}

}  // namespace tessera::io
