#include "io/proteins/pdb_atoms.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

#include <gemmi/elem.hpp>

#include "core/error.hpp"
#include "io/proteins/atom_fields.hpp"
#include "io/proteins/residue_names.hpp"
#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

std::optional<double> to_number(std::string_view field) {
    field = trimmed_field(field);
    if (!field.empty() && field.front() == '+') field.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
    return value;
}

// Columns `first` to `last` of a line, counted from 1 as the format description does.
std::string_view columns(std::string_view line, std::size_t first, std::size_t last) {
    if (line.size() < first) return {};
    return line.substr(first - 1, last - first + 1);
}

// Decimal, or hybrid-36 beyond 9999 ("A000" is 10000; convention of Grosse-Kunstleve).
std::optional<int> to_residue_number(std::string_view field) {
    field = trimmed_field(field);
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
        throw Error(structure_problem(path), "line " + std::to_string(line_number) + ": " + why,
                    repair_structure);
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
    site.name = upper_case(trimmed_field(columns(line, 13, 16)));
    site.residue = upper_case(trimmed_field(columns(line, 18, 20)));
    site.chain = trimmed_field(columns(line, 21, 22));
    const std::string wide = upper_case(trimmed_field(columns(line, 18, 21)));
    if (wide == site.residue || wide.empty()) return;
    const ResidueKind kind = classify_residue(wide).kind;
    const bool unknown = classify_residue(site.residue).kind == ResidueKind::other;
    // The first three letters of CYS2, HISA and LYSH are a name, too.
    if (kind == ResidueKind::amino_acid || (unknown && kind == ResidueKind::water)) {
        site.residue = wide;
        site.chain = trimmed_field(columns(line, 22, 22));
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
    const std::string element = upper_case(trimmed_field(columns(line, 77, 78)));
    if (gemmi::find_element(element.c_str()) != gemmi::El::X) site.element = element;
    return site;
}

// A new segment begins with every change of chain. In a blank chain it begins with every change of
// the segment id (columns 73-76).
void set_segment(AtomSite& site, std::string_view line, PdbCursor& at) {
    std::string id = site.chain;
    if (id.empty() && !site.hetero) id = "\n" + std::string(trimmed_field(columns(line, 73, 76)));
    if (id != at.last_chain_and_segment_id) {
        ++at.segment;
        at.last_chain_and_segment_id = id;
    }
    site.segment = at.segment;
}

bool is_record(std::string_view line, std::string_view name) {
    if (line.size() < name.size()) return false;
    const std::string_view rest = columns(line, name.size() + 1, 6);
    return upper_case(line.substr(0, name.size())) == name && trimmed_field(rest).empty();
}

// "ATOM" may be followed by a serial number that runs into columns 5 and 6.
bool is_atom_record(std::string_view line) {
    return line.size() >= 4 && upper_case(line.substr(0, 4)) == "ATOM" &&
           (line.size() < 5 || line[4] == ' ' || std::isdigit(static_cast<unsigned char>(line[4])));
}

/// The number of groups of ATOM records, which MODEL or ENDMDL separate, from a position on.
int models_after(const std::string& text, std::size_t begin) {
    int models = 0;
    while ((begin = text.find("\nATOM", begin)) != std::string::npos) {
        ++models;
        begin = std::min(text.find("\nMODEL", begin), text.find("\nENDMDL", begin));
        if (begin == std::string::npos) break;
    }
    return models;
}

}  // namespace

std::vector<AtomSites> read_pdb_atoms(const std::string& text, const std::string& path,
                                      Models which) {
    std::vector<AtomSites> models(1);
    PdbCursor at{path, 0, 0, {}};
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line(text.data() + begin, end - begin);
        ++at.line_number;
        begin = end + 1;
        AtomSites& result = models.back();
        const bool hetero = line.size() >= 6 && upper_case(line.substr(0, 6)) == "HETATM";
        if (hetero || is_atom_record(line)) {
            result.sites.push_back(read_pdb_atom(line, hetero, at));
            set_segment(result.sites.back(), line, at);
        } else if (is_record(line, "TER")) {
            at.last_chain_and_segment_id = "\n\n";
        } else if ((is_record(line, "ENDMDL") || is_record(line, "MODEL")) &&
                   !result.sites.empty()) {  // some programs omit ENDMDL
            if (which == Models::first) result.other_models = models_after(text, begin - 1);
            if (which == Models::first || text.find("\nATOM", begin - 1) == std::string::npos)
                break;
            models.emplace_back();
            at.segment = 0;
            at.last_chain_and_segment_id = {};
        } else if (is_record(line, "END") && !result.sites.empty()) {
            break;
        } else if (result.sites.empty() && models.size() == 1 && line.size() > 6) {
            note_pdb_header(line, result.origin);
        } else if (end == text.size() && line.size() >= 2 && line.size() < 6 &&
                   (line == std::string_view("ATOM").substr(0, line.size()) ||
                    line == std::string_view("HETATM").substr(0, line.size()))) {
            at.fail("the file ends within a record");
        }
    }
    if (models.size() > 1 && models.back().sites.empty()) models.pop_back();
    return models;
}

}  // namespace tessera::io
