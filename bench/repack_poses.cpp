// This program repacks the side chains of poses of a file, as tessera dock --repack does.
//   bench_repack_poses RECEPTOR LIGAND POSES.h5 [--rescoring NAME|FILE] [--atoms ATOMS.csv]
//                      [--device cuda] [--radius-scale X] [--depth X] [--highest X]
//                      [--charge-scale X] [--library-scale X] [--input-bonus X]
// POSES.h5 holds `rotation` [m,4] (quaternions w x y z) and `translation` [m,3] (A). They move the
// ligand's file about the origin. One row of CSV is printed for each pose. ATOMS.csv gets the atoms
// that have moved, each partner in the frame of its file. The time goes to standard error.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/pose_file.hpp"
#include "core/error.hpp"
#include "docking/model/pair_potential.hpp"
#include "docking/refinement/refinement.hpp"
#include "docking/repacking/repacking.hpp"
#include "io/proteins/structure.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace {

using namespace tessera;

/// Seconds since it was made.
class Seconds {
  public:
    double operator()() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void write_atoms(std::ofstream& out, std::size_t pose, const char* partner,
                 const io::Structure& structure, const docking::MovedAtoms& moved) {
    for (std::size_t i = 0; i < moved.atoms.size(); ++i) {
        const io::AtomRecord& atom = structure.atoms[moved.atoms[i]];
        const Vec3& p = moved.positions[i];
        out << pose << ',' << partner << ',' << atom.chain << ',' << atom.residue_number << ','
            << atom.insertion_code << ',' << atom.residue << ',' << atom.name << ',' << p.x << ','
            << p.y << ',' << p.z << '\n';
    }
}

void run(int argc, char** argv) {
    bench::CommandLine line(argc, argv);
    std::string rescoring = "general", atoms, name = "auto";
    line.take("--rescoring", rescoring);
    line.take("--atoms", atoms);
    line.take("--device", name);
    kernels::PackParameters parameters;
    line.take("--radius-scale", parameters.radius_scale);
    line.take("--depth", parameters.depth);
    line.take("--highest", parameters.highest);
    line.take("--charge-scale", parameters.charge_scale);
    line.take("--library-scale", parameters.library_scale);
    line.take("--input-bonus", parameters.input_bonus);
    const auto& files = line.rest();
    if (files.size() != 3)
        throw Error("three files are needed", std::to_string(files.size()) + " are given",
                    "see the head of bench/repack_poses.cpp");
    const io::Structure receptor = io::read_structure(files[0]),
                        ligand = io::read_structure(files[1]);
    const auto potential = docking::load_pair_potential(docking::default_pair_potential, 1);
    std::vector<std::string> warnings;
    const auto molecule = [&](const io::Structure& structure) {
        return docking::make_molecule(structure, warnings, potential.type_names);
    };
    const kernels::RefineProblem problem = docking::make_refine_problem(
        molecule(receptor), molecule(ligand), {}, docking::EnergyParameters{}, potential);
    const auto weights = docking::load_rescoring_weights(rescoring, potential.type_names);
    const auto poses = bench::read_poses(files[2]);
    const kernels::DeviceRuntime device({.device = name});
    const Seconds preparing;
    const docking::Repacking repacking(device.info().backend,
                                       {receptor, ligand, problem, {}, weights}, parameters);
    std::fprintf(stderr, "prepared in %.3f s\n", preparing());
    const Seconds spent;
    const auto repacked = repacking.repack(poses);
    std::fprintf(stderr, "%zu poses in %.3f s\n", poses.size(), spent());
    std::ofstream out;
    if (!atoms.empty()) {
        out.open(atoms);
        out << "pose,partner,chain,number,insertion,residue,atom,x,y,z\n";
    }
    std::printf("pose,side_chains,moved,energy_before,energy_after,score_before,score_after,"
                "clash_before,clash_after,binding\n");
    for (std::size_t i = 0; i < repacked.size(); ++i) {
        const auto& [plan, packed, of_receptor, of_ligand, score] = repacked[i];
        std::printf("%zu,%zu,%d,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", i, plan.nodes.size(),
                    repacked[i].moved_side_chains(), packed.input_energy, packed.energy,
                    score.before, score.after, score.clash_before, score.clash_after,
                    packed.binding());
        if (atoms.empty()) continue;
        write_atoms(out, i, "receptor", receptor, of_receptor);
        write_atoms(out, i, "ligand", ligand, of_ligand);
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc, argv);
    } catch (const Error& error) {
        std::fprintf(stderr, "bench_repack_poses: %s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
