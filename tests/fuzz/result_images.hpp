// A small whole result of every workload, as bytes.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "docking/result/dock_result.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/result/result.hpp"
#include "likelihood/sample/sample_result.hpp"

namespace tessera::fuzz {

inline docking::DockResult small_docking() {
    docking::DockResult result;
    result.frame = {.spacing = 1.5, .n = 16};
    result.rotations = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0.6, 0.8, 0}};
    for (const char* name : {"balanced", "vdw"}) {
        docking::PoseList list{{name, {0.4, -0.4, 600, 1}}, {}};
        for (int i = 0; i < 4; ++i)
            list.poses.push_back({-4.0 + i, i % 3, 7 * i, {1.0 * i, 2, 3}, {1, 2, 3, 4}});
        result.lists.push_back(list);
        result.clusters.push_back({{1, {0, 1, 2}}});
    }
    auto& consensus = result.consensus.emplace();
    consensus.weights.contacts = {2, {{{1, 2, 2, 3}, {4, 5, 5, 6}}}};
    consensus.weights.table = {"general", "ab12"};
    for (int i = 0; i < 3; ++i) {
        docking::ConsensusPose pose;
        pose.score = i;
        pose.origin.set = i % 2;
        pose.origin.place = i;
        consensus.poses.push_back(pose);
    }
    consensus.weights.statistical = {0.5, 0, 0, -1};
    consensus.weights.repacked = {0.5, 0, 0.125};
    consensus.poses[0].repacked = docking::RepackedChange{-0.5, -7, -30, 4};
    consensus.repack_median = -0.25;
    consensus.clusters = {{0, {0, 1}}, {2, {2}}};
    io::Structure partner;
    partner.atoms.resize(2, {"CA", "MET", "MSE", "A", 1, ' ', 0, 0, "C", 20, {1, 2, 3}});
    result.partners = {partner, partner};
    return result;
}

/// As write_orbital_result() does for two orbitals of a hydrogen molecule in one frame.
inline void write_orbitals(io::h5::Group root) {
    io::h5::Group frame = root.group("frames/1"), orbitals = root.group("orbitals");
    frame.write("positions", std::vector<double>{0, 0, 0, 0, 0, 1.4}, {2, 3});
    frame.write("atomic_numbers", std::vector<std::int32_t>{1, 1});
    frame.write_strings("symbols", {"H", "H"});
    orbitals.write("origin", std::vector<double>{-3, -3, -3}, {1, 3});
    orbitals.write("spacing", std::vector<double>{0.5, 0.5, 0.5});
    orbitals.write("shape", std::vector<std::int64_t>{4, 5, 6});
    orbitals.write("frames", std::vector<std::int64_t>{1});
    orbitals.write_attribute("precision", "single");
    orbitals.write_strings("labels", {"HOMO", "LUMO"});
    orbitals.write_strings("spins", {"alpha", "alpha"});
    orbitals.write("numbers", std::vector<std::int64_t>{1, 2}, {1, 2});
    for (const char* name : {"energies", "occupations", "norm"})
        orbitals.write(name, std::vector<double>{0.5, 1}, {1, 2});
    orbitals.write("computed_in_double", std::vector<std::int8_t>{0, 1}, {1, 2});
    root.group("density").write("integral", std::vector<double>{2});
}

inline likelihood::LikelihoodResult small_likelihood() {
    likelihood::LikelihoodResult result;
    for (const int wedge : {82, 79}) {
        likelihood::Evaluation evaluation;
        evaluation.stream_integrals = evaluation.stream_only_likelihoods = {1, 2};
        evaluation.error_estimates = {1e-9, 1e-9, 1e-8, 1e-7};
        evaluation.exact_components = {1};
        result.wedges.push_back(
            {wedge, "a.toml", "a.stars", 2, 0, evaluation, {"warning: a (b): c"}});
    }
    for (auto& wedge : result.wedges) {
        wedge.evaluation.star_log10_density = {-3, -4};
        wedge.evaluation.empty_streams = {2};
        wedge.evaluation.memberships = {0.25, 0.75, 0, 0.5, 0.5, 0};
        wedge.expected_stars = {0.75, 1.25, 0};
    }
    return result;
}

