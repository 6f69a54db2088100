#include "docking/result/capri_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "io/files/input_file.hpp"

namespace tessera::docking {

namespace {

constexpr std::size_t evaluated_poses = 4;  // of a cluster, as HADDOCK3 does by default

constexpr const char* pose_titles =
    "model\tmd5\tcaprieval_rank\tscore\tirmsd\tfnat\tlrmsd\tilrmsd\tdockq\tcluster_id\t"
    "cluster_ranking\tmodel-cluster_ranking\n";
constexpr const char* cluster_titles =
    "cluster_rank\tcluster_id\tn\tunder_eval\tscore\tscore_std\tirmsd\tirmsd_std\tfnat\tfnat_std\t"
    "lrmsd\tlrmsd_std\tdockq\tdockq_std\tcaprieval_rank\n";

/// Mean and standard deviation (with division by the number of values).
struct Spread {
    double mean = 0, deviation = 0;
};

Spread spread_of(const std::vector<double>& values) {
    const auto count = static_cast<double>(values.size());
    Spread spread;
    spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    spread.deviation = std::sqrt(squares / count);
    return spread;
}

/// The part of a row that says in which cluster a pose is, and its place there.
std::string cluster_fields(const ChosenList& list, std::size_t pose) {
    const auto& clusters = list.clusters();
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        const auto& members = clusters[c].members;
        const auto found = std::find(members.begin(), members.end(), pose);
        if (found != members.end())
            return fmt::format("{0}\t{0}\t{1}", c + 1, found - members.begin() + 1);
    }
    return "-\t-\t-";
}

struct ClusterRow {
    std::size_t number = 0, size = 0;
    std::vector<Spread> values;  ///< score, irmsd, fnat, lrmsd, dockq
};

ClusterRow cluster_row(const ChosenList& list, std::size_t c) {
    const auto& members = list.clusters()[c].members;
    const std::size_t count = std::min(members.size(), evaluated_poses);
    const auto over_best = [&](const auto& value) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i) values.push_back(value(members[i]));
        return spread_of(values);
    };
    const auto quality = [&](double PoseQuality::*value) {
        return over_best([&](std::size_t pose) { return list.quality()[pose].*value; });
    };
    return {c + 1,
            members.size(),
            {over_best([&](std::size_t pose) { return list.score(pose); }),
             quality(&PoseQuality::interface_rmsd), quality(&PoseQuality::fnat),
             quality(&PoseQuality::ligand_rmsd), quality(&PoseQuality::dockq)}};
}

}  // namespace

std::string capri_poses(const ChosenList& list) {
    std::string text = pose_titles;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const PoseQuality& q = list.quality()[i];
        text +=
            fmt::format("{}_{:04}.pdb\t-\t{}\t{:.3f}\t{:.3f}\t{:.3f}\t{:.3f}\tnan\t{:.3f}\t{}\n",
                        list.name(), i + 1, i + 1, list.score(i), q.interface_rmsd, q.fnat,
                        q.ligand_rmsd, q.dockq, cluster_fields(list, i));
    }
    return text;
}

std::string capri_clusters(const ChosenList& list) {
    std::vector<ClusterRow> rows;
    for (std::size_t c = 0; c < list.clusters().size(); ++c) rows.push_back(cluster_row(list, c));
    std::ranges::stable_sort(rows, {}, [](const ClusterRow& row) { return row.values[0].mean; });
    std::string text = cluster_titles;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        text += fmt::format("{0}\t{0}\t{1}\t{2}", rows[r].number, rows[r].size,
                            rows[r].size < evaluated_poses ? "yes" : "-");
        for (const Spread& spread : rows[r].values)
            text += fmt::format("\t{:.3f}\t{:.3f}", spread.mean, spread.deviation);
        text += fmt::format("\t{}\n", r + 1);
    }
    return text;
}

bool is_capri_table(const std::string& path) {
    const std::string text = io::beginning_of(path);
    return text.starts_with(pose_titles) || text.starts_with(cluster_titles);
}

}  // namespace tessera::docking
