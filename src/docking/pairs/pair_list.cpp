#include "docking/pairs/pair_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "docking/antibody/antibody.hpp"
#include "docking/model/membrane.hpp"
#include "docking/model/plddt_rule.hpp"
#include "docking/pairs/table_fields.hpp"
#include "io/files/file_name.hpp"
#include "io/text/counted.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

constexpr std::array known_columns{"receptor",
                                   "ligand",
                                   "name",
                                   "reference",
                                   "receptor_chains",
                                   "ligand_chains",
                                   "reference_receptor_chains",
                                   "reference_ligand_chains",
                                   "antibody",
                                   "plddt",
                                   "keep",
                                   "drop",
                                   "restraints",
                                   "membrane",
                                   "membrane_ligand",
                                   "symmetry",
                                   "conformers",
                                   "receptor_conformers",
                                   "ligand_conformers",
                                   "receptor_models",
                                   "ligand_models",
                                   "add_receptor",
                                   "add_ligand"};

class TableReader {
  public:
    TableReader(const io::TextSource& source, const DockInput& common)
        : path_(source.path), common_(common), rows_(io::parse_csv_table(source)) {}

    std::vector<DockPair> read() {
        read_header();
        std::vector<DockPair> pairs;
        for (std::size_t r = 1; r < rows_.size(); ++r) {
            pairs.push_back(read_row(rows_[r]));
            take_name(pairs.back());
        }
        if (pairs.empty())
            throw problem(rows_.front(), "no rows follow the header",
                          "give one line for each pair");
        require_use(pairs, "--axes", [](const DockInput& i) { return i.symmetry.axes; });
        require_use(pairs, "--rings", [](const DockInput& i) { return i.symmetry.rings; });
        require_use(pairs, "--conformer-rmsd", [](const DockInput& i) { return i.ensemble.rmsd; });
        require_use(pairs, "--membrane-tilt", [](const DockInput& i) { return i.membrane.tilt; });
        require_use(pairs, "--membrane-shift", [](const DockInput& i) { return i.membrane.shift; });
        return pairs;
    }

  private:
    Error problem(const io::CsvRow& row, const std::string& why, const std::string& what_to_do) {
        return Error("cannot use table '" + path_ + "'",
                     "line " + std::to_string(row.line) + ": " + why, what_to_do);
    }

    /// Throws Error if the run has a value of this option, and no row of the table takes it.
    template <class Value>
    void require_use(const std::vector<DockPair>& pairs, const char* option,
                     const Value& value_of) const {
        const auto value = value_of(common_);
        if (value == value_of(DockInput{})) return;
        for (const DockPair& pair : pairs)
            if (value_of(pair.input) == value) return;
        throw Error(std::string(option) + " is given, but no row of the table can use it",
                    "'" + path_ + "' has no such ring, conformers or membranes",
                    "leave it out, or correct the table");
    }

    void read_header() {
        const io::CsvRow& header = rows_.front();
        for (std::size_t c = 0; c < header.fields.size(); ++c) {
            const std::string& name = header.fields[c];
            if (std::find(known_columns.begin(), known_columns.end(), name) == known_columns.end())
                throw problem(header, "unknown column '" + io::one_line(name) + "'",
                              "use " + fmt::format("{}", fmt::join(known_columns, ", ")));
            if (!columns_.emplace(name, c).second)
                throw problem(header, "column '" + name + "' appears twice", "remove one");
        }
        const bool has_rings = columns_.contains("symmetry") || common_.symmetry.is_set();
        for (const char* needed : {"receptor", "ligand"})
            if (!columns_.contains(needed) && !(has_rings && needed == std::string("ligand")))
                throw problem(header, std::string("there is no column '") + needed + "'",
                              "begin the table with a line such as name,receptor,ligand");
    }

    std::string field(const io::CsvRow& row, const std::string& name) const {
        const auto column = columns_.find(name);
        return column == columns_.end() ? "" : row.fields[column->second];
    }

