#include "docking/pairs/pair_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/terminal.hpp"
#include "docking/evaluation.hpp"
#include "docking/report.hpp"
#include "io/run_record.hpp"

namespace tessera::docking {

namespace {

template <class T>
std::vector<T> column(const io::h5::Group& group, const std::string& path) {
    return group.open_dataset(path).read<T>().values;
}

/// Rank, from 1, of the first value that passes; blank for none.
template <class T, class Test>
std::string first_rank(const std::vector<T>& values, const Test& test) {
    const auto hit = std::find_if(values.begin(), values.end(), test);
    return hit == values.end() ? "" : std::to_string(hit - values.begin() + 1);
}

std::string quality_fields(const io::h5::Group& evaluation) {
    const auto dockq = column<double>(evaluation, "dockq");
    const double best = dockq.empty() ? 0 : *std::max_element(dockq.begin(), dockq.end());
    return fmt::format(
        ",{},{},{:.3f}",
        first_rank(column<std::int32_t>(evaluation, "capri_class"), [](int c) { return c > 0; }),
        first_rank(column<double>(evaluation, "ligand_interface_ca_rmsd"),
                   [](double rmsd) { return rmsd < near_native; }),
        best);
}

}  // namespace

std::string csv_field(const std::string& text) {
    std::string field = printable(text);
    if (field.find_first_of("=+-@") == 0) field.insert(0, "'");  // spreadsheets would compute it
    if (field.find_first_of(",\"") == std::string::npos) return field;
    std::string quoted = "\"";
    for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string SummaryFormat::header() const {
    std::string line = "name,status,reason,grid,search_seconds";
    for (const CoefficientSet& set : sets) {
        line += csv_field(set.name + "_best_score").insert(0, ",");
        if (!references) continue;
        for (const char* what : {"_first_acceptable", "_first_near_native", "_best_dockq"})
            line += csv_field(set.name + what).insert(0, ",");
    }
    return line;
}

std::string SummaryFormat::row(const std::string& name, const std::string& status,
                               const std::string& reason) const {
    const std::size_t blanks = 2 + sets.size() * (references ? 4 : 1);
    return csv_field(name) + "," + status + "," + csv_field(reason) + std::string(blanks, ',');
}

std::string SummaryFormat::row(const std::string& name, const io::h5::Group& root) const {
    double seconds = 0;
    for (const RankRecord& rank : io::read_run_record(root).ranks) seconds += rank.busy_seconds;
    const io::h5::Group docking = root.open_group("docking");
    std::string line = fmt::format("{},done,,{},{:.3f}", csv_field(name),
                                   docking.read_attribute<std::int64_t>("grid"), seconds);
    for (const CoefficientSet& set : sets) {
        const auto score = column<double>(docking, "poses/" + set.name + "/score");
        line += score.empty() ? "," : fmt::format(",{:.3f}", score.front());
        if (!references) continue;
        line += docking.contains("evaluation")
                    ? quality_fields(docking.open_group("evaluation/" + set.name))
                    : ",,,";
    }
    return line;
}

}  // namespace tessera::docking
