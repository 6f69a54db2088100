#include "io/proteins/atom_sites.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <gemmi/cif.hpp>
#include <gemmi/elem.hpp>
#include <gemmi/numb.hpp>

#include "core/error.hpp"
#include "io/proteins/residue_names.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {
namespace {

constexpr double largest_coordinate = 1e5;  // Angstrom
constexpr const char* repair = "repair the file or download it again";

std::string problem(const std::string& path) { return "cannot read structure '" + path + "'"; }

std::string_view trimmed(std::string_view field) {
    while (!field.empty() && (field.front() == ' ' || field.front() == '\t'))
        field.remove_prefix(1);
    while (!field.empty() && (field.back() == ' ' || field.back() == '\t')) field.remove_suffix(1);
    return field;
}

std::optional<double> to_number(std::string_view field) {
    field = trimmed(field);
    if (!field.empty() && field.front() == '+') field.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
    return value;
}

/// Values that are not numbers ("nan", "inf", a blank) count as missing.
double finite_or(double value, double otherwise) {
    return std::isfinite(value) ? value : otherwise;
}

void check_coordinate(double value, const std::string& where, const std::string& path) {
    if (!std::isfinite(value))
        throw Error(problem(path), where + ": a coordinate is not a finite number", repair);
    if (std::abs(value) > largest_coordinate)
        throw Error(problem(path), where + ": a coordinate is beyond 100000 Angstrom", repair);
}

// ---------------------------------------------------------------------------------------------- PDB

// Columns `first` to `last` of a line, counted from 1 as the format description does.
std::string_view columns(std::string_view line, std::size_t first, std::size_t last) {
    if (line.size() < first) return {};
    return line.substr(first - 1, last - first + 1);
}

std::string upper(std::string_view field) {
    std::string text(field);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

// Decimal, or hybrid-36 beyond 9999 ("A000" is 10000; convention of Grosse-Kunstleve).
std::optional<int> to_residue_number(std::string_view field) {
    field = trimmed(field);
    int value = 0;
    const char* const end = field.data() + field.size();
    const bool hybrid = field.size() == 4 && std::isupper(static_cast<unsigned char>(field[0]));
    const auto parsed = std::from_chars(field.data(), end, value, hybrid ? 36 : 10);
    if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
    return hybrid ? value - 10 * 36 * 36 * 36 + 10000 : value;
}

struct PdbCursor {
    const std::string& path;
    int line_number = 0;
    int segment = 0;
    std::string last_chain_and_segment_id;

    [[noreturn]] void fail(const std::string& why) const {
        throw Error(problem(path), "line " + std::to_string(line_number) + ": " + why, repair);
    }
};

double coordinate_of(std::string_view field, char axis, const PdbCursor& at) {
    const std::optional<double> value = to_number(field);
    if (!value)
        at.fail(std::string("the ") + axis + " coordinate '" + one_line(field) +
                "' is not a number");
    check_coordinate(*value, "line " + std::to_string(at.line_number), at.path);
    return *value;
}

// The residue name is in columns 18-20, or 18-21 for the four-letter names of simulation programs.
// The chain name is in column 22, or 21-22 if it has two letters.
void read_names(std::string_view line, AtomSite& site) {
    site.name = upper(trimmed(columns(line, 13, 16)));
    site.residue = upper(trimmed(columns(line, 18, 20)));
    site.chain = trimmed(columns(line, 21, 22));
    const std::string wide = upper(trimmed(columns(line, 18, 21)));
    if (wide == site.residue || wide.empty()) return;
    const ResidueKind kind = classify_residue(wide).kind;
    const bool unknown = classify_residue(site.residue).kind == ResidueKind::other;
    // The first three letters of CYS2, HISA and LYSH are a name, too.
    if (kind == ResidueKind::amino_acid || (unknown && kind == ResidueKind::water)) {
        site.residue = wide;
        site.chain = trimmed(columns(line, 22, 22));
    }
}

AtomSite read_pdb_atom(std::string_view line, bool hetero, const PdbCursor& at) {
    if (line.size() < 54)
        at.fail("the " + std::string(hetero ? "HETATM" : "ATOM") + " record is cut short after " +
                std::to_string(line.size()) + " of at least 54 columns");
    AtomSite site;
    site.hetero = hetero;
    read_names(line, site);
    const std::optional<int> number = to_residue_number(columns(line, 23, 26));
    if (!number)
        at.fail("the residue number '" + one_line(columns(line, 23, 26)) + "' is not a number");
    site.residue_number = *number;
    site.alternate = line[16];
    site.insertion_code = line[26];
    site.position = {coordinate_of(columns(line, 31, 38), 'x', at),
                     coordinate_of(columns(line, 39, 46), 'y', at),
                     coordinate_of(columns(line, 47, 54), 'z', at)};
    site.occupancy = finite_or(to_number(columns(line, 55, 60)).value_or(1), 1);
    site.b_factor = finite_or(to_number(columns(line, 61, 66)).value_or(0), 0);
    const std::string element = upper(trimmed(columns(line, 77, 78)));
    if (gemmi::find_element(element.c_str()) != gemmi::El::X) site.element = element;
    return site;
}

// A new segment begins with every change of chain. In a blank chain it begins with every change of
// the segment id (columns 73-76).
void set_segment(AtomSite& site, std::string_view line, PdbCursor& at) {
    std::string id = site.chain;
    if (id.empty() && !site.hetero) id = "\n" + std::string(trimmed(columns(line, 73, 76)));
    if (id != at.last_chain_and_segment_id) {
        ++at.segment;
        at.last_chain_and_segment_id = id;
    }
    site.segment = at.segment;
}

bool is_record(std::string_view line, std::string_view name) {
    if (line.size() < name.size()) return false;
    const std::string_view rest = columns(line, name.size() + 1, 6);
    return upper(line.substr(0, name.size())) == name && trimmed(rest).empty();
}

// "ATOM" may be followed by a serial number that runs into columns 5 and 6.
bool is_atom_record(std::string_view line) {
    return line.size() >= 4 && upper(line.substr(0, 4)) == "ATOM" &&
           (line.size() < 5 || line[4] == ' ' || std::isdigit(static_cast<unsigned char>(line[4])));
}

AtomSites read_pdb(const std::string& text, const std::string& path) {
    AtomSites result;
    PdbCursor at{path, 0, 0, {}};
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line(text.data() + begin, end - begin);
        ++at.line_number;
        begin = end + 1;
        const bool hetero = line.size() >= 6 && upper(line.substr(0, 6)) == "HETATM";
        if (hetero || is_atom_record(line)) {
            result.sites.push_back(read_pdb_atom(line, hetero, at));
            set_segment(result.sites.back(), line, at);
        } else if (is_record(line, "TER")) {
            at.last_chain_and_segment_id = "\n\n";
        } else if ((is_record(line, "ENDMDL") || is_record(line, "MODEL")) &&
                   !result.sites.empty()) {  // some programs omit ENDMDL
            result.more_models = text.find("\nATOM", begin - 1) != std::string::npos;
            break;
        } else if (is_record(line, "END") && !result.sites.empty()) {
            break;
        } else if (end == text.size() && line.size() >= 2 && line.size() < 6 &&
                   (line == std::string_view("ATOM").substr(0, line.size()) ||
                    line == std::string_view("HETATM").substr(0, line.size()))) {
            at.fail("the file ends within a record");
        }
    }
    return result;
}

// -------------------------------------------------------------------------------------------- mmCIF

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
    site.name = upper(text_of(row, auth_atom, label_atom));
    site.residue = upper(text_of(row, auth_residue, label_residue));
    site.chain = text_of(row, auth_chain, label_chain);
    const std::string number = text_of(row, auth_number, label_number);
    const char* const end = number.data() + number.size();
    const auto parsed = std::from_chars(number.data(), end, site.residue_number);
    if (!number.empty() && (parsed.ec != std::errc{} || parsed.ptr != end))
        throw Error(problem(path), where + ": the residue number is not a number", repair);
    site.insertion_code = letter_of(row, insertion);
    site.alternate = letter_of(row, alternate);
    site.hetero = letter_of(row, group) == 'H';
    site.position = {number_of(row, x, NAN), number_of(row, y, NAN), number_of(row, z, NAN)};
    for (const double value : {site.position.x, site.position.y, site.position.z})
        check_coordinate(value, where, path);
    site.occupancy = finite_or(number_of(row, occupancy, 1), 1);
    site.b_factor = finite_or(number_of(row, b_factor, 0), 0);
    const std::string element = upper(text_of(row, symbol, symbol));
    if (element.size() <= 2 && gemmi::find_element(element.c_str()) != gemmi::El::X)
        site.element = element;
    return site;
}