    DockPair read_row(const io::CsvRow& row) {
        if (row.fields.size() != columns_.size())
            throw problem(row,
                          io::counted(row.fields.size(), "field") + " instead of " +
                              std::to_string(columns_.size()),
                          "separate fields by commas, and quote fields that contain a comma");
        DockPair pair{field(row, "name"), row.line, common_};
        const auto set_path = [&](const char* name, std::string& path) {
            if (const std::string text = field(row, name); !text.empty())
                path = path_beside(path_, text);
        };
        const auto set_chains = [&](const char* name, std::vector<std::string>& chains) {
            if (const auto names = chain_names(field(row, name)); !names.empty()) chains = names;
        };
        DockInput& input = pair.input;
        set_path("receptor", input.receptor_path);
        set_path("ligand", input.ligand_path);
        set_symmetry(row, input);
        if (input.receptor_path.empty() || input.ligand_path.empty())
            throw problem(row, "receptor or ligand is missing", "give two files on each line");
        set_path("reference", input.reference_path);
        set_antibody(row, input);
        set_plddt(row, input);
        set_keep(row, input);
        set_files(row, "restraints", input.restraints.files);
        set_membrane(row, input);
        set_conformers(row, input);
        set_chains("receptor_chains", input.receptor_chains);
        set_chains("ligand_chains", input.ligand_chains);
        if (input.symmetry.is_set() && input.ligand_chains.empty())
            input.ligand_chains = input.receptor_chains;
        set_chains("reference_receptor_chains", input.reference_receptor_chains);
        set_chains("reference_ligand_chains", input.reference_ligand_chains);
        if (input.reference_path.empty() &&
            !(input.reference_receptor_chains.empty() && input.reference_ligand_chains.empty()))
            throw problem(row, "reference chains without a reference", "name the reference file");
        input = without_unused_options(input);
        if (has_own_search(input))
            require(row, "correct the row, or the options of the run", [&] { validate(input); });
        if (pair.name.empty())
            pair.name = name_of_structure(input.receptor_path) + "_" +
                        (input.symmetry.is_set() ? name_of(input.symmetry)
                                                 : name_of_structure(input.ligand_path));
        return pair;
    }

    /// Calls `check`, and adds the line to what it throws.
    template <class Check>
    void require(const io::CsvRow& row, const std::string& remedy, const Check& check) {
        try {
            check();
        } catch (const Error& error) {
            throw problem(row, error.what(), remedy);
        }
    }

    /// All copies of a ring are the receptor.
    void set_symmetry(const io::CsvRow& row, DockInput& input) {
        if (const std::string symmetry = field(row, "symmetry"); !symmetry.empty())
            require(row, "correct column symmetry",
                    [&] { input.symmetry = parse_symmetry(symmetry, input.symmetry); });
        if (!input.symmetry.is_set()) return;
        if (!input.ligand_path.empty() && input.ligand_path != input.receptor_path)
            throw problem(row, "a ligand is given, but a ring is made of copies of the receptor",
                          "leave column ligand empty, or column symmetry");
        input.ligand_path = input.receptor_path;
    }

