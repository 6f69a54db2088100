// libFuzzer entry: the bytes are a script of changes to a small whole result (mutate_result.hpp):
// its values, shapes, types, attributes, links and storage. What the readers make of it keeps their
// promises, or is one line of an Error.
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "docking/result/dock_result.hpp"
#include "docking/result/dock_summary.hpp"
#include "fuzz.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/result/result.hpp"
#include "likelihood/result/star_table.hpp"
#include "likelihood/sample/sample_result.hpp"
#include "mutate_result.hpp"
#include "orbitals/result/report.hpp"
#include "result_images.hpp"

namespace {

using namespace tessera;
using fuzz::require;

void check_rotation(const Quaternion& q) {
    require(std::abs(q.length() - 1) < 0.01, "rotations are unit quaternions");
}

void check_poses(const io::h5::Group& root) {
    const docking::DockResult result = docking::read_dock_result(root);
    const std::int64_t n = result.frame.n;
    require(n > 0 && n <= docking::largest_grid && result.frame.spacing > 0, "there is a grid");
    std::ranges::for_each(result.rotations, check_rotation);
    for (const docking::PoseList& list : result.lists)
        for (const docking::Pose& pose : list.poses) {
            require(static_cast<std::size_t>(pose.rotation) < result.rotations.size(),
                    "rotations are there");
            require(pose.voxel >= 0 && pose.voxel < n * n * n, "voxels are in the grid");
            require(std::isfinite(pose.score + pose.translation.x) &&
                        list.poses.front().score <= pose.score,
                    "scores are numbers, the best first");
        }
    if (!result.consensus) return;
    for (const docking::ConsensusPose& pose : result.consensus->poses) {
        check_rotation(pose.pose.rotation);
        require(static_cast<std::size_t>(pose.origin.set) < result.lists.size(), "sets are there");
        require(pose.origin.place >= 0 && pose.origin.place + 1 > 0, "places can be counted");
        require(std::isfinite(pose.score + pose.contact_energy), "scores are numbers");
        if (pose.repacked)
            require(std::isfinite(pose.repacked->score + pose.repacked->binding) &&
                        pose.repacked->side_chains >= 0,
                    "what a repacking has changed is told in numbers");
    }
}

void check_partners_and_clusters(const io::h5::Group& root) {
    docking::DockResult result = docking::read_dock_result(root);
    if (result.partners)
        for (const io::Structure& partner : {result.partners->receptor, result.partners->ligand}) {
            require(!partner.atoms.empty(), "there are atoms");
            for (const io::AtomRecord& atom : partner.atoms)
                require(std::isfinite(atom.position.x + atom.b_factor) && atom.segment >= 0 &&
                            atom.name.find('\n') == std::string::npos,
                        "atoms can be written");
        }
    docking::read_clusters_and_quality(root, result);
    for (std::size_t s = 0; s < result.lists.size(); ++s)
        for (const docking::Cluster& cluster : result.clusters[s])
            require(cluster.center < result.lists[s].poses.size() && !cluster.members.empty(),
                    "centres are poses");
}

/// Where all of it can be read, its summary says the same.
void check_summary(const io::h5::Group& root) {
    const docking::DockResult result = docking::read_dock_result(root);
    const docking::DockSummary summary = docking::read_dock_summary(root);
    require(summary.rotations == result.rotations.size(), "rotations are counted");
    require(summary.sets.size() == result.lists.size(), "sets are counted");
    for (std::size_t s = 0; s < result.lists.size(); ++s) {
        const std::vector<docking::Pose>& poses = result.lists[s].poses;
        require(summary.sets[s].poses == poses.size(), "poses are counted");
        require(poses.empty() || summary.sets[s].best_score == poses.front().score,
                "the first score is the best");
    }
}

void check_docking(const io::h5::Group& root) {
    docking::read_dock_summary(root);
    check_summary(root);
    check_poses(root);
    check_partners_and_clusters(root);
}

void check_orbitals(const io::h5::Group& root) {
    const orbitals::OrbitalResult result = orbitals::read_orbital_result(root);
    require(!result.frames.empty() && result.nuclei.size() == result.frames.size(),
            "every frame has its atoms");
    for (const std::int64_t length : result.grid.shape) require(length > 0, "there is a grid");
    require(result.grid.size() > 0, "its points can be counted");
    orbitals::report_table(result, 20);
}

void check_likelihood(const io::h5::Group& root) {
    const likelihood::LikelihoodResult result = likelihood::read_likelihood_result(root);
    require(!result.wedges.empty() && result.number_of_stars() > 0, "there are stars");
    require(std::isfinite(result.search_likelihood()), "likelihoods are numbers");
    likelihood::report_text(result);
    const io::ValueTable stars = likelihood::star_table(root, 1000);
    for (std::int64_t row = 0; row < stars.rows; ++row)
        require(stars.row(row).size() == stars.columns.size(), "every column has a cell");
}

void check_fit(const io::h5::Group& root) {
    const likelihood::FitResult result = likelihood::read_fit_result(root);
    const std::size_t n = result.free.size();
    require(result.best.size() == n && result.covariance.size() == n * n, "all have one length");
    likelihood::report_text(result);
}

void check_sample(const io::h5::Group& root) {
    const likelihood::SampleResult result = likelihood::read_sample_result(root);
    require(result.summaries.size() == result.free.size(), "every parameter has its numbers");
    likelihood::report_text(result);
    likelihood::to_json(result);
    const io::ValueTable draws = likelihood::draw_table(root, 1000);
    for (std::int64_t row = 0; row < draws.rows; ++row)
        require(draws.row(row).size() == draws.columns.size(), "every column has a cell");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::MemoryFile file;
    static const std::vector<std::string> images = fuzz::result_images();
    static constexpr void (*checks[])(const io::h5::Group&) = {
        check_docking, check_orbitals, check_likelihood, check_fit, check_sample};
    fuzz::Script script(data, size);
    const std::size_t chosen = script.below(images.size());
    const std::string path = file.with(fuzz::mutated(images[chosen], script));
    fuzz::expect_line([&] {
        const io::h5::File opened = io::open_result(path);
        io::read_run_record(opened.root());
        checks[chosen](opened.root());
    });
    return 0;
}
