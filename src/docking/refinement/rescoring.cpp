#include "docking/refinement/rescoring.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "docking/refinement/contact_types.hpp"
#include "io/files/data_files.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/near_name.hpp"

namespace tessera::docking {

namespace {

constexpr std::array<const char*, 1> cdr_share_name{"cdr_share"};
constexpr std::size_t columns = 4;  // kind,first,second,weight

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw Error("cannot read rescoring weights '" + path + "'", why,
                "give a table 'kind,first,second,weight' as potentials/train_rescoring writes it");
}

template <class Names>
int place_of(const Names& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// Fills the weights row by row.
class TableReader {
  public:
    TableReader(const std::string& path, const std::vector<std::string>& types)
        : path_(path), types_(types) {
        for (auto& shell : weights_.contacts.shells) shell.assign(types.size() * types.size(), 0);
    }

    void take(const io::CsvRow& row) {
        if (row.fields.size() != columns) fail(row, "it does not have four fields");
        const std::string &kind = row.fields[0], &first = row.fields[1], &second = row.fields[2];
        if (!seen_.insert(kind + "," + first + "," + second).second) fail(row, "it appears twice");
        const double weight = io::csv_number(row, columns - 1, path_);
        any_weight_ = any_weight_ || weight != 0;
        if (kind == "refined")
            *slot(weights_.refined, kernels::refine_term_names, row) = weight;
        else if (kind == "searched")
            *slot(weights_.searched, term_names, row) = weight;
        else if (kind == "statistical")
            *slot(weights_.statistical, statistical_term_names, row) = weight;
        else if (kind == "antibody")
            *slot(cdr_share_, cdr_share_name, row) = weight;
        else if (kind == "repacked")
            *slot(weights_.repacked, repacked_term_names, row) = weight;
        else if (const int shell = place_of(contact_shell_names, kind); shell >= 0)
            take_contact(weights_.contacts.shells[shell], first, second, weight);
        else
            fail(row, "unknown kind '" + kind + "'");
    }

    RescoringWeights finish() {
        require("refined", kernels::refine_term_names);
        require("searched", term_names);
        if (!any_weight_) refuse(path_, "all its weights are 0");
        weights_.contacts.types = static_cast<int>(types_.size());
        weights_.cdr_share = cdr_share_[0];
        return weights_;
    }

  private:
    [[noreturn]] void fail(const io::CsvRow& row, const std::string& why) const {
        refuse(path_, "line " + std::to_string(row.line) + ": " + why);
    }

    template <class Weights, class Names>
    double* slot(Weights& weights, const Names& names, const io::CsvRow& row) const {
        const int place = place_of(names, row.fields[1]);
        if (place < 0 || !row.fields[2].empty()) fail(row, "unknown term '" + row.fields[1] + "'");
        return &weights[place];
    }

    void take_contact(std::vector<double>& table, const std::string& first,
                      const std::string& second, double weight) {
        for (const std::string& name : {first, second})
            weights_.knows_nucleotides |= place_of(nucleotide_contact_names(), name) >= 0;
        const int a = place_of(types_, first), b = place_of(types_, second);
        if (a < 0 || b < 0) return;
        table[a * types_.size() + b] = table[b * types_.size() + a] = weight;
    }

    template <class Names>
    void require(const std::string& kind, const Names& names) const {
        for (const char* name : names)
            if (!seen_.count(kind + "," + name + ","))
                refuse(path_, "no weight for the term '" + kind + "," + name + "'");
    }

    std::string path_;
    std::vector<std::string> types_;
    RescoringWeights weights_;
    std::array<double, 1> cdr_share_{};
    std::set<std::string> seen_;
    bool any_weight_ = false;
};

const std::vector<std::string> built_in{"general", "antibody", "nucleic"};

std::string file_of(const std::string& name_or_path) {
    io::require_name_or_file("rescoring weights", name_or_path, built_in);
    if (name_or_path == "general") return io::data_file("potentials/rescoring.csv");
    if (name_or_path == "antibody") return io::data_file("potentials/rescoring_antibody.csv");
    if (name_or_path == "nucleic") return io::data_file("potentials/rescoring_nucleic.csv");
    return name_or_path;
}

}  // namespace

bool is_built_in_rescoring(const std::string& name) {
    return std::ranges::find(built_in, name) != built_in.end();
}

RescoringWeights load_rescoring_weights(const std::string& name_or_path,
                                        const std::vector<std::string>& type_names) {
    RescoringWeights weights =
        parse_rescoring_weights(io::read_csv_text(file_of(name_or_path)), type_names);
    if (is_built_in_rescoring(name_or_path)) weights.table.name = name_or_path;
    return weights;
}

RescoringWeights parse_rescoring_weights(const io::TextSource& source,
                                         const std::vector<std::string>& type_names) {
    const std::string& file = source.path;
    const std::vector<io::CsvRow> rows = io::parse_csv_table(source);
    if (rows.front().fields != std::vector<std::string>{"kind", "first", "second", "weight"})
        refuse(file, "the header is not kind,first,second,weight");
    TableReader reader(file, type_names);
    std::for_each(rows.begin() + 1, rows.end(), [&](const auto& row) { reader.take(row); });
    RescoringWeights weights = reader.finish();
    weights.table = {std::filesystem::path(file).filename().string(), source.sha256};
    return weights;
}

bool RescoringWeights::has_statistical() const {
    return std::ranges::any_of(statistical, [](double weight) { return weight != 0; });
}

double contact_energy(const ContactCounter& counter, const ContactTables& tables,
                      const kernels::RigidPose& pose) {
    double energy = 0;
    counter.for_each(pose, [&](int shell, int receptor_type, int ligand_type) {
        energy += tables.shells[shell][receptor_type * tables.types + ligand_type];
    });
    return energy;
}

double weighted(const StatisticalTerms& weights, const StatisticalTerms& terms) {
    return std::inner_product(weights.begin(), weights.end(), terms.begin(), 0.0);
}

}  // namespace tessera::docking
