#include "docking/pairs/pair_list.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "docking/antibody/antibody.hpp"
#include "docking/model/membrane.hpp"
#include "docking/model/plddt_rule.hpp"
#include "docking/pairs/table_fields.hpp"
#include "io/files/file_name.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

const std::array<std::string, 14> known_columns{"receptor",
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
                                                "membrane"};

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
        return pairs;
    }

  private:
    Error problem(const io::CsvRow& row, const std::string& why, const std::string& what_to_do) {
        return Error("cannot use table '" + path_ + "'",
                     "line " + std::to_string(row.line) + ": " + why, what_to_do);
    }

    void read_header() {
        const io::CsvRow& header = rows_.front();
        for (std::size_t c = 0; c < header.fields.size(); ++c) {
            const std::string& name = header.fields[c];
            if (std::find(known_columns.begin(), known_columns.end(), name) == known_columns.end())
                throw problem(header, "unknown column '" + io::one_line(name) + "'",
                              "use receptor, ligand, name, reference, receptor_chains, "
                              "ligand_chains, reference_receptor_chains, reference_ligand_chains, "
                              "antibody, plddt, keep, drop, restraints, membrane");
            if (!columns_.emplace(name, c).second)
                throw problem(header, "column '" + name + "' appears twice", "remove one");
        }
        for (const char* needed : {"receptor", "ligand"})
            if (!columns_.contains(needed))
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
                          std::to_string(row.fields.size()) + " fields instead of " +
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
        if (input.receptor_path.empty() || input.ligand_path.empty())
            throw problem(row, "receptor or ligand is missing", "give two files on each line");
        set_path("reference", input.reference_path);
        set_antibody(row, input);
        set_plddt(row, input);
        set_keep(row, input);
        set_restraints(row, input);
        set_membrane(row, input);
        set_chains("receptor_chains", input.receptor_chains);
        set_chains("ligand_chains", input.ligand_chains);
        set_chains("reference_receptor_chains", input.reference_receptor_chains);
        set_chains("reference_ligand_chains", input.reference_ligand_chains);
        if (input.reference_path.empty() &&
            !(input.reference_receptor_chains.empty() && input.reference_ligand_chains.empty()))
            throw problem(row, "reference chains without a reference", "name the reference file");
        if (pair.name.empty())
            pair.name =
                name_of_structure(input.receptor_path) + "_" + name_of_structure(input.ligand_path);
        return pair;
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
        try {
            parse_plddt(rule);
        } catch (const Error& error) {
            throw problem(row, error.what(), "correct column plddt");
        }
        input.plddt = rule;
    }

    void set_keep(const io::CsvRow& row, DockInput& input) {
        if (const std::string rule = field(row, "keep"); !rule.empty()) input.keep = rule;
        if (const std::string rule = field(row, "drop"); !rule.empty()) input.drop = rule;
        try {
            parse_keep(input.keep, input.drop);
        } catch (const Error& error) {
            throw problem(row, error.what(), "correct columns keep and drop");
        }
    }

    /// Several files are separated by ';'.
    void set_restraints(const io::CsvRow& row, DockInput& input) {
        std::vector<std::string> files;
        const std::string text = field(row, "restraints") + ";";
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find(';', begin);
            const std::size_t first = text.find_first_not_of(' ', begin);
            if (first < end) {
                const std::size_t last = text.find_last_not_of(' ', end - 1);
                const std::string name = text.substr(first, last + 1 - first);
                files.push_back(path_beside(path_, name));
            }
            begin = end + 1;
        }
        if (!files.empty()) input.restraints.files = std::move(files);
    }

    void set_membrane(const io::CsvRow& row, DockInput& input) {
        const std::string slab = field(row, "membrane");
        if (slab.empty()) return;
        input.membrane.slab = slab;
        try {
            parse_membrane(input.membrane, false);
        } catch (const Error& error) {
            throw problem(row, error.what(), "correct column membrane");
        }
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

std::vector<DockPair> parse_pair_list(const io::TextSource& source, const DockInput& common) {
    return TableReader(source, common).read();
}

std::vector<DockPair> read_pair_list(const std::string& path, const DockInput& common) {
    return parse_pair_list(io::read_csv_text(path), common);
}

}  // namespace tessera::docking