inline likelihood::FitResult small_fit() {
    likelihood::FitResult result;
    result.free = {{"background.q", 0, 0.1, 2}, {"stream1.mu", 1, 150, 200}};
    result.best = result.start = result.standard_errors = {0.5, 170};
    result.covariance = {1, 0, 0, 1};
    result.verdicts = {"determined", "unconstrained"};
    result.method = "de";
    result.history = {{1, 0, -3, {0.5, 170}}};
    result.climbs = {{-3, {0.5, 170}}};
    result.errors.drops = {{2, 0.5, 0.5, 2}, {2, 0.5, 0.5, 3}};
    likelihood::ProfileIntervals profile;
    profile.parameter = 1;
    profile.lower = {165, 160};
    profile.upper = {175, 181};
    profile.lower_ends = profile.upper_ends = {"found", "at bound"};
    profile.points = {{165, 0.5, {0.5, 165}}, {170, 0, {0.5, 170}}};
    result.errors.profiles = {profile};
    result.errors.bootstrap = {{-3, -3.1}, {1, 2}, {1, 0}, {0.5, 170, 0.6, 171}, {{}, {}}};
    return result;
}

/// Two chains of four draws of one parameter.
inline void write_small_sample(io::h5::Group root) {
    likelihood::SampleResult result;
    result.method = "nuts";
    result.chains = 2;
    result.draws = 4;
    result.free = {{"stream1.mu", 1, 150, 200}};
    result.priors = {"uniform, 150 to 200"};
    result.fixed = {{"background.q", 0.5}};
    result.top = {170};
    result.summaries.resize(1);
    result.hills = {{{{170}, 0, 0.75, 0.1, 1.01}, {{180}, -1.5, 0.25, 0.1, 1.01}}, 3};
    const likelihood::Chains chains(2, {170, 171, 172, 173});
    const likelihood::SampleDraws draws{{chains}, chains, chains};
    likelihood::Samples samples;
    samples.draws.assign(2, std::vector<likelihood::Draw>(4));
    samples.covariance = likelihood::Matrix(1, 1.0);
    write_sample(std::move(root), result, draws, samples, {});
}

/// The bytes of a result that `write` fills.
inline std::string result_image(const std::string& workload,
                                const std::function<void(io::h5::Group)>& write) {
    const std::string path =
        "/tmp/tessera-fuzz-" + workload + "-" + std::to_string(getpid()) + ".h5";
    io::RunRecord record;
    record.input = "{}";
    record.ranks.resize(2);
    record.phases = {{"search", 1.5}};
    record.retries = {{3, 1, "out of memory", "", "done in smaller launches"}};
    io::ResultFile result(path, workload, "fuzz", true);
    io::write_run_record(result.root(), record);
    write(result.root());
    result.commit();
    std::ifstream file(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    unlink(path.c_str());
    return bytes;
}

/// In the order dock, orbital, likelihood, fit, sample.
inline std::vector<std::string> result_images() {
    const auto wedges = small_likelihood();
    const std::vector<likelihood::WedgeInput> inputs(2, {{}, {{150, 30, 20}, {160, 31, 21}}});
    return {result_image(
                "dock",
                [](io::h5::Group root) { write_dock_result(std::move(root), small_docking()); }),
            result_image("orbital", write_orbitals),
            result_image("likelihood",
                         [&](io::h5::Group root) {
                             write_likelihood_result(std::move(root), wedges, inputs);
                         }),
            result_image(
                "fit", [](io::h5::Group root) { write_fit_result(std::move(root), small_fit()); }),
            result_image("sample", write_small_sample)};
}

}  // namespace tessera::fuzz
