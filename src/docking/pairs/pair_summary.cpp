#include "docking/pairs/pair_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/terminal.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "docking/result/dock_result.hpp"
#include "docking/result/report.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/one_line.hpp"

namespace tessera::docking {

namespace {

/// Place, from 1, of the first pose that passes the test. Blank if there is none.
template <class Test>
std::string first_place(const std::vector<PoseQuality>& quality, const Test& test) {
    const auto hit = std::ranges::find_if(quality, test);
    return hit == quality.end() ? "" : std::to_string(hit - quality.begin() + 1);
}

std::string quality_fields(const std::vector<PoseQuality>& quality) {
    double best = 0;
    for (const PoseQuality& pose : quality) best = std::max(best, pose.dockq);
    return fmt::format(
        ",{},{},{:.3f}", first_place(quality, [](const auto& q) { return capri_class(q) > 0; }),
        first_place(quality,
                    [](const auto& q) { return q.ligand_interface_ca_rmsd < near_native; }),
        best);
}

const PoseList& list_of(const DockResult& result, const std::string& name,
                        const io::h5::Group& root) {
    const auto found =
        std::ranges::find(result.lists, name, [](const auto& l) { return l.set.name; });
    if (found == result.lists.end())
        root.refuse("'/docking/poses'", "the set " + name + " is missing");
    return *found;
}

}  // namespace

std::string warnings_text(const std::vector<std::string>& warnings) {
    if (warnings.empty()) return "";
    const std::string first = io::one_line(warnings.front(), 250);
    return warnings.size() == 1 ? first
                                : fmt::format("{} (and {} more)", first, warnings.size() - 1);
}

std::string SummaryFormat::header() const {
    std::string line = std::string(summary_beginning) + "search_seconds";
    for (const CoefficientSet& set : sets) {
        line += io::csv_field(set.name + "_best_score").insert(0, ",");
        if (!references) continue;
        for (const char* what : {"_first_acceptable", "_first_near_native", "_best_dockq"})
            line += io::csv_field(set.name + what).insert(0, ",");
    }
    return line + ",warnings";
}

std::string SummaryFormat::row(const std::string& name, const std::string& status,
                               const std::string& reason) const {
    const std::size_t blanks = 3 + sets.size() * (references ? 4 : 1);
    return io::csv_field(name) + "," + status + "," + io::csv_field(reason) +
           std::string(blanks, ',');
}

std::string SummaryFormat::row(const std::string& name, const io::h5::Group& root) const {
    const io::RunRecord run = io::read_run_record(root);
    double seconds = 0;
    for (const RankRecord& rank : run.ranks) seconds += rank.busy_seconds;
    const DockResult result = read_dock_result(root);
    std::string line =
        fmt::format("{},done,,{},{:.3f}", io::csv_field(name), result.frame.n, seconds);
    const io::h5::Group docking = root.open_group("docking");
    for (const CoefficientSet& set : sets) {
        const auto& poses = list_of(result, set.name, root).poses;
        line += poses.empty() ? "," : fmt::format(",{:.3f}", poses.front().score);
        if (!references) continue;
        line += docking.contains("evaluation")
                    ? quality_fields(
                          read_quality(docking.open_group("evaluation/" + set.name), poses.size()))
                    : ",,,";
    }
    return line + "," + io::csv_field(warnings_text(run.warnings));
}

}  // namespace tessera::docking
