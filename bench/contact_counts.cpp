// This program counts the contacts of poses by atom types and adds up their statistical terms. The
// rescoring weights are trained on these numbers.
//   bench_contact_counts RECEPTOR LIGAND POSES.h5 OUT.h5
// POSES.h5 holds `rotation` [m,4] (quaternions w x y z) and `translation` [m,3] (A), like
// /docking/consensus. OUT.h5 gets `contacts` [m, shells, types, types] and the types' names. Each
// pair of types is counted once, with the smaller type first. It also gets `statistical` [m, terms]
// in nats and the terms' names. If a partner is an antibody, it gets `cdr_share` [m] as well.
#include <algorithm>
#include <cstdio>

#include "bench/pose_file.hpp"
#include "core/error.hpp"
#include "docking/model/pair_potential.hpp"
#include "docking/refinement/contact_types.hpp"
#include "docking/setup/prepare.hpp"
#include "io/hdf5/h5.hpp"

namespace {

using namespace tessera;

void run(int argc, char** argv) {
    if (argc != 5)
        throw Error("four arguments are needed", "receptor, ligand, poses and output",
                    "see the head of bench/contact_counts.cpp");
    docking::DockInput input;
    input.spacing = 4;  // coarse, because the grid is not used here
    input.receptor_path = argv[1];
    input.ligand_path = argv[2];
    input.pair_scale = 1;
    input.consensus.refine = 1;  // so that the weights of the complex tell the types of contacts
    const auto prepared = docking::prepare(input, {});
    const docking::ContactCounter counter(prepared.refinement, prepared.contact_types);
    const auto poses = bench::read_poses(argv[3]);
    const std::uint64_t types = counter.types();
    const std::size_t row = docking::contact_shells * types * types;
    std::vector<std::int32_t> counts(poses.size() * row);
    const docking::StatisticalEnergy energy = docking::statistical_energy(prepared);
    constexpr std::size_t terms = docking::statistical_term_count;
    std::vector<double> statistical(poses.size() * terms), shares(poses.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto of_pose = counter.counts(poses[i]);
        std::copy(of_pose.begin(), of_pose.end(),
                  counts.begin() + static_cast<std::ptrdiff_t>(i * row));
        std::ranges::copy(energy.terms(poses[i]), &statistical[i * terms]);
        shares[i] = docking::cdr_share(counter, prepared.in_cdr, poses[i]);
    }
    auto names_of_types = docking::load_pair_potential(input.pair_potential, 1).type_names;
    if (!prepared.contact_types.receptor.empty())
        names_of_types = docking::contact_type_names(names_of_types, prepared.receptor_structure,
                                                     prepared.ligand_structure);
    auto file = io::h5::File::create(argv[4]);
    file.root()
        .write("contacts", counts, {poses.size(), docking::contact_shells, types, types})
        .write_attribute("types", names_of_types);
    const auto& names = docking::statistical_term_names;
    file.root()
        .write("statistical", statistical, {poses.size(), terms})
        .write_attribute("names", std::vector<std::string>(names.begin(), names.end()));
    if (docking::has_cdrs(prepared.in_cdr)) file.root().write("cdr_share", shares);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc, argv);
    } catch (const Error& error) {
        std::fprintf(stderr, "bench_contact_counts: %s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