    void set_conformers(const io::CsvRow& row, DockInput& input) {
        EnsembleOptions& ensemble = input.ensemble;
        for (const auto& [name, count] :
             {std::pair("conformers", &EnsembleOptions::conformers),
              std::pair("receptor_conformers", &EnsembleOptions::receptor_conformers),
              std::pair("ligand_conformers", &EnsembleOptions::ligand_conformers)}) {
            const std::string text = field(row, name);
            if (text.empty()) continue;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), ensemble.*count);
            if (error != std::errc() || end != text.data() + text.size())
                throw problem(row, "'" + io::one_line(text, 40) + "' is no number of conformers",
                              std::string("correct column ") + name);
        }
        for (const auto& [name, models] :
             {std::pair("receptor_models", &EnsembleOptions::receptor_models),
              std::pair("ligand_models", &EnsembleOptions::ligand_models)}) {
            std::string text = field(row, name);
            std::ranges::replace(text, ';', ',');
            if (!text.empty()) ensemble.*models = text;
        }
        set_files(row, "add_receptor", ensemble.receptor_files);
        set_files(row, "add_ligand", ensemble.ligand_files);
    }

    void set_antibody(const io::CsvRow& row, DockInput& input) {
        const std::string mode = field(row, "antibody");
        if (mode.empty()) return;
        if (!find_antibody_mode(mode))
            throw problem(row, "unknown form of antibodies '" + io::one_line(mode) + "'",
                          "write auto, heavy-light, nanobody or off in column antibody");
        input.antibody = mode;
    }

    void set_plddt(const io::CsvRow& row, DockInput& input) {
        const std::string rule = field(row, "plddt");
        if (rule.empty()) return;
        require(row, "correct column plddt", [&] { parse_plddt(rule); });
        input.plddt = rule;
    }

    void set_keep(const io::CsvRow& row, DockInput& input) {
        if (const std::string rule = field(row, "keep"); !rule.empty()) input.keep = rule;
        if (const std::string rule = field(row, "drop"); !rule.empty()) input.drop = rule;
        require(row, "correct columns keep and drop", [&] { parse_keep(input.keep, input.drop); });
    }

    /// Several files are separated by ';'.
    void set_files(const io::CsvRow& row, const char* name, std::vector<std::string>& paths) {
        std::vector<std::string> files;
        const std::string text = field(row, name) + ";";
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find(';', begin);
            const std::size_t first = text.find_first_not_of(' ', begin);
            if (first < end) {
                const std::size_t last = text.find_last_not_of(' ', end - 1);
                files.push_back(path_beside(path_, text.substr(first, last + 1 - first)));
            }
            begin = end + 1;
        }
        if (!files.empty()) paths = std::move(files);
    }

    void set_membrane(const io::CsvRow& row, DockInput& input) {
        const std::string slab = field(row, "membrane"), other = field(row, "membrane_ligand");
        if (slab.empty() && other.empty()) return;
        if (!slab.empty()) input.membrane.slab = slab;
        if (!other.empty()) input.membrane.ligand_slab = other;
        require(row, "correct columns membrane and membrane_ligand", [&] {
            require_membrane(input.membrane);
            parse_membrane(without_unused_options(input).membrane, input.symmetry.is_set());
        });
    }

    void take_name(const DockPair& pair) {
        const io::CsvRow row{pair.line, {}};
        if (const std::string why = io::why_no_file_name(pair.name); !why.empty())
            throw problem(row, "'" + io::one_line(pair.name) + "' is not a name for a file: " + why,
                          "use letters, digits, _ and - in column name");
        const auto [former, is_new] = names_.emplace(io::without_capitals(pair.name), pair.line);
        if (!is_new)
            throw problem(row,
                          "its output " + pair.name + ".h5 is also the output of line " +
                              std::to_string(former->second) + " (capitals do not count)",
                          "give each pair its own name in column name");
    }

    std::string path_;
    const DockInput& common_;
    std::vector<io::CsvRow> rows_;
    std::map<std::string, std::size_t> columns_;
    std::map<std::string, int> names_;  ///< line of each name; names are in lower case
};

}  // namespace

bool has_own_search(const DockInput& input) {
    return input.symmetry.is_set() || input.ensemble.is_set() ||
           (input.membrane.is_set() && !input.membrane.ligand_slab.empty());
}

std::vector<DockPair> parse_pair_list(const io::TextSource& source, const DockInput& common) {
    return TableReader(source, common).read();
}

std::vector<DockPair> read_pair_list(const std::string& path, const DockInput& common) {
    return parse_pair_list(io::read_csv_text(path), common);
}

}  // namespace tessera::docking
