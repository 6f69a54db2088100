// This program refines poses of a file and writes their smooth terms. The rescoring weights are
// trained on these terms.
//   bench_refine_terms RECEPTOR LIGAND POSES.h5 OUT.h5 [reference=F] [pair_potential=F]
//                      [pair_scale=S] [device=auto] [any number of RefineParameters=VALUE]
// POSES.h5 holds `rotation` [m,4] (quaternions w x y z) and `translation` [m,3] (A), like
// /docking/consensus.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <map>

#include "bench/pose_file.hpp"
#include "core/error.hpp"
#include "docking/setup/prepare.hpp"
#include "io/hdf5/h5.hpp"

namespace {

using namespace tessera;

std::map<std::string, double*> numbers(kernels::RefineParameters& p, double& evaluations) {
    return {{"clash_scale", &p.clash_scale},
            {"contact_full", &p.contact_full},
            {"contact_end", &p.contact_end},
            {"pair_full", &p.pair_full},
            {"pair_end", &p.pair_end},
            {"outer_full", &p.outer_full},
            {"outer_end", &p.outer_end},
            {"near_full", &p.near_full},
            {"near_end", &p.near_end},
            {"covered", &p.covered},
            {"clash", &p.weights.clash},
            {"buried_clash", &p.weights.buried_clash},
            {"contact", &p.weights.contact},
            {"dispersion", &p.weights.dispersion},
            {"electrostatics", &p.weights.electrostatics},
            {"pair", &p.weights.pair},
            {"largest_shift", &p.largest_shift},
            {"largest_turn", &p.largest_turn},
            {"evaluations", &evaluations}};
}

void write(const std::string& path, const std::vector<kernels::RefinedPose>& refined,
           const docking::PreparedDocking& prepared) {
    std::vector<double> rotation, translation, terms, energy, start, quality;
    for (const kernels::RefinedPose& r : refined) {
        const Quaternion q = r.pose.rotation;
        const Vec3 t = r.pose.translation;
        rotation.insert(rotation.end(), {q.w, q.x, q.y, q.z});
        translation.insert(translation.end(), {t.x, t.y, t.z});
        terms.insert(terms.end(), r.terms.begin(), r.terms.end());
        energy.push_back(r.energy);
        start.push_back(r.start_energy);
        if (!prepared.evaluation) continue;
        const auto value = (*prepared.evaluation)(q, prepared.frame.ligand_center, t);
        quality.insert(quality.end(),
                       {value.ligand_rmsd, value.interface_rmsd, value.fnat, value.dockq,
                        value.ligand_interface_ca_rmsd, 1.0 * docking::capri_class(value)});
    }
    const std::uint64_t m = refined.size();
    auto file = io::h5::File::create(path);
    auto root = file.root();
    root.write("rotation", rotation, {m, 4});
    root.write("translation", translation, {m, 3});
    auto dataset = root.write("terms", terms, {m, kernels::refine_term_count});
    dataset.write_attribute("names", std::vector<std::string>(kernels::refine_term_names.begin(),
                                                              kernels::refine_term_names.end()));
    root.write("energy", energy);
    root.write("start_energy", start);
    if (prepared.evaluation) root.write("quality", quality, {m, 6});
}

void run(int argc, char** argv) {
    if (argc < 5)
        throw Error("too few arguments", "receptor, ligand, poses and output are needed",
                    "see the head of bench/refine_terms.cpp");
    docking::DockInput input;
    input.spacing = 4;  // coarse, because the grid is not used here
    input.receptor_path = argv[1];
    input.ligand_path = argv[2];
    kernels::RefineParameters values;
    double evaluations = 0;
    std::map<std::string, double> given;
    std::map<std::string, std::string*> texts{{"reference", &input.reference_path},
                                              {"pair_potential", &input.pair_potential}};
    kernels::DeviceRequest request;
    texts["device"] = &request.device;
    const auto known = numbers(values, evaluations);
    for (int i = 5; i < argc; ++i) {
        const std::string text = argv[i], name = text.substr(0, text.find('='));
        const std::string value = text.substr(std::min(text.size(), name.size() + 1));
        if (texts.count(name))
            *texts[name] = value;
        else if (name == "pair_scale")
            input.pair_scale = std::stod(value);
        else if (known.count(name))
            given[name] = std::stod(value);
        else
            throw Error("unknown argument '" + text + "'", "no parameter has that name",
                        "see bench/refine_terms.cpp");
    }
    if (input.pair_scale == 0) input.pair_scale = input.pair_potential.empty() ? 0.6 : 1.0;
    auto prepared = docking::prepare(input, {});
    evaluations = prepared.refinement.parameters.evaluations;
    const auto targets = numbers(prepared.refinement.parameters, evaluations);
    for (const auto& [name, value] : given) *targets.at(name) = value;
    prepared.refinement.parameters.evaluations = static_cast<int>(evaluations);

    const kernels::DeviceRuntime device(request);
    const auto refinement = make_pose_refinement(device.info().backend, prepared.refinement);
    const auto starts = bench::read_poses(argv[3]);
    const auto begin = std::chrono::steady_clock::now();
    const auto refined = refinement->refine(starts);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    write(argv[4], refined, prepared);
    std::printf("%zu poses in %.3f s on %s\n", starts.size(), spent.count(),
                device.info().name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc, argv);
    } catch (const Error& error) {
        std::fprintf(stderr, "bench_refine_terms: %s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