AtomSites read_table(gemmi::cif::Table& table, const std::string& path) {
    AtomSites result;
    std::string first_model;
    std::string last_asym = "\n";
    int segment = 0;
    const int rows = static_cast<int>(table.length());
    for (int i = 0; i < rows; ++i) {
        Row row = table[i];
        const std::string model_name = text_of(row, model, model);
        if (i == 0) first_model = model_name;
        if (model_name != first_model) {
            result.more_models = true;
            continue;
        }
        AtomSite site = read_cif_atom(row, i, path);
        const std::string asym = text_of(row, label_chain, auth_chain) + "\n" + site.chain;
        segment += asym != last_asym;
        last_asym = asym;
        site.segment = segment;
        result.sites.push_back(std::move(site));
    }
    return result;
}

AtomSites read_mmcif(const std::string& text, const std::string& path) {
    gemmi::cif::Document document;
    try {
        document = gemmi::cif::read_memory(text.data(), text.size(), "line");
    } catch (const std::exception& error) {
        throw Error(problem(path),
                    "it is incomplete or damaged mmCIF: " + one_line(error.what(), 200), repair);
    }
    for (gemmi::cif::Block& block : document.blocks) {
        gemmi::cif::Table table = block.find("_atom_site.", atom_site_tags);
        if (table.ok() && table.length() > 0) return read_table(table, path);
    }
    throw Error(problem(path), "the mmCIF file has no _atom_site coordinates",
                "give the coordinate file, not structure factors or a dictionary");
}

bool looks_like_mmcif(const std::string& text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trimmed(std::string_view(text).substr(begin, end - begin));
        if (!line.empty() && line[0] != '#') return upper(line.substr(0, 5)) == "DATA_";
        begin = end + 1;
    }
    return false;
}

}  // namespace

AtomSites read_atom_sites(const std::string& text, const std::string& path) {
    AtomSites result = looks_like_mmcif(text) ? read_mmcif(text, path) : read_pdb(text, path);
    if (result.sites.empty())
        throw Error(problem(path), "it has no ATOM or HETATM records", "give a PDB or mmCIF file");
    return result;
}

}  // namespace tessera::io
