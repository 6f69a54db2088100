#include "io/proteins/mmcif_atoms.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>  // gemmi uses its types without it
#include <map>
#include <utility>
#include <vector>

#include <gemmi/cif.hpp>
#include <gemmi/elem.hpp>
#include <gemmi/numb.hpp>

#include "core/error.hpp"
#include "io/proteins/atom_fields.hpp"
#include "io/proteins/mmcif_origin.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

enum Tag {  // indices into atom_site_tags; gemmi requires a mandatory tag first
    x,
    y,
    z,
    group,
    symbol,
    label_atom,
    auth_atom,
    alternate,
    label_residue,
    auth_residue,
    label_chain,
    auth_chain,
    label_number,
    auth_number,
    insertion,
    occupancy,
    b_factor,
    model
};

const std::vector<std::string> atom_site_tags{
    "Cartn_x",       "Cartn_y",         "Cartn_z",
    "?group_PDB",    "?type_symbol",    "?label_atom_id",
    "?auth_atom_id", "?label_alt_id",   "?label_comp_id",
    "?auth_comp_id", "?label_asym_id",  "?auth_asym_id",
    "?label_seq_id", "?auth_seq_id",    "?pdbx_PDB_ins_code",
    "?occupancy",    "?B_iso_or_equiv", "?pdbx_PDB_model_num"};

using Row = gemmi::cif::Table::Row;

std::string text_of(Row& row, Tag preferred, Tag otherwise) {
    for (const Tag tag : {preferred, otherwise})
        if (row.has2(tag)) return gemmi::cif::as_string(row[tag]);
    return {};
}

char letter_of(Row& row, Tag tag) {
    const std::string text = text_of(row, tag, tag);
    return text.empty() ? ' ' : text[0];
}

double number_of(Row& row, Tag tag, double otherwise) {
    return row.has2(tag) ? gemmi::cif::as_number(row[tag], otherwise) : otherwise;
}

AtomSite read_cif_atom(Row& row, int index, const std::string& path) {
    AtomSite site;
    const std::string where = "atom " + std::to_string(index + 1);
    site.name = upper_case(text_of(row, auth_atom, label_atom));
    site.residue = upper_case(text_of(row, auth_residue, label_residue));
    site.chain = text_of(row, auth_chain, label_chain);
    const std::string number = text_of(row, auth_number, label_number);
    const char* const end = number.data() + number.size();
    const auto parsed = std::from_chars(number.data(), end, site.residue_number);
    if (!number.empty() && (parsed.ec != std::errc{} || parsed.ptr != end))
        throw Error(structure_problem(path), where + ": the residue number is not a number",
                    repair_structure);
    site.insertion_code = letter_of(row, insertion);
    site.alternate = letter_of(row, alternate);
    site.hetero = letter_of(row, group) == 'H';
    site.position = {number_of(row, x, NAN), number_of(row, y, NAN), number_of(row, z, NAN)};
    for (const double value : {site.position.x, site.position.y, site.position.z})
        check_coordinate(value, where, path);
    site.occupancy = finite_or(number_of(row, occupancy, 1), 1);
    site.b_factor = finite_or(number_of(row, b_factor, 0), 0);
    const std::string element = upper_case(text_of(row, symbol, symbol));
    if (element.size() <= 2 && gemmi::find_element(element.c_str()) != gemmi::El::X)
        site.element = element;
    return site;
}

/// Numbers the segments of a model.
struct Segments {
    std::string last_asym = "\n";
    int segment = 0;

    int of(const std::string& asym) {
        segment += asym != last_asym;
        last_asym = asym;
        return segment;
    }
};

std::vector<AtomSites> read_table(gemmi::cif::Table& table, const LocalPlddt& plddt,
                                  const std::string& path, Models which) {
    std::vector<AtomSites> models(1);
    std::vector<Segments> segments(1);
    std::map<std::string, std::size_t> places;  // of the models, by their names
    const int rows = static_cast<int>(table.length());
    for (int i = 0; i < rows; ++i) {
        Row row = table[i];
        const std::size_t place =
            places.emplace(text_of(row, model, model), places.size()).first->second;
        if (place > 0 && which == Models::first) continue;
        if (place == models.size()) {
            models.emplace_back();
            segments.emplace_back();
        }
        AtomSite site = read_cif_atom(row, i, path);
        const std::string asym = text_of(row, label_chain, auth_chain) + "\n" + site.chain;
        site.segment = segments[place].of(asym);
        if (!plddt.empty())
            site.plddt = plddt.of(text_of(row, label_chain, auth_chain),
                                  text_of(row, label_number, auth_number));
        models[place].sites.push_back(std::move(site));
    }
    models.front().other_models = static_cast<int>(places.size()) - 1;
    return models;
}

}  // namespace

std::vector<AtomSites> read_mmcif_atoms(const std::string& text, const std::string& path,
                                        Models which) {
    gemmi::cif::Document document;
    try {
        document = gemmi::cif::read_memory(text.data(), text.size(), "line");
    } catch (const std::exception& error) {
        throw Error(structure_problem(path),
                    "it is incomplete or damaged mmCIF: " + one_line(error.what(), 200),
                    repair_structure);
    }
    for (gemmi::cif::Block& block : document.blocks) {
        gemmi::cif::Table table = block.find("_atom_site.", atom_site_tags);
        if (!table.ok() || table.length() == 0) continue;
        std::vector<AtomSites> models = read_table(table, local_plddt_of(block), path, which);
        models.front().origin = origin_of(block);
        return models;
    }
    throw Error(structure_problem(path), "the mmCIF file has no _atom_site coordinates",
                "give the coordinate file, not structure factors or a dictionary");
}

}  // namespace tessera::io
